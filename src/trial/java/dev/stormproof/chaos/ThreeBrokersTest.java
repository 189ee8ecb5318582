package dev.stormproof.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.chaos.testing.ThreeBrokers;
import dev.stormproof.chaos.testing.TopicControl;
import dev.stormproof.chaos.testing.WaitLimit;
import dev.stormproof.cli.fault.InjectedFault;
import dev.stormproof.cli.local.Stages;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.log.audit.PartitionReader;
import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.log.kafka.KafkaLogReader;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.verify.feed.EpochEnd;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What happens to three real brokers while {@code stormproof watch} reads from them and emitters send, some of which err: leaders and
 * replicas move, each broker starts anew and one with another clock, one is cut off, one loses its disk, nothing is taken for a while,
 * the controller starts anew, only small records are taken, a right is revoked, a partition is added, records are deleted and expire,
 * producers are forgotten. What the emitters did is named, and nothing else; and so is what an unclean election loses.
 * {@code scripts/trial under-fire} plays more on processes.
 */
@Tag("full")
@Tag(Stages.CLUSTER)
@Timeout(400)
class ThreeBrokersTest {
    private static final String TOPIC = "orders";
    private static final String ALERTS = "orders-alerts";
    private static final String VERDICTS = "orders-verdicts";
    private static final String RETURNING = "returning";
    private static final String GROUP = "three";
    private static final int RATE = 400;
    private static final int PATIENCE_SECONDS = 120;
    private static final String MIN_IN_SYNC = "min.insync.replicas";
    private static final String LARGEST = "max.message.bytes";
    private static final String RETENTION = "retention.ms";
    /** Longer than a broker needs to learn that it is over, so that nothing expires that is written then. */
    private static final String RETAINED_MILLIS = "5000";

    private static final String REMEMBERED = "producer.id.expiration.ms";

    /** For about two seconds: each of two followers tries again after a second (replica.fetch.backoff.ms). */
    private static final int REFUSALS = 4;

    /** One of what {@code watch} needs. */
    private record Right(ResourceType type, String name, AclOperation operation) {}

    private static final List<Right> RIGHTS = List.of(
            new Right(ResourceType.TOPIC, TOPIC, AclOperation.READ),
            new Right(ResourceType.GROUP, GROUP, AclOperation.READ),
            new Right(ResourceType.TOPIC, ALERTS, AclOperation.WRITE),
            new Right(ResourceType.TRANSACTIONAL_ID, "*", AclOperation.WRITE));

    private static final String UNCLEAN = "unclean.leader.election.enable";

    @TempDir
    private Path dir;

    private final SplittableRandom random;

    private long alertsRead;
    private long verdictsRead;

    ThreeBrokersTest() {
        long seed = Long.getLong("seed", new SplittableRandom().nextLong());
        System.out.println("ThreeBrokersTest: -Dseed=" + seed);
        random = new SplittableRandom(seed);
    }

    @Test
    void whatEmittersAndAnElectionDidIsNamedAndNothingThatBrokersWentThrough() throws Exception {
        try (ThreeBrokers brokers = ThreeBrokers.start(dir.resolve("brokers"));
                TopicControl control = new TopicControl(brokers.servers());
                KafkaView view = new KafkaView(brokers.servers(), GROUP, TOPIC, 2)) {
            brokers.createTopic(TOPIC, 2);
            brokers.createTopic(ALERTS, 1);
            brokers.createTopic(VERDICTS, 1);
            try (Shell.Running verifying = Shell.start("watch", "--config", configuration(brokers.servers()))) {
                whatIsNoLoss(brokers, control, view);
                whatAnElectionLoses(brokers, control, view);
                assertThat(verifying.process().isAlive()).isTrue();
            }
            whatAReplicaBringsBack(brokers, control);
        }
    }

    private String configuration(String servers) throws IOException {
        Path config = dir.resolve("verify.properties");
        Files.write(
                config,
                List.of(
                        "bootstrap.servers=" + servers,
                        "group.id=" + GROUP,
                        "input.topics=" + TOPIC,
                        "alerts.topic=" + ALERTS,
                        "verdicts.topic=" + VERDICTS,
                        "flush.interval.ms=100"));
        return config.toString();
    }

    private void whatIsNoLoss(ThreeBrokers brokers, TopicControl control, KafkaView view) throws Exception {
        Conduct conduct = Conduct.ofMany(view.partitions());
        RoundLog log = new RoundLog();
        Map<TopicPartition, Long> begins = view.awaitEnds(patience());
        List<InjectedFault> injected;
        try (Emitters emitters = Emitters.start(brokers.servers(), TOPIC, RATE, conduct, random.split())) {
            awaitFlow(view, 1);

            whatMovesLeaders(control, view);
            whatBrokersGoThrough(brokers, control, view);
            whatAnOperatorChanges(control, view, conduct);

            Map<TopicPartition, Long> verified = view.awaitProgressKnown(patience());
            log.readOn(brokers.servers(), begins, verified);
            begins = verified;
            control.deleteRecords(verified);
            awaitFlow(view, ChaosEmitter.INTERVAL_EVENTS);

            begins = whatExpiresInSilence(conduct, control, view, log, begins);
            awaitFlow(view, ChaosEmitter.INTERVAL_EVENTS);
            emitters.end();
            injected = emitters.injected();
        }
        compare(view, log, begins, injected);
    }

    private static void whatMovesLeaders(TopicControl control, KafkaView view) throws Exception {
        Map<TopicPartition, List<Integer>> rotated = replicas(control, replicas -> Collections.rotate(replicas, 1));
        control.reassign(rotated);
        control.elect(ElectionType.PREFERRED, firstOf(rotated));
        awaitFlow(view, 1);

        Map<TopicPartition, List<Integer>> fewer = replicas(control, replicas -> replicas.remove(0));
        Map<TopicPartition, List<Integer>> all = replicas(control, replicas -> {});
        control.reassign(fewer);
        control.reassign(all);
        awaitFlow(view, 1);
    }

    private void whatBrokersGoThrough(ThreeBrokers brokers, TopicControl control, KafkaView view) throws Exception {
        eachStartsAnewAndOneWithAnotherClock(brokers, control, view);
        int leader = leaderOf(control, new TopicPartition(TOPIC, 0));
        brokers.cutOff(leader, REFUSALS);
        awaitFlow(view, 1);

        int diskless = random.nextInt(1, ThreeBrokers.COUNT + 1);
        brokers.loseDisk(diskless);
        awaitFlow(view, 1);
        brokers.findDisk(diskless);
        brokers.start(diskless);
        control.awaitInSync();
        awaitFlow(view, 1);

        int broker = control.activeController();
        control.set(TOPIC, Map.of(MIN_IN_SYNC, Optional.of("3")));
        brokers.stop(broker);
        control.await(List.of(TOPIC), "without it", partition -> partition.isr().size() == 2);
        brokers.start(broker);
        control.awaitInSync();
        control.set(TOPIC, Map.of(MIN_IN_SYNC, Optional.of("2")));
        awaitFlow(view, 1);
    }

    private void whatAnOperatorChanges(TopicControl control, KafkaView view, Conduct conduct) throws Exception {
        control.set(TOPIC, Map.of(LARGEST, Optional.of("700")));
        awaitFlow(view, ChaosEmitter.INTERVAL_EVENTS);
        control.set(TOPIC, Map.of(LARGEST, Optional.empty()));
        awaitFlow(view, 1);

        Right right = RIGHTS.get(random.nextInt(RIGHTS.size()));
        control.revoke(right.type(), right.name(), right.operation());
        awaitWritten(view, ChaosEmitter.INTERVAL_EVENTS);
        control.giveBack(right.type(), right.name(), right.operation());
        awaitFlow(view, 1);

        control.widen(TOPIC, 3);
        view.widen(3);
        conduct.widen(3);
        awaitFlow(view, 1);
    }

    private void eachStartsAnewAndOneWithAnotherClock(ThreeBrokers brokers, TopicControl control, KafkaView view)
            throws Exception {
        int ahead = random.nextInt(1, ThreeBrokers.COUNT + 1);
        for (int id = 1; id <= ThreeBrokers.COUNT; id++) {
            brokers.stop(id);
            if (id == ahead) {
                brokers.start(id, Duration.ofHours(1));
                control.awaitInSync();
                awaitFlow(view, 1);
                brokers.stop(id);
            }
            brokers.start(id);
            control.awaitInSync();
        }
        awaitFlow(view, 1);
    }

    /** While nobody sends, the brokers delete all records and forget all producers; returns where the log begins then. */
    private static Map<TopicPartition, Long> whatExpiresInSilence(
            Conduct conduct, TopicControl control, KafkaView view, RoundLog log, Map<TopicPartition, Long> begins)
            throws Exception {
        Map<TopicPartition, Long> ends = new HashMap<>();
        conduct.whileSilent(() -> {
            ends.putAll(awaitAllVerified(view));
            try {
                log.readOn(view.servers(), begins, ends);
            } catch (ExpiredRangeException e) {
                throw new IOException(e);
            }
            control.set(TOPIC, Map.of(RETENTION, Optional.of(RETAINED_MILLIS)));
            WaitLimit limit = patience();
            long all = ends.values().stream().mapToLong(end -> end).sum();
            while (view.awaitBegin(limit) < all) {
                limit.check(() -> "records do not expire");
                limit.pause();
            }
            control.set(TOPIC, Map.of(RETENTION, Optional.empty()));
            control.setOfBrokers(REMEMBERED, Optional.of("1"));
            control.awaitNoProducers(ends.keySet());
            control.setOfBrokers(REMEMBERED, Optional.empty());
            assertThat(view.awaitEnds(limit)).as("the ends behind the silence").isEqualTo(ends);
        });
        return ends;
    }

    private static Map<TopicPartition, Long> awaitAllVerified(KafkaView view) throws InterruptedException {
        WaitLimit limit = patience();
        Map<TopicPartition, Long> ends;
        do {
            ends = view.awaitEnds(limit);
            view.awaitProgress(ends, limit);
        } while (!view.awaitEnds(limit).equals(ends));
        return ends;
    }

    private static int leaderOf(TopicControl control, TopicPartition partition) throws Exception {
        TopicPartitionInfo now = control.partitions(List.of(TOPIC)).get(partition);
        return Objects.requireNonNull(now).leader().id();
    }

    /** The input has two replicas, the second of which is away while the first one acknowledges alone, and then leads. */
    private void whatAnElectionLoses(ThreeBrokers brokers, TopicControl control, KafkaView view) throws Exception {
        Map<TopicPartition, List<Integer>> before = replicas(control, replicas -> {});
        List<Integer> ids = before.values().iterator().next();
        int leader = ids.get(0);
        int successor = ids.get(1);
        control.set(TOPIC, Map.of(MIN_IN_SYNC, Optional.of("1"), UNCLEAN, Optional.of("true")));
        control.reassign(each(before, List.of(leader, successor)));
        control.elect(ElectionType.PREFERRED, each(before, leader));
        Conduct conduct = Conduct.steady(view.partitions());
        RoundLog log = new RoundLog();
        Map<TopicPartition, Long> begins = view.awaitEnds(patience());
        List<InjectedFault> lost;
        try (Emitters emitters = Emitters.start(brokers.servers(), TOPIC, RATE, conduct, random.split())) {
            // Each of three emitters has sealed an interval in every partition.
            awaitFlow(view, 6 * ChaosEmitter.INTERVAL_EVENTS);
            brokers.stop(successor);
            control.await(
                    List.of(TOPIC),
                    "alone",
                    partition -> partition.isr().stream().allMatch(node -> node.id() == leader));
            awaitWritten(view, ChaosEmitter.INTERVAL_EVENTS);
            brokers.stop(leader);
            brokers.start(successor);
            control.elect(ElectionType.UNCLEAN, each(before, successor));
            brokers.start(leader);
            control.reassign(before);
            control.awaitInSync();
            awaitFlow(view, ChaosEmitter.INTERVAL_EVENTS);
            emitters.end();
        }
        Map<TopicPartition, Long> ends = view.awaitEnds(patience());
        RoundLog now = RoundLog.read(brokers.servers(), begins, ends);
        lost = conduct.acknowledged().missingIn(now);
        assertThat(lost).as("what the election lost").isNotEmpty();
        compare(view, log, begins, lost);
    }

    /**
     * Of two replicas each leads while the other is away, and writes where the other one wrote. The one that comes back has the offset up to
     * which the other was read, so that Kafka's consumer reads on there.
     */
    private static void whatAReplicaBringsBack(ThreeBrokers brokers, TopicControl control) throws Exception {
        TopicPartition partition = new TopicPartition(RETURNING, 0);
        brokers.createTopic(RETURNING, 1);
        control.set(RETURNING, Map.of(MIN_IN_SYNC, Optional.of("1"), UNCLEAN, Optional.of("true")));
        control.reassign(Map.of(partition, List.of(1, 2)));
        control.elect(ElectionType.PREFERRED, Map.of(partition, 1));
        LogRecordParser parser = StreamRecords.parser();
        try (KafkaLogReader log = new KafkaLogReader(Map.of("bootstrap.servers", brokers.servers()), parser)) {
            PartitionReader reader = log.of(partition);
            write(brokers, partition, 2, 1);
            brokers.stop(2);
            write(brokers, partition, 3, 1);
            int first = lastEpoch(reader);

            brokers.stop(1);
            brokers.start(2);
            control.elect(ElectionType.UNCLEAN, Map.of(partition, 2));
            // Each comes with an answer of its own.
            write(brokers, partition, 3, KafkaLogReader.RECEIVE_BYTES * 3 / 4);
            int second = lastEpoch(reader);
            assertThat(second).isGreaterThan(first);
            assertThat(reader.endOfEpoch(4, second)).isEqualTo(new EpochEnd(second, 4));

            AtomicInteger last = new AtomicInteger();
            PartitionReader.Taker readingMeanwhile = (record, leaderEpoch, millis, content) -> {
                if (last.getAndSet((int) record.offset()) == 1) {
                    assertThatCode(() -> {
                                brokers.stop(2);
                                brokers.start(1);
                                control.elect(ElectionType.UNCLEAN, Map.of(partition, 1));
                            })
                            .doesNotThrowAnyException();
                }
                return true;
            };
            assertThatThrownBy(() -> reader.scan(0, 5, readingMeanwhile)).isInstanceOf(ExpiredRangeException.class);
            assertThat(reader.endOfEpoch(4, second)).isEqualTo(new EpochEnd(first, 4));
            brokers.start(2);
        }
    }

    private static void write(ThreeBrokers brokers, TopicPartition partition, int records, int bytes) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", brokers.servers()), new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < records; i++) {
                producer.send(new ProducerRecord<>(partition.topic(), partition.partition(), null, new byte[bytes]))
                        .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            }
        }
    }

    private static int lastEpoch(PartitionReader reader) throws ExpiredRangeException {
        AtomicInteger last = new AtomicInteger();
        reader.scan(0, reader.bounds().end(), (record, leaderEpoch, millis, content) -> {
            last.set(leaderEpoch);
            return true;
        });
        return last.get();
    }

    private void compare(KafkaView view, RoundLog log, Map<TopicPartition, Long> begins, List<InjectedFault> injected)
            throws Exception {
        WaitLimit limit = patience();
        Map<TopicPartition, Long> ends = view.awaitEnds(limit);
        view.awaitProgress(ends, limit);
        log.readOn(view.servers(), begins, ends);
        Published alerts = new Published(TOPIC);
        Published verdicts = new Published(TOPIC);
        Comparison comparison;
        do {
            alertsRead = view.readPublished(ALERTS, alertsRead, alerts);
            verdictsRead = view.readPublished(VERDICTS, verdictsRead, verdicts);
            comparison = Comparison.of(injected, log, alerts, verdicts);
        } while (!comparison.isExact() && !limit.isOver());
        assertThat(comparison.complaints()).isEmpty();
        assertThat(comparison.expected()).isPositive().isEqualTo(comparison.reported());
    }

    private static void awaitFlow(KafkaView view, int records) throws InterruptedException {
        WaitLimit limit = patience();
        Map<TopicPartition, Long> wanted = new HashMap<>(view.awaitEnds(limit));
        wanted.replaceAll((partition, end) -> end + records);
        view.awaitProgress(wanted, limit);
    }

    private static void awaitWritten(KafkaView view, int records) throws InterruptedException {
        WaitLimit limit = patience();
        Map<TopicPartition, Long> before = view.awaitEnds(limit);
        while (view.awaitEnds(limit).entrySet().stream()
                .anyMatch(end -> end.getValue() < before.getOrDefault(end.getKey(), 0L) + records)) {
            limit.check(() -> "nothing is written behind " + before);
            limit.pause();
        }
    }

    private interface Change {
        void of(List<Integer> replicas);
    }

    private static Map<TopicPartition, List<Integer>> replicas(TopicControl control, Change change) throws Exception {
        Map<TopicPartition, List<Integer>> changed = new HashMap<>();
        control.partitions(List.of(TOPIC)).forEach((partition, now) -> {
            List<Integer> replicas = ids(now);
            change.of(replicas);
            changed.put(partition, replicas);
        });
        return changed;
    }

    private static List<Integer> ids(TopicPartitionInfo partition) {
        return partition.replicas().stream().map(Node::id).collect(Collectors.toCollection(ArrayList::new));
    }

    private static Map<TopicPartition, Integer> firstOf(Map<TopicPartition, List<Integer>> replicas) {
        return replicas.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, one -> one.getValue().get(0)));
    }

    private static <T> Map<TopicPartition, T> each(Map<TopicPartition, ?> partitions, T value) {
        return partitions.keySet().stream().collect(Collectors.toMap(partition -> partition, partition -> value));
    }

    private static WaitLimit patience() {
        return WaitLimit.inSeconds(PATIENCE_SECONDS);
    }
}
