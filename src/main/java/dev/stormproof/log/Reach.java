package dev.stormproof.log;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.LogRecord;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.log.PartitionReader.ExpiredRangeException;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The search of one audit in the log, bounded in records: a forged checkpoint may send it anywhere.
 *
 * <p>What an interval itself and the one before it hold is read beyond the bound; only the search for where they begin, for
 * earlier statements and for the homes of its events counts.
 */
final class Reach {
    /** The records that one audit may search. */
    static final int DEFAULT_RECORDS = 1_000_000;

    /** How many offsets are read at once: a few more records than the bound may be read. */
    private static final int STEP = 1_024;

    private final PartitionReader reader;
    private final int records;
    private int left;

    Reach(PartitionReader reader, int records) {
        this.reader = reader;
        this.records = records;
        this.left = records;
    }

    /** What is searched for lies further away than may be read. */
    static final class OutOfReachException extends Exception {
        private static final long serialVersionUID = 1L;

        OutOfReachException(int records) {
            super("not found within " + records + " records");
        }
    }

    /** Hands over the records of [beginOffset, endOffset). */
    void read(long beginOffset, long endOffset, Consumer<LogRecord> records)
            throws ExpiredRangeException, OutOfReachException {
        for (long begin = beginOffset; begin < endOffset; begin += STEP) {
            step(begin, endOffset, records);
        }
    }

    /** The first checkpoint of a stream in [beginOffset, endOffset) that is wanted. */
    Optional<CheckpointRecord> first(
            StreamId stream, long beginOffset, long endOffset, Predicate<CheckpointRecord> wanted)
            throws ExpiredRangeException, OutOfReachException {
        CheckpointRecord[] found = new CheckpointRecord[1];
        for (long begin = beginOffset; begin < endOffset && found[0] == null; begin += STEP) {
            step(begin, endOffset, record -> {
                if (found[0] == null
                        && record instanceof CheckpointRecord checkpoint
                        && checkpoint.checkpoint().stream().equals(stream)
                        && wanted.test(checkpoint)) {
                    found[0] = checkpoint;
                }
            });
        }
        return Optional.ofNullable(found[0]);
    }

    private void step(long begin, long endOffset, Consumer<LogRecord> taker)
            throws ExpiredRangeException, OutOfReachException {
        if (left <= 0) {
            throw new OutOfReachException(records);
        }
        reader.read(begin, Math.min(begin + STEP, endOffset), record -> {
            left--;
            taker.accept(record);
        });
    }
}
