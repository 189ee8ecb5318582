package dev.stormproof.verify.judge;

import dev.stormproof.proof.align.IncreasingChain;
import dev.stormproof.proof.checkpoint.Checkpoint;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.Interval;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.verify.judge.Anomaly.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Names the anomalies in one interval of format 2, by the sequences of its events.
 *
 * <p>Checkpoints are taken as fixed; events moved. An event is in order if it is in its own range, between its checkpoint and
 * the previous one, and belongs to a longest strictly increasing run of sequences there; the rest is a smallest set of events
 * to move (n − LIS; Schensted 1961). An event that is missing in its own range is searched in the neighbouring ones before it
 * is called lost, and an extra one there before it is called foreign. A sequence with g
 * genuine and d damaged records in reach is
 *
 * <pre>
 *   g = 0, d = 0   LOST
 *   g = 0, d ≥ 1   ALTERED, and the other damaged ones FOREIGN
 *   g = 1          nothing, or REORDERED if it is not in order; the damaged ones FOREIGN
 *   g ≥ 2          DUPLICATED, also REORDERED if none is in order; the damaged ones FOREIGN
 * </pre>
 *
 * <p>Each record is named by the interval in whose own range it is. Used once, for one interval.
 */
final class AnomalyClassifier {
    /**
     * The offsets and sequences that the evidence covers.
     *
     * @param begin the first sequence to account for: the interval's own, or an earlier one after a lost checkpoint
     * @param ownBegin the offset after which the interval's own range begins
     * @param ownEnd the offset of its checkpoint
     * @param horizonEnd the offset of the next checkpoint, before which records count
     * @param readBegin the first sequence whose own range the evidence holds
     * @param readEnd the sequence after the last whose own range the evidence holds
     */
    record Coverage(long begin, long ownBegin, long ownEnd, long horizonEnd, long readBegin, long readEnd) {}

    private final Checkpoint target;
    private final Evidence evidence;
    private final Coverage coverage;
    private final StatedSignatures stated;
    private final long end;

    private final List<Event> own = new ArrayList<>();
    /** How many of them have each sequence. */
    private final Map<Long, Integer> ownOf = new HashMap<>();

    private final Map<Long, List<Event>> outside = new HashMap<>();
    /** How many of them are genuine, for the sequences that were looked up. */
    private final Map<Long, Integer> genuineOutside = new HashMap<>();

    private final Map<Long, Integer> copies = new HashMap<>();
    private final List<Anomaly> anomalies = new ArrayList<>();
    private boolean unchecked;

    AnomalyClassifier(Checkpoint target, Evidence evidence, Coverage coverage) {
        this.target = target;
        this.evidence = evidence;
        this.coverage = coverage;
        this.stated = new StatedSignatures(
                target,
                evidence.checkpoints().stream()
                        .map(CheckpointRecord::checkpoint)
                        .toList());
        this.end = target.nextSequence();
    }

    List<Anomaly> name() {
        split();
        List<Event> inPlace = new ArrayList<>();
        List<Event> damaged = new ArrayList<>();
        List<Event> unaccounted = new ArrayList<>();
        for (Event event : own) {
            if (!accountable(event.sequence())) {
                unaccounted.add(event);
            } else if (genuine(event)) {
                inPlace.add(event);
            } else {
                damaged.add(event);
            }
        }
        nameOrder(inPlace);
        nameMoved(damaged);
        nameDamaged(damaged);
        nameLost();
        unaccounted.forEach(this::nameUnaccounted);
        nameUnlocated();
        return oncePerName();
    }

    /** The anomalies, those of one event's copies as one with the number of copies. */
    private List<Anomaly> oncePerName() {
        anomalies.sort(Comparator.comparingLong(Anomaly::begin)
                .thenComparing(Anomaly::kind)
                .thenComparingLong(Anomaly::offset));
        List<Anomaly> named = new ArrayList<>();
        for (Anomaly anomaly : anomalies) {
            Anomaly last = named.isEmpty() ? null : named.get(named.size() - 1);
            if (last != null && anomaly.kind() == Kind.DUPLICATED && anomaly.sameAs(last)) {
                named.set(named.size() - 1, last.withCopies(Math.max(last.copies(), anomaly.copies())));
            } else {
                named.add(anomaly);
            }
        }
        return named;
    }

    /** True if an event's content could not be checked, because the checkpoint's signature algorithm is unknown here. */
    boolean unchecked() {
        return unchecked;
    }

    private void split() {
        for (Event event : evidence.events()) {
            if (coverage.ownBegin() < event.offset() && event.offset() < coverage.ownEnd()) {
                own.add(event);
                ownOf.merge(event.sequence(), 1, Integer::sum);
            } else if (event.offset() < coverage.horizonEnd()) {
                outside(event);
            }
        }
    }

    private void outside(Event event) {
        outside.computeIfAbsent(event.sequence(), sequence -> new ArrayList<>()).add(event);
    }

    private boolean accountable(long sequence) {
        return coverage.begin() <= sequence && sequence < end;
    }

    private boolean genuine(Event event) {
        Hash expected = stated.of(event.sequence());
        boolean asStated = expected.sizeBytes() == 0 || expected.equals(event.stated());
        if (!asStated || !event.isMadeAs(target) || !event.isAsMade()) {
            return false;
        }
        boolean unknown = event.observed().sizeBytes() == 0;
        unchecked |= unknown;
        return unknown || event.intact();
    }

    private void nameOrder(List<Event> inPlace) {
        long[] sequences =
                inPlace.stream().mapToLong(Event::sequence).sorted().distinct().toArray();
        IncreasingChain chain = new IncreasingChain(sequences.length);
        for (int i = 0; i < inPlace.size(); i++) {
            chain.offer(i, Arrays.binarySearch(sequences, inPlace.get(i).sequence()));
        }
        boolean[] inOrder = new boolean[inPlace.size()];
        chain.visitFromEnd((i, place) -> {
            inOrder[i] = true;
            copies.put(sequences[place], 1);
        });
        for (int i = 0; i < inOrder.length; i++) {
            if (!inOrder[i]) {
                Event event = inPlace.get(i);
                int seen = copies.merge(event.sequence(), 1, Integer::sum);
                add(seen == 1 ? Kind.REORDERED : Kind.DUPLICATED, event, seen);
            }
        }
    }

    /** Names events outside of their own range: a genuine one was moved, a damaged one moved and altered. */
    private void nameMoved(List<Event> damaged) {
        Set<Long> present = damaged.stream().map(Event::sequence).collect(Collectors.toSet());
        outside.forEach((sequence, events) -> {
            if (!accountable(sequence) || copies.containsKey(sequence)) {
                return;
            }
            Optional<Event> moved = events.stream().filter(this::genuine).findFirst();
            if (StatedSignatures.certainFrom(target, sequence) != sequence) {
                // Not missing here; the interval in whose own range a genuine copy is names that.
                moved.ifPresent(event -> copies.put(sequence, 1));
            } else if (moved.isPresent()) {
                found(Kind.REORDERED, moved.get());
            } else if (!present.contains(sequence)) {
                found(Kind.ALTERED, events.get(0));
            }
        });
    }

    private void found(Kind kind, Event event) {
        copies.put(event.sequence(), 1);
        add(kind, event, 1);
    }

    private void nameDamaged(List<Event> damaged) {
        for (Event event : damaged) {
            boolean first = copies.putIfAbsent(event.sequence(), 1) == null;
            add(first ? Kind.ALTERED : Kind.FOREIGN, event, 1);
        }
    }

    private void nameLost() {
        long[] present = copies.keySet().stream().mapToLong(Long::longValue).toArray();
        Arrays.sort(present);
        long next = coverage.begin();
        for (long sequence : present) {
            nameLost(next, sequence);
            next = sequence + 1;
        }
        nameLost(next, end);
    }

    private void nameLost(long from, long to) {
        long next = from;
        for (SequenceRange range : target.uncertain()) {
            lose(next, Math.min(to, range.begin()));
            next = Math.max(next, range.end());
        }
        lose(next, to);
    }

    private void lose(long from, long to) {
        if (from < to) {
            anomalies.add(lost(from, to));
        }
    }

    private Anomaly lost(long from, long to) {
        Hash expected = to - from == 1 ? stated.of(from) : Hash.empty();
        return new Anomaly(Kind.LOST, target.stream(), from, to, -1, 0, expected, Hash.empty());
    }

    /**
     * Names as altered the lost events of which the log holds a record without a header, but with the content that the leaves state.
     *
     * @param named the anomalies, which are changed
     * @param records the interval's records without a header
     * @return these events
     */
    List<Event> headerless(List<Anomaly> named, List<Event> records) {
        if (records.isEmpty() || !stated.hasLeavesOf(target)) {
            return List.of();
        }
        Map<Hash, Deque<Event>> byContent = new HashMap<>();
        records.forEach(record -> byContent
                .computeIfAbsent(record.observed(), content -> new ArrayDeque<>())
                .add(record));
        List<Event> found = new ArrayList<>();
        List<Anomaly> renamed = new ArrayList<>();
        for (Anomaly anomaly : named) {
            long from = anomaly.begin();
            long end = anomaly.kind() == Kind.LOST ? anomaly.end() : from;
            for (long sequence = Math.max(from, target.firstSequence()); sequence < end; sequence++) {
                Hash expected = stated.of(sequence);
                Deque<Event> alike = byContent.get(expected);
                if (alike != null && !alike.isEmpty()) {
                    Event event = alike.remove().at(sequence);
                    found.add(event);
                    if (from < sequence) {
                        renamed.add(lost(from, sequence));
                    }
                    renamed.add(Anomaly.of(Kind.ALTERED, sequence, event, 1, expected, target));
                    from = sequence + 1;
                }
            }
            if (from == anomaly.begin()) {
                renamed.add(anomaly);
            } else if (from < end) {
                renamed.add(lost(from, end));
            }
        }
        named.clear();
        named.addAll(renamed);
        return found;
    }

    private void nameUnaccounted(Event event) {
        long sequence = event.sequence();
        boolean read = coverage.readBegin() <= sequence && sequence < coverage.readEnd();
        boolean readLater = !read && sequence >= end && coverage.readEnd() == end && !target.closing();
        if (!read && !readLater) {
            add(sequence < coverage.readBegin() ? Kind.OUT_OF_REACH : Kind.FOREIGN, event, 1);
            return;
        }
        List<Event> others = outside.getOrDefault(sequence, List.of());
        if (genuine(event)) {
            int elsewhere = genuineOutside.computeIfAbsent(sequence, same ->
                    (int) others.stream().filter(this::genuine).count());
            int seen = elsewhere + copies.merge(sequence, 1, Integer::sum);
            add(seen == 1 ? Kind.REORDERED : Kind.DUPLICATED, event, seen);
        } else {
            boolean alone = others.isEmpty() && ownOf.getOrDefault(sequence, 0) == 1;
            add(alone ? Kind.ALTERED : Kind.FOREIGN, event, 1);
        }
    }

    /** Without leaves, only the root shows whether the contents are right, and only if no event is missing. */
    private void nameUnlocated() {
        if (stated.hasLeavesOf(target) && !anomalies.isEmpty()) {
            return;
        }
        Map<Long, Event> present = new HashMap<>();
        own.forEach(event -> prefer(present, event));
        outside.values().forEach(events -> events.forEach(event -> prefer(present, event)));
        Interval rebuilt = new Interval(target.treeHash(), target.firstSequence(), false);
        long sequence = StatedSignatures.certainFrom(target, target.firstSequence());
        while (sequence < end) {
            Event event = present.get(sequence);
            if (event == null) {
                return;
            }
            rebuilt.add(sequence, event.stated());
            sequence = StatedSignatures.certainFrom(target, sequence + 1);
        }
        if (!rebuilt.root().equals(target.root())) {
            anomalies.add(new Anomaly(
                    Kind.UNLOCATED,
                    target.stream(),
                    target.firstSequence(),
                    end,
                    coverage.ownEnd(),
                    0,
                    target.root(),
                    Hash.empty()));
        }
    }

    private void prefer(Map<Long, Event> present, Event event) {
        present.merge(event.sequence(), event, (known, other) -> !genuine(known) && genuine(other) ? other : known);
    }

    private void add(Kind named, Event event, int seen) {
        anomalies.add(Anomaly.of(named, event.sequence(), event, seen, stated.of(event.sequence()), target));
    }
}
