package dev.stormproof.cli.session;

import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertJson;
import dev.stormproof.alert.AlertsRecord;
import dev.stormproof.cli.local.CloseStack;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * A feed reads the committed records of topics with findings, alerts for instance, without a group. It follows the partitions that these
 * topics get later, and a topic that is expected, from their beginning.
 *
 * <p>Only the thread that made it may use and close it: never hand it to a {@link CloseStack}.
 */
public final class FindingFeed implements AutoCloseable {
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    /** How often it is looked for partitions that were added, and how long that may take. */
    private static final Duration FOLLOW = Duration.ofSeconds(10);

    private static final Duration FOLLOW_TIMEOUT = Duration.ofSeconds(1);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Set<String> topics;
    private final long followNanos;
    /** The end offsets when the feed began; partitions that were added later are all new. */
    private final Map<TopicPartition, Long> firstEnds;

    private Set<TopicPartition> partitions;
    private long followedNanos = System.nanoTime();

    /** A feed that begins at the beginning, or with what comes from now on. */
    public FindingFeed(Map<String, ?> clientProperties, List<TopicPartition> partitions, boolean fromBeginning) {
        this(clientProperties, partitions, fromBeginning ? Long.MAX_VALUE : 0);
    }

    /** A feed that begins so many offsets before the end of each partition. */
    public FindingFeed(Map<String, ?> clientProperties, List<TopicPartition> partitions, long offsetsBeforeEnd) {
        this(clientProperties, partitions, offsetsBeforeEnd, FOLLOW);
    }

    FindingFeed(
            Map<String, ?> clientProperties, List<TopicPartition> partitions, long offsetsBeforeEnd, Duration follow) {
        Map<String, Object> settings = new HashMap<>(clientProperties);
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        // The consumer asks Kafka no more often for the partitions that a topic has.
        settings.put(ConsumerConfig.METADATA_MAX_AGE_CONFIG, follow.toMillis());
        settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        this.consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        this.partitions = Set.copyOf(partitions);
        this.topics = partitions.stream().map(TopicPartition::topic).collect(Collectors.toCollection(HashSet::new));
        this.followNanos = follow.toNanos();
        consumer.assign(this.partitions);
        Map<TopicPartition, Long> begins = consumer.beginningOffsets(this.partitions);
        this.firstEnds = consumer.endOffsets(this.partitions);
        firstEnds.forEach((partition, end) ->
                consumer.seek(partition, Math.max(begins.getOrDefault(partition, end), end - offsetsBeforeEnd)));
    }

    /** Reads a topic as well, from its beginning, as soon as there is one. */
    public void expect(String topic) {
        topics.add(topic);
    }

    /** Begins at the first record of this time or later instead. */
    public void since(Instant time) {
        Map<TopicPartition, Long> times = new HashMap<>();
        partitions.forEach(partition -> times.put(partition, time.toEpochMilli()));
        consumer.offsetsForTimes(times)
                .forEach((partition, found) -> consumer.seek(
                        partition, found == null ? firstEnds.getOrDefault(partition, 0L) : found.offset()));
    }

    /** The new records, in the order of each partition; waits no longer than {@code timeout}. */
    public Iterable<ConsumerRecord<byte[], byte[]>> poll(Duration timeout) {
        if (System.nanoTime() - followedNanos >= followNanos) {
            follow();
            followedNanos = System.nanoTime();
        }
        return consumer.poll(timeout);
    }

    /** Takes on partitions that were added; the others go on where they are. */
    private void follow() {
        Set<TopicPartition> all = new HashSet<>(partitions);
        try {
            topics.forEach(topic -> Objects.requireNonNullElse(
                            consumer.partitionsFor(topic, FOLLOW_TIMEOUT), List.<PartitionInfo>of())
                    .forEach(one -> all.add(new TopicPartition(topic, one.partition()))));
        } catch (TimeoutException | AuthorizationException e) {
            return; // The next time will do.
        }
        if (all.size() == partitions.size()) {
            return;
        }
        consumer.assign(all);
        Set<TopicPartition> added = new HashSet<>(all);
        added.removeAll(partitions);
        consumer.seekToBeginning(added);
        partitions = all;
    }

    /** True if a record came since the feed is there. */
    public boolean isNew(ConsumerRecord<byte[], byte[]> record) {
        return record.offset() >= firstEnds.getOrDefault(new TopicPartition(record.topic(), record.partition()), 0L);
    }

    /** The alert that a record is; throws with its place and the reason if it is none. */
    public static Alert alert(ConsumerRecord<byte[], byte[]> record) throws IOException {
        if (reported(record) instanceof Alert alert) {
            return alert;
        }
        throw new IOException(record.topic() + "-" + record.partition() + "@" + record.offset()
                + " is no alert: it is the acceptance of one");
    }

    /** The alert, or the acceptance of one, that a record is; throws with its place and the reason if it is none. */
    public static AlertsRecord reported(ConsumerRecord<byte[], byte[]> record) throws IOException {
        try {
            if (record.value() == null) {
                throw new IOException("no value");
            }
            return AlertJson.readRecord(record.value());
        } catch (IOException e) {
            throw new IOException(
                    record.topic() + "-" + record.partition() + "@" + record.offset() + " is no alert: "
                            + e.getMessage(),
                    e);
        }
    }

    /** True if everything that is committed by now has been polled. */
    boolean isAtEnd() {
        return consumer.endOffsets(partitions).entrySet().stream()
                .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
    }

    /** True if everything has been polled that was committed when the feed began, of what is still there. */
    public boolean isAtFirstEnd() {
        return consumer.endOffsets(firstEnds.keySet()).entrySet().stream().allMatch(end -> {
            long first = firstEnds.getOrDefault(end.getKey(), 0L);
            long until = Math.min(end.getValue(), first);
            return consumer.position(end.getKey()) >= until;
        });
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(CLOSE_TIMEOUT));
    }
}
