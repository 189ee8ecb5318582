package dev.stormproof.storm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.checkpoint.UnattributedRecord;
import dev.stormproof.config.TrackerPlacement;
import dev.stormproof.judge.Unattributed;
import dev.stormproof.judge.Verdict.Verified;
import dev.stormproof.judge.Verdict.Violated;
import dev.stormproof.live.testing.PaperLog;
import dev.stormproof.local.EmbeddedKafka;
import dev.stormproof.local.OnKafka;
import dev.stormproof.local.Stages;
import dev.stormproof.storm.testing.SharedTopology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * The whole topology in a LocalCluster before a real broker; alerts are read back by an ordinary consumer.
 *
 * <p>One topology serves all tests: each makes a topic that its pattern matches.
 */
@Tag(Stages.CLUSTER)
@OnKafka
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
class VerificationTopologyTest {
    /** Events of an interval in most tests. */
    private static final int EVERY = 10;

    private final EmbeddedKafka kafka;
    private final Told told = new Told();
    private SharedTopology topology;
    private KafkaConsumer<byte[], byte[]> consumer;

    VerificationTopologyTest(EmbeddedKafka kafka) {
        this.kafka = kafka;
    }

    /** Where it is verified; a subclass has all tests run with another one. */
    TrackerPlacement placement() {
        return TrackerPlacement.BOLT;
    }

    @BeforeAll
    void start() throws Exception {
        topology = SharedTopology.start(
                kafka,
                "verified",
                1,
                placement(),
                Map.of("transform", placement() == TrackerPlacement.BOLT ? "log-json" : "identity"));
        consumer = topology.reader(topology.alertsTopic(), topology.verdictsTopic());
    }

    @AfterAll
    void stop() {
        consumer.close();
        topology.close();
    }

    @Test
    void aCleanStreamInSeveralPartitionsIsVerifiedWithoutAnAlertAndItsProgressIsCommitted() throws Exception {
        String topic = newTopic(3);
        List<ProducerRecord<byte[], byte[]>> log = PaperLog.of(topic, 3, 200, EVERY, Map.of());
        send(log);

        awaitFinalVerdicts(topic, log);

        assertThat(told.finalVerdicts(topic)).hasSize(checkpointsIn(log));
        assertVerified(topic);
        awaitProgress(topic, log);
    }

    /** All cases at once: their topics are written before the first verdict is waited for. */
    @TestFactory
    Stream<DynamicTest> whatHappenedToALogIsNamedExactlyAndNothingElse() throws Exception {
        List<Case> cases = new ArrayList<>();
        addIntervals(cases);
        addFaults(cases);
        addDisplacements(cases);
        addFormat1(cases);
        for (Case one : cases) {
            send(one.log());
        }
        return cases.stream()
                .map(one -> DynamicTest.dynamicTest(one.name(), () -> {
                    awaitFinalVerdicts(one.topic(), one.log());
                    one.check().accept(one.topic());
                }));
    }

    /** A log and what must be told about it. */
    private record Case(String name, String topic, List<ProducerRecord<byte[], byte[]>> log, Consumer<String> check) {}

    /** Intervals of none, of one and of many events. */
    private void addIntervals(List<Case> cases) {
        int[][] shapes = {{0, 5}, {1, 5}, {3, 1}, {500, 100_000}};
        for (int[] shape : shapes) {
            String topic = newTopic(1);
            String name = shape[0] + " events, at most " + shape[1] + " in an interval: verified";
            cases.add(new Case(name, topic, PaperLog.of(topic, 1, shape[0], shape[1], Map.of()), this::assertVerified));
        }
    }

    /** 40 events in intervals of 10: faults inside, at the first and at the last event of an interval. */
    private void addFaults(List<Case> cases) {
        for (int sequence : new int[] {0, 4, 9, 10, 19, 39}) {
            add(cases, "lose event " + sequence, log -> log.remove(indexOf(log, sequence)), "lost " + sequence);
            add(
                    cases,
                    "alter event " + sequence,
                    log -> log.set(indexOf(log, sequence), altered(log.get(indexOf(log, sequence)))),
                    "altered " + sequence);
            add(
                    cases,
                    "repeat event " + sequence + " at once",
                    log -> log.add(indexOf(log, sequence), log.get(indexOf(log, sequence))),
                    "duplicated " + sequence);
            add(
                    cases,
                    "repeat event " + sequence + " behind the next checkpoint",
                    log -> log.add(checkpointAfter(log, sequence) + 1, log.get(indexOf(log, sequence))),
                    "duplicated " + sequence);
        }
        add(cases, "lose all events of an interval", log -> log.subList(12, 22).clear(), range("lost", 10, 20));
        add(
                cases,
                "move an event behind the next checkpoint",
                log -> log.add(indexOf(log, 23), log.remove(indexOf(log, 15))),
                "reordered 15");
        add(
                cases,
                "lose a checkpoint",
                log -> log.remove(checkpointAfter(log, 15)),
                topic -> assertThat(told.namedIn(topic))
                        .contains("checkpoint-lost 2")
                        .noneMatch(named -> named.startsWith("lost")));
        add(
                cases,
                "an event without a signature",
                log -> log.add(5, new ProducerRecord<>(log.get(0).topic(), 0, null, "unsigned".getBytes(UTF_8))),
                topic -> {
                    // It waits a moment for others of its kind.
                    await(() -> !told.alerts(topic).isEmpty(), () -> topic + ": no alert");
                    Unattributed stray = (Unattributed) told.alerts(topic).get(0);
                    assertThat(stray.kind()).isEqualTo(UnattributedRecord.Kind.UNSIGNED);
                    assertThat(stray.offset()).isEqualTo(5);
                    assertThat(told.alerts(topic)).hasSize(1);
                });
    }

    /** Swaps: one of the two, and nothing else, is out of place. */
    private void addDisplacements(List<Case> cases) {
        for (int first : new int[] {4, 10, 18, 19}) {
            add(
                    cases,
                    "swap events " + first + " and " + (first + 1),
                    log -> Collections.swap(log, indexOf(log, first), indexOf(log, first + 1)),
                    topic -> assertThat(told.namedIn(topic))
                            .isNotEmpty()
                            .isSubsetOf(Set.of("reordered " + first, "reordered " + (first + 1))));
        }
    }

    private void addFormat1(List<Case> cases) {
        String clean = newTopic(1);
        cases.add(new Case(
                "format 1, untouched: verified",
                clean,
                PaperLog.of(clean, 1, 40, EVERY, Map.of("stormproof.format", "1")),
                this::assertVerified));
        String altered = newTopic(1);
        List<ProducerRecord<byte[], byte[]>> log = PaperLog.of(altered, 1, 40, EVERY, Map.of("stormproof.format", "1"));
        log.set(15, altered(log.get(15)));
        cases.add(new Case(
                "format 1, alter an event",
                altered,
                log,
                topic -> assertThat(told.alerts(topic)).singleElement().isInstanceOf(Violated.class)));
    }

    private void add(
            List<Case> cases,
            String name,
            Consumer<List<ProducerRecord<byte[], byte[]>>> fault,
            Consumer<String> check) {
        String topic = newTopic(1);
        List<ProducerRecord<byte[], byte[]>> log = PaperLog.of(topic, 1, 40, EVERY, Map.of());
        fault.accept(log);
        cases.add(new Case(name, topic, log, check));
    }

    private void add(
            List<Case> cases, String name, Consumer<List<ProducerRecord<byte[], byte[]>>> fault, String... expected) {
        add(cases, name, fault, topic -> {
            assertThat(told.namedIn(topic)).isEqualTo(Set.of(expected));
            assertThat(told.alerts(topic))
                    .allSatisfy(finding -> assertThat(finding).isInstanceOf(Violated.class));
        });
    }

    private void assertVerified(String topic) {
        assertThat(told.finalVerdicts(topic))
                .allSatisfy(verdict -> assertThat(verdict).isInstanceOf(Verified.class));
        assertThat(told.alerts(topic)).isEmpty();
    }

    @Test
    void alertsAreCloudEvents() throws Exception {
        String topic = newTopic(1);
        List<ProducerRecord<byte[], byte[]>> log = PaperLog.of(topic, 1, 20, EVERY, Map.of());
        log.remove(3);
        send(log);

        awaitFinalVerdicts(topic, log);

        assertThat(told.raw).anySatisfy(record -> {
            assertThat(record.topic()).isEqualTo(topology.alertsTopic());
            assertThat(record.value()).asString(UTF_8).contains("\"specversion\":\"1.0\"", "\"subject\":\"" + topic);
            assertThat(record.headers().lastHeader("content-type").value())
                    .asString(UTF_8)
                    .startsWith("application/cloudevents+json");
        });
        assertThat(told.eventIds()).doesNotHaveDuplicates();
    }

    private String newTopic(int partitions) {
        return topology.newTopic("", partitions);
    }

    private void send(List<ProducerRecord<byte[], byte[]>> records) {
        topology.send(records);
    }

    /** Waits until each checkpoint of the log has its last word, which is the first for most, and its alert if that is bad. */
    private void awaitFinalVerdicts(String topic, List<ProducerRecord<byte[], byte[]>> log) {
        int expected = checkpointsIn(log);
        await(
                // Two topics: either may be read before the other.
                () -> told.finalVerdicts(topic).size() >= expected
                        && told.finalVerdicts(topic).stream().allMatch(told::isAlerted),
                () -> topic + ": " + told.finalVerdicts(topic) + " of " + expected + " verdicts");
    }

    private void await(BooleanSupplier condition, Supplier<String> sofar) {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(180);
        while (!condition.getAsBoolean()) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                told.take(record, topology.alertsTopic());
            }
            assertThat(System.nanoTime()).as(sofar).isLessThan(deadlineNanos);
        }
    }

    /** Waits until the group's offset of each partition is where its records end, as the usual tools show it. */
    private void awaitProgress(String topic, List<ProducerRecord<byte[], byte[]>> log) throws Exception {
        Map<TopicPartition, Long> expected = log.stream()
                .collect(Collectors.groupingBy(
                        record -> new TopicPartition(topic, record.partition()), Collectors.counting()));
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            Map<TopicPartition, Long> committed = new HashMap<>();
            while (!committed.equals(expected)) {
                Map<TopicPartition, OffsetAndMetadata> offsets = admin.listConsumerGroupOffsets(topology.group())
                        .partitionsToOffsetAndMetadata()
                        .get(30, TimeUnit.SECONDS);
                offsets.forEach((partition, offset) -> {
                    if (partition.topic().equals(topic)) {
                        committed.put(partition, offset.offset());
                    }
                });
            }
        }
    }

    private static String[] range(String kind, int begin, int end) {
        List<String> names = new ArrayList<>();
        for (int sequence = begin; sequence < end; sequence++) {
            names.add(kind + " " + sequence);
        }
        return names.toArray(String[]::new);
    }

    private static boolean isCheckpoint(ProducerRecord<byte[], byte[]> record) {
        return record.headers().lastHeader(Format2Checkpoint.HEADER) != null
                || (record.value() != null
                        && record.headers().toArray().length == 0
                        && record.value()[0] == (byte) 0xcd);
    }

    private static int checkpointsIn(List<ProducerRecord<byte[], byte[]>> log) {
        return (int) log.stream().filter(VerificationTopologyTest::isCheckpoint).count();
    }

    /** Where the event of that sequence lies, in a log of one partition that was not touched before there. */
    private static int indexOf(List<ProducerRecord<byte[], byte[]>> log, int sequence) {
        int events = -1;
        for (int index = 0; index < log.size(); index++) {
            if (!isCheckpoint(log.get(index)) && ++events == sequence) {
                return index;
            }
        }
        throw new IllegalArgumentException("no event " + sequence);
    }

    private static int checkpointAfter(List<ProducerRecord<byte[], byte[]>> log, int sequence) {
        int index = indexOf(log, sequence);
        while (!isCheckpoint(log.get(index))) {
            index++;
        }
        return index;
    }

    private static ProducerRecord<byte[], byte[]> altered(ProducerRecord<byte[], byte[]> record) {
        byte[] value = record.value().clone();
        value[value.length - 1] ^= 1;
        return new ProducerRecord<>(record.topic(), record.partition(), null, record.key(), value, record.headers());
    }
}
