package dev.stormproof.task.live.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertJson;
import dev.stormproof.alert.AlertLedger.Place;
import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.progress.AlertSpan;
import dev.stormproof.verify.judge.MissedRecords;
import dev.stormproof.verify.judge.PartitionId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@OnKafka
@Timeout(60)
class AlertsTopicTest {
    private static final TopicPartition MINE = new TopicPartition("orders", 1);

    private final EmbeddedKafka kafka;
    private final String topic;
    private final StormproofConfig config;
    private final List<Alert> read = new CopyOnWriteArrayList<>();
    private final List<Place> places = new CopyOnWriteArrayList<>();

    AlertsTopicTest(EmbeddedKafka kafka) {
        this.kafka = kafka;
        this.topic = SharedKafka.createTopic(kafka, "read-alerts", 1);
        this.config = new StormproofConfig(settings());
    }

    private Map<String, String> settings() {
        return Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                "input.topics",
                "orders",
                "group.id",
                "g",
                "alerts.topic",
                topic);
    }

    @Test
    void theAlertsOfTheWantedPartitionsAreReadAndEverythingElseIsPassedOver() {
        Alert mine = alert(1, 5);
        try (Producer<byte[], byte[]> producer = producer()) {
            producer.beginTransaction();
            write(producer, mine.finding().id().getBytes(UTF_8), AlertJson.write(mine));
            write(producer, alert(2, 5).finding().id().getBytes(UTF_8), AlertJson.write(alert(2, 5)));
            write(producer, null, AlertJson.write(mine));
            write(producer, mine.finding().id().getBytes(UTF_8), "{}".getBytes(UTF_8));
            write(producer, "orders/x/5".getBytes(UTF_8), new byte[] {1});
            write(producer, new byte[0], null);
            producer.commitTransaction();
            producer.beginTransaction();
            Alert aborted = alert(1, 6);
            write(producer, aborted.finding().id().getBytes(UTF_8), AlertJson.write(aborted));
            producer.abortTransaction();
        }

        AlertsTopic.read(config, Optional.empty(), MINE::equals, this::take, System::nanoTime);

        assertThat(read).containsExactly(mine);
    }

    @Test
    void anAlertBehindTheOpenTransactionOfAnotherTaskIsWaitedFor() throws Exception {
        Alert mine = alert(1, 5);
        try (Producer<byte[], byte[]> other = producer();
                Producer<byte[], byte[]> own = producer()) {
            other.beginTransaction();
            write(other, alert(2, 7).finding().id().getBytes(UTF_8), AlertJson.write(alert(2, 7)));
            other.flush();
            own.beginTransaction();
            write(own, mine.finding().id().getBytes(UTF_8), AlertJson.write(mine));
            own.commitTransaction();

            CompletableFuture<Void> reading = CompletableFuture.runAsync(
                    () -> AlertsTopic.read(config, Optional.empty(), MINE::equals, this::take, System::nanoTime));
            assertThat(reading.copy()
                            .completeOnTimeout(null, 2, TimeUnit.SECONDS)
                            .thenApply(none -> read.size()))
                    .succeedsWithin(5, TimeUnit.SECONDS)
                    .isEqualTo(0);
            assertThat(reading).isNotDone();
            other.abortTransaction();

            reading.get(30, TimeUnit.SECONDS);
        }

        assertThat(read).containsExactly(mine);
    }

    @Test
    void aTopicThatGivesNothingForNinetySecondsIsGivenUp() {
        assertGivenUpAfter(config, 160);
    }

    @Test
    void whereATransactionMayLastLongerItIsWaitedForLonger() {
        Map<String, String> longer = new HashMap<>(settings());
        longer.put("producer.transaction.timeout.ms", "120000");
        assertGivenUpAfter(new StormproofConfig(longer), 240);
    }

    /** Asked every 40 s, from 0 on. */
    private void assertGivenUpAfter(StormproofConfig one, long seconds) {
        AtomicLong nanos = new AtomicLong();
        try (Producer<byte[], byte[]> other = producer()) {
            other.beginTransaction();
            write(other, alert(2, 7).finding().id().getBytes(UTF_8), AlertJson.write(alert(2, 7)));
            other.flush();

            assertThatThrownBy(() -> AlertsTopic.read(
                            one,
                            Optional.empty(),
                            MINE::equals,
                            this::take,
                            () -> nanos.getAndAdd(TimeUnit.SECONDS.toNanos(40))))
                    .isInstanceOf(TimeoutException.class)
                    .hasMessageContaining("the alerts topic cannot be read");
            assertThat(nanos).hasValue(TimeUnit.SECONDS.toNanos(seconds));
            other.abortTransaction();
        }
    }

    @Test
    void onlyTheAlertsThatCanBeFoundAgainAreReadHoweverManyThereAre() {
        int many = 4_000;
        Alert old = alert(1, 5);
        try (Producer<byte[], byte[]> producer = producer()) {
            producer.beginTransaction();
            byte[] key = old.finding().id().getBytes(UTF_8);
            for (int i = 0; i < many; i++) {
                write(producer, key, AlertJson.write(i % 1_000 == 0 ? alert(1, i) : old));
            }
            producer.commitTransaction();
        }
        List<AlertSpan> spans = List.of(new AlertSpan(0, 1_000, 1_001), new AlertSpan(0, 3_000, 3_001));

        long records = AlertsTopic.read(config, Optional.of(spans), MINE::equals, this::take, System::nanoTime);

        assertThat(read).containsExactly(alert(1, 1_000), alert(1, 3_000));
        assertThat(places).containsExactly(new Place(0, 1_000), new Place(0, 3_000));
        // A poll gives no more than 500 records.
        assertThat(records).isLessThanOrEqualTo(2 * 500);
        assertThat(AlertsTopic.read(config, Optional.of(List.of()), MINE::equals, this::take, System::nanoTime))
                .isZero();
        assertThat(AlertsTopic.read(config, Optional.empty(), MINE::equals, this::take, System::nanoTime))
                .isEqualTo(many);
    }

    @Test
    void whereTheTopicHoldsNothingNothingIsReadOrWaitedFor() {
        List<AlertSpan> spans = List.of(new AlertSpan(0, 10, 20), new AlertSpan(7, 0, 5));

        assertThat(AlertsTopic.read(config, Optional.of(spans), MINE::equals, this::take, System::nanoTime))
                .isZero();
    }

    private void take(Alert alert, Place place) {
        read.add(alert);
        places.add(place);
    }

    private static Alert alert(int partition, long offset) {
        return new Alert(
                "/stormproof/g", 1, new MissedRecords(new PartitionId("orders", partition), offset, offset + 1));
    }

    private void write(Producer<byte[], byte[]> producer, byte @Nullable [] key, byte @Nullable [] value) {
        var unused = producer.send(new ProducerRecord<>(topic, 0, null, key, value));
    }

    private Producer<byte[], byte[]> producer() {
        Producer<byte[], byte[]> producer =
                SharedKafka.producer(kafka, "transactional.id", SharedKafka.unique("alerts"));
        producer.initTransactions();
        return producer;
    }
}
