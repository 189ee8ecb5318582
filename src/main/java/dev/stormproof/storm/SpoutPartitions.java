package dev.stormproof.storm;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.storm.kafka.spout.subscription.ManualPartitioner;
import org.apache.storm.kafka.spout.subscription.TopicFilter;
import org.apache.storm.task.TopologyContext;
import org.jspecify.annotations.Nullable;

/**
 * The partitions that a spout task reads: those of the input topics that {@link PartitionPlacement} gives it.
 *
 * <p>It commits the log's beginning as the progress of every partition that has none yet. KafkaSpout needs that: it
 * seeks one new partition after the other and asks for each one's position, whereupon the consumer, which has no reset
 * policy, throws because of the next one. Beyond that, whoever verifies always knows where to begin, even if the first
 * record is lost on its way.
 *
 * <p>KafkaSpout hands its consumer to nobody but the topic filter, so {@link CustodySpout} has it from here.
 */
final class SpoutPartitions implements TopicFilter, ManualPartitioner {
    private static final long serialVersionUID = 1L;

    private final SubscribedTopics topics;
    private transient @Nullable Consumer<?, ?> consumer;
    private transient @Nullable Set<TopicPartition> mine;

    SpoutPartitions(SubscribedTopics topics) {
        this.topics = topics;
    }

    @Override
    public Set<TopicPartition> getAllSubscribedPartitions(Consumer<?, ?> spoutConsumer) {
        consumer = spoutConsumer;
        return topics.getAllSubscribedPartitions(spoutConsumer);
    }

    @Override
    public String getTopicsString() {
        return topics.getTopicsString();
    }

    @Override
    public Set<TopicPartition> getPartitionsForThisTask(List<TopicPartition> all, TopologyContext context) {
        int taskCount = context.getComponentTasks(context.getThisComponentId()).size();
        Set<TopicPartition> now = new HashSet<>();
        for (TopicPartition partition : all) {
            int index = PartitionPlacement.taskIndex(partition.topic(), partition.partition(), taskCount);
            if (index == context.getThisTaskIndex()) {
                now.add(partition);
            }
        }
        Set<TopicPartition> gained = new HashSet<>(now);
        if (mine != null) {
            gained.removeAll(mine);
        }
        if (!gained.isEmpty()) {
            commitBeginnings(gained, ProgressNote.FRESH.encode(context));
        }
        mine = now;
        return now;
    }

    /** The spout's consumer; empty before the spout was activated. */
    Optional<Consumer<?, ?>> consumer() {
        return Optional.ofNullable(consumer);
    }

    private void commitBeginnings(Set<TopicPartition> gained, String metadata) {
        Consumer<?, ?> known = Objects.requireNonNull(consumer, "the filter is asked first");
        Set<TopicPartition> without = new HashSet<>();
        known.committed(gained).forEach((partition, committed) -> {
            if (committed == null) {
                without.add(partition);
            }
        });
        if (!without.isEmpty()) {
            Map<TopicPartition, OffsetAndMetadata> beginnings = new HashMap<>();
            known.beginningOffsets(without)
                    .forEach((partition, begin) -> beginnings.put(partition, new OffsetAndMetadata(begin, metadata)));
            known.commitSync(beginnings);
        }
    }
}
