package dev.stormproof.log;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.LogRecord;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.log.PartitionReader.ExpiredRangeException;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The search of one audit in the log, bounded in offsets: a forged checkpoint may send it anywhere.
 *
 * <p>What an interval itself and the one before it hold is read beyond the bound; only the search for where they begin, for
 * earlier statements and for the homes of its events counts. Offsets are counted, whether or not the {@link SearchIndex} spares
 * reading them, so that the outcome depends on the log alone.
 */
final class Reach {
    /** The offsets that one audit may search. */
    static final int DEFAULT_OFFSETS = 1_000_000;

    /** How many offsets are searched at once. */
    private static final int STEP = 1_024;

    private final PartitionReader reader;
    private final SearchIndex index;
    private final long offsets;
    private long left;

    Reach(PartitionReader reader, SearchIndex index, long offsets) {
        this.reader = reader;
        this.index = index;
        this.offsets = offsets;
        this.left = offsets;
    }

    /** A search in the same log that something else bounds. */
    Reach unbounded() {
        return new Reach(reader, index, Long.MAX_VALUE);
    }

    /** What is searched for lies further away than may be read. */
    static final class OutOfReachException extends Exception {
        private static final long serialVersionUID = 1L;

        OutOfReachException(String bound) {
            super("not found within " + bound);
        }
    }

    /** Hands over the records of [beginOffset, endOffset). */
    void read(long beginOffset, long endOffset, Consumer<LogRecord> records)
            throws ExpiredRangeException, OutOfReachException {
        for (long begin = beginOffset; begin < endOffset; begin += STEP) {
            reader.read(begin, stepEnd(begin, endOffset), records);
        }
    }

    /** The first checkpoint of a stream in [beginOffset, endOffset) that is wanted. */
    Optional<CheckpointRecord> first(
            StreamId stream, long beginOffset, long endOffset, Predicate<CheckpointRecord> wanted)
            throws ExpiredRangeException, OutOfReachException {
        CheckpointRecord[] found = new CheckpointRecord[1];
        for (long begin = beginOffset; begin < endOffset && found[0] == null; begin += STEP) {
            index.checkpoints(stream, begin, stepEnd(begin, endOffset), checkpoint -> {
                if (found[0] == null && wanted.test(checkpoint)) {
                    found[0] = checkpoint;
                }
            });
        }
        return Optional.ofNullable(found[0]);
    }

    private long stepEnd(long begin, long endOffset) throws OutOfReachException {
        if (left <= 0) {
            throw new OutOfReachException(offsets + " offsets");
        }
        long end = Math.min(begin + STEP, endOffset);
        left -= end - begin;
        return end;
    }
}
