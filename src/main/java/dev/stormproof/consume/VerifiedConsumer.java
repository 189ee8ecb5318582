package dev.stormproof.consume;

import dev.stormproof.checkpoint.TransformedHeader;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.clients.consumer.SubscriptionPattern;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
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
public final class VerifiedConsumer<K, V> extends PassingConsumer<K, V> {
    /** The header of a record that is handed out and not verified; its value is the id of the alert, or the reason, in UTF-8. */
    public static final String UNVERIFIED_HEADER = TransformedHeader.UNVERIFIED;

    /** For how long the fetch is waited for before the progress is looked at again. */
    private static final Duration SLICE = Duration.ofMillis(20);

    /** For how long a close waits that says nothing of it, as KafkaConsumer's does. */
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger(VerifiedConsumer.class);

    private final ConsumerSettings<K, V> settings;
    private final Deserialization<K, V> deserialization;
    private final ConsumerInterceptors<K, V> interceptors;
    private final ProgressWatch watch;
    private final VerifiedMetrics metrics;
    private final HeldPartitions<K, V> held;
    private long autoCommitAtNanos;
    private boolean closing;

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
        this(
                new VerifiedConsumerConfig(properties),
                new ConsumerSettings<>(properties),
                keyDeserializer,
                valueDeserializer);
    }

    private VerifiedConsumer(
            VerifiedConsumerConfig config,
            ConsumerSettings<K, V> settings,
            @Nullable Deserializer<K> keyDeserializer,
            @Nullable Deserializer<V> valueDeserializer) {
        this(
                config,
                settings,
                settings.deserialization(keyDeserializer, valueDeserializer),
                settings.interceptors(),
                new FetchedHeaders());
    }

    private VerifiedConsumer(
            VerifiedConsumerConfig config,
            ConsumerSettings<K, V> settings,
            Deserialization<K, V> deserialization,
            ConsumerInterceptors<K, V> interceptors,
            FetchedHeaders headers) {
        super(settings.inner(config.heldMaxBytes, headers));
        this.settings = settings;
        this.deserialization = deserialization;
        this.interceptors = interceptors;
        this.watch = watch(inner, settings, config);
        this.metrics = new VerifiedMetrics(settings.clientId());
        this.held = new HeldPartitions<>(config, inner, headers, deserialization, watch, metrics);
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
        held.retainAssigned();
        HandOut<K, V> out = new HandOut<>(settings.maxPollRecords());
        if (!held.isFetchDue()) {
            autoCommit();
            held.collect(out);
        }
        Duration wait = Duration.ZERO; // Kafka's own poll comes first, for the group and for who called wakeup.
        // What was taken out is returned: a fetch could throw, or give its partition away with a commit behind it.
        while (out.isEmpty()) {
            autoCommit();
            held.fetch(wait);
            held.collect(out);
            held.makeRoom();
            if (!out.isEmpty()) {
                break;
            }
            held.warnAndTimeOut();
            Duration left = timeout.minusNanos(System.nanoTime() - begunNanos);
            if (left.isNegative() || left.isZero()) {
                return ConsumerRecords.empty();
            }
            wait = shorter(left, held.isEmpty() ? untilAutoCommit() : SLICE);
        }
        Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>();
        out.partitions()
                .forEach(id -> held.position(id)
                        .ifPresent(offset -> next.put(id, new OffsetAndMetadata(offset, held.lastEpoch(id), ""))));
        return interceptors.onConsume(out.records(next));
    }

    /** Of kafka-clients before 4.0. */
    public ConsumerRecords<K, V> poll(long timeoutMillis) {
        return poll(Duration.ofMillis(timeoutMillis));
    }

    private Map<TopicPartition, OffsetAndMetadata> positions() {
        Map<TopicPartition, OffsetAndMetadata> positions = new HashMap<>();
        inner.assignment().forEach(id -> putPosition(id, positions));
        return positions;
    }

    /** Puts the position of a partition, if it has one yet. */
    private void putPosition(TopicPartition id, Map<TopicPartition, OffsetAndMetadata> positions) {
        try {
            positions.put(id, new OffsetAndMetadata(position(id, Duration.ZERO), held.lastEpoch(id), ""));
        } catch (TimeoutException e) {
            LOG.debug("{} has no position yet", id, e);
        }
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /** For how long a poll may wait until it has to commit. */
    private Duration untilAutoCommit() {
        return settings.autoCommits()
                ? Duration.ofNanos(Math.max(0, autoCommitAtNanos - System.nanoTime()))
                : Duration.ofMillis(Long.MAX_VALUE);
    }

    private void autoCommit() {
        long nowNanos = System.nanoTime();
        if (settings.autoCommits() && nowNanos - autoCommitAtNanos >= 0) {
            autoCommitAtNanos = nowNanos + settings.autoCommitNanos();
            commitAsync();
        }
    }

    /** Commits what was handed out, before partitions are given away. */
    private void autoCommitNow(Duration timeout) {
        if (!settings.autoCommits()) {
            return;
        }
        try {
            Map<TopicPartition, OffsetAndMetadata> positions = positions();
            if (!positions.isEmpty()) {
                commitDespiteWakeup(positions, timeout);
            }
        } catch (KafkaException e) {
            LOG.warn("positions could not be committed, these records will come again: {}", e.toString());
        }
    }

    /** Commits once more after a wakeup, which is for the application's next call. */
    private void commitDespiteWakeup(Map<TopicPartition, OffsetAndMetadata> positions, Duration timeout) {
        try {
            commitSync(positions, timeout);
        } catch (WakeupException e) {
            try {
                commitSync(positions, timeout);
            } finally {
                wakeup();
            }
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
                autoCommitNow(settings.apiTimeout());
            }
            if (applications != null) {
                applications.onPartitionsRevoked(revoked);
            }
            held.forget(revoked);
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
            held.forget(lost);
        }
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
        held.retain(inner.assignment());
    }

    @Override
    public void unsubscribe() {
        inner.unsubscribe();
        held.retain(Set.of());
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
    public void seek(TopicPartition partition, long offset) {
        inner.seek(partition, offset);
        held.moved(Set.of(partition));
    }

    @Override
    public void seek(TopicPartition partition, OffsetAndMetadata offset) {
        inner.seek(partition, offset);
        held.moved(Set.of(partition));
    }

    @Override
    public void seekToBeginning(Collection<TopicPartition> ids) {
        inner.seekToBeginning(ids);
        held.moved(ids.isEmpty() ? inner.assignment() : ids);
    }

    @Override
    public void seekToEnd(Collection<TopicPartition> ids) {
        inner.seekToEnd(ids);
        held.moved(ids.isEmpty() ? inner.assignment() : ids);
    }

    /** The offset of the next record that is handed out, or that is looked at for it. */
    @Override
    public long position(TopicPartition partition) {
        OptionalLong first = held.firstHeld(partition);
        return first.isPresent() ? first.getAsLong() : inner.position(partition);
    }

    @Override
    public long position(TopicPartition partition, Duration timeout) {
        OptionalLong first = held.firstHeld(partition);
        return first.isPresent() ? first.getAsLong() : inner.position(partition, timeout);
    }

    /** Those of KafkaConsumer, and {@code records-held}, {@code bytes-held}, {@code verification-wait-ms} and {@code unverified-records-total}. */
    @Override
    public Map<MetricName, ? extends Metric> metrics() {
        return metrics.with(inner.metrics());
    }

    @Override
    public Set<TopicPartition> paused() {
        return held.paused();
    }

    @Override
    public void pause(Collection<TopicPartition> ids) {
        held.pause(ids);
    }

    @Override
    public void resume(Collection<TopicPartition> ids) {
        held.resume(ids);
    }

    /** How far the position is behind the end of the log, records that wait for their verification counted. */
    @Override
    public OptionalLong currentLag(TopicPartition partition) {
        OptionalLong fetched = inner.currentLag(partition);
        return fetched.isEmpty() ? fetched : OptionalLong.of(fetched.getAsLong() + held.heldOffsets(partition));
    }

    @Override
    public void close() {
        close(CLOSE_TIMEOUT);
    }

    @Override
    @SuppressWarnings("deprecation")
    public void close(Duration timeout) {
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("The timeout cannot be negative.");
        }
        close(timeout, inner::close);
    }

    @Override
    public void close(CloseOptions options) {
        close(options.timeout().orElse(CLOSE_TIMEOUT), left -> inner.close(options.withTimeout(left)));
    }

    /** Commits, leaves the group and ends the watch, all of it within a time. */
    private void close(Duration timeout, java.util.function.Consumer<Duration> inners) {
        long begunNanos = System.nanoTime();
        boolean first = !closing;
        if (first) {
            var unused = inner.assignment(); // Refuses a second thread, before anything is closed.
            autoCommitNow(timeout);
        }
        closing = true;
        try {
            inners.accept(left(timeout, begunNanos));
        } finally {
            if (first) {
                watch.close(left(timeout, begunNanos));
                interceptors.close();
                deserialization.close();
            }
        }
    }

    private static Duration left(Duration timeout, long begunNanos) {
        Duration left = timeout.minusNanos(System.nanoTime() - begunNanos);
        return left.isNegative() ? Duration.ZERO : left;
    }

    @Override
    public void wakeup() {
        inner.wakeup();
        held.wakeup();
    }
}
