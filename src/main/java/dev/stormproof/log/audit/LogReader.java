package dev.stormproof.log.audit;

import org.apache.kafka.common.TopicPartition;

/** A reader of logs, one partition at a time. For one thread. */
public interface LogReader extends AutoCloseable {
    /** The reader of a partition, valid until the next call. */
    PartitionReader of(TopicPartition partition);

    @Override
    void close();
}
