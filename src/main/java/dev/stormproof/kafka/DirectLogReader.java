package dev.stormproof.kafka;

import dev.stormproof.checkpoint.LogRecordParser;
import dev.stormproof.log.LogReader;
import dev.stormproof.log.PartitionReader;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Reads partitions of Kafka batch by batch, in place, over one client, which goes from partition to partition. */
public final class DirectLogReader implements LogReader {
    private final BatchFetcher fetcher;
    private final LogRecordParser parser;
    private @Nullable DirectPartitionReader reader;

    /** A reader of what is committed, with the given client configuration. */
    public DirectLogReader(Map<String, Object> clientConfig, LogRecordParser parser) {
        this.fetcher = new BatchFetcher(KafkaPartitionReader.configOf(clientConfig, "read_committed"));
        this.parser = parser;
    }

    @Override
    public PartitionReader of(TopicPartition partition) {
        release();
        DirectPartitionReader next = new DirectPartitionReader(fetcher, partition, parser, System::nanoTime);
        reader = next;
        return next;
    }

    @Override
    public void close() {
        release();
        fetcher.close();
    }

    private void release() {
        if (reader != null) {
            reader.release();
        }
    }
}
