package dev.stormproof.task.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.emit.testing.Clients;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.open.TaskPlacement;
import dev.stormproof.task.live.progress.TopicIds;
import dev.stormproof.task.live.testing.PaperLog;
import dev.stormproof.task.storm.spout.LogSpout;
import dev.stormproof.task.storm.spout.RecordSink;
import dev.stormproof.task.storm.testing.RecordingCollector;
import dev.stormproof.task.storm.testing.TestContexts;
import dev.stormproof.task.storm.tuple.Delivery;
import dev.stormproof.task.storm.tuple.DeliveryBatcher;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.HeaderBytes;
import dev.stormproof.verify.feed.RecordContent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.policy.WaitStrategyPark;
import org.apache.storm.spout.SpoutOutputCollector;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A spout of placement {@code source} before a real broker, driven as Storm drives it. */
@OnKafka
@Timeout(60)
class SourceVerificationTest {
    private static final int EVENTS = 40;
    private static final int EVERY = 10;

    /** Checkpoint 0 and the closing one are there, too. */
    private static final int CHECKPOINTS = EVENTS / EVERY + 2;

    private final EmbeddedKafka kafka;
    private final String topic;
    private final String group = SharedKafka.unique("source-group");
    private final Map<String, String> properties = new HashMap<>();
    private final StormMetricRegistry metrics = new StormMetricRegistry();
    private final List<LogSpout> open = new ArrayList<>();
    private final Admin admin;

    SourceVerificationTest(EmbeddedKafka kafka) {
        this.kafka = kafka;
        this.admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
        this.topic = SharedKafka.createTopic(kafka, "source", 2);
        properties.put("bootstrap.servers", kafka.bootstrapServers());
        properties.put("input.topics", topic);
        properties.put("group.id", group);
        properties.put("alerts.topic", SharedKafka.createTopic(kafka, "source-alerts", 1));
        properties.put("tracker.placement", "source");
    }

    @AfterEach
    void closeSpouts() {
        open.forEach(LogSpout::close);
        admin.close();
    }

    @Test
    void aTaskVerifiesThePartitionsThatItReadsAndLeavesTheOthersToTheOthers() throws Exception {
        long end = send(0);
        send(1);
        int own = TaskPlacement.taskIndex(new TopicPartition(topic, 0), 2);
        LogSpout spout = opened(own, 2);

        ask(spout, () -> committed(0) == end);

        assertThat(verified()).isEqualTo(CHECKPOINTS);
        assertThat(committed(1)).isEqualTo(-1);
    }

    @Test
    void whatWasFoundIsWrittenWhenTheSpoutIsDeactivatedAndItGoesOnFromThere() throws Exception {
        properties.put("flush.interval.ms", "60000");
        long end = send(0);
        LogSpout spout = opened(0, 1);
        ask(spout, () -> verified() == CHECKPOINTS);
        assertThat(committed(0)).isZero();

        spout.deactivate();
        awaitCommitted(end);

        long next = send(0);
        spout.activate();
        ask(spout, () -> verified() == 2 * CHECKPOINTS);
        spout.deactivate();
        awaitCommitted(next);
    }

    @Test
    void aSpoutThatAnotherHasReplacedEndsWithAnExceptionInsteadOfGoingOn() throws Exception {
        send(0);
        LogSpout spout = opened(0, 1);
        ask(spout, () -> committed(0) > 0);
        try (KafkaProducer<byte[], byte[]> other =
                SharedKafka.producer(kafka, "transactional.id", "stormproof-" + group + "-0of1")) {
            other.initTransactions();
        }
        send(0);

        // The first one is said of a record, the other of a commit.
        assertThatThrownBy(() -> ask(spout, () -> false))
                .isInstanceOfAny(InvalidProducerEpochException.class, ProducerFencedException.class);
    }

    @Test
    void aSpoutThatIsClosedLeavesNoThreadBehind() throws Exception {
        properties.put("audit.threads", "3");
        List<String> before = threads("kafka-");
        send(0);
        LogSpout spout = opened(0, 1);
        ask(spout, () -> verified() == CHECKPOINTS);
        assertThat(threads("stormproof-1-audit-")).isNotEmpty();

        spout.close();
        open.clear();

        assertThat(threads("stormproof-1-audit-")).isEmpty();
        assertThat(threads("kafka-")).isSubsetOf(before);
    }

    @Test
    void whatATaskMeetsWhenItIsClosedAtWorkIsAnInterruptionForStorm() {
        VerifyingTask verification = new VerifyingTask(new StormproofConfig(properties));
        verification.open(TestContexts.task(0, 1, metrics), error -> {});
        HeaderBytes none = HeaderBytes.NONE;
        TopicPartition partition = new TopicPartition(topic, 0);
        DeliveryBatcher batches = new DeliveryBatcher(verification::take);
        batches.add(new Delivery(
                partition,
                new DeliveryLink(0, -1, 0),
                TopicIds.UNKNOWN,
                new RecordContent(null, null, none, 0, false),
                null));
        batches.flush();
        verification.close();

        assertThatThrownBy(verification::flush).hasRootCauseInstanceOf(InterruptedException.class);
    }

    @Test
    void theTopologyIsTheSpoutAloneWhichStormNeverPutsToSleep() {
        StormproofConfig config = new StormproofConfig(properties);
        StormTopology topology = VerificationTopology.build(config);

        assertThat(topology.get_spouts()).containsOnlyKeys(VerificationTopology.EVENTS);
        assertThat(topology.get_bolts()).isEmpty();
        assertThat(VerificationTopology.stormConfig(config))
                .containsEntry(Config.TOPOLOGY_SPOUT_WAIT_STRATEGY, WaitStrategyPark.class.getName())
                .containsEntry(Config.TOPOLOGY_SPOUT_WAIT_PARK_MICROSEC, 0);
    }

    @Test
    void aSpoutWithNothingToReadRestsByItself() throws Exception {
        LogSpout spout = opened(1 - TaskPlacement.taskIndex(new TopicPartition(topic, 0), 2), 2, "other-" + topic);
        int calls = 100;
        long begunNanos = System.nanoTime();

        for (int call = 0; call < calls; call++) {
            spout.nextTuple();
        }

        // A little less than it should be, for a thread may wake early.
        assertThat(System.nanoTime() - begunNanos).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(calls / 2));
    }

    private LogSpout opened(int index, int count) throws Exception {
        return opened(index, count, topic);
    }

    private LogSpout opened(int index, int count, String input) throws Exception {
        properties.put("input.topics", input);
        StormproofConfig config = new StormproofConfig(properties);
        RecordSink outlet = new VerifyingTask(config);
        LogSpout spout = TestContexts.onWorker(LogSpout.of(config, outlet));
        spout.open(Map.of(), TestContexts.task(index, count, metrics), new SpoutOutputCollector(new Nothing()));
        open.add(spout);
        spout.activate();
        return spout;
    }

    private static void ask(LogSpout spout, BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            spout.nextTuple();
        }
    }

    private void awaitCommitted(long offset) {
        while (committed(0) != offset) {
            Thread.onSpinWait();
        }
    }

    private long verified() {
        return IntStream.of(1, 2)
                .mapToObj(task -> metrics.getTaskCounters(task).entrySet())
                .flatMap(Set::stream)
                .filter(counter -> counter.getKey().contains("findings-verified"))
                .mapToLong(counter -> counter.getValue().getCount())
                .sum();
    }

    /** Sends a new emitter's events to a partition; returns where its log ends then. */
    private long send(int partition) {
        List<ProducerRecord<byte[], byte[]>> all = PaperLog.of(topic, 3, 3 * EVENTS, EVERY, Map.of());
        SharedKafka.send(
                kafka,
                all.stream().filter(record -> record.partition() == partition).toList());
        return Clients.committed(kafka, new TopicPartition(topic, partition)).size();
    }

    private long committed(int partition) {
        try {
            OffsetAndMetadata progress = admin.listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get(30, TimeUnit.SECONDS)
                    .get(new TopicPartition(topic, partition));
            return progress == null ? -1 : progress.offset();
        } catch (Exception e) {
            throw new IllegalStateException("the group's progress cannot be read", e);
        }
    }

    private static List<String> threads(String prefix) {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(thread -> thread.startsWith(prefix))
                .toList();
    }

    private static final class Nothing extends RecordingCollector {
        @Override
        public void take(Delivery delivery, @Nullable Object message) {
            throw new AssertionError("emitted " + delivery);
        }
    }
}
