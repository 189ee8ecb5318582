package dev.stormproof.storm.spout;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.merkle.Seed;
import dev.stormproof.storm.testing.RecordingCollector;
import dev.stormproof.storm.testing.TestContexts;
import dev.stormproof.storm.tuple.Custody;
import dev.stormproof.storm.tuple.Delivery;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.storm.kafka.spout.KafkaSpout;
import org.apache.storm.kafka.spout.KafkaSpoutConfig;
import org.apache.storm.kafka.spout.KafkaSpoutConfig.ProcessingGuarantee;
import org.apache.storm.kafka.spout.KafkaSpoutRetryExponentialBackoff;
import org.apache.storm.kafka.spout.KafkaSpoutRetryExponentialBackoff.TimeInterval;
import org.apache.storm.kafka.spout.SpoutBehindConsumer;
import org.apache.storm.kafka.spout.subscription.ManualPartitioner;
import org.apache.storm.kafka.spout.subscription.NamedTopicFilter;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.utils.Time;
import org.apache.storm.utils.Time.SimulatedTime;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The translation inside Storm's own KafkaSpout, with Kafka's mock consumer behind it and a clock that stands still. */
class RecordTranslationTest {
    private static final TopicPartition P0 = new TopicPartition("orders", 0);
    private static final TopicPartition P1 = new TopicPartition("orders", 1);
    private static final long LATER_MILLIS = KafkaSpoutConfig.DEFAULT_PARTITION_REFRESH_PERIOD_MS + 1_000;
    private static final int CALLS = 50;

    private final SimulatedTime clock = new SimulatedTime();
    private final LogConsumer consumer = new LogConsumer(P0, P1);
    private final Emitted emitted = new Emitted();
    private final Assignment assignment = new Assignment(P0);

    @AfterEach
    void startTheClock() {
        clock.close();
    }

    @Test
    void theFirstRecordIsAStartAndEachLaterOneNamesTheOneBeforeIt() {
        append(P0, 5, 6, 7);
        KafkaSpout<byte[], byte[]> spout = unacked();

        run(spout);

        assertThat(emitted.offsets(P0)).containsExactly(5L, 6L, 7L);
        assertThat(emitted.custody(P0, 5).start()).isTrue();
        assertThat(emitted.custody(P0, 6)).isEqualTo(followingOn(5, emitted.custody(P0, 5)));
        assertThat(emitted.custody(P0, 7)).isEqualTo(followingOn(6, emitted.custody(P0, 5)));
    }

    @Test
    void behindATransactionMarkerThePreviousRecordIsNamedAndNotTheMarker() {
        append(P0, 0, 1, 3, 7);
        KafkaSpout<byte[], byte[]> spout = unacked();

        run(spout);

        assertThat(emitted.custody(P0, 3).previous()).isEqualTo(1);
        assertThat(emitted.custody(P0, 7).previous()).isEqualTo(3);
    }

    @Test
    void theChainGoesOnFromPollToPoll() {
        append(P0, 0, 1);
        KafkaSpout<byte[], byte[]> spout = unacked();
        run(spout);
        append(P0, 2);

        run(spout);

        assertThat(emitted.custody(P0, 2)).isEqualTo(followingOn(1, emitted.custody(P0, 0)));
    }

    @Test
    void aDeliveryHoldsEverythingOfItsRecord() {
        Headers headers = new RecordHeaders()
                .add("a", new byte[] {1})
                .add("signature", "first".getBytes(UTF_8))
                .add("signature", "last".getBytes(UTF_8))
                .add("none", null);
        consumer.append(P0, 3, 9, "key".getBytes(UTF_8), "value".getBytes(UTF_8), headers);
        consumer.append(P0, 4, 9, null, null, new RecordHeaders());
        KafkaSpout<byte[], byte[]> spout = unacked();

        run(spout);

        Delivery full = emitted.delivery(P0, 3);
        assertThat(full.topic()).isEqualTo("orders");
        assertThat(full.timestampMillis()).isEqualTo(1_003);
        assertThat(full.custody().leaderEpoch()).isEqualTo(9);
        assertThat(full.custody().topicId()).isEqualTo(70);
        assertThat(full.key()).asString(UTF_8).isEqualTo("key");
        assertThat(full.value()).asString(UTF_8).isEqualTo("value");
        assertThat(full.headers().last("signature")).asString(UTF_8).isEqualTo("last");
        assertThat(full.headers().last("none")).isNull();
        assertThat(full.headers().last("missing")).isNull();
        assertThat(full.headers().toKafka()).containsExactly(headers.toArray());
        Delivery empty = emitted.delivery(P0, 4);
        assertThat(empty.key()).isNull();
        assertThat(empty.value()).isNull();
        assertThat(empty.headers().toKafka()).isEmpty();
    }

    @Test
    void aPartitionThatIsKeptKeepsItsChainWhenAnotherIsGained() {
        append(P0, 0, 1);
        append(P1, 0);
        KafkaSpout<byte[], byte[]> spout = unacked();
        run(spout);
        assignment.set(P0, P1);
        append(P0, 2);

        reassign(spout);

        assertThat(emitted.custody(P0, 2)).isEqualTo(followingOn(1, emitted.custody(P0, 0)));
        assertThat(emitted.custody(P1, 0).start()).isTrue();
        assertThat(emitted.custody(P1, 0).incarnation())
                .isNotEqualTo(emitted.custody(P0, 0).incarnation());
    }

    @Test
    void aPartitionThatWasLostAndGainedAgainStartsAnew() {
        append(P0, 0, 1);
        KafkaSpout<byte[], byte[]> spout = unacked();
        run(spout);
        Custody before = emitted.custody(P0, 0);
        assignment.set(P1);
        reassign(spout);
        emitted.clear();
        assignment.set(P0);

        reassign(spout);

        assertThat(emitted.offsets(P0)).containsExactly(0L, 1L);
        assertThat(emitted.custody(P0, 0).start()).isTrue();
        assertThat(emitted.custody(P0, 0).incarnation()).isNotEqualTo(before.incarnation());
    }

    @Test
    void aLogThatWasRewrittenBelowWhatWasReadStartsAnew() {
        append(P0, 0, 1, 2, 3);
        KafkaSpout<byte[], byte[]> spout = unacked();
        run(spout);
        Custody before = emitted.custody(P0, 3);
        emitted.clear();
        consumer.truncate(P0, 2);
        consumer.append(P0, 2, 8);
        consumer.append(P0, 3, 8);
        consumer.seek(P0, 2);

        run(spout);

        Custody rewritten = emitted.custody(P0, 2);
        assertThat(rewritten.start()).isTrue();
        assertThat(rewritten.incarnation()).isNotEqualTo(before.incarnation());
        assertThat(emitted.custody(P0, 3)).isEqualTo(followingOn(2, rewritten));
    }

    @Test
    void recordsReadAgainUnderTheSameEpochStartNothing() {
        append(P0, 0, 1, 2);
        KafkaSpout<byte[], byte[]> spout = unacked();
        run(spout);
        Custody before = emitted.custody(P0, 2);
        emitted.clear();
        consumer.seek(P0, 1);
        append(P0, 3);

        run(spout);

        assertThat(emitted.offsets(P0)).containsExactly(1L, 2L, 3L);
        assertThat(emitted.custody(P0, 2)).isEqualTo(before);
        assertThat(emitted.custody(P0, 3)).isEqualTo(followingOn(2, before));
    }

    @Test
    void aChangeOfLeaderAloneStartsNothing() {
        append(P0, 0);
        consumer.append(P0, 1, 8);
        KafkaSpout<byte[], byte[]> spout = unacked();

        run(spout);

        assertThat(emitted.custody(P0, 1).start()).isFalse();
        assertThat(emitted.custody(P0, 1).leaderEpoch()).isEqualTo(8);
    }

    @Test
    void inUnackedModeNothingIsRememberedOfARecord() {
        append(P0, 0, 2, 4, 6);
        PartitionCustody custody = new PartitionCustody(false, 0);
        for (long offset = 0; offset < 10_000; offset += 2) {
            custody.of(offset, 0);
        }

        assertThat(custody.remembered()).isZero();
    }

    @Test
    void inUnackedModeTheSpoutCommitsNothing() {
        append(P0, 0, 1, 2);
        KafkaSpout<byte[], byte[]> spout = unacked();
        run(spout);
        Time.advanceTimeSecs(365L * 24 * 3_600);

        run(spout);

        assertThat(consumer.commits()).isEmpty();
    }

    @Test
    void aRetryCarriesTheSameCustodyAndCountsTheAttempts() {
        append(P0, 5, 6, 9);
        KafkaSpout<byte[], byte[]> spout = acked(0);
        run(spout);
        List<Custody> before = emitted.custodies(P0);
        for (int attempt = 1; attempt <= 3; attempt++) {
            emitted.failAll(spout);

            run(spout);

            int failures = attempt;
            assertThat(emitted.offsets(P0)).containsExactly(5L, 6L, 9L);
            assertThat(emitted.custodies(P0))
                    .isEqualTo(before.stream().map(c -> c.withAttempt(failures)).toList());
        }
    }

    @Test
    void aRetryDoesNotMoveTheChainOfNewRecords() {
        append(P0, 0, 1, 2, 3);
        KafkaSpout<byte[], byte[]> spout = acked(0);
        run(spout);
        Custody start = emitted.custody(P0, 0);
        emitted.fail(spout, P0, 1);
        append(P0, 4);

        run(spout);

        assertThat(emitted.custody(P0, 1)).isEqualTo(followingOn(0, start).withAttempt(1));
        assertThat(emitted.custody(P0, 4)).isEqualTo(followingOn(3, start));
    }

    @Test
    void recordsThatTheSpoutAsksForAndDoesNotEmitMoveNothing() {
        append(P0, 0, 1, 2);
        KafkaSpout<byte[], byte[]> spout = acked(3_600);
        run(spout);
        Custody start = emitted.custody(P0, 0);
        emitted.fail(spout, P0, 0);
        emitted.fail(spout, P0, 2);
        Time.advanceTimeSecs(3_500);
        emitted.fail(spout, P0, 1);
        append(P0, 3, 4);
        emitted.clear();
        Time.advanceTimeSecs(101);

        // The spout seeks back to 0, which is due, and asks for 1 as well, which is not.
        run(spout);

        assertThat(emitted.offsets(P0)).containsExactly(0L, 2L, 3L, 4L);
        assertThat(emitted.custody(P0, 2)).isEqualTo(followingOn(1, start).withAttempt(1));
        assertThat(emitted.custody(P0, 3)).isEqualTo(followingOn(2, start));
        assertThat(emitted.custody(P0, 4)).isEqualTo(followingOn(3, start));
    }

    @Test
    void inAckedModeAPartitionThatIsKeptKeepsItsChainAndItsRetriesWhenAnotherIsGained() {
        append(P0, 0, 1, 4);
        append(P1, 0);
        KafkaSpout<byte[], byte[]> spout = acked(0);
        run(spout);
        List<Custody> before = emitted.custodies(P0);
        assignment.set(P0, P1);
        reassign(spout);
        emitted.fail(spout, P0, 4);
        emitted.fail(spout, P0, 1);
        append(P0, 5);

        run(spout);

        assertThat(emitted.custody(P0, 1)).isEqualTo(before.get(1).withAttempt(1));
        assertThat(emitted.custody(P0, 4)).isEqualTo(before.get(2).withAttempt(1));
        assertThat(emitted.custody(P0, 5)).isEqualTo(followingOn(4, before.get(0)));
        assertThat(emitted.custody(P1, 0).start()).isTrue();
    }

    @Test
    void inAckedModeAPartitionThatWasLostWithDeliveriesUnderWayStartsAnewAndTheirFateIsIgnored() {
        append(P0, 0, 1, 2);
        KafkaSpout<byte[], byte[]> spout = acked(0);
        run(spout);
        Custody before = emitted.custody(P0, 0);
        emitted.fail(spout, P0, 1);
        assignment.set(P1);
        reassign(spout);
        emitted.fail(spout, P0, 2);
        emitted.ack(spout, P0, 0);
        emitted.clear();
        assignment.set(P0);

        reassign(spout);

        assertThat(emitted.offsets(P0)).containsExactly(0L, 1L, 2L);
        assertThat(emitted.custody(P0, 0).start()).isTrue();
        assertThat(emitted.custody(P0, 0).incarnation()).isNotEqualTo(before.incarnation());
        assertThat(emitted.custodies(P0))
                .allSatisfy(custody -> assertThat(custody.attempt()).isZero());
    }

    @Test
    void inAckedModeARecordCarriesOneCustodyHoweverItsDeliveriesEnd() {
        Seed seed = Seed.next();
        SplittableRandom random = seed.random();
        for (int round = 0; round < Seed.cases(20); round++) {
            LogConsumer log = new LogConsumer(P0, P1);
            Emitted deliveries = new Emitted();
            KafkaSpout<byte[], byte[]> spout = acked(0, log, deliveries);
            Map<Long, Custody> first = new HashMap<>();
            List<Long> offsets = new ArrayList<>();
            for (int step = 0; step < 40; step++) {
                for (int more = random.nextInt(4); more > 0; more--) {
                    long last = offsets.isEmpty() ? -1 : offsets.get(offsets.size() - 1);
                    long offset = last + 1 + (random.nextInt(3) == 0 ? random.nextInt(1, 4) : 0);
                    offsets.add(offset);
                    log.append(P0, offset, 7);
                }
                run(spout);
                for (Delivery delivery : deliveries.of(P0)) {
                    Custody custody = delivery.custody().withAttempt(0);
                    Custody known = first.putIfAbsent(delivery.offset(), custody);
                    assertThat(custody).as("%s", seed).isEqualTo(known == null ? custody : known);
                    if (random.nextInt(3) == 0) {
                        deliveries.fail(spout, P0, delivery.offset());
                    } else if (random.nextBoolean()) {
                        deliveries.ack(spout, P0, delivery.offset());
                    }
                }
            }
            run(spout);
            deliveries.of(P0).forEach(delivery -> first.putIfAbsent(delivery.offset(), delivery.custody()));
            assertThat(first.keySet()).as("%s", seed).containsExactlyInAnyOrderElementsOf(offsets);
            for (int i = 1; i < offsets.size(); i++) {
                assertThat(first.get(offsets.get(i)))
                        .as("%s", seed)
                        .isEqualTo(followingOn(offsets.get(i - 1), Objects.requireNonNull(first.get(offsets.get(0)))));
            }
            assertThat(Objects.requireNonNull(first.get(offsets.get(0))).start())
                    .as("%s", seed)
                    .isTrue();
        }
    }

    @Test
    void whatWasAckedIsForgotten() {
        PartitionCustody custody = new PartitionCustody(true, 0);
        for (long offset = 0; offset < 100; offset += 2) {
            custody.of(offset, 0);
            custody.failed(offset, 1);
        }
        assertThat(custody.remembered()).isEqualTo(100);

        for (long offset = 0; offset < 100; offset += 2) {
            custody.acked(offset);
        }

        assertThat(custody.remembered()).isZero();
    }

    @Test
    void inAckedModeARewrittenLogEndsTheSpoutWhichCannotTellTheChainAnyMore() {
        append(P0, 0, 1, 2);
        KafkaSpout<byte[], byte[]> spout = acked(0);
        run(spout);
        consumer.truncate(P0, 1);
        consumer.append(P0, 1, 8);
        emitted.fail(spout, P0, 1);

        assertThatThrownBy(() -> run(spout)).isInstanceOf(PartitionCustody.LogRewrittenException.class);
    }

    @Test
    void anOffsetBelowAllRememberedLeadersCountsAsRewritten() {
        PartitionCustody custody = new PartitionCustody(false, 0);
        for (int epoch = 0; epoch <= PartitionCustody.MAX_EPOCHS; epoch++) {
            custody.of(epoch, epoch);
        }

        assertThat(custody.of(1, 1).start()).isFalse();
        assertThat(custody.of(0, 0).start()).isTrue();
    }

    @Test
    void losingTheThreadMakesTheNextRecordAStart() {
        PartitionCustody custody = new PartitionCustody(false, 0);
        custody.of(7, 1);
        custody.loseThread(PartitionCustody.NO_CUT);

        assertThat(custody.of(8, 1).start()).isTrue();
        assertThat(custody.of(9, 1).previous()).isEqualTo(8);
    }

    @Test
    void aStartTellsTheLowestCutThatWasFoundSinceTheLastRecord() {
        PartitionCustody custody = new PartitionCustody(false, 0);
        custody.of(20, 1);
        custody.loseThread(7);
        custody.loseThread(PartitionCustody.NO_CUT);

        assertThat(custody.of(12, 2).previous()).isEqualTo(6);
        custody.loseThread(15);
        assertThat(custody.of(12, 3).previous()).isEqualTo(11);
    }

    @Test
    void theTranslationIsSerializedWithoutItsState() throws Exception {
        RecordTranslation original = new RecordTranslation(false, new Gained(), Outlet.TO_BOLTS);
        RecordTranslation copy = TestContexts.onWorker(original);
        copy.open(Map.of(), TestContexts.task(0, 1));

        copy.onPartitionsReassigned(List.of(P0));
        assertThat(copy.getFieldsFor("default")).isEqualTo(Delivery.FIELDS);
    }

    private void append(TopicPartition partition, long... offsets) {
        for (long offset : offsets) {
            consumer.append(partition, offset, 7);
        }
    }

    private static Custody followingOn(long previous, Custody start) {
        return new Custody(previous, false, start.leaderEpoch(), start.incarnation(), start.topicId(), 0);
    }

    private KafkaSpout<byte[], byte[]> unacked() {
        return opened(config(new RecordTranslation(false, new Gained(), Outlet.TO_BOLTS))
                .setProcessingGuarantee(ProcessingGuarantee.NO_GUARANTEE)
                .setOffsetCommitPeriodMs(CustodySpouts.NEVER_MILLIS)
                .build());
    }

    private KafkaSpout<byte[], byte[]> acked(long retryDelaySeconds) {
        return acked(retryDelaySeconds, consumer, emitted);
    }

    private KafkaSpout<byte[], byte[]> acked(long retryDelaySeconds, LogConsumer behind, Emitted into) {
        TimeInterval delay = TimeInterval.seconds(retryDelaySeconds);
        return opened(
                config(new RecordTranslation(true, new Gained(), Outlet.TO_BOLTS))
                        .setProcessingGuarantee(ProcessingGuarantee.AT_LEAST_ONCE)
                        .setRetry(new KafkaSpoutRetryExponentialBackoff(delay, delay, Integer.MAX_VALUE, delay))
                        .build(),
                behind,
                into);
    }

    private KafkaSpoutConfig.Builder<byte[], byte[]> config(RecordTranslation translation) {
        return new KafkaSpoutConfig.Builder<byte[], byte[]>("nowhere:1", new NamedTopicFilter("orders"), assignment)
                .setRecordTranslator(translation)
                .setTupleListener(translation)
                .setGroupId("test");
    }

    private KafkaSpout<byte[], byte[]> opened(KafkaSpoutConfig<byte[], byte[]> config) {
        return opened(config, consumer, emitted);
    }

    private static KafkaSpout<byte[], byte[]> opened(
            KafkaSpoutConfig<byte[], byte[]> config, LogConsumer behind, Emitted into) {
        KafkaSpout<byte[], byte[]> spout = SpoutBehindConsumer.of(config, behind);
        spout.open(Map.of(), TestContexts.task(0, 1), new SpoutOutputCollector(into));
        spout.activate();
        return spout;
    }

    private static void run(KafkaSpout<byte[], byte[]> spout) {
        for (int call = 0; call < CALLS; call++) {
            spout.nextTuple();
        }
    }

    private static void reassign(KafkaSpout<byte[], byte[]> spout) {
        Time.advanceTime(LATER_MILLIS);
        run(spout);
    }

    /** Knows nothing of partitions but a number for each. */
    private static final class Gained implements RecordTranslation.Gains {
        private static final long serialVersionUID = 1L;

        @Override
        public void gained(Set<TopicPartition> gained) {}

        @Override
        public long topicId(TopicPartition partition) {
            return 70L + partition.partition();
        }
    }

    /** Which partitions the spout gets, as the test says. */
    private static final class Assignment implements ManualPartitioner {
        private static final long serialVersionUID = 1L;

        private final HashSet<TopicPartition> partitions = new HashSet<>();

        Assignment(TopicPartition... partitions) {
            set(partitions);
        }

        void set(TopicPartition... now) {
            partitions.clear();
            partitions.addAll(List.of(now));
        }

        @Override
        public Set<TopicPartition> getPartitionsForThisTask(List<TopicPartition> all, TopologyContext context) {
            return Set.copyOf(partitions);
        }
    }

    /** Everything that the spout emitted since it was last cleared, in order. */
    private static final class Emitted extends RecordingCollector {
        private final List<Delivery> deliveries = new ArrayList<>();
        private final Map<Delivery, Object> messages = new HashMap<>();

        @Override
        public void take(Delivery delivery, @Nullable Object message) {
            deliveries.add(delivery);
            if (message != null) {
                messages.put(delivery, message);
            }
        }

        void failAll(KafkaSpout<byte[], byte[]> spout) {
            List<Object> all = deliveries.stream().map(messages::get).toList();
            clear();
            all.forEach(spout::fail);
        }

        void fail(KafkaSpout<byte[], byte[]> spout, TopicPartition partition, long offset) {
            Delivery delivery = delivery(partition, offset);
            deliveries.remove(delivery);
            spout.fail(messages.get(delivery));
        }

        void ack(KafkaSpout<byte[], byte[]> spout, TopicPartition partition, long offset) {
            Delivery delivery = delivery(partition, offset);
            deliveries.remove(delivery);
            spout.ack(messages.get(delivery));
        }

        void clear() {
            deliveries.clear();
        }

        List<Long> offsets(TopicPartition partition) {
            return of(partition).stream().map(Delivery::offset).toList();
        }

        List<Custody> custodies(TopicPartition partition) {
            return of(partition).stream().map(Delivery::custody).toList();
        }

        Custody custody(TopicPartition partition, long offset) {
            return delivery(partition, offset).custody();
        }

        Delivery delivery(TopicPartition partition, long offset) {
            return of(partition).stream()
                    .filter(one -> one.offset() == offset)
                    .findFirst()
                    .orElseThrow();
        }

        private List<Delivery> of(TopicPartition partition) {
            return deliveries.stream()
                    .filter(one -> one.topic().equals(partition.topic()))
                    .filter(one -> one.partition() == partition.partition())
                    .toList();
        }
    }
}
