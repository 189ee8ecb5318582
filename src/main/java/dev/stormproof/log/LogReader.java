package dev.stormproof.log;

import org.apache.kafka.common.TopicPartition;

/** Reads logs, one partition at a time. For one thread. */
public interface LogReader extends AutoCloseable {
    /** The reader of a partition; good until the next call. */
    PartitionReader of(TopicPartition partition);

    /** What the logs of origins show of a partition's intervals, for one job; by default none is read. */
    default OriginAudit originOf(TopicPartition partition) {
        return OriginAudit.NONE;
    }

    @Override
    void close();
}
