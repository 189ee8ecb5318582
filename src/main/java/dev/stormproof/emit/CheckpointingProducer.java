package dev.stormproof.emit;

import dev.stormproof.proof.checkpoint.StreamId;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signs every event and seals its events with checkpoints, so that a verifier can prove that every event arrived once, in order, with key and value unaltered.
 *
 * <p>It replaces a KafkaProducer and takes the same configuration; its own settings are in {@link EmitterConfig}:
 *
 * <pre>{@code
 * Producer<String, String> producer = new CheckpointingProducer<>(properties); // was: new KafkaProducer<>(properties)
 * }</pre>
 *
 * <pre>
 *   record ─▶ interceptors ─▶ serializers ─▶ partition ─▶ signature ─▶ writer of the partition ─▶ inner producer
 *                                                                        ▲                            │
 *   timer ────────────── heartbeats, seals by time ──────────────────────┘        callbacks ◀─────────┘
 * </pre>
 *
 * <p>Events of a partition are written in the order in which their send calls got the lock of the partition's writer; the header of each has its
 * place. A checkpoint is a record with neither key nor value and one header; consumers hide it with {@link HideCheckpoints}. While the producer
 * lives, it writes each checkpoint before the deadline that the last one set; {@link #close()} writes the closing ones, after which a verifier
 * knows that nothing is missing. Without {@code close}, the last events stay unsealed.
 *
 * <p>{@code acks=all} and {@code enable.idempotence=true} are required. A record that fails after it was appended, for instance because its
 * delivery timed out, ends the partition's stream: the closing checkpoint lists it as uncertain, and a stream with a new emitter id begins.
 *
 * <p>With a {@code transactional.id}, the open interval is sealed before each commit, and after an abort sequences, checkpoint numbers and
 * hashes continue from before the transaction, so that readers of committed records see one unbroken chain. Between transactions, the producer
 * writes heartbeats in transactions of its own.
 *
 * <p>Safe for many threads. Callbacks run in the inner producer's thread, or in the sending one after it has released the writer's lock.
 */
public final class CheckpointingProducer<K, V> implements Producer<K, V> {
    private static final Logger LOG = LoggerFactory.getLogger(CheckpointingProducer.class);
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final long MIN_TICK_MILLIS = 5;
    private static final long MAX_TICK_MILLIS = 1_000;

    private final EmitterConfig config;
    private final long emitter = newEmitter();
    private final Producer<byte[], byte[]> inner;
    private final Interceptors<K, V> interceptors;
    private final EventSerialization<K, V> serialization;
    private final Map<TopicPartition, PartitionWriter> writers = new ConcurrentHashMap<>();
    private final Optional<Transactions> transactions;
    private final HeartbeatTimer ticks;
    private final LongSupplier clock;
    private final long maxBlockMillis;
    private final ScheduledExecutorService timer;
    private final ExecutorService background;
    private final TopicLimits limits;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final CountDownLatch streamsClosed = new CountDownLatch(1);
    private volatile String ending = "the emitter is closing";

    /** A producer with the serializers that the configuration names. */
    public CheckpointingProducer(Map<String, Object> configs) {
        this(configs, null, null);
    }

    /** A producer with the serializers that the configuration names. */
    public CheckpointingProducer(Properties properties) {
        this(Utils.propsToMap(properties));
    }

    /** A producer with these serializers, which it closes at the end; null for the configured one. */
    public CheckpointingProducer(
            Properties properties, @Nullable Serializer<K> keySerializer, @Nullable Serializer<V> valueSerializer) {
        this(Utils.propsToMap(properties), keySerializer, valueSerializer);
    }

    /** A producer with these serializers, which it closes at the end; null for the configured one. */
    public CheckpointingProducer(
            Map<String, Object> configs,
            @Nullable Serializer<K> keySerializer,
            @Nullable Serializer<V> valueSerializer) {
        this(configs, keySerializer, valueSerializer, KafkaProducer::new);
    }

    /**
     * A producer that writes through another one, for instance through a fault injector.
     *
     * @param innerFactory makes the inner producer of a configuration with byte array serializers; it is closed at the end. An inner producer
     *     without metrics, such as Kafka's MockProducer, has no cluster to ask for a topic's limit
     * @throws ConfigException if a setting is wrong, or is too weak for checkpoints to be true
     */
    public CheckpointingProducer(
            Map<String, Object> configs,
            @Nullable Serializer<K> keySerializer,
            @Nullable Serializer<V> valueSerializer,
            Function<Map<String, Object>, Producer<byte[], byte[]>> innerFactory) {
        this(
                configs,
                keySerializer,
                valueSerializer,
                innerFactory,
                TopicLimits::ofCluster,
                System::currentTimeMillis,
                BackgroundThreads.start());
    }

    CheckpointingProducer(
            Map<String, Object> configs,
            @Nullable Serializer<K> keySerializer,
            @Nullable Serializer<V> valueSerializer,
            Function<Map<String, Object>, Producer<byte[], byte[]>> innerFactory,
            BiFunction<Producer<byte[], byte[]>, Map<String, Object>, Function<String, Map<String, String>>> settingsOf,
            LongSupplier clock,
            ExecutorService background) {
        this.config = new EmitterConfig(configs);
        this.clock = clock;
        ProducerConfig producerConfig = KafkaSettings.outer(configs, keySerializer != null, valueSerializer != null);
        this.maxBlockMillis = producerConfig.getLong(ProducerConfig.MAX_BLOCK_MS_CONFIG);
        this.background = background;
        Map<String, Object> innerSettings = KafkaSettings.inner(configs, producerConfig);
        this.inner = innerFactory.apply(innerSettings);
        this.limits = new TopicLimits(config.maxBytes, settingsOf.apply(inner, innerSettings), background);
        try {
            this.interceptors = new Interceptors<>(producerConfig);
            this.serialization =
                    new EventSerialization<>(keySerializer, valueSerializer, producerConfig, config, inner);
        } catch (RuntimeException e) {
            inner.close(Duration.ZERO);
            throw e;
        }
        this.transactions = config.isTransactional
                ? Optional.of(new Transactions(inner, writers.values(), clock))
                : Optional.empty();
        this.ticks = new HeartbeatTimer(inner, writers, transactions, background);
        this.timer = startTimer();
    }

    /** The statistics of each partition so far. */
    public Map<TopicPartition, EmitterStats> stats() {
        return writers.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, writer -> writer.getValue().stats()));
    }

    /**
     * Whether each checkpoint arrived by its deadline, {@link EmitterConfig#DEADLINE_MS}. After the deadline verifiers raise an alarm; this
     * reports it to the application, which can still do something.
     */
    public EmitterStatus status() {
        if (closed.get()) {
            return new EmitterStatus(true, Optional.of(ending));
        }
        long now = clock.getAsLong();
        return new EmitterStatus(
                false,
                writers.entrySet().stream()
                        .filter(writer -> writer.getValue().waitingMillis(now) > config.deadlineMillis)
                        .max(Comparator.comparingLong(
                                writer -> writer.getValue().waitingMillis(now)))
                        .map(latest -> "%s: no checkpoint has arrived for %d s, beyond the deadline of %d s"
                                .formatted(
                                        latest.getKey(),
                                        latest.getValue().waitingMillis(now) / 1_000,
                                        config.deadlineMillis / 1_000)));
    }

    private String howItEnded() {
        List<String> unsealed = writers.entrySet().stream()
                .filter(writer -> !writer.getValue().isSealed())
                .map(writer -> writer.getKey().toString())
                .sorted()
                .toList();
        return unsealed.isEmpty()
                ? "the emitter is closed; every event has its checkpoint"
                : "the emitter is closed without the last checkpoint of " + String.join(", ", unsealed);
    }

    @Override
    public Future<RecordMetadata> send(ProducerRecord<K, V> record) {
        return send(record, null);
    }

    /**
     * Sends an event as KafkaProducer does, with its signature, and the checkpoints that are due.
     *
     * @throws IllegalStateException if the producer is closed, or is transactional and has no open transaction
     */
    @Override
    public Future<RecordMetadata> send(ProducerRecord<K, V> record, @Nullable Callback callback) {
        demandOpen();
        return transactions.isPresent()
                ? transactions.get().inside(() -> dispatch(record, callback))
                : dispatch(record, callback);
    }

    private void demandOpen() {
        if (closed.get()) {
            throw new IllegalStateException("Cannot perform operation after producer has been closed");
        }
    }

    private Future<RecordMetadata> dispatch(ProducerRecord<K, V> record, @Nullable Callback callback) {
        ProducerRecord<K, V> intercepted = interceptors.onSend(record);
        Callback reported = interceptors.before(callback);
        try {
            ProducerRecord<byte[], byte[]> event = serialization.serialize(intercepted);
            PartitionWriter writer = writerOf(new TopicPartition(event.topic(), event.partition()));
            // A close that began meanwhile may not have seen a new writer.
            demandOpen();
            return writer.send(event, serialization.sign(event), reported);
        } catch (ApiException e) {
            // Kafka's rule: a record that the cluster refuses comes as a failed future, all else is thrown.
            transactions.ifPresent(open -> open.poison(e));
            if (reported != null) {
                reported.onCompletion(nowhere(intercepted), e);
            }
            return CompletableFuture.failedFuture(e);
        } catch (RuntimeException e) { // Interceptors are called for any failure.
            interceptors.onEnd(nowhere(intercepted), e);
            throw e;
        }
    }

    private PartitionWriter writerOf(TopicPartition partition) {
        PartitionWriter known = writers.get(partition);
        return known != null ? known : writers.computeIfAbsent(partition, this::newWriter);
    }

    private static RecordMetadata nowhere(ProducerRecord<?, ?> record) {
        int partition = record.partition() == null ? RecordMetadata.UNKNOWN_PARTITION : record.partition();
        return new RecordMetadata(new TopicPartition(record.topic(), partition), -1, -1, -1, -1, -1);
    }

    private PartitionWriter newWriter(TopicPartition partition) {
        AtomicBoolean first = new AtomicBoolean(true);
        MaxMessageBytes limit = limits.of(partition.topic());
        Supplier<CheckpointEmitter> emitters = () -> {
            long id = first.getAndSet(false) ? emitter : newEmitter();
            return config.format == 1
                    ? new Format1Emitter(config, limit)
                    : new Format2Emitter(new StreamId(partition.topic(), partition.partition(), id), config, limit);
        };
        return new PartitionWriter(partition, inner, emitters, clock, config.isTransactional, maxBlockMillis);
    }

    private static long newEmitter() {
        return RANDOM.longs()
                .filter(id -> id != StreamId.NO_EMITTER)
                .findFirst()
                .getAsLong();
    }

    @Override
    public void initTransactions() {
        transactions.ifPresentOrElse(Transactions::init, inner::initTransactions);
    }

    @Override
    public void beginTransaction() {
        transactions.ifPresentOrElse(Transactions::begin, inner::beginTransaction);
    }

    @Override
    public void sendOffsetsToTransaction(
            Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata groupMetadata) {
        inner.sendOffsetsToTransaction(offsets, groupMetadata);
    }

    /** A method of kafka-clients before 4.0. */
    @SuppressWarnings("removal")
    public void sendOffsetsToTransaction(Map<TopicPartition, OffsetAndMetadata> offsets, String groupId) {
        inner.sendOffsetsToTransaction(offsets, new ConsumerGroupMetadata(groupId));
    }

    /** Seals the open intervals and commits. If this throws, KafkaProducer's rules hold: abort, or close. */
    @Override
    public void commitTransaction() {
        transactions.ifPresentOrElse(Transactions::commit, inner::commitTransaction);
    }

    @Override
    public void abortTransaction() {
        transactions.ifPresentOrElse(Transactions::abort, inner::abortTransaction);
    }

    /** Waits until everything sent so far has arrived or failed. Does not seal: intervals do not depend on it. */
    @Override
    public void flush() {
        inner.flush();
    }

    @Override
    public List<PartitionInfo> partitionsFor(String topic) {
        return inner.partitionsFor(topic);
    }

    @Override
    public Map<MetricName, ? extends Metric> metrics() {
        return inner.metrics();
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
    public Uuid clientInstanceId(Duration timeout) {
        return inner.clientInstanceId(timeout);
    }

    @Override
    public void close() {
        close(Duration.ofMillis(Long.MAX_VALUE));
    }

    /**
     * Waits until everything sent has arrived or failed, writes the closing checkpoints and closes the inner producer. A closing checkpoint that
     * fails is restated until the time or the deadline is over: verifiers raise the alarm then. If the time does not suffice, or inside a
     * callback, which cannot wait, closing checkpoints are left out. If another thread is closing, this waits for it; with a timeout of 0, or
     * inside a callback, it cuts that short.
     */
    @Override
    public void close(Duration timeout) {
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("The timeout cannot be negative.");
        }
        CloseTimeout remaining = new CloseTimeout(timeout);
        boolean mayWait = !timeout.isZero() && !InFlightRecord.isInsideCallback();
        if (!closed.getAndSet(true)) {
            try {
                closeStreams(mayWait, remaining);
            } finally {
                streamsClosed.countDown();
                closeInner(remaining);
            }
        } else if (!mayWait || remaining.await(streamsClosed)) {
            closeInner(remaining);
        }
    }

    private void closeStreams(boolean mayWait, CloseTimeout remaining) {
        timer.shutdown();
        background.shutdown();
        if (!mayWait) {
            return;
        }
        try {
            transactions.ifPresentOrElse(
                    open -> open.close(remaining),
                    () -> new StreamClosing(inner, writers.values(), config.deadlineMillis).close(remaining));
        } catch (KafkaException | IllegalStateException e) {
            LOG.warn("the last events stay without a checkpoint", e);
        }
    }

    private void closeInner(CloseTimeout remaining) {
        background.shutdownNow();
        ending = howItEnded();
        inner.close(Duration.ofMillis(remaining.remainingMillis()));
        serialization.close();
        interceptors.close();
    }

    private ScheduledExecutorService startTimer() {
        ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread thread = new Thread(work, "stormproof-emitter-timer");
            thread.setDaemon(true);
            return thread;
        });
        long period = tickMillis(config);
        Future<?> unused = executor.scheduleWithFixedDelay(this::tick, period, period, TimeUnit.MILLISECONDS);
        return executor;
    }

    /** The time between two ticks. */
    static long tickMillis(EmitterConfig config) {
        long shortest = Math.min(config.maxIntervalMillis, config.deadlineMillis / 2);
        return Math.max(MIN_TICK_MILLIS, Math.min(shortest / 4, MAX_TICK_MILLIS));
    }

    /** Writes the checkpoints that are due; the timer calls it. */
    void tick() {
        try {
            ticks.run(clock.getAsLong());
        } catch (RuntimeException e) { // After any failure: a timer that stops would miss the deadline.
            LOG.warn("a tick failed", e);
        }
    }
}
