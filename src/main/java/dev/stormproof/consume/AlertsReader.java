package dev.stormproof.consume;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertJson;
import dev.stormproof.alert.AlertsRecord;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The alerts about some topics, read from the beginning of the alerts topic, and what is known of each of their partitions.
 *
 * <p>What cannot be known counts against the records: alerts that were deleted before they were read here, and one that cannot be read.
 *
 * <p>Another leader of the alerts topic may have cut its end off, and written others where some were read. So all is read anew then; what
 * was known before stays.
 *
 * <p>For one thread, that of {@link ProgressWatch}; the findings that it hands on are safe for others.
 */
final class AlertsReader {
    private static final Logger LOG = LoggerFactory.getLogger(AlertsReader.class);
    private static final Duration POLL = Duration.ofMillis(50);

    /** The id of a topic of which none is known. */
    static final long NO_ID = Alert.NO_TOPIC_ID;

    private final Consumer<byte[], byte[]> consumer;
    private final String topic;
    private final Map<String, Long> topicIds = new HashMap<>();
    private final Map<TopicPartition, PartitionFindings> findings = new HashMap<>();
    /** Partitions of the alerts topic that have lost their beginning, and of which nothing was read since. */
    private final Set<TopicPartition> beheaded = new HashSet<>();
    /** Where partitions began when they were read for the topics that are followed. */
    private final Map<TopicPartition, Long> begins = new HashMap<>();
    /** The ends that were read up to at last, or are now. */
    private Map<TopicPartition, End> readTo = Map.of();

    private List<TopicPartition> partitions = List.of();
    private long alertsId = NO_ID;
    private long missingBeforeMillis;
    private boolean anew = true;

    /** An end of a partition of the alerts topic, and the leader epoch of whom was asked for it. */
    record End(long offset, int leaderEpoch) {}

    /** @param consumer of committed records, without a group and a reset policy; not closed with this */
    AlertsReader(Consumer<byte[], byte[]> consumer, String topic) {
        this.consumer = consumer;
        this.topic = topic;
    }

    /** Follows a topic by the id that it has now: alerts about others of its name do not count. */
    void follow(String name, long id) {
        Long known = topicIds.put(name, id);
        if (known == null || known != id) {
            findings.keySet().removeIf(partition -> partition.topic().equals(name));
            begins.clear();
            anew = true;
        }
    }

    /** Takes the partitions that the alerts topic has now, and its id. */
    void alertsTopic(int count, long id, long nowMillis) {
        if (alertsId != id) {
            // What stood in the topic before is gone, and may never have been read here.
            missingBeforeMillis = alertsId == NO_ID ? missingBeforeMillis : nowMillis;
            alertsId = id;
            begins.clear();
            anew = true;
        }
        if (anew || count != partitions.size()) {
            partitions = IntStream.range(0, count)
                    .mapToObj(partition -> new TopicPartition(topic, partition))
                    .toList();
            consumer.assign(partitions);
            anew = true;
        }
    }

    List<TopicPartition> partitions() {
        return partitions;
    }

    /** The findings on a partition of a followed topic. */
    PartitionFindings findings(TopicPartition partition) {
        return findings.computeIfAbsent(partition, first -> {
            PartitionFindings made = new PartitionFindings();
            made.missingBefore(missingBeforeMillis);
            return made;
        });
    }

    /**
     * Reads on; true once all that is committed before some ends is read.
     *
     * @param ends as readers of uncommitted records see them, so that an open transaction hides nothing that stands before them
     */
    boolean readOn(Map<TopicPartition, End> ends, long nowMillis) {
        try {
            if (!ends.equals(readTo)) {
                anew = anew || ends.entrySet().stream().anyMatch(end -> mayBeCut(end.getKey(), end.getValue()));
                readTo = Map.copyOf(ends);
            }
            if (anew) {
                begin();
                anew = false;
            }
            boolean read = isRead(ends);
            if (!read) {
                ConsumerRecords<byte[], byte[]> polled = consumer.poll(POLL);
                for (ConsumerRecord<byte[], byte[]> record : polled) {
                    take(record);
                }
                read = isRead(ends);
            }
            if (read && !beheaded.isEmpty()) {
                missing(nowMillis);
                beheaded.clear();
            }
            return read;
        } catch (InvalidOffsetException e) {
            LOG.warn("the alerts that come next were deleted, reading the alerts topic anew: {}", e.getMessage());
            anew = true;
            return false;
        }
    }

    private void begin() {
        consumer.beginningOffsets(partitions).forEach((partition, begin) -> {
            consumer.seek(partition, begin);
            Long before = begins.put(partition, begin);
            boolean moved = before == null || !before.equals(begin);
            if (begin > 0 && moved) {
                beheaded.add(partition);
            }
        });
    }

    /** True if the topic may have lost some of what was read, so that others may stand there; to be asked before more is read. */
    private boolean mayBeCut(TopicPartition partition, End end) {
        End before = readTo.get(partition);
        boolean ofAnother = before != null && before.leaderEpoch() != end.leaderEpoch();
        return ofAnother || consumer.position(partition) > end.offset();
    }

    private boolean isRead(Map<TopicPartition, End> ends) {
        return ends.entrySet().stream()
                .allMatch(
                        end -> consumer.position(end.getKey()) >= end.getValue().offset());
    }

    private void take(ConsumerRecord<byte[], byte[]> record) {
        TopicPartition alerts = new TopicPartition(record.topic(), record.partition());
        if (beheaded.remove(alerts)) {
            missing(record.timestamp());
        }
        TopicPartition about = about(record);
        if (about == null || !topicIds.containsKey(about.topic())) {
            return;
        }
        try {
            AlertsRecord told = AlertJson.readRecord(record.value());
            if (!(told instanceof Alert alert)) {
                return; // An operator's word on an alert, which stands all the same.
            }
            long id = topicIds.getOrDefault(about.topic(), NO_ID);
            if (alert.topicId() == NO_ID || id == NO_ID || alert.topicId() == id) {
                findings(about).add(alert.finding());
            }
        } catch (IOException e) {
            LOG.warn(
                    "{}@{} is no alert that this version can read, so that nothing about {} up to its time counts as"
                            + " verified: {}",
                    alerts,
                    record.offset(),
                    about,
                    e.getMessage());
            findings(about).missingBefore(record.timestamp());
        }
    }

    private void missing(long beforeMillis) {
        LOG.warn(
                "the beginning of the alerts topic {} was deleted: records written before {} do not count as verified",
                topic,
                Instant.ofEpochMilli(beforeMillis));
        missingBeforeMillis = Math.max(missingBeforeMillis, beforeMillis);
        findings.values().forEach(known -> known.missingBefore(missingBeforeMillis));
    }

    /** The partition that an alert's key, {@code topic/partition/…}, names; null if it names none. */
    private static @Nullable TopicPartition about(ConsumerRecord<byte[], byte[]> record) {
        if (record.key() == null || record.value() == null) {
            return null;
        }
        String[] parts = new String(record.key(), UTF_8).split("/", 3);
        try {
            return parts.length < 3 ? null : new TopicPartition(parts[0], Integer.parseInt(parts[1]));
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
