package dev.stormproof.storm.spout;

import dev.stormproof.storm.tuple.Custody;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The chain of custody of one partition while one spout task reads it.
 *
 * <pre>
 *   new ──offset o──► START(o), high water o; previous tells where the log was found cut, if before o
 *   o &gt; high water  ──► previous = high water, then high water = o
 *   o ≤ high water, same leader epoch as before  ──► delivered again: the same custody as then
 *   o ≤ high water, another leader epoch         ──► rewritten: START(o), high water o        (unacked)
 *                                                    {@link LogRewrittenException}             (acked)
 * </pre>
 *
 * <p>Only an offset above the high water advances anything, because KafkaSpout also asks for records that it then does
 * not emit. That {@code previous} is nearly always {@code offset - 1} keeps the state small: acked mode remembers the
 * other offsets until they are acked; unacked mode delivers nothing twice and remembers none.
 *
 * <p>When the log was rewritten below what was read, KafkaSpout in acked mode goes on skipping offsets that it believes
 * to be delivered, and the chain cannot be told truly; there the spout must begin again from what is committed.
 *
 * <p>Used by the spout's thread only.
 */
final class PartitionCustody {
    /** How many changes of leader are remembered; below the oldest, an offset counts as rewritten. */
    static final int MAX_EPOCHS = 64;

    /** The log was not cut. */
    static final long NO_CUT = Long.MAX_VALUE;

    private static final long NOTHING_READ = -1;

    private final boolean acked;
    private final long topicId;
    private final TreeMap<Long, Integer> epochByFirstOffset = new TreeMap<>();
    private final Map<Long, Custody> exceptions = new HashMap<>();
    private final Map<Long, Integer> failures = new HashMap<>();
    private long highWater = NOTHING_READ;
    private long incarnation;
    /** Where the log was found cut since the last record was read. */
    private long cut = NO_CUT;

    PartitionCustody(boolean acked, long topicId) {
        this.acked = acked;
        this.topicId = topicId;
    }

    /** The custody of the record at {@code offset}, which the consumer just returned. */
    Custody of(long offset, int leaderEpoch) {
        if (highWater == NOTHING_READ) {
            return start(offset, leaderEpoch);
        }
        if (offset > highWater) {
            return next(offset, leaderEpoch);
        }
        Map.Entry<Long, Integer> known = epochByFirstOffset.floorEntry(offset);
        if (known != null && known.getValue() == leaderEpoch) {
            return again(offset, leaderEpoch);
        }
        if (acked) {
            throw new LogRewrittenException("offset " + offset + " was read before, and now comes with leader epoch "
                    + leaderEpoch + " instead of " + (known == null ? "an older one" : known.getValue()));
        }
        return start(offset, leaderEpoch);
    }

    /**
     * The spout lost its place: whatever comes next is a start.
     *
     * @param cutOffset where the log was found cut, which retention may pass before the next record is read; {@link #NO_CUT}
     */
    void loseThread(long cutOffset) {
        cut = Math.min(cut, cutOffset);
        forget();
    }

    private void forget() {
        highWater = NOTHING_READ;
        exceptions.clear();
        epochByFirstOffset.clear();
    }

    /** The delivery of {@code offset} failed so many times by now, and will be repeated. */
    void failed(long offset, int times) {
        failures.put(offset, times);
    }

    /** The delivery of {@code offset} succeeded and will not be repeated. */
    void acked(long offset) {
        failures.remove(offset);
        exceptions.remove(offset);
    }

    /** How many offsets have something remembered of their own. */
    int remembered() {
        return exceptions.size() + failures.size();
    }

    private Custody start(long offset, int leaderEpoch) {
        forget();
        incarnation = ThreadLocalRandom.current().nextLong();
        highWater = offset;
        remember(offset, leaderEpoch);
        long previous = Math.min(cut, offset) - 1;
        cut = NO_CUT;
        return except(offset, new Custody(previous, true, leaderEpoch, incarnation, topicId, attempt(offset)));
    }

    private Custody next(long offset, int leaderEpoch) {
        Custody custody = new Custody(highWater, false, leaderEpoch, incarnation, topicId, 0);
        if (Objects.requireNonNull(epochByFirstOffset.lastEntry()).getValue() != leaderEpoch) {
            remember(offset, leaderEpoch);
        }
        boolean contiguous = highWater == offset - 1;
        highWater = offset;
        return contiguous ? custody : except(offset, custody);
    }

    private Custody again(long offset, int leaderEpoch) {
        Custody exception = exceptions.get(offset);
        return exception == null
                ? new Custody(offset - 1, false, leaderEpoch, incarnation, topicId, attempt(offset))
                : exception.withAttempt(attempt(offset));
    }

    private Custody except(long offset, Custody custody) {
        if (acked) {
            exceptions.put(offset, custody);
        }
        return custody;
    }

    private void remember(long offset, int leaderEpoch) {
        epochByFirstOffset.put(offset, leaderEpoch);
        if (epochByFirstOffset.size() > MAX_EPOCHS) {
            epochByFirstOffset.pollFirstEntry();
        }
    }

    private int attempt(long offset) {
        return failures.getOrDefault(offset, 0);
    }

    /** The log holds other records at offsets that were read before, and the spout cannot go on from where it is. */
    static final class LogRewrittenException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        LogRewrittenException(String message) {
            super(message);
        }
    }
}
