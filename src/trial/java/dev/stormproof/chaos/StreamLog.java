package dev.stormproof.chaos;

import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.SequenceRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;

/**
 * The log of a stream counts its events, keeps their order, and the statements of its checkpoints.
 *
 * <p>Written apart from the verifier, in the plainest way: the verifier is measured against it.
 */
public final class StreamLog {
    private final NavigableMap<Long, Integer> copies = new TreeMap<>();
    private final List<Long> order = new ArrayList<>();
    private final Set<Long> altered = new HashSet<>();
    private final Set<Long> stated = new TreeSet<>();
    private final Set<Long> uncertain = new HashSet<>();
    private final Set<Long> beyondCheckpoint = new HashSet<>();
    private final Map<Long, Long> ends = new HashMap<>();
    private final Set<Long> inDoubtAlone = new HashSet<>();
    private long sealedEnd;
    private boolean closed;

    void note(Event event) {
        if (event.sequence() < sealedEnd && !copies.containsKey(event.sequence())) {
            beyondCheckpoint.add(event.sequence());
        }
        copies.merge(event.sequence(), 1, Integer::sum);
        order.add(event.sequence());
        if (!event.intact()) {
            altered.add(event.sequence());
        }
    }

    void note(Format2Checkpoint checkpoint) {
        boolean inDoubt = checkpoint.closing()
                && checkpoint.eventCount() == 0
                && !checkpoint.uncertain().isEmpty();
        if (!inDoubt) {
            inDoubtAlone.remove(checkpoint.number());
        } else if (!ends.containsKey(checkpoint.number())) {
            inDoubtAlone.add(checkpoint.number());
        }
        ends.merge(checkpoint.number(), checkpoint.nextSequence(), Math::max);
        closed |= checkpoint.closing();
        beyondCheckpoint.addAll(copies.tailMap(checkpoint.nextSequence()).keySet());
        sealedEnd = Math.max(sealedEnd, checkpoint.nextSequence());
        for (SequenceRange range : checkpoint.uncertain()) {
            for (long sequence = range.begin(); sequence < range.end(); sequence++) {
                uncertain.add(sequence);
            }
        }
        for (long sequence = checkpoint.firstSequence(); sequence < checkpoint.nextSequence(); sequence++) {
            if (!isUncertainIn(checkpoint, sequence)) {
                stated.add(sequence);
            }
        }
    }

    private static boolean isUncertainIn(Format2Checkpoint checkpoint, long sequence) {
        return checkpoint.uncertain().stream().anyMatch(range -> range.contains(sequence));
    }

    boolean isClosed() {
        return closed;
    }

    boolean hasCheckpoint(long number) {
        return ends.containsKey(number);
    }

    /** True if a checkpoint of that number is there which is not an end that leaves all of its events in doubt. */
    boolean hasSealing(long number) {
        return hasCheckpoint(number) && !inDoubtAlone.contains(number);
    }

    /** The sequence behind a checkpoint's interval; 0 if the log holds none of that number. */
    long endOf(long number) {
        return ends.getOrDefault(number, 0L);
    }

    int copies(long sequence) {
        return copies.getOrDefault(sequence, 0);
    }

    boolean isStated(long sequence) {
        return stated.contains(sequence);
    }

    /** True if the emitter itself does not know whether it is there. */
    boolean isUncertain(long sequence) {
        return uncertain.contains(sequence);
    }

    boolean isAltered(long sequence) {
        return altered.contains(sequence);
    }

    /**
     * True if the log does not hold an event that was there: a checkpoint states it, or a later one of the stream says that
     * sequences went on behind it, though the checkpoint over it is lost as well. What a checkpoint states and the end of the stream
     * calls uncertain was given up with that checkpoint.
     */
    boolean isLost(long sequence) {
        return copies(sequence) == 0 && !isUncertain(sequence) && (isStated(sequence) || sequence < sealedEnd);
    }

    /** The events that are {@link #isLost(long) lost}. */
    List<Long> lost() {
        return LongStream.range(0, sealedEnd).filter(this::isLost).boxed().toList();
    }

    /** The events that lie in the log more often than once. */
    List<Long> duplicated() {
        return copies.entrySet().stream()
                .filter(entry -> entry.getValue() > 1 && isStated(entry.getKey()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The events whose value is another than the signed one. */
    List<Long> altered() {
        return altered.stream().filter(this::isStated).toList();
    }

    /** The events of higher sequence that lie before an event. */
    Set<Long> passedBy(long sequence) {
        Set<Long> passed = new HashSet<>();
        for (long other : order) {
            if (other == sequence) {
                return passed;
            }
            if (other > sequence) {
                passed.add(other);
            }
        }
        return Set.of();
    }

    /** True if the event lies behind the checkpoint that states it, or before the one before that. */
    boolean isBeyondItsCheckpoint(long sequence) {
        return beyondCheckpoint.contains(sequence);
    }

    /** The events that lie behind a higher sequence, before a lower one, or beyond their checkpoint. */
    Set<Long> outOfOrder() {
        Set<Long> inverted = new HashSet<>(beyondCheckpoint);
        long highest = Long.MIN_VALUE;
        for (long sequence : order) {
            if (sequence < highest) {
                inverted.add(sequence);
            }
            highest = Math.max(highest, sequence);
        }
        long lowest = Long.MAX_VALUE;
        for (int i = order.size() - 1; i >= 0; i--) {
            if (order.get(i) > lowest) {
                inverted.add(order.get(i));
            }
            lowest = Math.min(lowest, order.get(i));
        }
        return inverted;
    }
}
