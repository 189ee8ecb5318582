package dev.stormproof.proof.compare;

import dev.stormproof.proof.tree.Hash;
import org.jspecify.annotations.Nullable;

/** A log of which one record after the other is read, up to an end that does not move. */
public interface RecordLog {
    /** A record: its offset, and a hash of its key, value and headers. */
    record Entry(long offset, Hash content) {}

    /**
     * The records that are not compared, for they are too large to be read.
     *
     * @param begin where the first of them lies
     * @param end the offset after the last one
     * @param reason why the first of them was not read, for a person
     */
    record LeftOut(long begin, long end, long count, String reason) {
        /** None. */
        public static final LeftOut NONE = new LeftOut(0, 0, 0, "");

        /** These and those of [nextBegin, nextEnd), as far as they lie behind these: a log may be read again. */
        public LeftOut and(long nextBegin, long nextEnd, long nextCount, String nextReason) {
            if (count == 0) {
                return new LeftOut(nextBegin, nextEnd, nextCount, nextReason);
            }
            long from = Math.max(nextBegin, end);
            return from >= nextEnd
                    ? this
                    : new LeftOut(begin, nextEnd, count + Math.min(nextCount, nextEnd - from), reason);
        }
    }

    /** The first offset that it still holds. */
    long beginOffset();

    /** The offset after the last one that is read. */
    long endOffset();

    /** The offset after the last one that was written: behind {@link #endOffset()} if an open transaction keeps the rest back. */
    long writtenEnd();

    /** What was left out of that which was read so far. */
    LeftOut leftOut();

    /** The next record; null at the end. */
    @Nullable
    Entry next();

    /** Has the first record at an offset, or behind it, come next. */
    void seek(long offset);
}
