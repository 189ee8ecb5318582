package dev.stormproof.task.storm.spout;

import dev.stormproof.task.live.progress.ProgressMetadata;
import dev.stormproof.task.live.progress.SubscribedTopics;
import dev.stormproof.task.live.progress.TopicIds;
import dev.stormproof.task.storm.tuple.PartitionPlacement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.storm.kafka.spout.subscription.ManualPartitioner;
import org.apache.storm.kafka.spout.subscription.TopicFilter;
import org.apache.storm.task.TopologyContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The partitions that a spout task reads: those of the input topics that {@link PartitionPlacement} gives it.
 *
 * <p>It commits the log's beginning as the progress of every partition that has none. KafkaSpout needs that: it seeks the new partitions one
 * by one and asks for each position, and the consumer, which has no reset policy, throws because of the next one. It also reports the
 * verification where to begin if the first record is lost on its way.
 *
 * <p>It notices when a topic was deleted and created again, by the topic's id: the read and committed offsets are void then. The partition is
 * given up for one round, so that KafkaSpout forgets it, and gained again in the next, from the log's beginning.
 *
 * <p>The progress has a leader epoch. A consumer that seeks with it asks the brokers whether the log was truncated below the progress.
 * KafkaSpout does not pass it on, so this does.
 *
 * <p>KafkaSpout shows its consumer only to the topic filter, so {@link LogSpout} gets it from here.
 */
final class SpoutPartitions implements TopicFilter, ManualPartitioner, RecordTranslation.Assignment, AutoCloseable {
    private static final long serialVersionUID = 1L;

    private static final Logger LOG = LoggerFactory.getLogger(SpoutPartitions.class);

    private final SubscribedTopics topics;
    private final TopicIds topicIds;
    private transient @Nullable Consumer<?, ?> consumer;
    /** The partitions of this task, each with the id of the topic that it began to read; null before the first round. */
    private transient @Nullable Map<TopicPartition, Long> mine;

    /** The partitions that were given up because their topic was created again. */
    private final HashSet<TopicPartition> anew = new HashSet<>();

    SpoutPartitions(SubscribedTopics topics, TopicIds topicIds) {
        this.topics = topics;
        this.topicIds = topicIds;
    }

    @Override
    public Set<TopicPartition> getAllSubscribedPartitions(Consumer<?, ?> spoutConsumer) {
        consumer = spoutConsumer;
        return topics.partitions(spoutConsumer);
    }

    @Override
    public String getTopicsString() {
        return topics.text();
    }

    @Override
    public Set<TopicPartition> getPartitionsForThisTask(List<TopicPartition> all, TopologyContext context) {
        Set<TopicPartition> now = all.stream()
                .filter(partition -> PartitionPlacement.isOf(context, partition))
                .collect(Collectors.toSet());
        Map<TopicPartition, Long> before = mine == null ? Map.of() : mine;
        Map<String, Long> ids =
                topicIds.of(now.stream().map(TopicPartition::topic).collect(Collectors.toSet()));
        Map<TopicPartition, Long> kept = new HashMap<>();
        Set<TopicPartition> gained = new HashSet<>();
        for (TopicPartition partition : now) {
            long id = ids.getOrDefault(partition.topic(), TopicIds.UNKNOWN);
            Long known = before.get(partition);
            if (known == null && !ids.containsKey(partition.topic())) {
                LOG.warn("{} is not read before it is known which topic of that name it is", partition);
            } else if (known == null) {
                gained.add(partition);
                kept.put(partition, id);
            } else if (known == TopicIds.UNKNOWN || id == TopicIds.UNKNOWN || known == id) {
                kept.put(partition, known == TopicIds.UNKNOWN ? id : known);
            } else {
                LOG.warn("{} was created again: reading it from its beginning", partition.topic());
                anew.add(partition);
            }
        }
        mine = kept;
        if (!gained.isEmpty()) {
            commitBeginnings(gained, context);
        }
        return Set.copyOf(kept.keySet());
    }

    @Override
    public void gained(Set<TopicPartition> gained) {
        Consumer<?, ?> known = Objects.requireNonNull(consumer, "the filter is asked first");
        known.committed(gained).forEach((partition, committed) -> {
            if (committed != null && committed.leaderEpoch().isPresent()) {
                known.seek(partition, committed);
            }
        });
    }

    @Override
    public long topicId(TopicPartition partition) {
        return mine == null ? TopicIds.UNKNOWN : mine.getOrDefault(partition, TopicIds.UNKNOWN);
    }

    @Override
    public void close() {
        topicIds.close();
    }

    boolean areNone() {
        return mine == null || mine.isEmpty();
    }

    /** The spout's consumer; empty before the spout was activated. */
    Optional<Consumer<?, ?>> consumer() {
        return Optional.ofNullable(consumer);
    }

    private void commitBeginnings(Set<TopicPartition> gained, TopologyContext context) {
        Consumer<?, ?> known = Objects.requireNonNull(consumer, "the filter is asked first");
        Map<TopicPartition, ProgressMetadata> without = new HashMap<>();
        known.committed(gained).forEach((partition, committed) -> {
            long topicId = topicId(partition);
            if (committed == null) {
                without.put(partition, ProgressMetadata.forgotten(topicId));
            } else if (isVoid(partition, ProgressMetadata.decode(committed.metadata()))) {
                without.put(partition, ProgressMetadata.fresh(topicId));
            }
        });
        anew.removeAll(gained);
        if (!without.isEmpty()) {
            Map<TopicPartition, OffsetAndMetadata> beginnings = new HashMap<>();
            known.beginningOffsets(without.keySet()).forEach((partition, begin) -> {
                String metadata = Objects.requireNonNull(without.get(partition))
                        .encode(context.getStormId(), context.getThisTaskId());
                beginnings.put(partition, new OffsetAndMetadata(begin, metadata));
            });
            known.commitSync(beginnings);
        }
    }

    private boolean isVoid(TopicPartition partition, ProgressMetadata metadata) {
        return metadata.isOfAnother(topicId(partition))
                || (anew.contains(partition) && metadata.topicId() != topicId(partition));
    }
}
