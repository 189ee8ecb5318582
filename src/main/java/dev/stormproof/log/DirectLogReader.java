package dev.stormproof.log;

import dev.stormproof.checkpoint.LogRecordParser;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/** Reads partitions of Kafka batch by batch, in place, over one client, which goes from partition to partition. */
public final class DirectLogReader implements LogReader {
    private final BatchFetcher fetcher;
    private final LogRecordParser parser;

    /** A reader of what is committed, with the given client configuration. */
    public DirectLogReader(Map<String, Object> clientConfig, LogRecordParser parser) {
        this.fetcher = new BatchFetcher(KafkaPartitionReader.configOf(clientConfig, "read_committed"));
        this.parser = parser;
    }

    @Override
    public PartitionReader of(TopicPartition partition) {
        return new DirectPartitionReader(fetcher, partition, parser, System::nanoTime);
    }

    @Override
    public void close() {
        fetcher.close();
    }
}
