package dev.stormproof.live;

import dev.stormproof.config.StormproofConfig;
import dev.stormproof.judge.PartitionId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The inputs of one task: finds those of its partitions that it does not verify yet, and where their verification begins. So a
 * partition is covered when it is there, and not when its first record was delivered.
 *
 * <pre>
 *   its thread:   Kafka ──► partitions of this task ──those that are not covered──► where they begin ──► fresh
 *   the task:     tick ──fresh──► covered
 * </pre>
 */
final class TaskInputs implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TaskInputs.class);

    private final StormproofConfig config;
    private final Predicate<TopicPartition> mine;
    private final Supplier<Set<TopicPartition>> covered;
    private final AtomicReference<Map<TopicPartition, Fresh>> fresh = new AtomicReference<>(Map.of());
    private final WatchedInputs watched;

    private record Fresh(long topicId, Progress begin) {}

    /** Takes on partitions. */
    interface Cover {
        void take(TopicPartition partition, long topicId, Progress begin);
    }

    /**
     * @param mine tells the task's partitions from those of others
     * @param covered the partitions that the task verifies now; asked for in another thread than its own
     */
    TaskInputs(
            StormproofConfig config,
            int taskId,
            Predicate<TopicPartition> mine,
            Supplier<Set<TopicPartition>> covered) {
        this.config = config;
        this.mine = mine;
        this.covered = covered;
        this.watched = WatchedInputs.of(config, this::look, "stormproof-inputs-" + taskId);
    }

    /** Hands over what is new since the last call. */
    void fresh(Cover cover) {
        fresh.getAndSet(Map.of()).forEach((partition, one) -> cover.take(partition, one.topicId(), one.begin()));
    }

    /** All partitions of the inputs, those of other tasks too, with the ids of their topics. */
    Map<TopicPartition, Long> partitions() {
        return watched.partitions();
    }

    /** See {@link WatchedInputs#expected()}. */
    int expected() {
        return watched.expected();
    }

    /** True if a partition is one of them. */
    boolean has(PartitionId partition) {
        return partitions().containsKey(new TopicPartition(partition.topic(), partition.partition()));
    }

    /** How many of them are verified. */
    long covered() {
        Set<TopicPartition> now = covered.get();
        return partitions().keySet().stream().filter(now::contains).count();
    }

    /** See {@link WatchedInputs#silentMillis()}. */
    long silentMillis() {
        return watched.silentMillis();
    }

    @Override
    public void close() {
        watched.close();
    }

    private void look(Map<TopicPartition, Long> inputs) {
        Set<TopicPartition> missing = new HashSet<>(inputs.keySet());
        missing.removeIf(mine.negate());
        missing.removeAll(covered.get());
        Map<TopicPartition, Fresh> found = new HashMap<>();
        if (!missing.isEmpty()) {
            begins(missing)
                    .forEach((partition, begin) ->
                            found.put(partition, new Fresh(inputs.getOrDefault(partition, TopicIds.UNKNOWN), begin)));
        }
        fresh.set(found);
    }

    /** Where these begin; those of a topic that cannot be asked for, because it is not for us or has just gone, are left out. */
    private Map<TopicPartition, Progress> begins(Set<TopicPartition> missing) {
        try {
            return GroupProgress.begins(config, missing);
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            Map<TopicPartition, Progress> begins = new HashMap<>();
            missing.stream()
                    .collect(Collectors.groupingBy(TopicPartition::topic, Collectors.toSet()))
                    .forEach((topic, partitions) -> begins.putAll(beginsOf(topic, partitions)));
            return begins;
        }
    }

    private Map<TopicPartition, Progress> beginsOf(String topic, Set<TopicPartition> partitions) {
        try {
            return GroupProgress.begins(config, partitions);
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            LOG.warn("{} partitions of topic {} are not verified yet: {}", partitions.size(), topic, e.getMessage());
            return Map.of();
        }
    }
}
