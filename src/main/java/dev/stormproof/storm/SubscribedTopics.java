package dev.stormproof.storm;

import dev.stormproof.config.StormproofConfig;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.storm.kafka.spout.subscription.TopicFilter;
import org.jspecify.annotations.Nullable;

/** The topics that a spout reads, by name or by pattern. */
final class SubscribedTopics implements TopicFilter {
    private static final long serialVersionUID = 1L;

    /** How the names of Kafka's own topics begin. */
    private static final String INTERNAL = "__";

    private final TreeSet<String> names;
    private final @Nullable Pattern pattern;

    private SubscribedTopics(Set<String> names, @Nullable Pattern pattern) {
        this.names = new TreeSet<>(names);
        this.pattern = pattern;
    }

    /** The input topics of a configuration. */
    static SubscribedTopics of(StormproofConfig config) {
        return config.inputTopicsPattern().map(SubscribedTopics::matching).orElseGet(() -> named(config.inputTopics()));
    }

    static SubscribedTopics named(Set<String> names) {
        return new SubscribedTopics(names, null);
    }

    static SubscribedTopics matching(Pattern pattern) {
        return new SubscribedTopics(Set.of(), pattern);
    }

    @Override
    public Set<TopicPartition> getAllSubscribedPartitions(Consumer<?, ?> consumer) {
        Set<TopicPartition> partitions = new HashSet<>();
        if (pattern == null) {
            for (String name : names) {
                // Older clients return null for a topic that does not exist.
                Optional.ofNullable(consumer.partitionsFor(name)).ifPresent(infos -> addAll(infos, partitions));
            }
        } else {
            consumer.listTopics().forEach((name, infos) -> {
                if (!name.startsWith(INTERNAL) && pattern.matcher(name).matches()) {
                    addAll(infos, partitions);
                }
            });
        }
        return partitions;
    }

    @Override
    public String getTopicsString() {
        return pattern == null ? String.join(",", names) : pattern.pattern();
    }

    private static void addAll(List<PartitionInfo> infos, Set<TopicPartition> partitions) {
        infos.forEach(info -> partitions.add(new TopicPartition(info.topic(), info.partition())));
    }
}
