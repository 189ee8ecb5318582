package dev.stormproof.evidence.notary;

import dev.stormproof.proof.compare.RecordLog;
import dev.stormproof.proof.tree.Hash;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A view of a log in which every unread (oversized) record has a leaf of its own, because its placeholder leaf would equal any other's. So the
 * records beside it show its place.
 */
final class DistinctUnreadLeaves implements RecordLog {
    private final RecordLog log;
    private final byte side;
    private boolean met;

    /** @param side distinguishes the two compared logs */
    DistinctUnreadLeaves(RecordLog log, byte side) {
        this.log = log;
        this.side = side;
    }

    /** True if there was such a record. */
    boolean met() {
        return met;
    }

    @Override
    public @Nullable Entry next() {
        Entry next = log.next();
        if (next == null || !next.content().equals(RecordLeaf.UNREAD_HASH)) {
            return next;
        }
        met = true;
        byte[] place = ByteBuffer.allocate(1 + Long.BYTES)
                .put(side)
                .putLong(next.offset())
                .array();
        return new Entry(next.offset(), Hash.copyOf(place));
    }

    @Override
    public void seek(long offset) {
        log.seek(offset);
    }

    @Override
    public long beginOffset() {
        return log.beginOffset();
    }

    @Override
    public long endOffset() {
        return log.endOffset();
    }

    @Override
    public long writtenEnd() {
        return log.writtenEnd();
    }

    @Override
    public LeftOut leftOut() {
        return log.leftOut();
    }
}
