package dev.stormproof.storm.spout;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.storm.testing.RecordingCollector;
import dev.stormproof.storm.testing.TestContexts;
import dev.stormproof.storm.tuple.Continuity;
import dev.stormproof.storm.tuple.Delivery;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.storm.kafka.spout.KafkaSpout;
import org.apache.storm.kafka.spout.KafkaSpoutConfig;
import org.apache.storm.kafka.spout.KafkaSpoutConfig.ProcessingGuarantee;
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
        KafkaSpout<byte[], byte[]> spout = spout();

        run(spout);

        assertThat(emitted.offsets(P0)).containsExactly(5L, 6L, 7L);
        assertThat(emitted.continuity(P0, 5).start()).isTrue();
        assertThat(emitted.continuity(P0, 6)).isEqualTo(followingOn(5, emitted.continuity(P0, 5)));
        assertThat(emitted.continuity(P0, 7)).isEqualTo(followingOn(6, emitted.continuity(P0, 5)));
    }

    @Test
    void behindATransactionMarkerThePreviousRecordIsNamedAndNotTheMarker() {
        append(P0, 0, 1, 3, 7);
        KafkaSpout<byte[], byte[]> spout = spout();

        run(spout);

        assertThat(emitted.continuity(P0, 3).previous()).isEqualTo(1);
        assertThat(emitted.continuity(P0, 7).previous()).isEqualTo(3);
    }

    @Test
    void theChainGoesOnFromPollToPoll() {
        append(P0, 0, 1);
        KafkaSpout<byte[], byte[]> spout = spout();
        run(spout);
        append(P0, 2);

        run(spout);

        assertThat(emitted.continuity(P0, 2)).isEqualTo(followingOn(1, emitted.continuity(P0, 0)));
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
        KafkaSpout<byte[], byte[]> spout = spout();

        run(spout);

        Delivery full = emitted.delivery(P0, 3);
        assertThat(full.topic()).isEqualTo("orders");
        assertThat(full.timestampMillis()).isEqualTo(1_003);
        assertThat(full.continuity().leaderEpoch()).isEqualTo(9);
        assertThat(full.continuity().topicId()).isEqualTo(70);
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
        KafkaSpout<byte[], byte[]> spout = spout();
        run(spout);
        assignment.set(P0, P1);
        append(P0, 2);

        reassign(spout);

        assertThat(emitted.continuity(P0, 2)).isEqualTo(followingOn(1, emitted.continuity(P0, 0)));
        assertThat(emitted.continuity(P1, 0).start()).isTrue();
        assertThat(emitted.continuity(P1, 0).incarnation())
                .isNotEqualTo(emitted.continuity(P0, 0).incarnation());
    }

    @Test
    void aPartitionThatWasLostAndGainedAgainStartsAnew() {
        append(P0, 0, 1);
        KafkaSpout<byte[], byte[]> spout = spout();
        run(spout);
        Continuity before = emitted.continuity(P0, 0);
        assignment.set(P1);
        reassign(spout);
        emitted.clear();
        assignment.set(P0);

        reassign(spout);

        assertThat(emitted.offsets(P0)).containsExactly(0L, 1L);
        assertThat(emitted.continuity(P0, 0).start()).isTrue();
        assertThat(emitted.continuity(P0, 0).incarnation()).isNotEqualTo(before.incarnation());
    }

    @Test
    void aLogThatWasTruncatedBelowWhatWasReadStartsAnew() {
        append(P0, 0, 1, 2, 3);
        KafkaSpout<byte[], byte[]> spout = spout();
        run(spout);
        Continuity before = emitted.continuity(P0, 3);
        emitted.clear();
        consumer.truncate(P0, 2);
        consumer.append(P0, 2, 8);
        consumer.append(P0, 3, 8);
        consumer.seek(P0, 2);

        run(spout);

        Continuity truncated = emitted.continuity(P0, 2);
        assertThat(truncated.start()).isTrue();
        assertThat(truncated.incarnation()).isNotEqualTo(before.incarnation());
        assertThat(emitted.continuity(P0, 3)).isEqualTo(followingOn(2, truncated));
    }

    @Test
    void recordsReadAgainUnderTheSameEpochStartNothing() {
        append(P0, 0, 1, 2);
        KafkaSpout<byte[], byte[]> spout = spout();
        run(spout);
        Continuity first = emitted.continuity(P0, 1);
        Continuity before = emitted.continuity(P0, 2);
        emitted.clear();
        consumer.seek(P0, 1);
        append(P0, 3);

        run(spout);

        assertThat(emitted.offsets(P0)).containsExactly(1L, 2L, 3L);
        assertThat(emitted.continuity(P0, 1)).isEqualTo(first);
        assertThat(emitted.continuity(P0, 2)).isEqualTo(before);
        assertThat(emitted.continuity(P0, 3)).isEqualTo(followingOn(2, before));
    }

    @Test
    void aChangeOfLeaderAloneStartsNothing() {
        append(P0, 0);
        consumer.append(P0, 1, 8);
        KafkaSpout<byte[], byte[]> spout = spout();

        run(spout);

        assertThat(emitted.continuity(P0, 1).start()).isFalse();
        assertThat(emitted.continuity(P0, 1).leaderEpoch()).isEqualTo(8);
    }

    @Test
    void theSpoutCommitsNothing() {
        append(P0, 0, 1, 2);
        KafkaSpout<byte[], byte[]> spout = spout();
        run(spout);
        Time.advanceTimeSecs(365L * 24 * 3_600);

        run(spout);

        assertThat(consumer.commits()).isEmpty();
    }

    @Test
    void anOffsetBelowAllRememberedLeadersCountsAsTruncated() {
        PartitionContinuity continuity = new PartitionContinuity(0);
        for (int epoch = 0; epoch <= PartitionContinuity.MAX_EPOCHS; epoch++) {
            continuity.of(epoch, epoch);
        }

        assertThat(continuity.of(1, 1).start()).isFalse();
        assertThat(continuity.of(0, 0).start()).isTrue();
    }

    @Test
    void aResetMakesTheNextRecordAStart() {
        PartitionContinuity continuity = new PartitionContinuity(0);
        continuity.of(7, 1);
        continuity.reset(PartitionContinuity.NOT_TRUNCATED);

        assertThat(continuity.of(8, 1).start()).isTrue();
        assertThat(continuity.of(9, 1).previous()).isEqualTo(8);
    }

    @Test
    void aStartNamesTheLowestTruncationThatWasFoundSinceTheLastRecord() {
        PartitionContinuity continuity = new PartitionContinuity(0);
        continuity.of(20, 1);
        continuity.reset(7);
        continuity.reset(PartitionContinuity.NOT_TRUNCATED);

        assertThat(continuity.of(12, 2).previous()).isEqualTo(6);
        continuity.reset(15);
        assertThat(continuity.of(12, 3).previous()).isEqualTo(11);
    }

    @Test
    void theTranslationIsSerializedWithoutItsState() throws Exception {
        RecordTranslation original = new RecordTranslation(new Gained(), Outlet.TO_BOLTS);
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

    private static Continuity followingOn(long previous, Continuity start) {
        return new Continuity(previous, false, start.leaderEpoch(), start.incarnation(), start.topicId());
    }

    private KafkaSpout<byte[], byte[]> spout() {
        RecordTranslation translation = new RecordTranslation(new Gained(), Outlet.TO_BOLTS);
        KafkaSpoutConfig<byte[], byte[]> config = new KafkaSpoutConfig.Builder<byte[], byte[]>(
                        "nowhere:1", new NamedTopicFilter("orders"), assignment)
                .setRecordTranslator(translation)
                .setTupleListener(translation)
                .setGroupId("test")
                .setProcessingGuarantee(ProcessingGuarantee.NO_GUARANTEE)
                .setOffsetCommitPeriodMs(LogSpout.NEVER_MILLIS)
                .build();
        KafkaSpout<byte[], byte[]> spout = SpoutBehindConsumer.of(config, consumer);
        spout.open(Map.of(), TestContexts.task(0, 1), new SpoutOutputCollector(emitted));
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
    private static final class Gained implements RecordTranslation.Assignment {
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

        @Override
        public void take(Delivery delivery, @Nullable Object message) {
            deliveries.add(delivery);
        }

        void clear() {
            deliveries.clear();
        }

        List<Long> offsets(TopicPartition partition) {
            return of(partition).stream().map(Delivery::offset).toList();
        }

        Continuity continuity(TopicPartition partition, long offset) {
            return delivery(partition, offset).continuity();
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
