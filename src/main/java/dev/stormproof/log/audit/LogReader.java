package dev.stormproof.log.audit;

import org.apache.kafka.common.TopicPartition;

/** Reads logs, one partition at a time. For one thread. */
public interface LogReader extends AutoCloseable {
    /** The reader of a partition; good until the next call. */
    PartitionReader of(TopicPartition partition);

    @Override
    void close();
}
