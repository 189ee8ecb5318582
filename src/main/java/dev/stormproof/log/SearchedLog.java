package dev.stormproof.log;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.LogRecord;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.log.PartitionReader.ExpiredRangeException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The log of one partition as audits search it: range by range, and counted. What a {@link SearchBudget} is charged is counted here
 * and nowhere else.
 *
 * <p>Where the log begins is asked once, until that is {@linkplain #forget forgotten} because records expired.
 */
public class SearchedLog {
    private final PartitionReader log;
    private @Nullable Long begin;
    private long recordsRead;
    private long bytesRead;

    SearchedLog(PartitionReader log) {
        this.log = log;
    }

    public long beginOffset() {
        Long known = begin;
        if (known == null) {
            known = log.bounds().begin();
            begin = known;
        }
        return known;
    }

    public long endOffset() {
        return log.bounds().end();
    }

    public long offsetForTime(long millis) {
        return log.offsetForTime(millis);
    }

    /** Hands over every record of [beginOffset, endOffset). */
    void read(long beginOffset, long endOffset, Consumer<LogRecord> records) throws ExpiredRangeException {
        readUntil(beginOffset, endOffset, record -> {
            records.accept(record);
            return false;
        });
    }

    /** The same up to the first record that is wanted, inclusive. */
    public final void readUntil(long beginOffset, long endOffset, Predicate<LogRecord> wanted)
            throws ExpiredRangeException {
        bytesRead += log.scan(beginOffset, endOffset, (record, leaderEpoch, timestampMillis, content) -> {
            recordsRead++;
            return !wanted.test(record);
        });
    }

    /** The checkpoints of some streams in [beginOffset, endOffset), in order. */
    final List<CheckpointRecord> checkpoints(long beginOffset, long endOffset, Predicate<StreamId> streams)
            throws ExpiredRangeException {
        List<CheckpointRecord> found = new ArrayList<>();
        read(beginOffset, endOffset, record -> {
            if (record instanceof CheckpointRecord checkpoint && streams.test(checkpoint.checkpoint().stream())) {
                found.add(checkpoint);
            }
        });
        return found;
    }

    /** How many records the reader has handed over. */
    final long recordsRead() {
        return recordsRead;
    }

    /** How many bytes that took. */
    final long bytesRead() {
        return bytesRead;
    }

    /** Forgets what it knows of the log, because records expired. */
    void forget() {
        begin = null;
    }
}
