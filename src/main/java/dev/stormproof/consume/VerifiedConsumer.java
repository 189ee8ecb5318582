package dev.stormproof.consume;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.checkpoint.EventHeader;
import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.checkpoint.TransformedHeader;
import dev.stormproof.consume.HeldRecords.Judged;
import dev.stormproof.consume.VerifiedConsumerConfig.OnViolation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.clients.consumer.SubscriptionPattern;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.RecordDeserializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A consumer that hands out the records which a topology has verified, and no others, as KafkaConsumer with {@code read_committed}
 * hands out those which are committed.
 *
 * <pre>
 *   log       e0 e1 #1 e2 e3 #2 e4 e5        KafkaConsumer ──► HeldRecords ──► poll
 *   progress            │        ▲                                ▲
 *   handed out  e0 e1   e2 e3    │           ProgressWatch ───────┘ progress, alerts
 *                                └ e4, e5 wait
 * </pre>
 *
 * <p>It takes the place of KafkaConsumer: made with the same properties and {@link VerifiedConsumerConfig ours} among them, used in
 * the same way, from one thread. What differs:
 *
 * <ul>
 *   <li>Checkpoints never appear. {@link #position}, commits and interceptors know what was handed out, not what was fetched.
 *   <li>At a record that was judged and is not verified it halts, skips or marks: {@link VerifiedConsumerConfig#ON_VIOLATION}.
 *   <li>{@link #endOffsets} and {@link #currentLag} are about the log, so that a verifier that stands still shows as lag.
 *   <li>Nobody verifies records that are not committed: {@code isolation.level} is {@code read_committed}.
 * </ul>
 *
 * <p>It rests on the verifier's word, that is on the committed offsets of its group and on its alerts: whoever may write either decides what
 * is handed out (docs/operations/verified-reads.md). Events of format 1 are not verified here.
 *
 * <p>It needs Jackson (jackson-databind) on the class path, to read alerts.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public final class VerifiedConsumer<K, V> implements Consumer<K, V> {
    /** The header of a record that is handed out and not verified; its value is the id of the alert, or the reason, in UTF-8. */
    public static final String UNVERIFIED_HEADER = TransformedHeader.UNVERIFIED;

    /** For how long the fetch is waited for before the progress is looked at again. */
    private static final Duration SLICE = Duration.ofMillis(20);

    /** What a record takes in memory beside its key and value, about. */
    private static final int RECORD_OVERHEAD_BYTES = 200;

    private static final long WARNING_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final Logger LOG = LoggerFactory.getLogger(VerifiedConsumer.class);

    private final VerifiedConsumerConfig config;
    private final ConsumerSettings<K, V> settings;
    private final Consumer<byte[], byte[]> inner;
    private final Deserialization<K, V> deserialization;
    private final ConsumerInterceptors<K, V> interceptors;
    private final ProgressWatch watch;
    private final VerifiedMetrics metrics;
    private final Map<TopicPartition, ConsumedPartition> partitions = new LinkedHashMap<>();
    private final Set<TopicPartition> paused = new HashSet<>();
    /** The partition that may hold more than its share, to find the checkpoint that its first record waits for. */
    private @Nullable ConsumedPartition beyondItsShare;
    /** The partition that the next poll begins with. */
    private @Nullable TopicPartition next;

    private long autoCommitAtNanos;
    private long warnedAtNanos;
    private boolean closing;
    /** Written by the consumer's thread, read by whoever reads metrics. */
    private volatile long heldRecords;

    private volatile long heldBytes;
    private volatile long waitingMillis;
    private final AtomicLong unverified = new AtomicLong();

    /** A consumer with the properties of KafkaConsumer, {@code key.deserializer} and {@code value.deserializer} among them. */
    public VerifiedConsumer(Map<String, Object> properties) {
        this(properties, null, null);
    }

    /** The same. */
    public VerifiedConsumer(Properties properties) {
        this(ConsumerSettings.map(properties), null, null);
    }

    /** A consumer with deserializers, which are configured by whoever made them; null for those that the properties name. */
    public VerifiedConsumer(
            Map<String, Object> properties,
            @Nullable Deserializer<K> keyDeserializer,
            @Nullable Deserializer<V> valueDeserializer) {
        this.config = new VerifiedConsumerConfig(properties);
        this.settings = new ConsumerSettings<>(properties);
        this.deserialization = settings.deserialization(keyDeserializer, valueDeserializer);
        this.interceptors = settings.interceptors();
        this.inner = settings.inner();
        this.watch = watch(inner, settings, config);
        this.metrics = new VerifiedMetrics(settings.clientId());
        metrics.add("records-held", "Records that wait for their verification.", () -> heldRecords);
        metrics.add("bytes-held", "Bytes that wait for their verification, about.", () -> heldBytes);
        metrics.add(
                "verification-wait-ms", "For how long the first record that waits has waited.", () -> waitingMillis);
        metrics.add("unverified-records-total", "Records that were skipped or marked.", unverified::get);
        this.autoCommitAtNanos = System.nanoTime() + settings.autoCommitNanos();
        watch.start();
    }

    private static ProgressWatch watch(
            Consumer<byte[], byte[]> inner, ConsumerSettings<?, ?> settings, VerifiedConsumerConfig config) {
        try {
            return settings.watch(config);
        } catch (KafkaException e) {
            inner.close();
            throw e;
        }
    }

    @Override
    public ConsumerRecords<K, V> poll(Duration timeout) {
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("Timeout must not be negative");
        }
        long begunNanos = System.nanoTime();
        autoCommit();
        Duration wait = Duration.ZERO; // Kafka's own poll comes first, for the group and for who called wakeup.
        while (true) {
            fetch(wait);
            HandOut<K, V> out = collect();
            makeRoom();
            if (!out.isEmpty()) {
                Map<TopicPartition, OffsetAndMetadata> positions = new HashMap<>();
                out.partitions().forEach(partition -> putPosition(partition, positions));
                return interceptors.onConsume(out.records(positions));
            }
            warnAndTimeOut();
            Duration left = timeout.minusNanos(System.nanoTime() - begunNanos);
            if (left.isNegative() || left.isZero()) {
                return ConsumerRecords.empty();
            }
            wait = heldRecords > 0 && left.compareTo(SLICE) > 0 ? SLICE : left;
        }
    }

    /** Of kafka-clients before 4.0. */
    public ConsumerRecords<K, V> poll(long timeoutMillis) {
        return poll(Duration.ofMillis(timeoutMillis));
    }

    private void fetch(Duration wait) {
        ConsumerRecords<byte[], byte[]> fetched = inner.poll(wait);
        for (TopicPartition id : fetched.partitions()) {
            ConsumedPartition partition = partitions.computeIfAbsent(id, ConsumedPartition::new);
            for (ConsumerRecord<byte[], byte[]> record : fetched.records(id)) {
                Headers headers = record.headers();
                partition.held.add(
                        record.offset(),
                        record.leaderEpoch().orElse(ProgressPoint.NO_EPOCH),
                        record.timestamp(),
                        Math.max(0, record.serializedKeySize())
                                + Math.max(0, record.serializedValueSize())
                                + RECORD_OVERHEAD_BYTES,
                        Entry.of(
                                valueOf(headers.lastHeader(Format2Checkpoint.HEADER)),
                                valueOf(headers.lastHeader(EventHeader.NAME))),
                        record);
            }
        }
        watch.follow(partitions.keySet());
    }

    private static byte @Nullable [] valueOf(@Nullable Header header) {
        return header == null ? null : header.value();
    }

    /** Takes out what may be handed out, partition by partition. */
    private HandOut<K, V> collect() {
        HandOut<K, V> out = new HandOut<>(settings.maxPollRecords());
        boolean waits = false;
        for (ConsumedPartition partition : inTurn()) {
            partition.needsMore = false;
            if (paused.contains(partition.id) || partition.held.first() == null) {
                partition.waitingSinceNanos = 0;
                continue;
            }
            if (out.isFull()) {
                next = next == null ? partition.id : next;
                break;
            }
            collect(partition, out);
            waits |= partition.waitingSinceNanos != 0;
        }
        count();
        KafkaException failure = watch.failure();
        if (waits && out.isEmpty() && failure != null) {
            throw failure;
        }
        if (waits) {
            watch.want();
        }
        return out;
    }

    private List<ConsumedPartition> inTurn() {
        List<ConsumedPartition> all = new ArrayList<>(partitions.values());
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).id.equals(next)) {
                Collections.rotate(all, -i);
                break;
            }
        }
        next = null;
        return all;
    }

    private void collect(ConsumedPartition partition, HandOut<K, V> out) {
        ProgressWatch.Known known = watch.of(partition.id);
        if (known == null) {
            waits(partition);
            return;
        }
        long fetchedEnd = inner.position(partition.id);
        boolean noMore = partition.held.sizeBytes() >= config.heldMaxBytes;
        for (HeldRecords.Held<ConsumerRecord<byte[], byte[]>> first = partition.held.first();
                first != null && !out.isFull();
                first = partition.held.first()) {
            Judged judged = partition.held.judgeFirst(known.progress(), fetchedEnd, noMore, known.findings());
            switch (judged.fate()) {
                case WAITS -> {
                    waits(partition);
                    return;
                }
                case NEEDS_MORE -> {
                    partition.needsMore = true;
                    waits(partition);
                    return;
                }
                case PASSED -> partition.removeFirst();
                case VERIFIED -> {
                    if (!handOut(partition, first.record, null, out)) {
                        return;
                    }
                }
                case UNVERIFIED -> {
                    if (!unverified(partition, first.record, Objects.requireNonNull(judged.unverified()), out)) {
                        return;
                    }
                }
            }
        }
    }

    /** Hands a record out; false if it cannot be read, and those before it are to be returned first. */
    private boolean handOut(
            ConsumedPartition partition,
            ConsumerRecord<byte[], byte[]> record,
            @Nullable Unverified mark,
            HandOut<K, V> out) {
        // An upstream that writes the header itself says nothing.
        record.headers().remove(UNVERIFIED_HEADER);
        if (mark != null) {
            String text = mark.alertId().isEmpty() ? mark.why() : mark.alertId();
            record.headers().add(UNVERIFIED_HEADER, text.getBytes(UTF_8));
        }
        ConsumerRecord<K, V> read;
        try {
            read = deserialization.of(record);
        } catch (RecordDeserializationException e) {
            next = partition.id;
            if (out.isEmpty()) {
                throw e;
            }
            return false;
        }
        out.add(partition.id, read);
        partition.removeFirst();
        return true;
    }

    /** Does what is to be done at a record that is not verified; false if those before it are to be returned first. */
    private boolean unverified(
            ConsumedPartition partition, ConsumerRecord<byte[], byte[]> record, Unverified why, HandOut<K, V> out) {
        if (config.onViolation == OnViolation.HALT) {
            next = partition.id;
            if (out.isEmpty()) {
                throw new UnverifiedRecordException(partition.id, record.offset(), why);
            }
            return false;
        }
        if (config.onViolation == OnViolation.MARK) {
            if (handOut(partition, record, why, out)) {
                unverified.incrementAndGet();
                return true;
            }
            return false;
        }
        LOG.warn(
                "the record at offset {} of {} is skipped, it is not verified: {}",
                record.offset(),
                partition.id,
                why.why());
        unverified.incrementAndGet();
        partition.removeFirst();
        return true;
    }

    private static void waits(ConsumedPartition partition) {
        if (partition.waitingSinceNanos == 0) {
            partition.waitingSinceNanos = System.nanoTime();
        }
    }

    private void count() {
        long records = 0;
        long bytes = 0;
        long sinceNanos = Long.MAX_VALUE;
        long nowNanos = System.nanoTime();
        for (ConsumedPartition partition : partitions.values()) {
            records += partition.held.size();
            bytes += partition.held.sizeBytes();
            if (partition.waitingSinceNanos != 0) {
                sinceNanos = Math.min(sinceNanos, partition.waitingSinceNanos);
            }
        }
        heldRecords = records;
        heldBytes = bytes;
        waitingMillis = sinceNanos == Long.MAX_VALUE ? 0 : TimeUnit.NANOSECONDS.toMillis(nowNanos - sinceNanos);
    }

    /** Stops fetching partitions of which enough is held, and goes on with those of which enough was handed out. */
    private void makeRoom() {
        long share = config.heldMaxBytes / Math.max(1, partitions.size());
        ConsumedPartition before = beyondItsShare;
        if (before == null || !before.needsMore || !partitions.containsKey(before.id)) {
            beyondItsShare = partitions.values().stream()
                    .filter(partition -> partition.needsMore && partition.held.sizeBytes() >= share)
                    .findFirst()
                    .orElse(null);
        }
        for (ConsumedPartition partition : partitions.values()) {
            boolean full = partition.held.sizeBytes() >= share && partition != beyondItsShare;
            if (full && !partition.full) {
                inner.pause(Set.of(partition.id));
            } else if (!full && partition.full && !paused.contains(partition.id)) {
                inner.resume(Set.of(partition.id));
            }
            partition.full = full;
        }
    }

    private void warnAndTimeOut() {
        long waited = waitingMillis;
        if (waited == 0) {
            return;
        }
        if (config.verifiedTimeoutMillis > 0 && waited >= config.verifiedTimeoutMillis) {
            throw new TimeoutException(waiting(waited));
        }
        long nowNanos = System.nanoTime();
        if (TimeUnit.MILLISECONDS.toNanos(waited) >= WARNING_NANOS && nowNanos - warnedAtNanos >= WARNING_NANOS) {
            warnedAtNanos = nowNanos;
            LOG.warn("{}", waiting(waited));
        }
    }

    private String waiting(long waited) {
        String trouble = watch.trouble();
        return "records wait for their verification for " + waited / 1_000 + " s: does what verifies with group.id="
                + config.verifiedGroup + " run, and cover " + partitions.keySet() + "?"
                + (trouble.isEmpty() ? "" : " It could not be asked: " + trouble);
    }

    private void forget(Collection<TopicPartition> gone) {
        gone.forEach(id -> {
            partitions.remove(id);
            paused.remove(id);
        });
    }

    /** Forgets what is held of partitions whose position was set. */
    private void moved(Collection<TopicPartition> ids) {
        for (TopicPartition id : ids) {
            ConsumedPartition before = partitions.remove(id);
            if (before != null && before.full && !paused.contains(id)) {
                inner.resume(Set.of(id));
            }
        }
    }

    private Map<TopicPartition, OffsetAndMetadata> positions() {
        Map<TopicPartition, OffsetAndMetadata> positions = new HashMap<>();
        inner.assignment().forEach(id -> putPosition(id, positions));
        return positions;
    }

    /** Puts the position of a partition, if it has one yet. */
    private void putPosition(TopicPartition id, Map<TopicPartition, OffsetAndMetadata> positions) {
        try {
            long position = position(id, Duration.ZERO);
            ConsumedPartition partition = partitions.get(id);
            positions.put(
                    id,
                    new OffsetAndMetadata(position, partition == null ? Optional.empty() : partition.lastEpoch, ""));
        } catch (TimeoutException e) {
            LOG.debug("{} has no position yet", id, e);
        }
    }

    private void autoCommit() {
        long nowNanos = System.nanoTime();
        if (settings.autoCommits() && nowNanos - autoCommitAtNanos >= 0) {
            autoCommitAtNanos = nowNanos + settings.autoCommitNanos();
            commitAsync();
        }
    }

    /** Commits what was handed out, before partitions are given away. */
    private void autoCommitNow() {
        if (!settings.autoCommits()) {
            return;
        }
        try {
            Map<TopicPartition, OffsetAndMetadata> positions = positions();
            if (!positions.isEmpty()) {
                commitSync(positions);
            }
        } catch (KafkaException e) {
            LOG.warn("positions could not be committed, these records will come again: {}", e.toString());
        }
    }

    /** Follows a rebalance, and then lets the application's listener know. */
    private final class Rebalance implements ConsumerRebalanceListener {
        private final @Nullable ConsumerRebalanceListener applications;

        Rebalance(@Nullable ConsumerRebalanceListener applications) {
            this.applications = applications;
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
            if (!closing) {
                autoCommitNow();
            }
            if (applications != null) {
                applications.onPartitionsRevoked(revoked);
            }
            forget(revoked);
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
            if (applications != null) {
                applications.onPartitionsAssigned(assigned);
            }
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> lost) {
            if (applications != null) {
                applications.onPartitionsLost(lost);
            }
            forget(lost);
        }
    }

    @Override
    public Set<TopicPartition> assignment() {
        return inner.assignment();
    }

    @Override
    public Set<String> subscription() {
        return inner.subscription();
    }

    @Override
    public void subscribe(Collection<String> topics) {
        inner.subscribe(topics, new Rebalance(null));
    }

    @Override
    public void subscribe(Collection<String> topics, ConsumerRebalanceListener listener) {
        inner.subscribe(topics, new Rebalance(listener));
    }

    @Override
    public void subscribe(Pattern pattern, ConsumerRebalanceListener listener) {
        inner.subscribe(pattern, new Rebalance(listener));
    }

    @Override
    public void subscribe(Pattern pattern) {
        inner.subscribe(pattern, new Rebalance(null));
    }

    @Override
    public void subscribe(SubscriptionPattern pattern, ConsumerRebalanceListener listener) {
        inner.subscribe(pattern, new Rebalance(listener));
    }

    @Override
    public void subscribe(SubscriptionPattern pattern) {
        inner.subscribe(pattern, new Rebalance(null));
    }

    @Override
    public void assign(Collection<TopicPartition> assigned) {
        if (settings.autoCommits() && !inner.assignment().isEmpty()) {
            commitAsync();
        }
        inner.assign(assigned);
        partitions.keySet().retainAll(inner.assignment());
        paused.retainAll(inner.assignment());
    }

    @Override
    public void unsubscribe() {
        inner.unsubscribe();
        partitions.clear();
        paused.clear();
    }

    @Override
    public void commitSync() {
        commitSync(positions());
    }

    @Override
    public void commitSync(Duration timeout) {
        commitSync(positions(), timeout);
    }

    @Override
    public void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets) {
        inner.commitSync(offsets);
        interceptors.onCommit(offsets);
    }

    @Override
    public void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets, Duration timeout) {
        inner.commitSync(offsets, timeout);
        interceptors.onCommit(offsets);
    }

    @Override
    public void commitAsync() {
        commitAsync((OffsetCommitCallback) null);
    }

    @Override
    public void commitAsync(@Nullable OffsetCommitCallback callback) {
        commitAsync(positions(), callback);
    }

    @Override
    public void commitAsync(Map<TopicPartition, OffsetAndMetadata> offsets, @Nullable OffsetCommitCallback callback) {
        inner.commitAsync(offsets, (committed, failure) -> {
            if (failure == null) {
                interceptors.onCommit(committed);
            } else if (callback == null) {
                LOG.warn("positions could not be committed: {}", failure.toString());
            }
            if (callback != null) {
                callback.onComplete(committed, failure);
            }
        });
    }

    @Override
    public void registerMetricForSubscription(KafkaMetric metric) {
        inner.registerMetricForSubscription(metric);
    }

    @Override
    public void unregisterMetricFromSubscription(KafkaMetric metric) {
        inner.unregisterMetricFromSubscription(metric);
    }

    @Override
    public void seek(TopicPartition partition, long offset) {
        inner.seek(partition, offset);
        moved(Set.of(partition));
    }

    @Override
    public void seek(TopicPartition partition, OffsetAndMetadata offset) {
        inner.seek(partition, offset);
        moved(Set.of(partition));
    }

    @Override
    public void seekToBeginning(Collection<TopicPartition> ids) {
        inner.seekToBeginning(ids);
        moved(ids.isEmpty() ? inner.assignment() : ids);
    }

    @Override
    public void seekToEnd(Collection<TopicPartition> ids) {
        inner.seekToEnd(ids);
        moved(ids.isEmpty() ? inner.assignment() : ids);
    }

    /** The offset of the next record that is handed out, or that is looked at for it. */
    @Override
    public long position(TopicPartition partition) {
        OptionalLong held = firstHeld(partition);
        return held.isPresent() ? held.getAsLong() : inner.position(partition);
    }

    @Override
    public long position(TopicPartition partition, Duration timeout) {
        OptionalLong held = firstHeld(partition);
        return held.isPresent() ? held.getAsLong() : inner.position(partition, timeout);
    }

    private OptionalLong firstHeld(TopicPartition id) {
        ConsumedPartition partition = partitions.get(id);
        HeldRecords.Held<?> first = partition == null ? null : partition.held.first();
        // guard: position-is-of-what-was-handed-out: OptionalLong.empty()
        return first == null ? OptionalLong.empty() : OptionalLong.of(first.offset);
    }

    @Override
    public Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> ids) {
        return inner.committed(ids);
    }

    @Override
    public Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> ids, Duration timeout) {
        return inner.committed(ids, timeout);
    }

    /** Of kafka-clients before 4.0. */
    public @Nullable OffsetAndMetadata committed(TopicPartition id) {
        return inner.committed(Set.of(id)).get(id);
    }

    /** Of kafka-clients before 4.0. */
    public @Nullable OffsetAndMetadata committed(TopicPartition id, Duration timeout) {
        return inner.committed(Set.of(id), timeout).get(id);
    }

    @Override
    public Uuid clientInstanceId(Duration timeout) {
        return inner.clientInstanceId(timeout);
    }

    /** Those of KafkaConsumer, and {@code records-held}, {@code bytes-held}, {@code verification-wait-ms} and {@code unverified-records-total}. */
    @Override
    public Map<MetricName, ? extends Metric> metrics() {
        return metrics.with(inner.metrics());
    }

    @Override
    public List<PartitionInfo> partitionsFor(String topic) {
        return inner.partitionsFor(topic);
    }

    @Override
    public List<PartitionInfo> partitionsFor(String topic, Duration timeout) {
        return inner.partitionsFor(topic, timeout);
    }

    @Override
    public Map<String, List<PartitionInfo>> listTopics() {
        return inner.listTopics();
    }

    @Override
    public Map<String, List<PartitionInfo>> listTopics(Duration timeout) {
        return inner.listTopics(timeout);
    }

    @Override
    public Set<TopicPartition> paused() {
        return Set.copyOf(paused);
    }

    @Override
    public void pause(Collection<TopicPartition> ids) {
        inner.pause(ids);
        paused.addAll(ids);
    }

    @Override
    public void resume(Collection<TopicPartition> ids) {
        List<TopicPartition> fetched = ids.stream()
                .filter(id -> partitions.get(id) == null || !partitions.get(id).full)
                .toList();
        inner.resume(fetched);
        ids.forEach(paused::remove);
    }

    @Override
    public Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(Map<TopicPartition, Long> times) {
        return inner.offsetsForTimes(times);
    }

    @Override
    public Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(Map<TopicPartition, Long> times, Duration timeout) {
        return inner.offsetsForTimes(times, timeout);
    }

    @Override
    public Map<TopicPartition, Long> beginningOffsets(Collection<TopicPartition> ids) {
        return inner.beginningOffsets(ids);
    }

    @Override
    public Map<TopicPartition, Long> beginningOffsets(Collection<TopicPartition> ids, Duration timeout) {
        return inner.beginningOffsets(ids, timeout);
    }

    @Override
    public Map<TopicPartition, Long> endOffsets(Collection<TopicPartition> ids) {
        return inner.endOffsets(ids);
    }

    @Override
    public Map<TopicPartition, Long> endOffsets(Collection<TopicPartition> ids, Duration timeout) {
        return inner.endOffsets(ids, timeout);
    }

    /** How far the position is behind the end of the log, records that wait for their verification counted. */
    @Override
    public OptionalLong currentLag(TopicPartition partition) {
        OptionalLong fetched = inner.currentLag(partition);
        OptionalLong held = firstHeld(partition);
        return fetched.isEmpty() || held.isEmpty()
                ? fetched
                : OptionalLong.of(fetched.getAsLong() + inner.position(partition) - held.getAsLong());
    }

    @Override
    public ConsumerGroupMetadata groupMetadata() {
        return inner.groupMetadata();
    }

    @Override
    public void enforceRebalance() {
        inner.enforceRebalance();
    }

    @Override
    public void enforceRebalance(String reason) {
        inner.enforceRebalance(reason);
    }

    @Override
    public void close() {
        close(inner::close);
    }

    @Override
    @SuppressWarnings("deprecation")
    public void close(Duration timeout) {
        close(() -> inner.close(timeout));
    }

    @Override
    public void close(CloseOptions options) {
        close(() -> inner.close(options));
    }

    private void close(Runnable inners) {
        if (!closing) {
            autoCommitNow();
        }
        closing = true;
        try {
            inners.run();
        } finally {
            watch.close();
            interceptors.close();
            deserialization.close();
        }
    }

    @Override
    public void wakeup() {
        inner.wakeup();
    }
}
