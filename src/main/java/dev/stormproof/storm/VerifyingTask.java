package dev.stormproof.storm;

import com.codahale.metrics.Counter;
import dev.stormproof.checkpoint.LogRecordParser;
import dev.stormproof.config.StormproofConfig;
import dev.stormproof.judge.Finding;
import dev.stormproof.live.DurableVerification;
import dev.stormproof.live.RecordParsers;
import dev.stormproof.live.TaskIdentity;
import dev.stormproof.storm.tuple.Delivery;
import dev.stormproof.storm.tuple.PartitionPlacement;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.storm.task.TopologyContext;

/**
 * The verification in a Storm task, of whatever component: parses deliveries for {@link DurableVerification} and shows its
 * counts as metrics. The task's partitions are those that {@link PartitionPlacement} gives it.
 *
 * <p>Belongs to one task and its thread; {@link #close} may be called from any.
 */
final class VerifyingTask implements AutoCloseable {
    private final LogRecordParser parser;
    private final DurableVerification verification;

    /**
     * Begins for the task of {@code context}; waits for Kafka.
     *
     * @param errors takes trouble that lasts
     */
    VerifyingTask(StormproofConfig config, TopologyContext context, Consumer<Throwable> errors) {
        parser = RecordParsers.newParser(config);
        Map<Finding.Type, Counter> counters = counters(context);
        verification = new DurableVerification(
                config,
                identity(context),
                type -> Objects.requireNonNull(counters.get(type)).inc(),
                errors);
        context.registerGauge("audit-jobs", verification::auditJobs);
        context.registerGauge("audit-failing-partitions", verification::failingPartitions);
        context.registerGauge("partitions-reading-log", verification::readingPartitions);
        context.registerGauge("log-lag", verification::logLag);
    }

    /** Takes the next delivery of a partition. */
    void take(Delivery delivery) {
        verification.take(delivery.topicPartition(), delivery.topicId(), delivery.link(), delivery.parsed(parser));
    }

    /** See {@link DurableVerification#poll}. */
    void poll() {
        verification.poll();
    }

    /** See {@link DurableVerification#tick}. */
    void tick() {
        verification.tick();
    }

    @Override
    public void close() {
        verification.close();
    }

    private static TaskIdentity identity(TopologyContext context) {
        return new TaskIdentity(
                context.getStormId(),
                context.getThisTaskId(),
                context.getThisTaskIndex(),
                partition -> PartitionPlacement.isOf(context, partition));
    }

    private static Map<Finding.Type, Counter> counters(TopologyContext context) {
        Map<Finding.Type, Counter> counters = new EnumMap<>(Finding.Type.class);
        for (Finding.Type type : Finding.Type.values()) {
            counters.put(type, context.registerCounter("findings-" + type.label()));
        }
        return counters;
    }
}
