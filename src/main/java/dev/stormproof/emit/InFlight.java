package dev.stormproof.emit;

import dev.stormproof.proof.checkpoint.SequenceRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;

/**
 * The records of one stream that are in flight, and those that failed.
 *
 * <pre>
 *   sent ──▶ in flight ─┬─▶ arrived
 *                       ├─▶ failed, so {@link #inDoubt()}
 *                       └─▶ a checkpoint that was refused, so not appended: {@link #takeRefused()}
 *
 *   closing checkpoint:  NONE_ARRIVED ── one arrived ─────────────────────────────▶ ARRIVED
 *                        NONE_ARRIVED ── one failed as every other one would ─────▶ REFUSED
 *                        NONE_ARRIVED ── one failed, and can be restated ─────────▶ NONE_ARRIVED
 * </pre>
 *
 * <p>Lock-free: Kafka's callbacks write here, in their own threads, without waiting; the partition's writer reads at the next event or tick. The
 * inner producer's buffer bounds the records in flight, and so those that can fail, since the first failure that the writer sees ends the
 * stream.
 */
final class InFlight {
    /** The outcome of the stream's closing checkpoint. */
    enum Closing {
        NONE_ARRIVED,
        ARRIVED,
        /** A restatement would fail as well. */
        REFUSED
    }

    /** How many were sent; written by those that send, one at a time. */
    private long sent;

    private final AtomicLong over = new AtomicLong();
    private final Queue<Long> failedEvents = new ConcurrentLinkedQueue<>();
    private final Queue<CheckpointPosition> failedCheckpoints = new ConcurrentLinkedQueue<>();
    /** Checkpoints that were not appended, and whose leaves are known. */
    private final Queue<PendingCheckpoint> refusedCheckpoints = new ConcurrentLinkedQueue<>();

    /** Refused checkpoints that others follow, and arrived ones that state refused events: the stream's end takes the place of the first. */
    private final Queue<CheckpointPosition> untrueCheckpoints = new ConcurrentLinkedQueue<>();

    private final AtomicLong checkpointCount = new AtomicLong();
    private final MaxMessageBytes limit;
    private final AtomicLong arrivedMillis;
    /** True if the last checkpoint that was sent may be refused as too large; meaningless if none is in flight. */
    private volatile boolean proving;

    private volatile boolean anyFailed;
    /** True once an event failed and no broker confirmed that it was refused. */
    private volatile boolean anyUnknown;

    private volatile Closing closing = Closing.NONE_ARRIVED;
    private volatile long arrivedNumber = -1;
    private volatile long arrivedOffset = -1;

    /** @param arrivedMillis takes the time of each acknowledged checkpoint, if it is later than the last one */
    InFlight(MaxMessageBytes limit, AtomicLong arrivedMillis) {
        this.limit = limit;
        this.arrivedMillis = arrivedMillis;
    }

    /** A checkpoint, or an event if null, is about to be sent. */
    void started(@Nullable PendingCheckpoint checkpoint) {
        sent++;
        if (checkpoint != null) {
            proving = !limit.isProven(checkpoint.bytes.length);
            checkpointCount.incrementAndGet();
        }
    }

    /** A checkpoint, or an event if null, was refused before it was appended. */
    void refused(@Nullable PendingCheckpoint checkpoint) {
        if (checkpoint != null) {
            checkpointCount.decrementAndGet();
        }
        sent--;
    }

    /** An event was acknowledged, or is in doubt. */
    void ended(long sequence, @Nullable Exception failure) {
        if (failure != null) {
            failedEvents.add(sequence);
            if (!Refusals.isRefused(failure)) {
                anyUnknown = true;
            }
            anyFailed = true;
        }
        over.incrementAndGet();
    }

    /** A checkpoint was acknowledged, or is in doubt. After a closing one no record can be in doubt. */
    void ended(PendingCheckpoint checkpoint, long offset, @Nullable Exception failure) {
        if (failure == null) {
            arrivedOffset = offset;
            arrivedNumber = checkpoint.position.number();
            arrivedMillis.accumulateAndGet(checkpoint.atMillis, Math::max);
            limit.arrived(checkpoint.bytes.length);
            if (checkpoint.closing) {
                closing = Closing.ARRIVED;
            } else if (!anyUnknown && failedEvents.stream().anyMatch(checkpoint::states)) {
                untrueCheckpoints.add(checkpoint.position);
            }
        } else if (MaxMessageBytes.isTooLarge(failure) && checkpoint.hasLeaves()) {
            limit.refused(checkpoint.bytes.length);
            if (!checkpoint.closing) {
                refusedCheckpoints.add(checkpoint);
            }
        } else {
            limit.failed(failure);
            if (!checkpoint.closing && Refusals.isRefused(failure) && checkpoint.leaves.isPresent()) {
                refusedCheckpoints.add(checkpoint);
            } else if (!checkpoint.closing) {
                failedCheckpoints.add(checkpoint.position);
            } else if (!(failure instanceof RetriableException
                    || failure instanceof OutOfOrderSequenceException
                    || Refusals.isForAnother(failure))) {
                // After an OutOfOrderSequenceException, KafkaProducer continues with new sequence numbers.
                closing = Closing.REFUSED;
            }
            anyFailed = true;
        }
        checkpointCount.decrementAndGet();
        over.incrementAndGet();
    }

    /** True while no checkpoint may follow: one in flight may be refused as too large, or one was and has to be restated. */
    boolean isProving() {
        // In this order: a callback adds the refusal before it takes the checkpoint out of flight.
        boolean mayBeRefused = proving && checkpointCount.get() > 0;
        return mayBeRefused || !refusedCheckpoints.isEmpty();
    }

    /**
     * Removes and returns, in order, the checkpoints that were not appended, if no checkpoint in the log or in doubt follows them; empty while
     * others are in flight. If another one follows, they cannot be replaced any more, and what they stated is in doubt.
     */
    List<PendingCheckpoint> takeRefused() {
        if (refusedCheckpoints.isEmpty() || checkpointCount.get() > 0) {
            return List.of();
        }
        List<PendingCheckpoint> refused = refusedCheckpoints.stream()
                .sorted(Comparator.comparingLong(checkpoint -> checkpoint.position.number()))
                .toList();
        refusedCheckpoints.clear();
        boolean nothingFollows =
                failedCheckpoints.isEmpty() && refused.get(0).position.number() > arrivedNumber;
        if (nothingFollows) {
            return refused;
        }
        refused.stream()
                .map(checkpoint -> checkpoint.position)
                .filter(position -> position.number() != arrivedNumber)
                .forEach(untrueCheckpoints::add);
        anyFailed = true;
        return List.of();
    }

    boolean anyFailed() {
        return anyFailed;
    }

    boolean isEmpty() {
        return over.get() == sent;
    }

    Closing closing() {
        return closing;
    }

    /** True once a checkpoint was acknowledged. */
    boolean anyArrived() {
        return arrivedNumber >= 0;
    }

    /** The offset of the last acknowledged checkpoint; -1 before the first. */
    long arrivedOffset() {
        return arrivedOffset;
    }

    /** The records in doubt or refused; final once this {@link #isEmpty() is empty}. */
    UnackedRecords inDoubt() {
        long arrived = arrivedNumber;
        Optional<CheckpointPosition> failedCheckpoint = Stream.concat(
                        failedCheckpoints.stream().filter(failed -> failed.number() > arrived),
                        untrueCheckpoints.stream())
                .min(Comparator.comparingLong(CheckpointPosition::number));
        return new UnackedRecords(rangesOf(failedEvents), !anyUnknown, failedCheckpoint);
    }

    private static List<SequenceRange> rangesOf(Collection<Long> sequences) {
        List<SequenceRange> ranges = new ArrayList<>();
        for (long sequence : sequences.stream().sorted().toList()) {
            int last = ranges.size() - 1;
            if (last >= 0 && ranges.get(last).end() == sequence) {
                ranges.set(last, new SequenceRange(ranges.get(last).begin(), sequence + 1));
            } else {
                ranges.add(new SequenceRange(sequence, sequence + 1));
            }
        }
        return ranges;
    }
}
