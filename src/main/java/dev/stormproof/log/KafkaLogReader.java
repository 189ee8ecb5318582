package dev.stormproof.log;

import dev.stormproof.checkpoint.LogRecordParser;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** Reads partitions of Kafka with one consumer, which goes from partition to partition. */
public final class KafkaLogReader implements LogReader {
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final LogRecordParser parser;

    /** A reader of what is committed, with the given client configuration. */
    public KafkaLogReader(Map<String, Object> clientConfig, LogRecordParser parser) {
        this.consumer = KafkaPartitionReader.newConsumer(clientConfig, "read_committed");
        this.parser = parser;
    }

    @Override
    public KafkaPartitionReader of(TopicPartition partition) {
        return new KafkaPartitionReader(consumer, partition, parser);
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(CLOSE_TIMEOUT));
    }
}
