package dev.stormproof.evidence.notary;

/** A log that is compared with notes: the hashes of its records' leaves. */
public interface NotedLog {
    interface LeafTaker {
        /** Takes the next leaf, {@code hash[begin, begin + 32)}, which is valid until this returns. */
        void take(long offset, byte[] hash, int begin);
    }

    /** The first offset that it still has. */
    long begin();

    /** The offset after the last one that can be read. */
    long end();

    /** The offset after the last one that was written: after {@link #end()} if an open transaction hides the rest. */
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
