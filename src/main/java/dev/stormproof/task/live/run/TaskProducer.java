package dev.stormproof.task.live.run;

import dev.stormproof.task.config.StormproofConfig;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;

/** Opens the transactional producer of a task, which fences its predecessor's. */
public final class TaskProducer {
    /** How much longer a flush may take than {@code delivery.timeout.ms}. */
    private static final int FLUSH_SPARE_MILLIS = 30_000;

    private TaskProducer() {}

    /** Opens a producer; waits for Kafka. */
    public static Producer<byte[], byte[]> open(
            StormproofConfig config, ProducerLimits limits, String transactionalId) {
        Map<String, Object> properties = limits.properties(config);
        properties.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
        Producer<byte[], byte[]> producer = new TimedFlushProducer(properties, FLUSH_SPARE_MILLIS);
        try {
            TaskTransaction.insist(producer::initTransactions, late -> late);
        } catch (RuntimeException e) {
            producer.close(Duration.ZERO);
            throw e;
        }
        return producer;
    }
}
