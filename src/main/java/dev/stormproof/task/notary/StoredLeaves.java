package dev.stormproof.task.notary;

import dev.stormproof.evidence.notary.RecordLeaf;
import dev.stormproof.log.kafka.StoredRecord;

/** Makes the leaves of records. For one thread. */
public final class StoredLeaves implements StoredRecord.HeaderTaker {
    private final RecordLeaf leaf = new RecordLeaf();

    /** The leaf of a record, which the next call overwrites. */
    public RecordLeaf of(StoredRecord record) {
        if (record.unreadCount() > 0) {
            leaf.setUnread();
        } else {
            leaf.set(record.timestampMillis(), record.key(), record.value(), record.headerCount());
            record.forEachHeader(this);
        }
        return leaf;
    }

    @Override
    public void take(byte[] array, int nameBegin, int nameBytes, int valueBegin, int valueBytes) {
        leaf.addHeader(array, nameBegin, nameBytes, valueBegin, valueBytes);
    }
}
