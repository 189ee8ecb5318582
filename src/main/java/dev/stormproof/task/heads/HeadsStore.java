package dev.stormproof.task.heads;

import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.log.kafka.KafkaLogReader;
import dev.stormproof.log.kafka.KafkaPartitionReader;
import dev.stormproof.log.kafka.WrittenEnd;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.verify.fold.SavedHeads;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Heads in a compacted topic, all of one partition of an input in one partition of it: {@code floorMod(hash(topic) + partition, count)},
 * so that with as many partitions as tasks each task reads one of them at its start.
 *
 * <p>A start waits for the open transactions of other tasks that hide what is committed after them.
 */
public final class HeadsStore implements Heads {
    private static final Logger LOG = LoggerFactory.getLogger(HeadsStore.class);

    /** A task that died may have left a transaction open for a minute, which hides what was committed since. */
    private static final Duration MAX_SILENCE = Duration.ofSeconds(150);

    private final String topic;
    private final int partitionCount;
    private final Map<String, Object> admin;
    private final Map<String, Object> reader;
    private final Duration maxSilence;
    private final Map<TopicPartition, PartitionHeads> kept = new ConcurrentHashMap<>();

    /**
     * @param topic as {@link OwnTopic} demands it
     * @param partitionCount how many partitions it has
     * @param admin the properties of an Admin client
     * @param reader the properties of a consumer
     * @param maxSilence for how long the topic may give nothing of what it holds, transactions of tasks that died among it
     */
    public HeadsStore(
            String topic,
            int partitionCount,
            Map<String, Object> admin,
            Map<String, Object> reader,
            Duration maxSilence) {
        this.topic = topic;
        this.partitionCount = partitionCount;
        this.admin = Map.copyOf(admin);
        this.reader = Map.copyOf(reader);
        this.maxSilence = maxSilence;
    }

    /** The heads of a topology's partitions; creates their topic, and that of verdicts, if it is not there. */
    public static HeadsStore of(StormproofConfig config) {
        try (Admin admin = Admin.create(config.kafkaAdmin())) {
            OwnTopic.ofVerdicts(config).ifPresent(verdicts -> verdicts.demand(admin));
            int partitions = OwnTopic.ofHeads(config).demand(admin);
            return new HeadsStore(
                    config.headsTopic(), partitions, config.kafkaAdmin(), config.kafkaReader(), MAX_SILENCE);
        }
    }

    @Override
    public Map<TopicPartition, Found> read(Map<TopicPartition, Committed> partitions) {
        Map<TopicPartition, Set<TopicPartition>> places = new HashMap<>();
        partitions
                .keySet()
                .forEach(partition -> places.computeIfAbsent(placeOf(partition), place -> new HashSet<>())
                        .add(partition));
        Map<TopicPartition, Found> heads = new HashMap<>();
        if (places.isEmpty()) {
            return heads;
        }
        try (Admin client = Admin.create(admin);
                KafkaLogReader log = KafkaLogReader.ofStored(reader, maxSilence)) {
            places.forEach((place, some) -> {
                FoundHeads found = found(client, log.of(place), place, some);
                for (TopicPartition partition : some) {
                    FoundHeads.Known known = found.known(partition, Objects.requireNonNull(partitions.get(partition)));
                    kept.put(partition, known.kept());
                    heads.put(partition, known.found());
                }
            });
        }
        return heads;
    }

    private static FoundHeads found(
            Admin client, KafkaPartitionReader log, TopicPartition place, Set<TopicPartition> wanted) {
        while (true) {
            FoundHeads found = new FoundHeads(place, wanted);
            try {
                long end = WrittenEnd.of(client, place);
                log.scanStored(log.begin(), end, record -> {
                    if (record.unreadCount() == 0) {
                        found.take(
                                record.offset(),
                                record.key().toByteArray(),
                                record.value().toByteArray());
                    }
                    return true;
                });
                return found;
            } catch (ExpiredRangeException e) {
                // What is left is read again, and the sums show whether it is all.
                LOG.debug("{} is shortened while it is read", place, e);
            }
        }
    }

    @Override
    public Update update(TopicPartition partition, long topicId, SavedHeads heads) {
        PartitionHeads of = of(partition);
        of.inTopic(topicId);
        of.keep(heads.streams());
        return new Update(of.records(placeOf(partition)), new HeadsSum(of.sum(), heads.complete()));
    }

    @Override
    public void committed(Set<TopicPartition> partitions) {
        partitions.forEach(partition -> of(partition).committed());
    }

    private PartitionHeads of(TopicPartition partition) {
        return Objects.requireNonNull(kept.get(partition), "heads that were not read");
    }

    private TopicPartition placeOf(TopicPartition partition) {
        return new TopicPartition(
                topic, Math.floorMod(partition.topic().hashCode() + partition.partition(), partitionCount));
    }
}
