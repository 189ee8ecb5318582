package dev.stormproof.task.live.open;

import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.watch.WatchedInputs;
import dev.stormproof.verify.judge.PartitionId;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The inputs of one task: finds its partitions that are not verified yet, and where their verification begins. So a partition is covered
 * as soon as it exists, and not only when its first record is delivered.
 *
 * <pre>
 *   its thread:   Kafka ──► partitions of this task ──those that are not covered──► their beginnings ──► fresh
 *   the task:     tick ──fresh──► covered
 * </pre>
 */
final class TaskInputs implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TaskInputs.class);

    private final Predicate<TopicPartition> mine;
    private final Supplier<Set<TopicPartition>> covered;
    private final Function<Set<TopicPartition>, Beginnings> begins;
    private final AtomicReference<List<Fresh>> fresh = new AtomicReference<>(List.of());
    private final WatchedInputs watched;

    private record Fresh(Beginnings begins, Map<TopicPartition, Long> topicIds) {}

    interface Cover {
        void take(Beginnings begins, Map<TopicPartition, Long> topicIds);
    }

    /**
     * @param mine accepts the task's partitions
     * @param covered the partitions that the task verifies now; called in the thread of this, not the task's
     * @param begins finds where the verification of partitions begins; called in that thread, too
     */
    TaskInputs(
            StormproofConfig config,
            int taskId,
            Predicate<TopicPartition> mine,
            Supplier<Set<TopicPartition>> covered,
            Function<Set<TopicPartition>, Beginnings> begins) {
        this.mine = mine;
        this.covered = covered;
        this.begins = begins;
        this.watched = WatchedInputs.of(config, this::look, "stormproof-inputs-" + taskId);
    }

    void fresh(Cover cover) {
        fresh.getAndSet(List.of()).forEach(one -> cover.take(one.begins(), one.topicIds()));
    }

    /** All partitions of the inputs, including those of other tasks, with the ids of their topics. */
    Map<TopicPartition, Long> partitions() {
        return watched.partitions();
    }

    public int expected() {
        return watched.expected();
    }

    boolean has(PartitionId partition) {
        return partitions().containsKey(new TopicPartition(partition.topic(), partition.partition()));
    }

    public long covered() {
        Set<TopicPartition> now = covered.get();
        return partitions().keySet().stream().filter(now::contains).count();
    }

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
        List<Beginnings> found = missing.isEmpty() ? List.of() : begins(missing);
        fresh.set(found.stream().map(one -> new Fresh(one, inputs)).toList());
    }

    /** The beginnings of partitions, without those of topics that cannot be asked for: forbidden, or just deleted. */
    private List<Beginnings> begins(Set<TopicPartition> missing) {
        try {
            return List.of(begins.apply(missing));
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            return missing.stream()
                    .collect(Collectors.groupingBy(TopicPartition::topic, Collectors.toSet()))
                    .entrySet()
                    .stream()
                    .flatMap(topic -> beginsOf(topic.getKey(), topic.getValue()))
                    .toList();
        }
    }

    private Stream<Beginnings> beginsOf(String topic, Set<TopicPartition> partitions) {
        try {
            return Stream.of(begins.apply(partitions));
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            LOG.warn("{} partitions of topic {} are not verified yet: {}", partitions.size(), topic, e.getMessage());
            return Stream.of();
        }
    }
}
