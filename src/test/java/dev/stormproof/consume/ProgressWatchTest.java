package dev.stormproof.consume;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.alert.Acceptance;
import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertJson;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.judge.Finding;
import dev.stormproof.leader.Leaders;
import dev.stormproof.live.ProgressNote;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

/** What a committed offset and an alert are worth. */
class ProgressWatchTest {
    private static final long OLD_TOPIC = 11;
    private static final long NEW_TOPIC = 12;
    private static final long WRITTEN_MILLIS = 500;
    private static final TopicPartition ORDERS = new TopicPartition("orders", 0);
    private static final TopicPartition ALERTS = new TopicPartition("alerts", 0);
    private static final StreamId STREAM = new StreamId("orders", 0, 7);

    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("none");
    private final AlertsReader reader = new AlertsReader(consumer, "alerts");
    private long written;
    private int leaderEpoch = 3;

    @Test
    void theProgressInATopicThatWasCreatedAnewIsNone() {
        OffsetAndMetadata committed =
                new OffsetAndMetadata(5, ProgressNote.fresh(OLD_TOPIC).encode("topology", 1));

        assertThat(ProgressWatch.progress(committed, OLD_TOPIC).offset()).isEqualTo(5);
        assertThat(ProgressWatch.progress(committed, NEW_TOPIC)).isEqualTo(ProgressPoint.NONE);
        assertThat(ProgressWatch.progress(committed, null)).isEqualTo(ProgressPoint.NONE);
    }

    @Test
    void theNoteSaysWhereTheVerificationBegan() {
        ProgressNote whole = ProgressNote.fresh(OLD_TOPIC);
        ProgressNote late = whole.beginningAt(50_000);
        ProgressNote led = new ProgressNote(
                OLD_TOPIC,
                late.promises(),
                late.published(),
                late.written(),
                late.writer(),
                Leaders.ofText("40/5"),
                late.from());

        assertThat(progressBeside(whole).from()).isZero();
        assertThat(progressBeside(late).from()).isEqualTo(50_000);
        assertThat(progressBeside(led).from()).isEqualTo(50_000);
        assertThat(progressBeside(led).leaders()).isEqualTo(Leaders.ofText("40/5"));
    }

    private static ProgressPoint progressBeside(ProgressNote note) {
        return ProgressWatch.progress(new OffsetAndMetadata(60_000, note.encode("topology", 1)), OLD_TOPIC);
    }

    @Test
    void anAlertAboutAnEarlierTopicOfTheNameDoesNotCount() {
        follow();
        write(alert(OLD_TOPIC));

        assertThat(read()).isTrue();
        assertThat(reader.findings(ORDERS).ofIntervals(7, 0, 9)).isEmpty();

        write(alert(NEW_TOPIC));
        assertThat(read()).isTrue();
        assertThat(reader.findings(ORDERS).ofIntervals(7, 0, 9)).isPresent();
    }

    @Test
    void anAlertThatCannotBeReadCountsAgainstAllThatWasWrittenBeforeIt() {
        follow();
        write("{\"from\": \"a later version\"}".getBytes(UTF_8));

        assertThat(read()).isTrue();

        assertThat(reader.findings(ORDERS).ofRecord(3, WRITTEN_MILLIS - 1)).isPresent();
        assertThat(reader.findings(ORDERS).ofRecord(3, WRITTEN_MILLIS)).isEmpty();
    }

    @Test
    void anAlertThatWasAcceptedStandsAndNothingElseStandsAgainstItsPartition() {
        follow();
        Alert alert = new Alert("/stormproof/test", 0, NEW_TOPIC, PaperVerifier.violated(STREAM, 1, 3, 0, 2));
        write(AlertJson.write(alert));
        write(AlertJson.write(Acceptance.of(alert, 1_000, "alice", "sent again")));

        assertThat(read()).isTrue();

        assertThat(reader.findings(ORDERS).ofRecord(5, WRITTEN_MILLIS - 1)).isEmpty();
        assertThat(reader.findings(ORDERS).ofIntervals(7, 0, 9)).isPresent();
    }

    @Test
    void alertsThatWereDeletedCountAgainstAllThatWasWrittenBeforeThoseThatAreThere() {
        written = 4;
        follow();
        consumer.updateBeginningOffsets(Map.of(ALERTS, 4L));

        assertThat(reader.readOn(upTo(4), 1_000)).isTrue();

        assertThat(reader.findings(ORDERS).ofRecord(3, 999)).isPresent();
        assertThat(reader.findings(ORDERS).ofRecord(3, 1_000)).isEmpty();
    }

    @Test
    void itIsNotReadAsLongAsItsEndIsNotReached() {
        follow();

        assertThat(reader.readOn(upTo(1), 0)).isFalse();

        write(alert(NEW_TOPIC));
        assertThat(read()).isTrue();
    }

    @Test
    void whatWasWrittenWhereAnEndWasLostIsReadThoughItLiesBeforeWhatWasRead() {
        follow();
        write(alert(OLD_TOPIC), alert(OLD_TOPIC), alert(OLD_TOPIC), alert(OLD_TOPIC));
        assertThat(read()).isTrue();

        written = 1;
        write(alert(NEW_TOPIC));

        assertThat(read()).isTrue();
        assertThat(reader.findings(ORDERS).ofIntervals(7, 0, 9)).isPresent();
    }

    @Test
    void whatAnotherLeaderWroteUpToTheSameEndIsRead() {
        follow();
        write(alert(OLD_TOPIC), alert(OLD_TOPIC));
        assertThat(read()).isTrue();

        leaderEpoch++;
        written = 1;
        write(alert(NEW_TOPIC));

        assertThat(read()).isTrue();
        assertThat(reader.findings(ORDERS).ofIntervals(7, 0, 9)).isPresent();
    }

    @Test
    void whatWasDeletedBeforeTheFirstReadingCountsUpToThatAlthoughAllIsReadAnew() {
        written = 4;
        follow();
        consumer.updateBeginningOffsets(Map.of(ALERTS, 4L));
        assertThat(reader.readOn(upTo(4), 1_000)).isTrue();

        leaderEpoch++;
        assertThat(reader.readOn(upTo(4), 2_000)).isTrue();

        assertThat(reader.findings(ORDERS).ofRecord(3, 999)).isPresent();
        assertThat(reader.findings(ORDERS).ofRecord(3, 1_000)).isEmpty();
    }

    private void follow() {
        reader.follow("orders", NEW_TOPIC);
        reader.alertsTopic(1, 99, 0);
        consumer.updateBeginningOffsets(Map.of(ALERTS, 0L));
        consumer.updateEndOffsets(Map.of(ALERTS, 0L));
    }

    private boolean read() {
        boolean atOnce = reader.readOn(upTo(written), 0);
        // What was polled the first time counts the second time.
        return atOnce || reader.readOn(upTo(written), 0);
    }

    private Map<TopicPartition, AlertsReader.End> upTo(long end) {
        return Map.of(ALERTS, new AlertsReader.End(end, leaderEpoch));
    }

    private static byte[] alert(long topicId) {
        Finding finding = PaperVerifier.violated(STREAM, 1, 3, 0, 2);
        return AlertJson.write(new Alert("/stormproof/test", 0, topicId, finding));
    }

    private void write(byte[]... values) {
        for (byte[] value : values) {
            write(value);
        }
    }

    private void write(byte[] value) {
        consumer.addRecord(new ConsumerRecord<>(
                "alerts",
                0,
                written,
                WRITTEN_MILLIS,
                TimestampType.CREATE_TIME,
                0,
                0,
                "orders/0/7/1".getBytes(UTF_8),
                value,
                new RecordHeaders(),
                Optional.empty()));
        written++;
    }
}
