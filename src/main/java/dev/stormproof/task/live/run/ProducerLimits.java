package dev.stormproof.task.live.run;

import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.config.TransactionTime;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The limits of a task's producer, where nothing else is configured: records as large as the output topics take, and short waits, because one
 * partition that does not answer holds up the whole transaction.
 *
 * @param mostBytes the largest record that it takes
 * @param compresses true if a record that is too large for its topic may fit once it is compressed
 */
public record ProducerLimits(int mostBytes, boolean compresses) {
    /** The least value of the largest record: what one transaction holds, so that a topic's limit may be raised later. */
    static final int FLOOR_BYTES = (int) TaskTransaction.MOST_APPENDED_BYTES;

    /** How long it waits for metadata, for room, and for each answer to the end of a transaction. */
    static final int BLOCK_MILLIS = 5_000;

    /** Four times Kafka's default. */
    private static final int BATCH_BYTES = 64 << 10;

    /**
     * The limits of a task's producer.
     *
     * @param mostMessageBytes the largest {@code max.message.bytes} of the topics that output is written to
     */
    public static ProducerLimits of(StormproofConfig config, int mostMessageBytes) {
        Map<String, Object> properties = config.kafkaProducer();
        properties.putIfAbsent(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Math.max(FLOOR_BYTES, mostMessageBytes));
        AbstractConfig parsed = parsed(properties);
        return new ProducerLimits(
                parsed.getInt(ProducerConfig.MAX_REQUEST_SIZE_CONFIG),
                CompressionType.forName(parsed.getString(ProducerConfig.COMPRESSION_TYPE_CONFIG))
                        != CompressionType.NONE);
    }

    /** The producer's properties without the transactional id. */
    public Map<String, Object> properties(StormproofConfig config) {
        Map<String, Object> properties = new HashMap<>(config.kafkaProducer());
        properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, mostBytes);
        properties.putIfAbsent(ProducerConfig.BUFFER_MEMORY_CONFIG, 2L * Math.max(FLOOR_BYTES, mostBytes));
        properties.putIfAbsent(
                ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
                config.transactionTime().defaultMillis());
        // Committed readers see a record at its commit, which flushes: fuller batches cost no latency.
        properties.putIfAbsent(ProducerConfig.LINGER_MS_CONFIG, config.tasks.flushIntervalMillis());
        properties.putIfAbsent(ProducerConfig.BATCH_SIZE_CONFIG, BATCH_BYTES);
        properties.putIfAbsent(ProducerConfig.MAX_BLOCK_MS_CONFIG, BLOCK_MILLIS);
        properties.putIfAbsent(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, TransactionTime.REQUEST_MILLIS);
        AbstractConfig parsed = parsed(properties);
        properties.putIfAbsent(
                ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
                TransactionTime.deliveryMillis(
                        parsed.getLong(ProducerConfig.LINGER_MS_CONFIG),
                        parsed.getInt(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG)));
        return properties;
    }

    /** For how long brokers keep the open transaction of a dead task. */
    static Duration transactionTimeout(StormproofConfig config) {
        Map<String, Object> properties = of(config, 0).properties(config);
        return Duration.ofMillis(parsed(properties).getInt(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG));
    }

    /** The properties as the producer understands them. */
    static AbstractConfig parsed(Map<String, Object> properties) {
        Map<String, Object> complete = new HashMap<>(properties);
        complete.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        complete.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        return new AbstractConfig(ProducerConfig.configDef(), complete, false);
    }
}
