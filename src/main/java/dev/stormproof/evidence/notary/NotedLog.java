package dev.stormproof.evidence.notary;

/** A log that notes are compared with, as hashes of its records' leaves. */
public interface NotedLog {
    /** A taker of leaves. */
    interface LeafTaker {
        /** Takes the next leaf, {@code hash[begin, begin + 32)}, which is good until this returns. */
        void take(long offset, byte[] hash, int begin);
    }

    /** The first offset that it still holds. */
    long begin();

    /** The offset after the last one that can be read. */
    long end();

    /** The offset after the last one that was written: behind {@link #end()} if an open transaction keeps the rest back. */
    long writtenEnd();

    /** Hands over the leaves of the records of [from, to), in order. */
    void read(long from, long to, LeafTaker taker);

    /** The log as it would be if nothing had been written from an offset on. */
    default NotedLog upTo(long end) {
        NotedLog whole = this;
        return new NotedLog() {
            @Override
            public long begin() {
                return whole.begin();
            }

            @Override
            public long end() {
                return Math.min(end, whole.end());
            }

            @Override
            public long writtenEnd() {
                return Math.min(end, whole.writtenEnd());
            }

            @Override
            public void read(long from, long to, LeafTaker taker) {
                whole.read(from, to, taker);
            }
        };
    }
}
