package dev.stormproof.task.live.progress;

import dev.stormproof.task.config.InputTopics;
import java.io.Serializable;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The existing topics among some names. For one thread. */
public final class SubscribedTopics implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(SubscribedTopics.class);

    private final InputTopics names;
    private final HashSet<String> passedOver = new HashSet<>();

    public SubscribedTopics(InputTopics names) {
        this.names = names;
    }

    /** All partitions that these topics have now. */
    public Set<TopicPartition> partitions(Consumer<?, ?> consumer) {
        Set<TopicPartition> found = new HashSet<>();
        if (names.arePattern()) {
            consumer.listTopics().forEach((name, infos) -> {
                if (names.contains(name)) {
                    addAll(infos, found);
                } else if (names.matches(name) && passedOver.add(name)) {
                    LOG.warn(
                            "{} matches {} and is not verified: it is the output of another topic that matches",
                            name,
                            names.text());
                }
            });
        } else {
            for (String name : names.names()) {
                // Older clients return null for a topic that does not exist.
                Optional.ofNullable(consumer.partitionsFor(name)).ifPresent(infos -> addAll(infos, found));
            }
        }
        return found;
    }

    public String text() {
        return names.text();
    }

    private static void addAll(List<PartitionInfo> infos, Set<TopicPartition> partitions) {
        infos.forEach(info -> partitions.add(new TopicPartition(info.topic(), info.partition())));
    }
}
