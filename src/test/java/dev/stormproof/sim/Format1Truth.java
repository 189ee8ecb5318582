package dev.stormproof.sim;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.Leaves;
import dev.stormproof.verify.judge.Anomaly;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The names that the anomalies of a stream of format 1 must have, counted from what was sent and what the log holds.
 *
 * <p>Events have no sequence; here each has a signature of its own, by which it is called. Whether what is missing and what
 * is strange in its place are a loss and an addition or one alteration, nobody can tell; so they are compared as what is
 * missing and what is strange. Named is what the checkpoints seal, if none of them is missing.
 */
final class Format1Truth {
    /** How far a neighbouring checkpoint is looked for (docs/DETECTION.md). */
    static final long NEIGHBOUR = 65_536;

    private final StreamHistory history;
    private final List<CheckpointRecord> anchors = new ArrayList<>();
    /** To which interval each sealed signature belongs. */
    private final Map<Hash, Integer> homes = new HashMap<>();

    /** Where each signature stands among all that were sent. */
    private final Map<Hash, Integer> places = new HashMap<>();

    private final Set<String> undecidable = new TreeSet<>();
    /** On which side of its home a signature has copies: -1 before, 1 behind, 0 on both. */
    private final Map<String, Integer> sides = new TreeMap<>();

    private boolean countable = true;

    Format1Truth(StreamHistory history) {
        this.history = history;
    }

    /** What has to be named; empty if the log does not tell it for sure. */
    Optional<Names> names() {
        if (!findAnchors()) {
            return Optional.empty();
        }
        Names names = new Names();
        Map<String, Integer> copies = new TreeMap<>();
        List<List<Long>> atHome = new ArrayList<>();
        anchors.forEach(anchor -> atHome.add(new ArrayList<>()));
        for (Event event : history.events) {
            Integer home = homes.get(event.observed());
            int window = window(event.offset());
            String call = call(event.observed());
            if (home == null) {
                boolean sent = places.containsKey(event.observed());
                if (sent || window == anchors.size()) {
                    undecidable.add(call);
                } else {
                    names.foreign.add(call);
                }
                continue;
            }
            copies.merge(call, 1, Integer::sum);
            if (window == home) {
                atHome.get(home).add((long) places.get(event.observed()));
            } else {
                noteAway(call, home, window);
            }
        }
        homes.keySet().stream()
                .map(Format1Truth::call)
                .filter(call -> !copies.containsKey(call))
                .forEach(names.lost::add);
        copies.forEach((call, count) -> {
            if (count > 1) {
                names.duplicated.put(call, count);
            }
        });
        int inOrder = atHome.stream().mapToInt(Format2Truth::longestRun).sum();
        names.reorderedCount = copies.size() - inOrder;
        names.forget(undecidable);
        return Optional.of(names);
    }

    /** What verdicts name, in the terms of this. */
    Names named(Iterable<Anomaly> anomalies) {
        Names named = new Names();
        for (Anomaly anomaly : anomalies) {
            String observed = call(anomaly.observed());
            String call = anomaly.expected().sizeBytes() > 0 ? call(anomaly.expected()) : observed;
            switch (anomaly.kind()) {
                case LOST -> named.lost.add(call);
                case ALTERED -> {
                    named.lost.add(call);
                    named.foreign.add(observed);
                }
                case FOREIGN -> named.foreign.add(observed);
                case DUPLICATED -> named.duplicated.merge(call, anomaly.copies(), Math::max);
                case REORDERED -> named.reordered.add(call);
                case CHECKPOINT_LOST -> named.foreign.addAll(unstated(anomaly));
                default -> named.others.add(anomaly.toString());
            }
        }
        named.reorderedCount = named.reordered.size();
        named.forget(undecidable);
        return named;
    }

    /** Events in a row that no checkpoint states: copies from another partition look as if their own were lost. */
    private List<String> unstated(Anomaly anomaly) {
        return history.events.stream()
                .filter(event -> event.offset() >= anomaly.offset())
                .limit(anomaly.copies())
                .map(event -> call(event.observed()))
                .toList();
    }

    /** False if it is not sure how many are reordered. */
    boolean countable() {
        return countable;
    }

    /** A copy away from home is named by its window's interval; of copies on both sides nobody sees all. */
    private void noteAway(String call, int home, int window) {
        int side = Integer.signum(window - home);
        boolean near = Math.abs(window - home) == 1 && window < anchors.size() && isFound(Math.min(window, home));
        if (!near || sides.merge(call, side, (known, now) -> known.equals(now) ? known : 0) == 0) {
            undecidable.add(call);
            countable = false;
        }
    }

    private boolean isFound(int interval) {
        long begin = interval == 0 ? 0 : anchors.get(interval - 1).offset();
        return anchors.get(interval).offset() - begin <= NEIGHBOUR;
    }

    /** Finds the checkpoints that seal; false if they do not seal everything that was sent, one after the other. */
    private boolean findAnchors() {
        SentStream sent = history.sent;
        if (sent == null) {
            return false;
        }
        for (int i = 0; i < sent.signatures.size(); i++) {
            if (places.put(sent.signatures.get(i), i) != null) {
                return false;
            }
        }
        int next = 0;
        for (CheckpointRecord record : history.checkpoints) {
            if (!history.seals(record)) {
                if (isBehindOtherEvents(record)) {
                    // Where the events of the next interval begin, nothing shows.
                    return false;
                }
                continue;
            }
            Leaves leaves = record.checkpoint().leaves().orElseThrow();
            for (int i = 0; i < leaves.count(); i++, next++) {
                boolean inTurn =
                        next < sent.signatures.size() && leaves.signature(i).equals(sent.signatures.get(next));
                if (!inTurn) {
                    return false;
                }
                homes.put(leaves.signature(i), anchors.size());
            }
            anchors.add(record);
        }
        return !anchors.isEmpty();
    }

    /** True of a copy before which events lie that came since the last checkpoint. */
    private boolean isBehindOtherEvents(CheckpointRecord copy) {
        long since = anchors.isEmpty() ? -1 : anchors.get(anchors.size() - 1).offset();
        return history.events.stream().anyMatch(event -> since < event.offset() && event.offset() < copy.offset());
    }

    private int window(long offset) {
        return (int) anchors.stream().filter(anchor -> anchor.offset() < offset).count();
    }

    private static String call(Hash signature) {
        return signature.sizeBytes() == 0 ? "" : signature.toHex().substring(0, 16);
    }
}
