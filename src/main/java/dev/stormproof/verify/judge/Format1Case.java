package dev.stormproof.verify.judge;

import dev.stormproof.proof.align.LeafAlignment;
import dev.stormproof.proof.align.SignatureAligner;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.Format1Codec;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.Leaves;
import dev.stormproof.verify.judge.Anomaly.Kind;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Inconclusive.Reason;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Verified.Basis;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The judgement on one interval of format 1, which has no sequences: its leaves are aligned with the events by signature.
 *
 * <p>An event that is missing is looked for among the surplus events of the neighbouring intervals, and the other way round.
 */
final class Format1Case {
    private final IntervalId interval;
    private final CheckpointRecord target;
    private final StreamId stream;
    private final Leaves stated;
    private final Evidence evidence;
    private final List<CheckpointRecord> checkpoints;
    /** How often each signature is in the interval and its neighbours, and where first; computed when needed. */
    private final Map<Hash, Integer> copies = new HashMap<>();

    private final Map<Hash, Long> firstPlaces = new HashMap<>();

    Format1Case(IntervalId interval, CheckpointRecord target, Evidence evidence) {
        this.interval = interval;
        this.target = target;
        this.stream = target.checkpoint().stream();
        this.stated = leavesOf(target);
        this.evidence = evidence;
        this.checkpoints = withoutRepetitions();
    }

    Finding judge() {
        if (!checkpoints.contains(target)) {
            return StrayRecord.repetition(target);
        }
        Optional<CheckpointRecord> previous = lastBefore(target.offset());
        List<Event> own = eventsBetween(previous, target.offset());
        LeafAlignment alignment = SignatureAligner.align(stated, leavesOf(own));
        if (alignment.identical()) {
            return new Verified(
                    interval,
                    Basis.LOG,
                    own.isEmpty() ? target.offset() : own.get(0).offset());
        }
        if (previous.isEmpty() && evidence.beginOffset() > 0) {
            return new Inconclusive(interval, Reason.UNANCHORED, "no checkpoint before it in the log");
        }
        Neighbours neighbours = neighbours(previous);
        List<Anomaly> anomalies = new ArrayList<>();
        nameWithin(alignment, own, anomalies);
        List<Integer> missing = listOf(alignment.lost());
        List<Integer> surplus = listOf(alignment.foreign());
        nameAltered(alignment, own, neighbours, missing, surplus, anomalies);
        int unstated = missing.isEmpty() ? unstatedAtTheBeginning(own, surplus, neighbours) : 0;
        if (unstated >= Format1Codec.MIN_LEAVES) {
            surplus.removeIf(i -> i < unstated);
            anomalies.add(lostCheckpoint(own.get(0), unstated));
        }
        missing.forEach(i -> nameMissing(i, neighbours, anomalies));
        surplus.forEach(i -> nameSurplus(own.get(i), neighbours, anomalies));
        return Violated.of(interval, anomalies, alignment.minimal());
    }

    /** The offset after which the interval's own range begins. */
    long ownBegin() {
        return lastBefore(target.offset()).map(CheckpointRecord::offset).orElse(evidence.beginOffset() - 1);
    }

    /**
     * The checkpoints but for repetitions: those that state the same as the last one that is kept, with none of the stated
     * events in between.
     */
    private List<CheckpointRecord> withoutRepetitions() {
        List<CheckpointRecord> first = new ArrayList<>();
        for (CheckpointRecord record : evidence.checkpoints()) {
            CheckpointRecord before = first.isEmpty() ? null : first.get(first.size() - 1);
            if (before == null || !repeats(record, before)) {
                first.add(record);
            }
        }
        return first;
    }

    private boolean repeats(CheckpointRecord record, CheckpointRecord before) {
        Leaves leaves = leavesOf(record);
        if (!leaves.equals(leavesOf(before))) {
            return false;
        }
        Set<Hash> stated = signaturesOf(leaves);
        return eventsBetween(Optional.of(before), record.offset()).stream()
                .noneMatch(event -> stated.contains(event.observed()));
    }

    private Optional<CheckpointRecord> lastBefore(long offset) {
        return checkpoints.stream().filter(record -> record.offset() < offset).reduce((earlier, later) -> later);
    }

    private Optional<CheckpointRecord> next() {
        return checkpoints.stream()
                .filter(record -> record.offset() > target.offset())
                .findFirst();
    }

    /**
     * The differences of the intervals before and after.
     *
     * @param surplus the events that their checkpoints do not state, in the order of the log
     * @param missing the stated signatures without an event there
     * @param stated every signature that they state
     */
    private record Neighbours(Map<Hash, List<Event>> surplus, Set<Hash> missing, Set<Hash> stated) {}

    private Neighbours neighbours(Optional<CheckpointRecord> previous) {
        Neighbours found = new Neighbours(new HashMap<>(), new HashSet<>(), new HashSet<>());
        previous.ifPresent(record -> add(record, found));
        next().ifPresent(record -> add(record, found));
        return found;
    }

    private void add(CheckpointRecord record, Neighbours found) {
        Optional<CheckpointRecord> before = lastBefore(record.offset());
        if (before.isEmpty() && evidence.beginOffset() > 0) {
            return;
        }
        Leaves leaves = leavesOf(record);
        List<Event> own = eventsBetween(before, record.offset());
        LeafAlignment alignment = SignatureAligner.align(leaves, leavesOf(own));
        IntStream.concat(Arrays.stream(alignment.foreign()), Arrays.stream(alignment.alteredObserved()))
                .sorted()
                .mapToObj(own::get)
                .forEach(event -> found.surplus()
                        .computeIfAbsent(event.observed(), signature -> new ArrayList<>())
                        .add(event));
        IntStream.concat(Arrays.stream(alignment.lost()), Arrays.stream(alignment.alteredExpected()))
                .forEach(i -> found.missing().add(leaves.signature(i)));
        found.stated().addAll(signaturesOf(leaves));
    }

    private void nameWithin(LeafAlignment alignment, List<Event> own, List<Anomaly> anomalies) {
        for (int i : alignment.reordered()) {
            anomalies.add(anomaly(Kind.REORDERED, alignment.expectedIndexOf(i), own.get(i), 1));
        }
        for (int i : alignment.duplicates()) {
            Event event = own.get(i);
            anomalies.add(anomaly(Kind.DUPLICATED, alignment.expectedIndexOf(i), event, copies(event.observed())));
        }
    }

    /**
     * Names the events in the places of other stated ones. That is no alteration if a neighbour states the event, or holds the
     * stated one: then one is surplus and the other is missing.
     */
    private void nameAltered(
            LeafAlignment alignment,
            List<Event> own,
            Neighbours neighbours,
            List<Integer> missing,
            List<Integer> surplus,
            List<Anomaly> anomalies) {
        int[] expected = alignment.alteredExpected();
        int[] observed = alignment.alteredObserved();
        for (int i = 0; i < expected.length; i++) {
            Event event = own.get(observed[i]);
            boolean elsewhere = neighbours.stated().contains(event.observed())
                    || neighbours.surplus().containsKey(stated.signature(expected[i]));
            if (elsewhere) {
                missing.add(expected[i]);
                surplus.add(observed[i]);
            } else {
                anomalies.add(anomaly(Kind.ALTERED, expected[i], event, 1));
            }
        }
    }

    /**
     * How many events before the stated ones are stated by no checkpoint: if nothing else is wrong there, their checkpoint was lost.
     */
    private static int unstatedAtTheBeginning(List<Event> own, List<Integer> surplus, Neighbours neighbours) {
        Set<Integer> unstated = new HashSet<>(surplus);
        int count = 0;
        while (unstated.contains(count)
                && !neighbours.stated().contains(own.get(count).observed())
                && own.get(count).intact()) {
            count++;
        }
        return count;
    }

    private Anomaly lostCheckpoint(Event first, int events) {
        return new Anomaly(Kind.CHECKPOINT_LOST, stream, -1, 0, first.offset(), events, Hash.empty(), Hash.empty());
    }

    private void nameMissing(int i, Neighbours neighbours, List<Anomaly> anomalies) {
        Hash signature = stated.signature(i);
        List<Event> elsewhere = neighbours.surplus().getOrDefault(signature, List.of());
        if (elsewhere.isEmpty()) {
            anomalies.add(new Anomaly(Kind.LOST, stream, i, i + 1L, -1, 0, signature, Hash.empty()));
        } else {
            anomalies.add(anomaly(Kind.REORDERED, i, elsewhere.get(0), 1));
        }
    }

    private void nameSurplus(Event event, Neighbours neighbours, List<Anomaly> anomalies) {
        Hash signature = event.observed();
        if (!neighbours.stated().contains(signature)) {
            anomalies.add(anomaly(Kind.FOREIGN, -1, event, 1));
        } else if (neighbours.missing().contains(signature) && isFirst(event)) {
            anomalies.add(anomaly(Kind.REORDERED, -1, event, 1));
        } else {
            anomalies.add(anomaly(Kind.DUPLICATED, -1, event, copies(signature)));
        }
    }

    private boolean isFirst(Event event) {
        if (firstPlaces.isEmpty()) {
            evidence.events().forEach(other -> firstPlaces.putIfAbsent(other.observed(), other.offset()));
        }
        return firstPlaces.getOrDefault(event.observed(), event.offset()) >= event.offset();
    }

    /** How often a signature is in the interval and its neighbours. */
    private int copies(Hash signature) {
        if (copies.isEmpty()) {
            long end = next().map(CheckpointRecord::offset).orElse(Long.MAX_VALUE);
            evidence.events().stream()
                    .filter(event -> event.offset() < end)
                    .forEach(event -> copies.merge(event.observed(), 1, Integer::sum));
        }
        return copies.getOrDefault(signature, 0);
    }

    private static List<Integer> listOf(int[] indices) {
        return new ArrayList<>(Arrays.stream(indices).boxed().toList());
    }

    private Anomaly anomaly(Kind kind, int index, Event event, int copies) {
        Hash expected = index < 0 ? Hash.empty() : stated.signature(index);
        return Anomaly.of(kind, index, event, copies, expected, target.checkpoint());
    }

    private List<Event> eventsBetween(Optional<CheckpointRecord> after, long before) {
        List<Event> events = evidence.events();
        long begin = after.map(CheckpointRecord::offset).orElse(-1L);
        int from = placeFrom(events, begin + 1);
        return events.subList(from, Math.max(from, placeFrom(events, before)));
    }

    /** The place of the first event at an offset or after it. */
    private static int placeFrom(List<Event> events, long offset) {
        int low = 0;
        int high = events.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (events.get(middle).offset() < offset) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static Set<Hash> signaturesOf(Leaves leaves) {
        return IntStream.range(0, leaves.count()).mapToObj(leaves::signature).collect(Collectors.toSet());
    }

    private static Leaves leavesOf(CheckpointRecord record) {
        return record.checkpoint().leaves().orElseThrow();
    }

    private static Leaves leavesOf(List<Event> events) {
        Leaves.Builder leaves = Leaves.builder();
        events.forEach(event -> leaves.append(event.observed()));
        return leaves.build();
    }
}
