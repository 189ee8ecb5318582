package dev.stormproof.audit;

import dev.stormproof.checkpoint.LogRecord;
import java.util.function.Consumer;

/** Reads one partition of a log, as far as it still holds it. */
public interface PartitionReader {
    /** The first offset that the log still holds. */
    long beginOffset();

    /** The offset after the last one that can be read now. */
    long endOffset();

    /**
     * Hands over every record of [beginOffset, endOffset), in order, and returns once the log is known to hold no more
     * of them.
     *
     * @throws ExpiredRangeException if the log no longer holds {@code beginOffset}
     */
    void read(long beginOffset, long endOffset, Consumer<LogRecord> records) throws ExpiredRangeException;

    /**
     * Where the log was cut, if that was before an offset up to which somebody once read it; else that offset. A reader that
     * knows of no leader epochs says the offset.
     *
     * @param leaderEpoch the newest leader epoch that was read
     */
    default long cutBefore(long offset, int leaderEpoch) {
        return offset;
    }

    /** The log was cut while it was read; ask for {@link #beginOffset()} again. */
    final class ExpiredRangeException extends Exception {
        private static final long serialVersionUID = 1L;

        public ExpiredRangeException(String message) {
            super(message);
        }
    }
}
