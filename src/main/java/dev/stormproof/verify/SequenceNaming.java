package dev.stormproof.verify;

import dev.stormproof.checkpoint.Event;
import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.checkpoint.SequenceRange;
import dev.stormproof.merkle.Hash;
import dev.stormproof.verify.Anomaly.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Names what happened to the events of one interval of format 2, by their sequences.
 *
 * <p>Checkpoints stand still; events moved. An event is in order if it lies in the window between its checkpoint and the
 * one before, and belongs to a longest strictly increasing run of sequences there; a smallest set of events to move is
 * what remains (n − LIS; Schensted 1961). What is missing from its window is looked for in the neighbouring windows
 * before it is called lost, and what is too much is looked for there before it is called foreign.
 *
 * <p>Used once, for one interval.
 */
final class SequenceNaming {
    /** Where a sequence that lies outside the interval belongs. */
    private enum Home {
        READ,
        NOT_YET,
        UNREADABLE
    }

    private final Format2Checkpoint target;
    private final Evidence evidence;
    private final long begin;
    private final long end;
    private final long windowBegin;
    private final long windowEnd;
    private final long readBegin;
    private final long readEnd;

    private final List<Event> own = new ArrayList<>();
    private final Map<Long, Integer> outside = new HashMap<>();
    private final Map<Long, Integer> copies = new HashMap<>();
    private final List<Anomaly> anomalies = new ArrayList<>();
    private final boolean leavesTold;
    private boolean open;
    private boolean unchecked;

    /**
     * @param begin the first sequence to account for: the interval's own, or an earlier one after a lost checkpoint
     * @param windowBegin the offset after which the interval's window begins
     * @param windowEnd the offset of its checkpoint
     * @param readBegin the first sequence whose window the evidence holds
     * @param readEnd the sequence after the last whose window the evidence holds
     */
    SequenceNaming(
            Format2Checkpoint target,
            Evidence evidence,
            long begin,
            long windowBegin,
            long windowEnd,
            long readBegin,
            long readEnd) {
        this.target = target;
        this.evidence = evidence;
        this.begin = begin;
        this.end = target.nextSequence();
        this.windowBegin = windowBegin;
        this.windowEnd = windowEnd;
        this.readBegin = readBegin;
        this.readEnd = readEnd;
        this.leavesTold = target.leavesMatchRoot();
    }

    /** Every anomaly, in the order of the sequences. */
    List<Anomaly> name() {
        split();
        List<Event> inPlace = new ArrayList<>();
        List<Event> damaged = new ArrayList<>();
        List<Event> strays = new ArrayList<>();
        for (Event event : own) {
            if (!accountable(event.sequence())) {
                strays.add(event);
            } else if (genuine(event)) {
                inPlace.add(event);
            } else {
                damaged.add(event);
            }
        }
        nameOrder(inPlace);
        nameMoved();
        nameDamaged(damaged);
        nameLost();
        strays.forEach(this::nameStray);
        return oncePerName();
    }

    /** An event copied thrice is one anomaly, with the number of copies. */
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

    /** True if what follows the interval may still change a name: something is missing or came too early. */
    boolean open() {
        return open;
    }

    /** True if an event's content could not be checked, because its signature's algorithm is unknown here. */
    boolean unchecked() {
        return unchecked;
    }

    /** The events of the window, in the order of the log. */
    List<Event> window() {
        return own;
    }

    private void split() {
        for (Event event : evidence.events()) {
            if (windowBegin < event.offset() && event.offset() < windowEnd) {
                own.add(event);
            } else {
                outside.merge(event.sequence(), 1, Integer::sum);
            }
        }
    }

    private boolean accountable(long sequence) {
        return begin <= sequence && sequence < end;
    }

    private boolean genuine(Event event) {
        if (event.observed().sizeBytes() == 0) {
            unchecked = true;
            return true;
        }
        Hash expected = expected(event.sequence());
        return event.intact() && (expected.sizeBytes() == 0 || expected.equals(event.observed()));
    }

    /** The signature that the checkpoint states for a sequence; empty if it states none. */
    private Hash expected(long sequence) {
        if (!leavesTold || sequence < target.firstSequence() || sequence >= end) {
            return Hash.empty();
        }
        long index = sequence - target.firstSequence();
        for (SequenceRange range : target.uncertain()) {
            if (range.contains(sequence)) {
                return Hash.empty();
            }
            if (range.end() <= sequence) {
                index -= range.count();
            }
        }
        return target.leaves().orElseThrow().signature((int) index);
    }

    private void nameOrder(List<Event> inPlace) {
        boolean[] kept = LongestIncreasingRun.of(inPlace);
        for (int i = 0; i < kept.length; i++) {
            if (kept[i]) {
                copies.put(inPlace.get(i).sequence(), 1);
            }
        }
        for (int i = 0; i < kept.length; i++) {
            if (!kept[i]) {
                Event event = inPlace.get(i);
                int seen = copies.merge(event.sequence(), 1, Integer::sum);
                add(seen == 1 ? Kind.REORDERED : Kind.DUPLICATED, event, seen);
            }
        }
    }

    private void nameMoved() {
        for (Event event : evidence.events()) {
            boolean elsewhere = event.offset() <= windowBegin || event.offset() >= windowEnd;
            if (elsewhere && accountable(event.sequence()) && !copies.containsKey(event.sequence())) {
                copies.put(event.sequence(), 1);
                add(genuine(event) ? Kind.REORDERED : Kind.ALTERED, event, 1);
            }
        }
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
        long next = begin;
        for (long sequence : present) {
            nameLost(next, sequence);
            next = sequence + 1;
        }
        nameLost(next, end);
    }

    private void nameLost(long from, long to) {
        long next = from;
        for (SequenceRange range : target.uncertain()) {
            if (range.end() <= next || range.begin() >= to) {
                continue;
            }
            lose(next, Math.min(to, range.begin()));
            next = Math.max(next, range.end());
        }
        lose(next, to);
    }

    private void lose(long from, long to) {
        if (from < to) {
            open = true;
            Hash expected = to - from == 1 ? expected(from) : Hash.empty();
            anomalies.add(new Anomaly(Kind.LOST, target.stream(), from, to, -1, 0, expected, Hash.empty()));
        }
    }

    private void nameStray(Event event) {
        switch (home(event.sequence())) {
            case READ -> {
                int seen = outside.getOrDefault(event.sequence(), 0) + copies.merge(event.sequence(), 1, Integer::sum);
                add(seen == 1 ? Kind.REORDERED : Kind.DUPLICATED, event, seen);
            }
            case NOT_YET -> {
                open = true;
                add(Kind.REORDERED, event, 1);
            }
            case UNREADABLE -> add(Kind.FOREIGN, event, 1);
        }
    }

    private Home home(long sequence) {
        if (readBegin <= sequence && sequence < readEnd) {
            return Home.READ;
        }
        boolean later = sequence >= end && readEnd == end && !target.closing();
        return later ? Home.NOT_YET : Home.UNREADABLE;
    }

    private void add(Kind kind, Event event, int seen) {
        anomalies.add(new Anomaly(
                kind,
                target.stream(),
                event.sequence(),
                event.sequence() + 1,
                event.offset(),
                seen,
                expected(event.sequence()),
                event.observed()));
    }
}
