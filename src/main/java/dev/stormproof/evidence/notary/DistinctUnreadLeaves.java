package dev.stormproof.evidence.notary;

import dev.stormproof.proof.compare.RecordLog;
import dev.stormproof.proof.tree.Hash;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A log of leaves in which each record that was not read is unlike all others: what its leaf says holds of any record. So where it stands
 * is found by what stands beside it.
 */
final class DistinctUnreadLeaves implements RecordLog {
    private final RecordLog log;
    private final byte side;
    private boolean met;

    /** @param side another one for each of two logs that are compared */
    DistinctUnreadLeaves(RecordLog log, byte side) {
        this.log = log;
        this.side = side;
    }

    /** True if such a record was met. */
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
