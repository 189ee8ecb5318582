package dev.stormproof.emit;

import dev.stormproof.checkpoint.SequenceRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.RetriableException;

/**
 * The records of one stream that are on their way, and those that failed on it.
 *
 * <p>Lock-free: Kafka's callbacks write here, whatever thread they come on, and never wait; the partition's lane reads at
 * the next event or tick. What is under way is bounded by the inner producer's buffer, and so is what can fail, since no
 * more is sent after the first failure that is seen.
 */
final class Outstanding {
    private final AtomicLong underWay = new AtomicLong();
    private final Queue<SequenceRange> failedEvents = new ConcurrentLinkedQueue<>();
    private final Queue<Restatement> failedCheckpoints = new ConcurrentLinkedQueue<>();
    private volatile boolean anyFailed;
    private volatile boolean closed;
    private volatile boolean hopeless;
    private volatile Optional<Restatement> uncommitted = Optional.empty();
    private volatile long arrivedNumber = -1;
    private volatile long arrivedOffset = -1;

    /** A record is about to be sent. */
    void started() {
        underWay.incrementAndGet();
    }

    /** A record was not sent after all, or an event arrived. */
    void done() {
        underWay.decrementAndGet();
    }

    /** A checkpoint arrived. */
    void arrived(Draft checkpoint, long offset) {
        arrivedOffset = offset;
        arrivedNumber = checkpoint.number;
        closed |= checkpoint.closing;
        underWay.decrementAndGet();
    }

    /** An event may not have arrived. */
    void failed(long sequence) {
        failedEvents.add(new SequenceRange(sequence, sequence + 1));
        anyFailed = true;
        underWay.decrementAndGet();
    }

    /** A checkpoint may not have arrived. A closing one leaves nothing behind it in doubt; it can be stated again. */
    void failed(Draft checkpoint, Exception why) {
        if (checkpoint.closing) {
            // After the latter KafkaProducer goes on with sequence numbers of its own making.
            hopeless = !(why instanceof RetriableException || why instanceof OutOfOrderSequenceException);
        } else {
            failedCheckpoints.add(Restatement.of(checkpoint));
        }
        anyFailed = true;
        underWay.decrementAndGet();
    }

    /** Nobody knows whether what arrived from this place on was committed. */
    void doubt(Restatement checkpoint) {
        uncommitted = Optional.of(checkpoint);
    }

    boolean anyFailed() {
        return anyFailed;
    }

    /** True if nothing is under way. */
    boolean isSettled() {
        return underWay.get() == 0;
    }

    /** True once a closing checkpoint has arrived. */
    boolean isClosed() {
        return closed;
    }

    /** True if a closing checkpoint failed in a way that another one would fail in, too. */
    boolean isHopeless() {
        return hopeless;
    }

    /** The offset of the last checkpoint that arrived; -1 if none has yet. */
    long arrivedOffset() {
        return arrivedOffset;
    }

    /** What is in doubt; complete once everything {@link #isSettled() is settled}. */
    Doubt doubt() {
        long arrived = arrivedNumber;
        Optional<Restatement> failedCheckpoint = failedCheckpoints.stream()
                .filter(failed -> failed.number() > arrived)
                .min(Comparator.comparingLong(Restatement::number));
        return new Doubt(joined(new ArrayList<>(failedEvents)), uncommitted.or(() -> failedCheckpoint));
    }

    /** The ranges in order, with neighbours joined. */
    private static List<SequenceRange> joined(List<SequenceRange> ranges) {
        ranges.sort(Comparator.comparingLong(SequenceRange::begin));
        List<SequenceRange> joined = new ArrayList<>();
        for (SequenceRange range : ranges) {
            int last = joined.size() - 1;
            if (last >= 0 && range.begin() <= joined.get(last).end()) {
                long begin = joined.get(last).begin();
                joined.set(
                        last, new SequenceRange(begin, Math.max(joined.get(last).end(), range.end())));
            } else {
                joined.add(range);
            }
        }
        return joined;
    }
}
