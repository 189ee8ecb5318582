package dev.stormproof.task.live.progress;

import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.heads.Heads;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.fold.SavedHeads;
import dev.stormproof.verify.judge.MissedRecords;
import dev.stormproof.verify.judge.PartitionId;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * The verified progress of some partitions: the committed offsets of the topology's group, which has no members.
 *
 * @param partitions the progress of each partition that has any
 * @param alertSpans for each requested partition, the places of alerts about it that may be found again; empty if unknown
 * @param heads the sum of the heads of each requested partition; empty if it is unknown
 * @param skipped the records that no verifier of the group has read, since another tool has moved its offset past them
 * @param writers the tasks that wrote it, as {@link ProgressMetadata#writer()} names them
 * @param group the identity under which to commit further progress
 */
public record GroupProgress(
        Map<TopicPartition, Progress> partitions,
        Map<TopicPartition, Optional<List<AlertSpan>>> alertSpans,
        Map<TopicPartition, Heads.Committed> heads,
        Map<TopicPartition, MissedRecords> skipped,
        Set<String> writers,
        ConsumerGroupMetadata group) {
    private static final int MOST_SPANS = 1_000;

    /** Reads the progress of the partitions that {@code wanted} accepts; waits for a transaction that is about to change it. */
    public static GroupProgress read(StormproofConfig config, Predicate<TopicPartition> wanted) {
        Map<String, Object> properties = config.kafkaReader();
        properties.put(ConsumerConfig.GROUP_ID_CONFIG, config.groupId());
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties)) {
            Set<TopicPartition> mine = new SubscribedTopics(config.input.names()).partitions(consumer);
            mine.removeIf(wanted.negate());
            return of(consumer.committed(mine), idsOf(config, mine), consumer.groupMetadata());
        }
    }

    /** The progress from which the verification of partitions begins: the committed one, or the beginning of the log. */
    public static GroupProgress begins(StormproofConfig config, Set<TopicPartition> partitions) {
        GroupProgress progress = read(config, partitions::contains);
        Map<TopicPartition, Progress> begins = new HashMap<>(progress.partitions());
        Set<TopicPartition> without = new HashSet<>(partitions);
        without.removeAll(begins.keySet());
        if (!without.isEmpty()) {
            try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(config.kafkaReader())) {
                consumer.beginningOffsets(without)
                        .forEach((partition, begin) -> begins.put(partition, Progress.at(begin, TopicIds.UNKNOWN)));
            }
        }
        return new GroupProgress(
                begins, progress.alertSpans(), progress.heads(), Map.of(), progress.writers(), progress.group());
    }

    /** The same progress with the heads that are beside it; their former owners are fenced. */
    public GroupProgress withHeads(Heads store) {
        Map<TopicPartition, Heads.Found> found = store.read(heads);
        Map<TopicPartition, Progress> with = new HashMap<>(partitions);
        Map<TopicPartition, MissedRecords> passed = new HashMap<>();
        found.forEach((partition, of) -> {
            Progress progress = with.computeIfPresent(partition, (key, before) -> before.with(of.heads()));
            if (progress != null && of.endOffset() < progress.offset()) {
                PartitionId id = new PartitionId(partition.topic(), partition.partition());
                passed.put(
                        partition,
                        new MissedRecords(id, of.endOffset(), progress.offset(), MissedRecords.Cause.SKIPPED));
            }
        });
        return new GroupProgress(with, alertSpans, heads, passed, writers, group);
    }

    /** The progress of a partition; offset 0 if there is none. */
    public Progress of(TopicPartition partition) {
        return partitions.getOrDefault(partition, Progress.at(0, TopicIds.UNKNOWN));
    }

    /** The places of alerts about some of the partitions that may be found again; empty if unknown. */
    public Optional<List<AlertSpan>> published(Collection<TopicPartition> some) {
        List<Optional<List<AlertSpan>>> each = some.stream()
                .map(partition -> alertSpans.getOrDefault(partition, Optional.empty()))
                .toList();
        return each.stream().allMatch(Optional::isPresent)
                ? Optional.of(AlertSpan.joined(
                        each.stream()
                                .flatMap(Optional::stream)
                                .flatMap(List::stream)
                                .toList(),
                        MOST_SPANS))
                : Optional.empty();
    }

    private static Map<String, Long> idsOf(StormproofConfig config, Set<TopicPartition> partitions) {
        try (TopicIds ids = new TopicIds(config.kafkaAdmin())) {
            return ids.of(partitions.stream().map(TopicPartition::topic).collect(Collectors.toSet()));
        }
    }

    /**
     * Reads a group's progress from its committed offsets.
     *
     * @param committed the committed offset of each partition; null if there is none
     * @param topicIds the ids of the topics that have the names now; progress in other topics is void
     */
    public static GroupProgress of(
            Map<TopicPartition, OffsetAndMetadata> committed, Map<String, Long> topicIds, ConsumerGroupMetadata group) {
        Map<TopicPartition, Progress> partitions = new HashMap<>();
        Map<TopicPartition, Optional<List<AlertSpan>>> alertSpans = new HashMap<>();
        Map<TopicPartition, Heads.Committed> heads = new HashMap<>();
        Set<String> writers = new HashSet<>();
        for (Map.Entry<TopicPartition, OffsetAndMetadata> entry : committed.entrySet()) {
            OffsetAndMetadata offset = entry.getValue();
            long topicId = topicIds.getOrDefault(entry.getKey().topic(), TopicIds.UNKNOWN);
            heads.put(entry.getKey(), new Heads.Committed(topicId, Optional.empty()));
            if (offset == null) {
                // It may have been committed and deleted by Kafka since.
                alertSpans.put(entry.getKey(), Optional.empty());
                continue;
            }
            ProgressMetadata metadata = ProgressMetadata.decode(offset.metadata());
            writers.add(metadata.writer());
            if (metadata.isOfAnother(topicId)) {
                alertSpans.put(entry.getKey(), Optional.of(List.of()));
                continue;
            }
            alertSpans.put(entry.getKey(), metadata.published());
            heads.put(
                    entry.getKey(),
                    new Heads.Committed(topicId == TopicIds.UNKNOWN ? metadata.topicId() : topicId, metadata.heads()));
            partitions.put(
                    entry.getKey(),
                    new Progress(
                            offset.offset(),
                            offset.leaderEpoch().orElse(DeliveryLink.NO_EPOCH),
                            metadata.topicId(),
                            SavedHeads.NOTHING,
                            metadata.written().orElse(null),
                            metadata.leaders()));
        }
        return new GroupProgress(partitions, alertSpans, heads, Map.of(), writers, group);
    }
}
