package dev.stormproof.storm.spout;

import dev.stormproof.storm.tuple.Continuity;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The continuity of the records of one partition while one spout task reads it.
 *
 * <pre>
 *   new ──offset o──► START(o), high water o; previous says where the log was truncated, if before o
 *   o &gt; high water  ──► previous = high water, then high water = o
 *   o ≤ high water, same leader epoch as before  ──► read again: previous = o - 1
 *   o ≤ high water, another leader epoch         ──► truncated: START(o), high water o
 *   reset                                        ──► new
 * </pre>
 *
 * <p>Used by the spout's thread only.
 */
final class PartitionContinuity {
    /** How many changes of leader are remembered; below the oldest, an offset counts as truncated. */
    static final int MAX_EPOCHS = 64;

    /** The log was not truncated. */
    static final long NOT_TRUNCATED = Long.MAX_VALUE;

    private static final long NOTHING_READ = -1;

    private final long topicId;
    private final TreeMap<Long, Integer> epochByFirstOffset = new TreeMap<>();
    private long highWater = NOTHING_READ;
    private long incarnation;
    /** Where the log was found truncated since the last record was read. */
    private long truncatedAt = NOT_TRUNCATED;

    PartitionContinuity(long topicId) {
        this.topicId = topicId;
    }

    /** The continuity of the record at {@code offset}, which the consumer just returned. */
    Continuity of(long offset, int leaderEpoch) {
        if (highWater == NOTHING_READ) {
            return start(offset, leaderEpoch);
        }
        if (offset > highWater) {
            return next(offset, leaderEpoch);
        }
        Map.Entry<Long, Integer> known = epochByFirstOffset.floorEntry(offset);
        if (known != null && known.getValue() == leaderEpoch) {
            return new Continuity(offset - 1, false, leaderEpoch, incarnation, topicId);
        }
        return start(offset, leaderEpoch);
    }

    /**
     * Notes that the spout moved its position: the next record is a start.
     *
     * @param truncatedAtOffset where the log was found truncated, which retention may pass before the next record is read;
     *     {@link #NOT_TRUNCATED}
     */
    void reset(long truncatedAtOffset) {
        truncatedAt = Math.min(truncatedAt, truncatedAtOffset);
        forget();
    }

    private void forget() {
        highWater = NOTHING_READ;
        epochByFirstOffset.clear();
    }

    private Continuity start(long offset, int leaderEpoch) {
        forget();
        incarnation = ThreadLocalRandom.current().nextLong();
        highWater = offset;
        remember(offset, leaderEpoch);
        long previous = Math.min(truncatedAt, offset) - 1;
        truncatedAt = NOT_TRUNCATED;
        return new Continuity(previous, true, leaderEpoch, incarnation, topicId);
    }

    private Continuity next(long offset, int leaderEpoch) {
        Continuity continuity = new Continuity(highWater, false, leaderEpoch, incarnation, topicId);
        if (Objects.requireNonNull(epochByFirstOffset.lastEntry()).getValue() != leaderEpoch) {
            remember(offset, leaderEpoch);
        }
        highWater = offset;
        return continuity;
    }

    private void remember(long offset, int leaderEpoch) {
        epochByFirstOffset.put(offset, leaderEpoch);
        if (epochByFirstOffset.size() > MAX_EPOCHS) {
            epochByFirstOffset.pollFirstEntry();
        }
    }
}
