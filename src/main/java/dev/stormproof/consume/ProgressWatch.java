package dev.stormproof.consume;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A watch on the verified progress of some partitions, with every alert that belongs to it, in a thread of its own.
 *
 * <pre>
 *   1  the group's committed offsets ──► progress, and the topic that it is in
 *   2  the ids of the topics now, and how many partitions the alerts topic has
 *   3  the ends of the alerts topic, uncommitted records included
 *   4  the alerts up to these ends, committed ones alone ──► findings
 *   5  progress and findings are shown, together
 * </pre>
 *
 * <p><b>Why no alert is missed.</b> Let the progress p be read in step 1. The verifier commits p in the transaction that holds the
 * final alerts on what lies before p, or after such transactions. An offset of a transaction can be read once its outcome is
 * decided, so each of them is committed by then. It is committed after its alerts are acknowledged by all in-sync replicas, so they stand
 * below the high watermark; and step 3, which comes later, asks for that. Step 4 reads up to there. Its reader sees committed records
 * alone, and no further than the first open transaction: so it has seen each of these alerts, or waits. Two orders would be
 * wrong: to ask for the ends first, since p and its alerts may be written in between; and to take the end of what is committed, since
 * another task's open transaction hides committed alerts behind it. (Kafka: KIP-98, KIP-207, KIP-447.)
 *
 * <p>What was read need not be what stands there now: a log loses its end to an unclean election, or with the disk of its one replica. Each
 * time another leader answers step 3, or with an end that was read past, step 4 begins anew. What such a cut took away and was not
 * read here is lost.
 *
 * <p>An alert that comes later is about what lies beyond p, but for one: events that nobody sealed in time turn out to be verified.
 */
final class ProgressWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ProgressWatch.class);
    private static final long ANSWER_SECONDS = 30;
    private static final long FAILED_PAUSE_MILLIS = 1_000;
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final Admin admin;
    private final Consumer<byte[], byte[]> consumer;
    private final AlertsReader alerts;
    private final String alertsTopic;
    private final String group;
    private final long intervalMillis;
    private final Thread thread;
    private final Object monitor = new Object();
    private boolean wanted;
    private volatile boolean closed;
    private volatile Set<TopicPartition> followed = Set.of();
    private volatile Map<TopicPartition, Known> known = Map.of();
    private volatile @Nullable KafkaException failure;
    private volatile String trouble = "";
    /** How many looks were begun. */
    private volatile long looks;

    /**
     * What is known of a partition: its progress, and the findings on what lies before it.
     *
     * @param topicId of the topic that bore the name; {@link AlertsReader#NO_ID} if unknown
     * @param look the number of the look that found it
     */
    record Known(ProgressPoint progress, PartitionFindings findings, long topicId, long look) {}

    /**
     * @param admin closed with this
     * @param consumer closed with this; of committed records, without a group and a reset policy
     */
    ProgressWatch(Admin admin, Consumer<byte[], byte[]> consumer, VerifiedConsumerConfig config, String name) {
        this.admin = admin;
        this.consumer = consumer;
        this.alertsTopic = config.alertsTopic;
        this.alerts = new AlertsReader(consumer, config.alertsTopic);
        this.group = config.verifiedGroup;
        this.intervalMillis = config.progressIntervalMillis;
        this.thread = new Thread(this::run, "stormproof-verified-progress-" + name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Follows these partitions, and no others. */
    void follow(Set<TopicPartition> partitions) {
        followed = Set.copyOf(partitions);
    }

    /** Has the progress asked for once more, soon: records wait for it. */
    void want() {
        synchronized (monitor) {
            wanted = true;
            monitor.notifyAll();
        }
    }

    /** The number of the last look that was begun; what comes of it may have been asked for before now. */
    long lastLook() {
        return looks;
    }

    /** What is known of a partition by looks behind a number; null as long as none has ended. */
    @Nullable
    Known of(TopicPartition partition, long behindLook) {
        Known found = known.get(partition);
        return found == null || found.look() <= behindLook ? null : found;
    }

    /** The reason why nothing can be known, if it is one that does not pass by itself: rights that are missing. */
    @Nullable
    KafkaException failure() {
        return failure;
    }

    /** What keeps the progress from being read now; empty if nothing does. */
    String trouble() {
        return trouble;
    }

    @Override
    public void close() {
        close(CLOSE_TIMEOUT);
    }

    /** Ends it; what it has asked for is waited for at most that long, and beside the caller for the rest. */
    void close(Duration timeout) {
        closed = true;
        synchronized (monitor) {
            monitor.notifyAll();
        }
        consumer.wakeup();
        boolean interrupted = false;
        try {
            thread.join(Math.max(1, Math.min(CLOSE_TIMEOUT.toMillis(), timeout.toMillis())));
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try (admin;
                consumer) {
            while (awaitDemand()) {
                pause(look() ? intervalMillis : FAILED_PAUSE_MILLIS);
            }
        } catch (WakeupException | InterruptException e) {
            LOG.debug("the watch on the verified progress ends", e);
        }
    }

    private boolean awaitDemand() {
        synchronized (monitor) {
            while (!wanted && !closed) {
                try {
                    monitor.wait();
                } catch (InterruptedException e) {
                    throw new InterruptException(e);
                }
            }
            wanted = false;
        }
        return !closed;
    }

    private void pause(long millis) {
        long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        synchronized (monitor) {
            long left = millis;
            while (left > 0 && !closed) {
                try {
                    monitor.wait(left);
                } catch (InterruptedException e) {
                    throw new InterruptException(e);
                }
                left = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
            }
        }
    }

    /** Asks once; false if that failed. */
    private boolean look() {
        try {
            round();
            failure = null;
            trouble = "";
            return true;
        } catch (WakeupException | InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            String said = e.getClass().getSimpleName() + ": " + e.getMessage();
            if (!said.equals(trouble)) {
                LOG.warn("the verified progress of group {} cannot be read now: {}", group, said);
            }
            trouble = said;
            failure = e instanceof AuthorizationException || e instanceof AuthenticationException ? e : null;
            return false;
        }
    }

    private void round() {
        Set<TopicPartition> partitions = followed;
        if (partitions.isEmpty()) {
            return;
        }
        long look = looks + 1;
        looks = look; // Before anything is asked.
        Map<TopicPartition, OffsetAndMetadata> offsets = committed(partitions);
        Map<String, Long> ids = topics(partitions);
        Map<TopicPartition, AlertsReader.End> ends = alertsEnds();
        long begunNanos = System.nanoTime();
        while (!alerts.readOn(ends, System.currentTimeMillis())) {
            // An end that was cut off meanwhile is not reached: the next look asks for others.
            if (closed || System.nanoTime() - begunNanos > TimeUnit.SECONDS.toNanos(ANSWER_SECONDS)) {
                return;
            }
        }
        Map<TopicPartition, Known> now = new HashMap<>();
        for (TopicPartition partition : partitions) {
            ProgressPoint progress = progress(offsets.get(partition), ids.get(partition.topic()));
            long id = ids.getOrDefault(partition.topic(), AlertsReader.NO_ID);
            now.put(partition, new Known(progress, alerts.findings(partition), id, look));
        }
        known = Map.copyOf(now);
    }

    /** The progress that a committed offset is, in the topic that bears the name now. */
    static ProgressPoint progress(@Nullable OffsetAndMetadata committed, @Nullable Long topicId) {
        if (committed == null || topicId == null) {
            return ProgressPoint.NONE;
        }
        OptionalLong ofTopic = ProgressNoteText.topicId(committed.metadata());
        if (ofTopic.isEmpty()) {
            return ProgressPoint.NONE;
        }
        long id = ofTopic.orElse(AlertsReader.NO_ID);
        boolean known = id != AlertsReader.NO_ID && topicId != AlertsReader.NO_ID;
        if (known && id != topicId) {
            return ProgressPoint.NONE;
        }
        return new ProgressPoint(
                committed.offset(),
                committed.leaderEpoch().orElse(ProgressPoint.NO_EPOCH),
                ProgressNoteText.leaders(committed.metadata()),
                ProgressNoteText.from(committed.metadata()));
    }

    private Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> partitions) {
        return answer(admin.listConsumerGroupOffsets(
                        Map.of(group, new ListConsumerGroupOffsetsSpec().topicPartitions(partitions)))
                .partitionsToOffsetAndMetadata(group));
    }

    /** Has the alerts reader follow the topics as they are now; returns their ids, of those that are there. */
    private Map<String, Long> topics(Set<TopicPartition> partitions) {
        Set<String> names = partitions.stream().map(TopicPartition::topic).collect(Collectors.toSet());
        Set<String> asked = new HashSet<>(names);
        asked.add(alertsTopic);
        Map<String, KafkaFuture<TopicDescription>> described =
                admin.describeTopics(asked).topicNameValues();
        TopicDescription ofAlerts = answer(described.get(alertsTopic));
        Map<String, Long> ids = new HashMap<>();
        for (String name : names) {
            try {
                long id = idOf(answer(described.get(name)).topicId());
                ids.put(name, id);
                alerts.follow(name, id);
            } catch (UnknownTopicOrPartitionException e) {
                LOG.debug("topic {} is not there now", name, e);
            }
        }
        alerts.alertsTopic(ofAlerts.partitions().size(), idOf(ofAlerts.topicId()), System.currentTimeMillis());
        return ids;
    }

    /** An id as the verifier writes it into notes and alerts. */
    static long idOf(Uuid id) {
        return id.getMostSignificantBits() ^ id.getLeastSignificantBits();
    }

    private Map<TopicPartition, AlertsReader.End> alertsEnds() {
        Map<TopicPartition, OffsetSpec> latest =
                alerts.partitions().stream().collect(Collectors.toMap(one -> one, one -> OffsetSpec.latest()));
        ListOffsetsOptions options = new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED);
        ListOffsetsResult listed = admin.listOffsets(latest, options);
        Map<TopicPartition, AlertsReader.End> ends = new HashMap<>();
        latest.keySet().forEach(partition -> {
            ListOffsetsResult.ListOffsetsResultInfo end = answer(listed.partitionResult(partition));
            ends.put(
                    partition,
                    new AlertsReader.End(end.offset(), end.leaderEpoch().orElse(ProgressPoint.NO_EPOCH)));
        });
        return ends;
    }

    private static <T> T answer(@Nullable KafkaFuture<T> future) {
        if (future == null) {
            throw new KafkaException("no answer of the brokers");
        }
        try {
            return future.get(ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException cause ? cause : new KafkaException(e.getCause());
        } catch (TimeoutException e) {
            throw new KafkaException("the brokers have not answered within " + ANSWER_SECONDS + " s", e);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }
}
