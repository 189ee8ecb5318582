package dev.stormproof.compare;

import dev.stormproof.merkle.Hash;
import org.jspecify.annotations.Nullable;

/** A log of which one record after the other is read, up to an end that does not move. */
public interface RecordLog {
    /** A record: its offset, and a hash of its key, value and headers. */
    record Entry(long offset, Hash content) {}

    /** The first offset that it still holds. */
    long beginOffset();

    /** The offset after the last one that is read. */
    long endOffset();

    /** The offset after the last one that was written: behind {@link #endOffset()} if an open transaction keeps the rest back. */
    long writtenEnd();

    /** The next record; null at the end. */
    @Nullable
    Entry next();

    /** Has the first record at an offset, or behind it, come next. */
    void seek(long offset);
}
