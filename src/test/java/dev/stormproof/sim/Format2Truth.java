package dev.stormproof.sim;

import dev.stormproof.proof.checkpoint.Checkpoint;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.verify.judge.Anomaly;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The names that the anomalies of a stream of format 2 must have, counted from what was sent and what the log holds.
 *
 * <pre>
 *   window      0        1          2           3 = behind the last checkpoint
 *   log      e e e #0 e e e e #1 e e e e e #2 e e
 * </pre>
 *
 * <p>Of a sequence with g genuine and d damaged copies: lost if there is none, altered if g = 0, duplicated if g ≥ 2; the
 * damaged ones beyond the altered are foreign, and so is each of several where none has to be. As few are reordered as have to move: in each window all but a longest
 * increasing run. What belongs behind the last checkpoint is not sealed and has no name.
 */
final class Format2Truth {
    /** How far a neighbouring checkpoint without a hint is looked for. */
    private static final long FAR_APART = 65_536;

    private final StreamHistory history;
    private final List<CheckpointRecord> anchors = new ArrayList<>();
    private final Map<Long, List<Event>> copies = new TreeMap<>();
    /** The events that lie in the window where they belong, genuine ones only. */
    private final List<List<Long>> atHome = new ArrayList<>();

    private final Names names = new Names();
    private final Set<String> undecidable = new TreeSet<>();
    private final Set<String> blurred = new TreeSet<>();
    private boolean countable = true;

    Format2Truth(StreamHistory history) {
        this.history = history;
    }

    /** What has to be named; empty if the log does not tell it for sure. */
    Optional<Names> names() {
        if (!findAnchors() || !findCopies()) {
            return Optional.empty();
        }
        int present = 0;
        for (long sequence = 0; sequence < end(); sequence++) {
            present += name(sequence) ? 1 : 0;
        }
        int inOrder = atHome.stream().mapToInt(Format2Truth::longestRun).sum();
        names.reorderedCount = present - inOrder;
        nameCheckpoints();
        names.forget(undecidable);
        names.forgetDamage(blurred);
        return Optional.of(names);
    }

    /** Sequences of which it is not decided what their damaged copies are called. */
    Set<String> blurred() {
        return blurred;
    }

    /** Sequences of which it is not decided what they are called. */
    Set<String> undecidable() {
        return undecidable;
    }

    /** False if it is not sure how many are reordered. */
    boolean countable() {
        return countable;
    }

    /** What an anomaly of the stream is about. */
    Set<String> calls(Anomaly anomaly) {
        Set<String> calls = new TreeSet<>();
        boolean ofCheckpoints = anomaly.kind() == Anomaly.Kind.CHECKPOINT_LOST;
        long until = ofCheckpoints ? anomaly.end() : Math.min(anomaly.end(), end());
        for (long number = anomaly.begin(); number < until; number++) {
            calls.add(call(number));
        }
        return calls;
    }

    /** True if a root may differ without anybody being able to say where. */
    boolean mayBeUnlocated(long begin, long end) {
        for (long sequence = begin; sequence < end; sequence++) {
            List<Event> found = copies.getOrDefault(sequence, List.of());
            boolean damaged = !found.isEmpty() && found.stream().noneMatch(history::isGenuine);
            boolean told = damaged || isOnBothSides(sequence, found) || isDamagedAtHome(sequence, found);
            if (told && !states(home(sequence), sequence)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Finds the checkpoints that seal; false if any is forged, or they do not come in order, from the first one on, or one follows upon another
     * checkpoint in the place of its predecessor: its emitter had given that up, and closed in its place.
     */
    private boolean findAnchors() {
        for (CheckpointRecord record : history.checkpoints) {
            // Where checkpoints are out of order, names depend on which one is taken to be in its place.
            if (!history.isGenuine(record) || history.isLate(record)) {
                return false;
            }
            if (!history.seals(record)) {
                continue;
            }
            boolean next = anchors.isEmpty()
                    ? number(record) == 0
                    : number(record) > number(last())
                            && sealed(record).firstSequence() >= sealed(last()).nextSequence();
            if (!next || isBehindWhatReplaced(record)) {
                return false;
            }
            anchors.add(record);
        }
        return !anchors.isEmpty();
    }

    private boolean isBehindWhatReplaced(CheckpointRecord record) {
        return !anchors.isEmpty()
                && number(record) == number(last()) + 1
                && !((Format2Checkpoint) record.checkpoint()).previousHash().equals(last().chainHash());
    }

    /** True of an event that came an interval early, where its own interval cannot tell: the checkpoints are far apart. */
    private boolean isFarEarly(int home, int window) {
        if (window != home - 1 || window < 1) {
            return false;
        }
        CheckpointRecord before = anchors.get(window - 1);
        Format2Checkpoint behind = (Format2Checkpoint) anchors.get(window).checkpoint();
        return anchors.get(window).offset() - before.offset() > FAR_APART
                && behind.previousOffsetHint() != before.offset();
    }

    private boolean isFarFromHome(int home, int window) {
        return home > 0
                && window > home
                && number(anchors.get(home)) > number(anchors.get(home - 1)) + 1
                && anchors.get(home).offset() - anchors.get(home - 1).offset() > FAR_APART;
    }

    /** Finds all copies of sealed events; false if one lies too far away to be found, or nobody can tell its content. */
    private boolean findCopies() {
        anchors.forEach(anchor -> atHome.add(new ArrayList<>()));
        for (Event event : history.events) {
            long sequence = event.sequence();
            if (sequence >= end()) {
                continue;
            }
            int home = home(sequence);
            int window = window(event.offset());
            if (event.offset() < anchors.get(0).offset() - Oracle.BEFORE_THE_BEGINNING
                    || isFarEarly(home, window)
                    || isFarFromHome(home, window)) {
                return false;
            }
            boolean genuine = history.isGenuine(event);
            boolean obvious = !event.intact() || !event.isMadeAs(sealed(last()));
            if (Math.abs(home - window) > 1 || (!genuine && !obvious && !states(home, sequence))) {
                return false;
            }
            copies.computeIfAbsent(sequence, first -> new ArrayList<>()).add(event);
            if (window == anchors.size()) {
                undecidable.add(call(sequence));
                countable = false;
            } else if (genuine && window == home) {
                atHome.get(home).add(sequence);
            }
        }
        return true;
    }

    /** Names what happened to one sequence; true if it is there, genuine. */
    private boolean name(long sequence) {
        String call = call(sequence);
        List<Event> found = copies.getOrDefault(sequence, List.of());
        int genuine = (int) found.stream().filter(history::isGenuine).count();
        int damaged = found.size() - genuine;
        boolean certain = !StreamHistory.isUncertain(sealed(anchors.get(home(sequence))), sequence);
        if (found.isEmpty() && certain) {
            names.lost.add(call);
        }
        // Of an uncertain one its own interval misses none: several copies elsewhere have no original among them.
        boolean original = genuine == 0 && (certain || damaged == 1 || isDamagedAtHome(sequence, found));
        if (original && damaged > 0) {
            names.altered.add(call);
        }
        if (isOnBothSides(sequence, found)) {
            blurred.add(call);
        }
        if (damaged > (original ? 1 : 0)) {
            names.foreign.add(call);
        }
        // An interval counts the copies in its own range and in those beside it.
        if (found.stream().mapToInt(event -> window(event.offset())).distinct().count() > 1
                && found.stream()
                                        .mapToInt(event -> window(event.offset()))
                                        .max()
                                        .orElse(0)
                                - found.stream()
                                        .mapToInt(event -> window(event.offset()))
                                        .min()
                                        .orElse(0)
                        > 1) {
            undecidable.add(call);
            countable = false;
        }
        if (genuine > 1) {
            names.duplicated.put(call, genuine);
        }
        return genuine > 0;
    }

    private boolean isOnBothSides(long sequence, List<Event> found) {
        boolean before =
                found.stream().anyMatch(event -> !history.isGenuine(event) && window(event.offset()) < home(sequence));
        return before && found.stream().anyMatch(event -> window(event.offset()) > home(sequence));
    }

    private boolean isDamagedAtHome(long sequence, List<Event> found) {
        int home = home(sequence);
        List<Event> there =
                found.stream().filter(event -> window(event.offset()) == home).toList();
        return !there.isEmpty() && there.stream().noneMatch(history::isGenuine);
    }

    private void nameCheckpoints() {
        for (int i = 1; i < anchors.size(); i++) {
            for (long lost = number(anchors.get(i - 1)) + 1; lost < number(anchors.get(i)); lost++) {
                names.checkpointsLost.add(call(lost));
            }
        }
    }

    private boolean states(int window, long sequence) {
        Checkpoint checkpoint = sealed(anchors.get(window));
        return checkpoint.leaves().isPresent()
                && checkpoint.firstSequence() <= sequence
                && !StreamHistory.isUncertain(checkpoint, sequence);
    }

    private int home(long sequence) {
        int home = 0;
        while (sealed(anchors.get(home)).nextSequence() <= sequence) {
            home++;
        }
        return home;
    }

    private int window(long offset) {
        return (int) anchors.stream().filter(anchor -> anchor.offset() < offset).count();
    }

    private long end() {
        return sealed(last()).nextSequence();
    }

    private CheckpointRecord last() {
        return anchors.get(anchors.size() - 1);
    }

    /** How many of a list of numbers stand in a longest strictly increasing run. */
    static int longestRun(List<Long> sequences) {
        int[] longest = new int[sequences.size()];
        int best = 0;
        for (int i = 0; i < longest.length; i++) {
            longest[i] = 1;
            for (int j = 0; j < i; j++) {
                if (sequences.get(j) < sequences.get(i)) {
                    longest[i] = Math.max(longest[i], longest[j] + 1);
                }
            }
            best = Math.max(best, longest[i]);
        }
        return best;
    }

    static String call(long sequence) {
        String digits = Long.toString(sequence);
        return "0".repeat(Math.max(0, 5 - digits.length())) + digits;
    }

    private static long number(CheckpointRecord record) {
        return sealed(record).number();
    }

    private static Checkpoint sealed(CheckpointRecord record) {
        return record.checkpoint();
    }
}
