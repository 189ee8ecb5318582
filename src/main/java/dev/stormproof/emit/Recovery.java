package dev.stormproof.emit;

import dev.stormproof.checkpoint.CheckpointCodec;
import dev.stormproof.checkpoint.EventHeader;
import dev.stormproof.checkpoint.Format2Checkpoint;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The recovery of what earlier emitters of the same name left open: events that no checkpoint seals, since their process was killed.
 *
 * <pre>
 *   first event to a topic ──▶ each of its partitions is read, from some way before its end on
 *     stream of our name, not closed ── silent for promise + delivery.timeout.ms, by our own clock ──▶ read on to the end of the log as of now
 *                                    └─ (with transactions: fenced, at once)                           └─ still nothing ──▶ recovered end
 *   a failure, or an end that cannot be read ──▶ a pause ──▶ from the beginning, so that nobody is silent who was not read of again
 * </pre>
 *
 * <p>A silent emitter is most probably gone, and may nevertheless come back: what it writes then is judged by its own checkpoints, beside which
 * the recovered end stands. Whoever writes meanwhile is waited for again, and not for ever. One thread for each topic, and few at a time.
 */
final class Recovery implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);
    private static final int ADMIN_TIMEOUT_MILLIS = 30_000;

    /** How long the pause behind a failure is; it doubles up to the longest. */
    private static final long FIRST_PAUSE_MILLIS = 500;

    private static final long LONGEST_PAUSE_MILLIS = 60_000;

    /** How many times the longest silence that is waited for is watched for at most. */
    private static final int WAITS = 3;

    private final EmitterConfig config;
    private final Map<String, Object> clientSettings;
    private final ExecutorService threads;
    private final LongPredicate isOwn;
    private final LongSupplier clock;
    private final LongSupplier nanoTime;
    private final BooleanSupplier isFenced;
    private final Writing writing;
    private final Set<String> topics = ConcurrentHashMap.newKeySet();

    /** Writes a recovered end into a partition; false if that has to wait. */
    interface Writing {
        boolean write(TopicPartition partition, byte[] end);
    }

    /**
     * @param clientSettings those of the inner producer
     * @param threads run what takes minutes; this ends them
     * @param isOwn true of the emitters of this producer
     * @param nanoTime the clock by which others are waited for
     * @param isFenced true once an earlier producer of the transactional id can write no more
     */
    Recovery(
            EmitterConfig config,
            Map<String, Object> clientSettings,
            ExecutorService threads,
            LongPredicate isOwn,
            LongSupplier clock,
            LongSupplier nanoTime,
            BooleanSupplier isFenced,
            Writing writing) {
        this.config = config;
        this.clientSettings = clientSettings;
        this.threads = threads;
        this.isOwn = isOwn;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.isFenced = isFenced;
        this.writing = writing;
    }

    /** An event goes to a topic: what is open there is recovered, once. */
    void of(String topic) {
        if (!topics.add(topic)) {
            return;
        }
        try {
            threads.execute(() -> run(topic, FIRST_PAUSE_MILLIS));
        } catch (RejectedExecutionException e) {
            topics.remove(topic);
            LOG.warn("{}: there is no thread to look for what an earlier emitter left open", topic, e);
        }
    }

    /** Ends the recoveries that still wait, and those that wait for a thread. */
    @Override
    public void close() {
        threads.shutdownNow();
    }

    /** @param pauseMillis how long to wait before it is tried again, if it fails */
    private void run(String topic, long pauseMillis) {
        try {
            read(topic);
        } catch (InterruptException e) {
            LOG.debug("{}: the producer is closed before all was recovered", topic, e);
        } catch (KafkaException e) {
            String what =
                    "{}: what earlier emitters left open is not recovered yet; this producer has to be allowed to read";
            if (pauseMillis == FIRST_PAUSE_MILLIS) {
                LOG.warn(what, topic, e);
            } else {
                LOG.debug(what, topic, e);
            }
            // It waits without a thread, which other topics wait for; those have ended once this is closed.
            Executor later = CompletableFuture.delayedExecutor(pauseMillis, TimeUnit.MILLISECONDS, threads);
            long nextMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
            later.execute(() -> run(topic, nextMillis));
        }
    }

    private void read(String topic) {
        Map<String, Object> settings = consumerSettings();
        Admin admin = Admin.create(adminSettings());
        try (Reading reading = new Reading(
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer()),
                admin,
                topic)) {
            reading.run();
        } finally {
            admin.close(Duration.ZERO);
        }
    }

    private Map<String, Object> consumerSettings() {
        Map<String, Object> settings = new HashMap<>(clientSettings);
        settings.keySet().retainAll(ConsumerConfig.configNames());
        settings.remove(ConsumerConfig.METRIC_REPORTER_CLASSES_CONFIG);
        settings.remove(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG);
        settings.remove(ConsumerConfig.CLIENT_ID_CONFIG);
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        // Whoever only reads makes no topic, least of all one that was deleted.
        settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        return settings;
    }

    private Map<String, Object> adminSettings() {
        Map<String, Object> settings = new HashMap<>(clientSettings);
        settings.keySet().retainAll(AdminClientConfig.configNames());
        settings.remove(AdminClientConfig.METRIC_REPORTER_CLASSES_CONFIG);
        settings.remove(AdminClientConfig.CLIENT_ID_CONFIG);
        settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, ADMIN_TIMEOUT_MILLIS);
        settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, ADMIN_TIMEOUT_MILLIS);
        return settings;
    }

    /** The reading of one topic. */
    private final class Reading implements AutoCloseable {
        private final KafkaConsumer<byte[], byte[]> consumer;
        private final Admin admin;
        private final Map<TopicPartition, Predecessors> partitions = new HashMap<>();
        private final String topic;
        private boolean atStart = true;
        /** Since when others that write are waited for; what the application's own transactions take is not counted. */
        private long beginNanos;

        Reading(KafkaConsumer<byte[], byte[]> consumer, Admin admin, String topic) {
            this.consumer = consumer;
            this.admin = admin;
            this.topic = topic;
        }

        void run() {
            List<TopicPartition> all = consumer.partitionsFor(topic).stream()
                    .map(info -> new TopicPartition(topic, info.partition()))
                    .toList();
            if (all.isEmpty()) {
                throw new UnknownTopicOrPartitionException(topic + " is not known to the brokers, or not yet");
            }
            consumer.assign(all);
            Map<TopicPartition, Long> begins = consumer.beginningOffsets(all);
            Map<TopicPartition, Long> starts = endsOf(all);
            for (TopicPartition partition : all) {
                long end = starts.getOrDefault(partition, 0L);
                consumer.seek(partition, Math.max(begins.getOrDefault(partition, 0L), end - config.recoveryReach));
                partitions.put(partition, new Predecessors(topic, partition.partition(), config.emitterName, isOwn));
            }
            beginNanos = nanoTime.getAsLong();
            while (atStart || partitions.values().stream().anyMatch(Predecessors::isAnyOpen)) {
                take(nanoTime.getAsLong());
                atStart &= starts.entrySet().stream()
                        .anyMatch(start -> consumer.position(start.getKey()) < start.getValue());
                if (!atStart) {
                    partitions.forEach(this::recover);
                }
                if (hasShownWhoLives()) {
                    failIfUnread();
                    LOG.warn(
                            "{}: another emitter named {} goes on, or promises more than is waited for: nothing more is"
                                    + " recovered",
                            topic,
                            config.emitterName);
                    return;
                }
            }
        }

        /** Fails where what was written is not known yet, as behind a transaction that stays open. */
        private void failIfUnread() {
            boolean awaitsEnd = partitions.values().stream().anyMatch(Predecessors::awaitsLogEnd);
            if (atStart || awaitsEnd) {
                throw new TimeoutException("the end of the log of " + topic + " cannot be read");
            }
        }

        /** True once any emitter that lives has written, also one that promised more time than this one does. */
        private boolean hasShownWhoLives() {
            long deliveryNanos = TimeUnit.MILLISECONDS.toNanos(config.deliveryTimeoutMillis);
            long waitNanos = deliveryNanos + TimeUnit.MILLISECONDS.toNanos(Math.max(config.promiseMillis, 10_000));
            for (Predecessors streams : partitions.values()) {
                waitNanos = Math.max(waitNanos, streams.longestSilenceNanos(deliveryNanos));
            }
            return nanoTime.getAsLong() - beginNanos > WAITS * waitNanos;
        }

        private void take(long nowNanos) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                Predecessors streams = partitions.get(new TopicPartition(record.topic(), record.partition()));
                if (streams != null) {
                    streams.take(
                            record.offset(),
                            header(record, EventHeader.NAME),
                            header(record, Format2Checkpoint.HEADER),
                            nowNanos);
                }
            }
        }

        private byte @Nullable [] header(ConsumerRecord<byte[], byte[]> record, String name) {
            Header header = record.headers().lastHeader(name);
            return header == null ? null : header.value();
        }

        private void recover(TopicPartition partition, Predecessors streams) {
            boolean fenced = config.isTransactional && isFenced.getAsBoolean();
            if (config.isTransactional && !fenced) {
                return;
            }
            List<Long> gone = streams.due(
                    nanoTime.getAsLong(),
                    TimeUnit.MILLISECONDS.toNanos(config.deliveryTimeoutMillis),
                    fenced,
                    consumer.position(partition),
                    () -> endsOf(List.of(partition)).getOrDefault(partition, Long.MAX_VALUE));
            for (long emitter : gone) {
                Optional<byte[]> statement = statement(streams, emitter);
                if (statement.isEmpty()) {
                    LOG.warn("{}: too much is missing at the end of stream {}: it stays open", partition, emitter);
                    streams.giveUp(emitter);
                } else if (write(partition, statement.get())) {
                    streams.stated(emitter, nanoTime.getAsLong());
                    LOG.info("{}: stated the end of an earlier emitter named {}", partition, config.emitterName);
                }
            }
        }

        private boolean write(TopicPartition partition, byte[] end) {
            long writeNanos = nanoTime.getAsLong();
            boolean written = writing.write(partition, end);
            beginNanos += nanoTime.getAsLong() - writeNanos;
            return written;
        }

        private Optional<byte[]> statement(Predecessors streams, long emitter) {
            long now = clock.getAsLong();
            return streams.end(emitter, config.keepsLeaves, now)
                    .filter(end -> CheckpointCodec.encodedSizeBytes(end) <= config.maxBytes)
                    .or(() -> streams.end(emitter, false, now))
                    .map(end -> config.key.isPresent()
                            ? CheckpointCodec.encode(end, config.key.get())
                            : CheckpointCodec.encode(end));
        }

        /** Where the logs end, whether or not a transaction is open there. */
        private Map<TopicPartition, Long> endsOf(List<TopicPartition> some) {
            try {
                return admin
                        .listOffsets(
                                some.stream().collect(Collectors.toMap(one -> one, one -> OffsetSpec.latest())),
                                new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED))
                        .all()
                        .get()
                        .entrySet()
                        .stream()
                        .collect(Collectors.toMap(
                                Map.Entry::getKey, found -> found.getValue().offset()));
            } catch (InterruptedException e) {
                throw new InterruptException(e);
            } catch (ExecutionException e) {
                throw e.getCause() instanceof KafkaException cause ? cause : new KafkaException(e.getCause());
            }
        }

        @Override
        @SuppressWarnings("deprecation") // What replaces it is of kafka-clients 4.1.
        public void close() {
            long forgotten = partitions.values().stream()
                    .mapToLong(Predecessors::forgotten)
                    .sum();
            if (forgotten > 0) {
                LOG.warn("{}: there are too many open streams or events to state the ends of {}", topic, forgotten);
            }
            consumer.close(CLOSE_TIMEOUT);
        }
    }
}
