package dev.stormproof.task.live.run;

import dev.stormproof.task.config.StormproofConfig;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;

/** The transactional producer of a task, which fences that of its predecessor. */
public final class TaskProducer {
    /** How much longer than for the answer to one record it waits for that to all. */
    private static final int FLUSH_SPARE_MILLIS = 30_000;

    private TaskProducer() {}

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

    /** Opens that of a task that notarizes; waits for Kafka. */
    public static Producer<byte[], byte[]> openNotary(StormproofConfig config, int taskIndex) {
        return open(config, ProducerLimits.of(config, 0), notaryId(config, taskIndex));
    }

    /** The transactional id of a task that notarizes. */
    public static String notaryId(StormproofConfig config, int taskIndex) {
        return TransactionalIds.ofNotary(config, taskIndex);
    }

    /** The name of a task in the progress of the notary. */
    public static String writer(StormproofConfig config, int taskIndex) {
        return TransactionalIds.writer(config, taskIndex);
    }

    /**
     * Fences tasks that notarize for the same group and share its partitions among another number; false if there are none.
     *
     * @param writers those that wrote the progress, by their names
     */
    public static boolean fenceOtherNotaries(StormproofConfig config, Collection<String> writers) {
        return TransactionalIds.fenceOtherNotaries(config, writers);
    }
}
