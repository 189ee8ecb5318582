package dev.stormproof.cli.text;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The part of a topic that an audit judges, and what it demands of it.
 *
 * @param from the first offset, if there is one partition; null for the log's first
 * @param to the offset after the last one; null for the log's end
 * @param since when the first record of the range was written, by the log's times; null if an offset says it
 * @param until when the first record after it was written
 * @param upToLastCheckpoint true if events after the last checkpoints are only counted
 * @param completeFrom where the log has to be complete from; null if wherever it begins will do
 * @param otherPartitions how many partitions the topic has besides
 */
public record AuditScope(
        @Nullable Long from,
        @Nullable Long to,
        @Nullable Instant since,
        @Nullable Instant until,
        boolean upToLastCheckpoint,
        @Nullable CompleteFrom completeFrom,
        int otherPartitions) {
    /** Everything that the log holds. */
    public static final AuditScope WHOLE = new AuditScope(null, null, null, null, false, null, 0);

    /** True if an open transaction may hide some of it: records after it may have been written at any time. */
    boolean hidesSomeOf(Audited row) {
        return row.range().heldBack() && (row.toReadableEnd() || until != null);
    }

    /** The place as it was given on the command line. */
    String completeFromText() {
        return Objects.requireNonNull(completeFrom).text();
    }
}
