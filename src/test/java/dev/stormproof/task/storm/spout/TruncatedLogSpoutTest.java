package dev.stormproof.task.storm.spout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.log.kafka.ConsumedRecords;
import dev.stormproof.task.config.InputTopics;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.config.TrackerPlacement;
import dev.stormproof.task.live.progress.ProgressMetadata;
import dev.stormproof.task.live.progress.SubscribedTopics;
import dev.stormproof.task.live.progress.TopicIds;
import dev.stormproof.task.storm.testing.RecordingCollector;
import dev.stormproof.task.storm.testing.TestContexts;
import dev.stormproof.task.storm.tuple.Delivery;
import dev.stormproof.verify.feed.DeliveryLink;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.storm.kafka.spout.KafkaSpoutConfig;
import org.apache.storm.kafka.spout.KafkaSpoutConfig.ProcessingGuarantee;
import org.apache.storm.kafka.spout.SpoutBehindConsumer;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.utils.Time;
import org.apache.storm.utils.Time.SimulatedTime;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The whole spout with Kafka's mock consumer behind it, when the log is not what it was; whether what it reads becomes
 * tuples or not.
 */
@ParameterizedClass
@EnumSource(TrackerPlacement.class)
class TruncatedLogSpoutTest {
    private static final TopicPartition P0 = new TopicPartition("orders", 0);
    private static final TopicPartition P1 = new TopicPartition("orders", 1);
    private static final int CALLS = 50;

    private final SimulatedTime clock = new SimulatedTime();
    private final LogConsumer consumer = new LogConsumer(P0, P1);
    private final NamedIds ids = new NamedIds();
    private final List<Delivery> deliveries = new ArrayList<>();
    private final List<Throwable> errors = new ArrayList<>();
    private final TrackerPlacement placement;

    TruncatedLogSpoutTest(TrackerPlacement placement) {
        this.placement = placement;
    }

    @AfterEach
    void startTheClock() {
        clock.close();
    }

    /** The log was cut at 10; of what was read anew, retention may have taken some. */
    @ParameterizedTest
    @CsvSource({"15, 0, 10", "8, 0, 8", "15, 12, 12"})
    void aTruncationLeadsToItsOffsetOrToWhatOfTheLogIsThereAndWasNotVerified(long progress, long begin, long first) {
        append(P0, 0, 20, 3);
        LogSpout spout = opened();
        run(spout);
        commit(P0, progress, 3);
        consumer.truncate(P0, 10);
        append(P0, 10, 25, 4);
        consumer.updateBeginningOffsets(Map.of(P0, begin));
        deliveries.clear();
        truncation(P0, 20, Optional.of(10L));

        runPastItsRest(spout);

        assertThat(offsets(P0)).containsExactlyElementsOf(range(first, 25));
        assertThat(deliveries.get(0).link()).isEqualTo(new DeliveryLink(first, first - 1, first < 10 ? 3 : 4));
    }

    @Test
    void aTruncationAtAnUnknownOffsetLeadsToTheBeginning() {
        append(P0, 0, 20, 3);
        LogSpout spout = opened();
        run(spout);
        commit(P0, 15, 3);
        deliveries.clear();
        truncation(P0, 20, Optional.empty());

        runPastItsRest(spout);

        assertThat(offsets(P0)).containsExactlyElementsOf(range(0, 20));
    }

    @Test
    void aTruncationOfOnePartitionLeavesTheOthersAlone() {
        append(P0, 0, 5, 3);
        append(P1, 0, 5, 3);
        LogSpout spout = opened();
        run(spout);
        deliveries.clear();
        append(P1, 6, 8, 3);
        truncation(P0, 5, Optional.of(4L));

        runPastItsRest(spout);

        assertThat(offsets(P0)).containsExactlyElementsOf(range(0, 5));
        assertThat(deliveries.stream().filter(delivery -> delivery.partition().equals(P1)))
                .extracting(Delivery::link)
                .containsExactly(new DeliveryLink(6, 4, 3), new DeliveryLink(7, 6, 3));
    }

    /** The verifier reads the gap from the log. */
    @Test
    void whatDoesNotFitIntoMemoryIsPassedOver() {
        append(P0, 0, 20, 3);
        LogSpout spout = opened();
        consumer.updateEndOffsets(Map.of(P0, 20L, P1, 0L));
        consumer.failWith(new OutOfMemoryError("Java heap space"));
        run(spout);
        append(P0, 20, 22, 3);

        run(spout);

        assertThat(offsets(P0)).containsExactlyElementsOf(range(20, 22));
        assertThat(deliveries.get(0).link()).isEqualTo(new DeliveryLink(20, 19, 3));
        assertThat(errors).singleElement().isInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void aBatchThatCannotBeReadHoldsUpItsOwnPartitionAndIsTriedAgain() {
        append(P0, 0, 20, 3);
        append(P1, 0, 20, 3);
        LogSpout spout = opened();
        consumer.setPollException(new KafkaException("Received exception when fetching the next record from " + P0
                + ". If needed, please seek past the record to continue consumption."));

        run(spout);

        assertThat(offsets(P0)).isEmpty();
        assertThat(offsets(P1)).containsExactlyElementsOf(range(0, 20));
        assertThat(errors).singleElement().isInstanceOf(KafkaException.class);

        Time.advanceTimeSecs(60);
        run(spout);

        assertThat(offsets(P0)).containsExactlyElementsOf(range(0, 20));
    }

    @Test
    void aFailureOfNoPartitionIsThrown() {
        LogSpout spout = opened();
        consumer.setPollException(new KafkaException("nobody knows"));

        assertThatThrownBy(() -> run(spout)).hasMessage("nobody knows");
    }

    @Test
    void aPositionBehindTheEndOfTheLogLeadsToTheProgressIfItIsThereStill() {
        append(P0, 0, 20, 3);
        LogSpout spout = opened();
        run(spout);
        commit(P0, 8, 3);
        deliveries.clear();
        consumer.setPollException(new OffsetOutOfRangeException(Map.of(P0, 20L)));

        run(spout);
        assertThat(offsets(P0))
                .as("until another topic of the name would be known")
                .isEmpty();
        runPastItsRest(spout);

        assertThat(offsets(P0)).containsExactlyElementsOf(range(8, 20));
    }

    @Test
    void theBrokersAreGivenTheEpochOfTheProgressSoThatTheyCanTellIfTheLogWasTruncatedBelow() {
        append(P0, 0, 20, 3);
        commit(P0, 15, 3);
        commitAt(P1, 0, Optional.empty());

        run(opened());

        assertThat(consumer.seeksWithEpoch())
                .containsExactly(Map.entry(P0, new OffsetAndMetadata(15, Optional.of(3), "")));
        assertThat(offsets(P0)).containsExactlyElementsOf(range(15, 20));
    }

    @Test
    void progressInATopicThatWasCreatedAnewSinceTheLastReadIsVoid() {
        ids.put("orders", 6);
        append(P0, 0, 40, 0);
        String note = ProgressMetadata.fresh(5).encode("test-1", 1);
        consumer.commitSync(Map.of(P0, new OffsetAndMetadata(30, Optional.of(9), note)));

        run(opened());

        assertThat(offsets(P0)).containsExactlyElementsOf(range(0, 40));
        assertThat(consumer.seeksWithEpoch()).isEmpty();
    }

    @Test
    void aPartitionIsNotReadBeforeItsTopicsIdIsKnownAndKeptWhileKafkaDoesNotAnswer() {
        ids.say(false);
        append(P0, 0, 10, 3);
        LogSpout spout = opened();
        run(spout);
        assertThat(deliveries).isEmpty();
        ids.say(true);

        refresh(spout);
        ids.say(false);
        append(P0, 10, 20, 3);
        refresh(spout);

        assertThat(offsets(P0)).containsExactlyElementsOf(range(0, 20));
        assertThat(deliveries)
                .allSatisfy(delivery -> assertThat(delivery.topicId()).isOne());
    }

    @Test
    void aPartitionWhoseTopicHasNoKnownIdKeepsItsPlace() {
        ids.put("orders", 5);
        append(P0, 0, 10, 3);
        LogSpout spout = opened();
        run(spout);
        ids.put("orders", TopicIds.UNKNOWN);
        append(P0, 12, 13, 3);

        refresh(spout);

        assertThat(deliveries).hasSize(11);
        assertThat(deliveries.get(10).link()).isEqualTo(new DeliveryLink(12, 9, 3));
    }

    private LogSpout opened() {
        SpoutPartitions partitions =
                new SpoutPartitions(new SubscribedTopics(InputTopics.named(Set.of("orders"), "")), ids);
        RecordSink outlet = placement == TrackerPlacement.BOLT ? new TupleOutlet() : new Taking();
        RecordTranslation translation = new RecordTranslation(partitions, outlet);
        KafkaSpoutConfig<byte[], byte[]> config = new KafkaSpoutConfig.Builder<byte[], byte[]>(
                        "nowhere:1", partitions, partitions)
                .setRecordTranslator(translation)
                .setTupleListener(translation)
                .setProcessingGuarantee(ProcessingGuarantee.NO_GUARANTEE)
                .setOffsetCommitPeriodMs(LogSpout.NEVER_MILLIS)
                .setGroupId("test")
                .build();
        LogSpout spout = SpoutBehindConsumer.putBehind(
                new LogSpout(
                        config,
                        translation,
                        partitions,
                        outlet,
                        new UnreadRecords(new StormproofConfig(Map.of(
                                "bootstrap.servers", "localhost:9092", "group.id", "test", "input.topics", "events")))),
                consumer);
        spout.open(Map.of(), TestContexts.task(0, 1), new SpoutOutputCollector(new Emitted()));
        spout.activate();
        return spout;
    }

    private void runPastItsRest(LogSpout spout) {
        run(spout);
        Time.advanceTimeSecs(5);
        run(spout);
    }

    private static void run(LogSpout spout) {
        for (int call = 0; call < CALLS; call++) {
            spout.nextTuple();
        }
    }

    private static void refresh(LogSpout spout) {
        Time.advanceTime(KafkaSpoutConfig.DEFAULT_PARTITION_REFRESH_PERIOD_MS + 1_000);
        run(spout);
    }

    private void append(TopicPartition partition, long begin, long end, int epoch) {
        for (long offset = begin; offset < end; offset++) {
            consumer.append(partition, offset, epoch);
        }
        consumer.updateEndOffsets(Map.of(partition, end));
    }

    private void commit(TopicPartition partition, long offset, int epoch) {
        commitAt(partition, offset, Optional.of(epoch));
    }

    private void commitAt(TopicPartition partition, long offset, Optional<Integer> epoch) {
        consumer.commitSync(Map.of(partition, new OffsetAndMetadata(offset, epoch, "")));
    }

    private void truncation(TopicPartition partition, long position, Optional<Long> at) {
        Map<TopicPartition, OffsetAndMetadata> divergent = at.map(
                        offset -> Map.of(partition, new OffsetAndMetadata(offset)))
                .orElse(Map.of());
        consumer.setPollException(new LogTruncationException(Map.of(partition, position), divergent));
    }

    private List<Long> offsets(TopicPartition partition) {
        return deliveries.stream()
                .filter(delivery -> delivery.partition().equals(partition))
                .map(Delivery::offset)
                .toList();
    }

    private static List<Long> range(long begin, long end) {
        List<Long> range = new ArrayList<>();
        for (long offset = begin; offset < end; offset++) {
            range.add(offset);
        }
        return range;
    }

    private final class Emitted extends RecordingCollector {
        @Override
        public void reportError(Throwable error) {
            errors.add(error);
        }

        @Override
        public void take(Delivery delivery, @Nullable Object message) {
            assertThat(placement).isEqualTo(TrackerPlacement.BOLT);
            deliveries.add(delivery);
        }
    }

    /** Takes what the spout reads, as a verification in its task does. */
    @SuppressWarnings("serial") // It goes nowhere.
    private final class Taking implements RecordSink {
        private static final long serialVersionUID = 1L;

        @Override
        public void open(TopologyContext context, SpoutOutputCollector collector) {}

        @Override
        public void take(
                TopicPartition partition, long topicId, DeliveryLink link, ConsumerRecord<byte[], byte[]> record) {
            deliveries.add(new Delivery(partition, link, topicId, ConsumedRecords.content(record), null));
        }
    }
}
