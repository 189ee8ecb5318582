package dev.stormproof.task.notary;

import dev.stormproof.evidence.notary.NotedLog;
import dev.stormproof.evidence.notary.NotedTree;
import dev.stormproof.evidence.notary.RecordLeaf;
import dev.stormproof.log.audit.PartitionReader.Bounds;
import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.log.kafka.KafkaPartitionReader;
import org.apache.kafka.common.errors.TimeoutException;

/** The leaves of a partition, with the bounds that its log had when this was made. For one thread. */
public final class StoredLog implements NotedLog {
    private final KafkaPartitionReader reader;
    private final Bounds bounds;
    private final long writtenEnd;
    private final StoredLeaves leaves = new StoredLeaves();
    private final byte[] hash = new byte[NotedTree.HASH_BYTES];

    /**
     * @param reader reads committed records
     * @param writtenEnd the end of the log just now, after the records of open transactions
     */
    public StoredLog(KafkaPartitionReader reader, long writtenEnd) {
        this.reader = reader;
        this.bounds = reader.bounds();
        this.writtenEnd = Math.max(bounds.end(), writtenEnd);
    }

    @Override
    public long begin() {
        return Math.min(bounds.begin(), bounds.end());
    }

    @Override
    public long end() {
        return bounds.end();
    }

    @Override
    public long writtenEnd() {
        return writtenEnd;
    }

    @Override
    public void read(long from, long to, LeafTaker taker) {
        if (from >= to) {
            return;
        }
        try {
            reader.scanStored(from, to, record -> {
                RecordLeaf leaf = leaves.of(record);
                leaf.hashTo(hash, 0);
                for (long i = Math.max(1, record.unreadCount()); i > 0; i--) {
                    taker.take(record.offset() + 1 - i, hash, 0);
                }
                return true;
            });
        } catch (ExpiredRangeException e) {
            throw new TimeoutException("records from " + from + " on expire faster than they can be compared", e);
        }
    }
}
