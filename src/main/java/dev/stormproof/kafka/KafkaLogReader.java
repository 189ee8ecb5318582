package dev.stormproof.kafka;

import dev.stormproof.checkpoint.LogRecordParser;
import dev.stormproof.log.LogReader;
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
    private final Duration maxSilence;

    /** A reader of what is committed, with the given client configuration. */
    public KafkaLogReader(Map<String, Object> clientConfig, LogRecordParser parser) {
        this(clientConfig, parser, KafkaPartitionReader.MAX_SILENCE);
    }

    /** @param maxSilence for how long a log may give nothing of what it holds */
    public KafkaLogReader(Map<String, Object> clientConfig, LogRecordParser parser, Duration maxSilence) {
        this.consumer = KafkaPartitionReader.newConsumer(clientConfig, "read_committed");
        this.parser = parser;
        this.maxSilence = maxSilence;
    }

    @Override
    public KafkaPartitionReader of(TopicPartition partition) {
        return new KafkaPartitionReader(consumer, partition, parser, maxSilence, System::nanoTime);
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(CLOSE_TIMEOUT));
    }
}
