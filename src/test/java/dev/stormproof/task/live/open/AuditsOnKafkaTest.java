package dev.stormproof.task.live.open;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.log.audit.LogReadPool;
import dev.stormproof.log.audit.LogReader;
import dev.stormproof.log.audit.PartitionReader;
import dev.stormproof.log.kafka.KafkaLogReader;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.progress.Progress;
import dev.stormproof.task.live.progress.TopicIds;
import dev.stormproof.task.live.run.TaskAudits;
import dev.stormproof.task.live.run.TaskVerification;
import dev.stormproof.task.live.testing.PaperLog;
import dev.stormproof.task.metrics.WorkerMetrics;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.testing.WatchedReader;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.fold.InactivityTimeouts;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.MissedRecords;
import dev.stormproof.verify.judge.Verdict.Verified;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Audits in their threads, before a real broker. */
@OnKafka
@Timeout(120)
class AuditsOnKafkaTest {
    private static final int EVENTS = 40;
    private static final int EVERY = 10;
    private static final long LOOK_AGAIN_NANOS = 1_000_000;

    private final EmbeddedKafka shared;
    private final String name = SharedKafka.unique("pool");
    private final List<Finding> findings = new ArrayList<>();
    private final List<Throwable> escalated = new ArrayList<>();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final Map<String, Long> topicIds = new HashMap<>();

    AuditsOnKafkaTest(EmbeddedKafka shared) {
        this.shared = shared;
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable closeable : open) {
            closeable.close();
        }
    }

    @Test
    void aSlowAuditHoldsUpNoOtherPartition() throws Exception {
        String topic = SharedKafka.createTopic(shared, "slow", 2);
        List<ProducerRecord<byte[], byte[]>> log = sent(shared, topic, 2);
        CountDownLatch slow = new CountDownLatch(1);
        LogReadPool pool = pool(2, 4, () -> waiting(kafkaReader(shared, Map.of()), one -> one.partition() == 0, slow));
        TaskVerification verification = verification(pool);

        deliverWithAGap(verification, log, 0);
        deliverWithAGap(verification, log, 1);
        awaitTicking(verification, () -> verifiedIn(1) == checkpointsIn(log, 1));

        assertThat(verifiedIn(0)).isLessThan(checkpointsIn(log, 0));
        assertThat(progress(verification, new TopicPartition(topic, 0))).isLessThan(recordsIn(log, 0));
        assertThat(progress(verification, new TopicPartition(topic, 1))).isEqualTo(recordsIn(log, 1));
        slow.countDown();
        awaitTicking(verification, () -> verifiedIn(0) == checkpointsIn(log, 0));
        assertThat(progress(verification, new TopicPartition(topic, 0))).isEqualTo(recordsIn(log, 0));
    }

    @Test
    void jobsAreBoundedAndWhatHasNoRoomWaitsWithoutHoldingUpItsTask() throws Exception {
        int partitions = 6;
        String topic = SharedKafka.createTopic(shared, "bounded", partitions);
        List<ProducerRecord<byte[], byte[]>> log = sent(shared, topic, partitions);
        CountDownLatch slow = new CountDownLatch(1);
        LogReadPool pool = pool(1, 2, () -> waiting(kafkaReader(shared, Map.of()), any -> true, slow));
        TaskVerification verification = verification(pool);

        for (int partition = 0; partition < partitions; partition++) {
            deliverWithAGap(verification, log, partition);
            assertThat(pool.pending()).isLessThanOrEqualTo(2);
        }
        assertThat(pool.hasRoom()).isFalse();
        slow.countDown();

        awaitTicking(
                verification,
                () -> IntStream.range(0, partitions).allMatch(p -> verifiedIn(p) == checkpointsIn(log, p)));
        assertThat(findings).allSatisfy(finding -> assertThat(finding).isInstanceOf(Verified.class));
    }

    @Test
    void aTopicThatIsDeletedIsDroppedAndHoldsNoOtherUp() throws Exception {
        String gone = SharedKafka.createTopic(shared, "gone", 4);
        String kept = SharedKafka.createTopic(shared, "kept", 1);
        List<ProducerRecord<byte[], byte[]>> goneLog = sent(shared, gone, 4);
        List<ProducerRecord<byte[], byte[]>> keptLog = sent(shared, kept, 1);
        StormproofConfig config = new StormproofConfig(Map.of(
                "bootstrap.servers", shared.bootstrapServers(), "group.id", "g", "input.topics", gone + "," + kept));
        LogReadPool pool = pool(2, 8, () -> DurableVerification.newLogReader(config));
        TaskVerification verification = verification(pool);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", shared.bootstrapServers()))) {
            admin.deleteTopics(Set.of(gone)).all().get();
        }
        long startNanos = System.nanoTime();

        for (int partition = 0; partition < 4; partition++) {
            deliverWithAGap(verification, goneLog, partition);
        }
        deliverWithAGap(verification, keptLog, 0);
        awaitWithin(20, startNanos, verification, () -> verified(kept) == checkpointsIn(keptLog, 0));
        awaitWithin(20, startNanos, verification, () -> verification.progress().size() == 1);

        assertThat(verification.progress()).containsOnlyKeys(new TopicPartition(kept, 0));
        assertThat(escalated).isEmpty();
        assertThat(findings)
                .filteredOn(finding -> finding instanceof MissedRecords)
                .extracting(finding -> finding.partition().topic())
                .hasSize(4)
                .containsOnly(gone);

        // A late delivery brings nothing back.
        deliverWithAGap(verification, goneLog, 0);
        assertThat(verification.progress()).containsOnlyKeys(new TopicPartition(kept, 0));
    }

    /** The budget for searching back is in bytes, too: what counts them is what a task really reads with. */
    @Test
    void theReadersOfATaskCountTheBytesThatTheyRead() throws Exception {
        String topic = SharedKafka.createTopic(shared, "bytes", 1);
        List<ProducerRecord<byte[], byte[]>> log = sent(shared, topic, 1);
        long sentBytes = log.stream()
                .mapToLong(record -> record.value() == null ? 0 : record.value().length)
                .sum();
        StormproofConfig config = new StormproofConfig(
                Map.of("bootstrap.servers", shared.bootstrapServers(), "group.id", "g", "input.topics", topic));
        try (LogReader readers = DurableVerification.newLogReader(config)) {
            PartitionReader reader = readers.of(new TopicPartition(topic, 0));

            assertThat(reader.scan(0, log.size(), (record, leaderEpoch, timestampMillis, content) -> true))
                    .isGreaterThanOrEqualTo(sentBytes);
        }
    }

    private long verified(String topic) {
        return findings.stream()
                .filter(finding -> finding instanceof Verified
                        && finding.partition().topic().equals(topic))
                .count();
    }

    private static void awaitWithin(
            int seconds, long startNanos, TaskVerification verification, BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            long elapsedMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
            assertThat(elapsedMillis).isLessThan(seconds * 1_000L);
            verification.tick(elapsedMillis);
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
        }
    }

    private LogReadPool pool(int size, int capacity, Supplier<LogReader> readers) {
        LogReadPool pool = new LogReadPool(name, size, capacity, readers);
        open.add(pool);
        return pool;
    }

    private TaskVerification verification(LogReadPool pool) {
        return verification(new TaskAudits(pool, escalated::add));
    }

    private TaskVerification verification(TaskAudits audits) {
        return verification(audits, InactivityTimeouts.DEFAULT);
    }

    private TaskVerification verification(TaskAudits audits, InactivityTimeouts timeouts) {
        return new TaskVerification(
                Map.of(),
                partition -> Optional.of(Progress.at(0, TopicIds.UNKNOWN)),
                audits,
                timeouts,
                TaskVerification.Outputs.NONE,
                (finding, topicId) -> findings.add(finding),
                WorkerMetrics.ofThisProcess().task(Optional.empty(), "test"));
    }

    private static long progress(TaskVerification verification, TopicPartition partition) {
        return Objects.requireNonNull(verification.progress().get(partition)).offset();
    }

    private static KafkaLogReader kafkaReader(EmbeddedKafka kafka, Map<String, Object> more) {
        Map<String, Object> properties = new HashMap<>(more);
        properties.put("bootstrap.servers", kafka.bootstrapServers());
        return new KafkaLogReader(properties, newParser());
    }

    private static LogRecordParser newParser() {
        return StreamRecords.parser();
    }

    /** Delivers a partition but for some records in its midst, which have to be read from the log. */
    private void deliverWithAGap(
            TaskVerification verification, List<ProducerRecord<byte[], byte[]>> log, int partition) {
        List<ProducerRecord<byte[], byte[]>> mine =
                log.stream().filter(record -> record.partition() == partition).toList();
        for (int offset = 0; offset < mine.size(); offset++) {
            if (offset < 5 || offset > 15) {
                ProducerRecord<byte[], byte[]> record = mine.get(offset);
                DeliveryLink link = new DeliveryLink(offset, offset - 1L, 0);
                verification.take(
                        new TopicPartition(record.topic(), partition),
                        Objects.requireNonNull(topicIds.get(record.topic())),
                        link,
                        StreamRecords.parsed(newParser(), record, offset),
                        null);
            }
        }
        verification.poll();
    }

    private List<ProducerRecord<byte[], byte[]>> sent(EmbeddedKafka kafka, String topic, int partitions)
            throws Exception {
        try (TopicIds ids = new TopicIds(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            topicIds.putAll(ids.of(Set.of(topic)));
        }
        List<ProducerRecord<byte[], byte[]>> log = PaperLog.of(topic, partitions, EVENTS * partitions, EVERY, Map.of());
        try (KafkaProducer<byte[], byte[]> producer = SharedKafka.producer(kafka)) {
            for (ProducerRecord<byte[], byte[]> record : log) {
                var unused = producer.send(
                        new ProducerRecord<>(topic, record.partition(), null, null, record.value(), record.headers()));
            }
        }
        return log;
    }

    private static long recordsIn(List<ProducerRecord<byte[], byte[]>> log, int partition) {
        return log.stream().filter(record -> record.partition() == partition).count();
    }

    private static long checkpointsIn(List<ProducerRecord<byte[], byte[]>> log, int partition) {
        return log.stream()
                .filter(record -> record.partition() == partition && record.value() == null)
                .count();
    }

    private long verifiedIn(int partition) {
        return findings.stream()
                .filter(finding -> finding instanceof Verified verified
                        && verified.interval().stream().partition() == partition)
                .count();
    }

    private static void awaitTicking(TaskVerification verification, BooleanSupplier condition) {
        await(() -> {
            verification.tick(0);
            return condition.getAsBoolean();
        });
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
        }
    }

    private static LogReader waiting(LogReader readers, Predicate<TopicPartition> slow, CountDownLatch open) {
        return wrapped(
                readers,
                (partition, reader) -> WatchedReader.before(reader, () -> {
                    try {
                        if (slow.test(partition)) {
                            open.await();
                        }
                    } catch (InterruptedException e) {
                        throw new InterruptException(e);
                    }
                }));
    }

    private static LogReader wrapped(
            LogReader readers, BiFunction<TopicPartition, PartitionReader, PartitionReader> wrapper) {
        return new LogReader() {
            @Override
            public PartitionReader of(TopicPartition partition) {
                return wrapper.apply(partition, readers.of(partition));
            }

            @Override
            public void close() {
                readers.close();
            }
        };
    }
}
