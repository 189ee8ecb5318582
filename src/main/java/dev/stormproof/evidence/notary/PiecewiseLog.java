package dev.stormproof.evidence.notary;

import dev.stormproof.proof.compare.RecordLog;
import dev.stormproof.proof.tree.Hash;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** A range of a log or of kept hashes, read piece by piece; offsets count from the begin of the range. */
final class PiecewiseLog implements RecordLog {
    private static final int PIECE = 1 << 16;

    private final Source source;
    private final long begin;
    private final long end;
    private final Queue<Entry> piece = new ArrayDeque<>();
    private long next;

    interface Source {
        void read(long from, long to, NotedLog.LeafTaker taker);
    }

    private PiecewiseLog(Source source, long begin, long end) {
        this.source = source;
        this.begin = begin;
        this.end = Math.max(begin, end);
        this.next = begin;
    }

    /** The records of a log at the offsets of [begin, end). */
    static PiecewiseLog of(NotedLog log, long begin, long end) {
        return new PiecewiseLog(log::read, begin, end);
    }

    static PiecewiseLog of(KeptLeaves kept, long begin, long end) {
        return new PiecewiseLog(
                (from, to, taker) -> {
                    byte[] hashes = kept.leaves(from, to);
                    if (hashes == null) {
                        throw new IllegalStateException("leaves [" + from + ", " + to + ") are not kept any more");
                    }
                    for (long leaf = from; leaf < to; leaf++) {
                        taker.take(leaf, hashes, (int) (leaf - from) * NotedTree.HASH_BYTES);
                    }
                },
                begin,
                end);
    }

    @Override
    public long beginOffset() {
        return 0;
    }

    @Override
    public long endOffset() {
        return end - begin;
    }

    @Override
    public long writtenEnd() {
        return endOffset();
    }

    @Override
    public LeftOut leftOut() {
        return LeftOut.NONE;
    }

    @Override
    public @Nullable Entry next() {
        while (piece.isEmpty() && next < end) {
            long to = Math.min(end, next + PIECE);
            source.read(
                    next,
                    to,
                    (offset, hash, at) ->
                            piece.add(new Entry(offset - begin, Hash.copyOf(hash, at, NotedTree.HASH_BYTES))));
            next = to;
        }
        return piece.poll();
    }

    @Override
    public void seek(long offset) {
        piece.clear();
        next = begin + offset;
    }
}
