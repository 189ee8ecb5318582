package dev.stormproof.task.live.open;

import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.heads.Heads;
import dev.stormproof.task.live.progress.GroupProgress;
import dev.stormproof.task.live.run.PublishedAlerts;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/**
 * The beginnings of partitions that a running task adds: from where each is verified, and the alerts that were published after that.
 *
 * @param published alerts about those partitions whose alerts were not known
 */
record Beginnings(GroupProgress progress, PublishedAlerts published) {
    /**
     * Asks Kafka for the beginnings of partitions.
     *
     * @param known accepts the partitions whose published alerts are known
     */
    static Beginnings of(
            StormproofConfig config,
            Set<TopicPartition> partitions,
            Predicate<TopicPartition> known,
            Heads heads,
            LongSupplier nanoTime) {
        GroupProgress progress = GroupProgress.begins(config, partitions).withHeads(heads);
        Set<TopicPartition> unknown = partitions.stream().filter(known.negate()).collect(Collectors.toSet());
        return new Beginnings(progress, PublishedAlerts.read(config, progress, unknown, nanoTime));
    }
}
