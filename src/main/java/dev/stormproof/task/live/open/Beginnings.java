package dev.stormproof.task.live.open;

import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.progress.GroupProgress;
import dev.stormproof.task.live.run.PublishedAlerts;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/**
 * The beginnings of partitions that a running task takes on: where each is verified from, and what was published behind that.
 *
 * @param published of those about which it was not known
 */
record Beginnings(GroupProgress progress, PublishedAlerts published) {
    /**
     * Asks Kafka for those of some partitions.
     *
     * @param known tells about which it is known what was published
     */
    static Beginnings of(
            StormproofConfig config,
            Set<TopicPartition> partitions,
            Predicate<TopicPartition> known,
            LongSupplier nanoTime) {
        GroupProgress progress = GroupProgress.begins(config, partitions);
        Set<TopicPartition> unknown = partitions.stream().filter(known.negate()).collect(Collectors.toSet());
        return new Beginnings(progress, PublishedAlerts.read(config, progress, unknown, nanoTime));
    }
}
