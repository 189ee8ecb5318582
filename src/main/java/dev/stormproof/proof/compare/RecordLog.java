package dev.stormproof.proof.compare;

import dev.stormproof.proof.tree.Hash;
import org.jspecify.annotations.Nullable;

/** A log that is read record by record, up to a fixed end. */
public interface RecordLog {
    /**
     * A record.
     *
     * @param content a hash of its key, value and headers
     * @param body a hash of its key and value; empty if they are not known apart
     */
    record Entry(long offset, Hash content, Hash body) {
        public Entry(long offset, Hash content) {
            this(offset, content, Hash.empty());
        }

        boolean hasOtherHeadersThan(Entry other) {
            return body.sizeBytes() > 0 && body.equals(other.body) && !content.equals(other.content);
        }
    }

    /**
     * The records that are not compared because they are too large to be read.
     *
     * @param begin where the first of them is
     * @param end the offset after the last one
     * @param reason why the first of them was not read, for a person
     */
    record LeftOut(long begin, long end, long count, String reason) {
        public static final LeftOut NONE = new LeftOut(0, 0, 0, "");

        /** These and those of [nextBegin, nextEnd) after them; a log may be read twice. */
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

    /** The log of a partition that there is not. */
    RecordLog ABSENT = new RecordLog() {
        @Override
        public long beginOffset() {
            return 0;
        }

        @Override
        public long endOffset() {
            return 0;
        }

        @Override
        public long writtenEnd() {
            return 0;
        }

        @Override
        public LeftOut leftOut() {
            return LeftOut.NONE;
        }

        @Override
        public @Nullable Entry next() {
            return null;
        }

        @Override
        public void seek(long offset) {
            // Nothing is there.
        }
    };

    long beginOffset();

    long endOffset();

    /** The offset after the last record; greater than {@link #endOffset()} if an open transaction blocks the rest. */
    long writtenEnd();

    /** The records that were left out so far. */
    LeftOut leftOut();

    /** The next record; null at the end. */
    @Nullable
    Entry next();

    /** Continues with the first record at an offset or after it. */
    void seek(long offset);
}
