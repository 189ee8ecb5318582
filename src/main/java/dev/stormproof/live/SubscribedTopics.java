package dev.stormproof.live;

import dev.stormproof.config.StormproofConfig;
import java.io.Serializable;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The topics that are verified, by name or by pattern. */
public final class SubscribedTopics implements Serializable {
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
    public static SubscribedTopics of(StormproofConfig config) {
        return config.inputTopicsPattern().map(SubscribedTopics::matching).orElseGet(() -> named(config.inputTopics()));
    }

    public static SubscribedTopics named(Set<String> names) {
        return new SubscribedTopics(names, null);
    }

    public static SubscribedTopics matching(Pattern pattern) {
        return new SubscribedTopics(Set.of(), pattern);
    }

    /** All partitions that these topics have now. */
    public Set<TopicPartition> partitions(Consumer<?, ?> consumer) {
        Set<TopicPartition> found = new HashSet<>();
        if (pattern == null) {
            for (String name : names) {
                // Older clients return null for a topic that does not exist.
                Optional.ofNullable(consumer.partitionsFor(name)).ifPresent(infos -> addAll(infos, found));
            }
        } else {
            consumer.listTopics().forEach((name, infos) -> {
                if (!name.startsWith(INTERNAL) && pattern.matcher(name).matches()) {
                    addAll(infos, found);
                }
            });
        }
        return found;
    }

    /** The names, or the pattern. */
    public String text() {
        return pattern == null ? String.join(",", names) : pattern.pattern();
    }

    private static void addAll(List<PartitionInfo> infos, Set<TopicPartition> partitions) {
        infos.forEach(info -> partitions.add(new TopicPartition(info.topic(), info.partition())));
    }
}
