package dev.stormproof.task.live.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertLedger.Place;
import dev.stormproof.alert.AlertSchema;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.heads.PaperHeads;
import dev.stormproof.task.live.progress.Progress;
import dev.stormproof.task.live.progress.ProgressMetadata;
import dev.stormproof.task.live.progress.TopicIds;
import dev.stormproof.task.live.run.FindingsOutbox.News;
import dev.stormproof.testing.Intervals;
import dev.stormproof.verify.feed.Leaders;
import dev.stormproof.verify.fold.Head;
import dev.stormproof.verify.fold.SavedHeads;
import dev.stormproof.verify.fold.SavedStream;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.Hop;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.MissedRecords;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class FindingsOutboxTest {
    private static final TopicPartition PARTITION = new TopicPartition("orders", 1);
    private static final StreamId STREAM = new StreamId("orders", 1, 7);
    private static final long NOW = 1_700_000_000_000L;
    private static final long HOUR_MILLIS = 3_600_000;
    private static final Map<TopicPartition, Progress> PROGRESS = at(80);

    private static final SavedHeads NO_HEADS = new SavedHeads(List.of(), true);

    private final Transactions producer = new Transactions();
    private long wallMillis = NOW;
    private final ConsumerGroupMetadata group = new MockConsumer<>("none").groupMetadata();
    /** Of the outbox that was made last. */
    private PublishedAlerts published = new PublishedAlerts("g");

    private final FindingsOutbox outbox = outbox(Optional.of("verdicts"));

    @Test
    void alertsAndProgressGoOutInOneTransaction() {
        Violated violated = violated(3, 90);
        outbox.add(violated, TopicIds.UNKNOWN);

        assertThat(flush(outbox, PROGRESS, NOW)).isTrue();

        assertThat(producer.commitCount()).isEqualTo(1);
        assertThat(written("alerts")).containsExactly(violated);
        assertThat(producer.lastOffsets()).isEqualTo(Map.of(PARTITION, new OffsetAndMetadata(80, "reported=[0:0-1]")));
        assertThat(outbox.size()).isZero();
    }

    @Test
    void anAlertIsACloudEventKeyedByWhatItIsAbout() throws IOException {
        outbox.add(violated(3, 90), TopicIds.UNKNOWN);
        flush(outbox, PROGRESS, NOW);

        ProducerRecord<byte[], byte[]> record = records("alerts").get(0);

        Alert alert = AlertSchema.read(record.value());
        assertThat(record.key()).asString(UTF_8).isEqualTo(alert.finding().id());
        assertThat(record.headers().lastHeader("content-type").value())
                .asString(UTF_8)
                .startsWith("application/cloudevents+json");
        assertThat(alert.source()).isEqualTo("/stormproof/g");
        assertThat(alert.timeMillis()).isEqualTo(NOW);
    }

    @Test
    void itsLinkAndItsCommandAreAsTheSettingsSay() throws IOException {
        FindingsOutbox set = outbox(
                Optional.empty(),
                Map.of("runbook.base.url", "https://books.example.org/", "audit.command", "ssh ops stormproof audit"));
        set.add(violated(3, 90), TopicIds.UNKNOWN);
        flush(set, PROGRESS, NOW);

        JsonNode data =
                new ObjectMapper().readTree(records("alerts").get(0).value()).get("data");
        assertThat(data.get("runbook").asText()).startsWith("https://books.example.org/docs/");
        assertThat(data.get("audit").asText()).startsWith("ssh ops stormproof audit --topic orders");
    }

    @Test
    void whatIsVerifiedIsNoAlertButAVerdict() {
        Verified verified = verified(3, 90);
        outbox.add(verified, TopicIds.UNKNOWN);
        flush(outbox, PROGRESS, NOW);

        assertThat(records("alerts")).isEmpty();
        assertThat(written("verdicts")).containsExactly(verified);
    }

    @Test
    void withoutAVerdictsTopicNoneIsWritten() {
        FindingsOutbox alertsOnly = outbox(Optional.empty());
        alertsOnly.add(verified(3, 90), TopicIds.UNKNOWN);
        alertsOnly.add(violated(4, 95), TopicIds.UNKNOWN);
        flush(alertsOnly, PROGRESS, NOW);

        assertThat(producer.history()).extracting(ProducerRecord::topic).containsExactly("alerts");
    }

    @Test
    void nothingNewIsNoTransaction() {
        flush(outbox, Map.of(), NOW);
        assertThat(producer.commitCount()).isZero();

        flush(outbox, PROGRESS, NOW);
        flush(outbox, PROGRESS, NOW + 1_000);

        assertThat(producer.commitCount()).isEqualTo(1);
    }

    @Test
    void progressThatStandsIsCommittedAgainOnceADayThoughThatOfAnotherPartitionMoves() {
        TopicPartition idle = new TopicPartition("orders", 2);
        Progress stands = Progress.at(5, TopicIds.UNKNOWN);
        Set<Long> again = new HashSet<>();
        for (long hour = 0; hour <= 50; hour++) {
            Progress moves = Progress.at(80 + hour, TopicIds.UNKNOWN);
            assertThat(flush(outbox, Map.of(PARTITION, moves, idle, stands), NOW + hour * HOUR_MILLIS))
                    .isTrue();
            if (producer.lastOffsets().containsKey(idle)) {
                again.add(hour);
            }
        }

        assertThat(again).containsExactlyInAnyOrder(0L, 24L, 48L);
    }

    @Test
    void aFailedTransactionIsAbortedAndAllOfItGoesIntoTheNext() {
        Violated violated = violated(3, 90);
        outbox.add(violated, TopicIds.UNKNOWN);
        producer.failOffsets = 1;

        assertThat(flush(outbox, PROGRESS, NOW)).isFalse();
        assertThat(producer.history()).isEmpty();
        assertThat(outbox.size()).isEqualTo(1);

        assertThat(flush(outbox, PROGRESS, NOW + FindingsOutbox.BACKOFF.firstMillis()))
                .isTrue();
        assertThat(written("alerts")).containsExactly(violated);
        assertThat(producer.lastOffsets()).containsKey(PARTITION);
    }

    @Test
    void failuresForTenMinutesEndTheTask() {
        outbox.add(violated(3, 90), TopicIds.UNKNOWN);
        producer.failOffsets = Integer.MAX_VALUE;
        long nowMillis = NOW;
        while (nowMillis < NOW + FindingsOutbox.MAX_FAILING_MILLIS) {
            assertThat(flush(outbox, PROGRESS, nowMillis)).isFalse();
            nowMillis += 50;
        }

        long late = nowMillis + FindingsOutbox.BACKOFF.mostMillis();
        assertThatThrownBy(() -> flush(outbox, PROGRESS, late)).isInstanceOf(KafkaException.class);
    }

    @Test
    void afterAFailureThereIsAPauseThatGetsLonger() {
        outbox.add(violated(3, 90), TopicIds.UNKNOWN);
        producer.failOffsets = Integer.MAX_VALUE;
        for (long millis = 0; millis < 60_000; millis++) {
            flush(outbox, PROGRESS, NOW + millis);
        }

        // 100 ms, 200 ms and so on, then every ten seconds.
        assertThat(Integer.MAX_VALUE - producer.failOffsets).isBetween(11, 13);
        assertThat(outbox.isFailing()).isTrue();

        producer.failOffsets = 0;
        assertThat(flush(outbox, PROGRESS, NOW + 60_000 + FindingsOutbox.BACKOFF.mostMillis()))
                .isTrue();
        assertThat(outbox.isFailing()).isFalse();
    }

    @Test
    void aSuccessForgivesTheFailuresBeforeIt() {
        long nowMillis = NOW;
        for (int round = 0; round < 3; round++) {
            outbox.add(violated(round, 90 + round), TopicIds.UNKNOWN);
            producer.failOffsets = 50;
            while (!flush(outbox, at(100 + round), nowMillis)) {
                assertThat(outbox.size()).isEqualTo(1);
                nowMillis += FindingsOutbox.BACKOFF.mostMillis();
            }
        }

        assertThat(records("alerts")).hasSize(3);
    }

    @Test
    void anAlertIsToldOnceAndTheVerdictOnAnOpenOneOnceMore() {
        Violated open = new Violated(interval(3, 90), true, true, 1, List.of(), Hop.LOG);
        Violated last = new Violated(interval(3, 90), true, 1, List.of());
        for (Finding finding : List.of(open, open, last, last)) {
            outbox.add(finding, TopicIds.UNKNOWN);
        }
        flush(outbox, at(80), NOW);
        outbox.add(last, TopicIds.UNKNOWN);
        flush(outbox, at(81), NOW);

        assertThat(written("alerts")).containsExactly(open, last);
    }

    /** What is counted rests on it, and so does whether anybody is called for data that is wrong. */
    @Test
    void whatTurnsOutOtherwiseThanWasToldIsNewsAndWhatIsSaidForGoodIsNone() {
        Violated open = new Violated(interval(3, 90), true, true, 1, List.of(), Hop.LOG);
        assertThat(outbox.add(open, TopicIds.UNKNOWN)).isEqualTo(News.FIRST);
        assertThat(outbox.add(violated(3, 90), TopicIds.UNKNOWN)).isEqualTo(News.CONFIRMED);
        assertThat(outbox.add(violated(3, 90), TopicIds.UNKNOWN)).isEqualTo(News.NONE);

        outbox.add(unsealed(4, 95), TopicIds.UNKNOWN);
        flush(outbox, at(80), NOW);
        FindingsOutbox successor = successor();
        assertThat(successor.add(verified(4, 95), TopicIds.UNKNOWN)).isEqualTo(News.FIRST);
        assertThat(successor.add(violated(3, 90), TopicIds.UNKNOWN)).isEqualTo(News.NONE);
    }

    @Test
    void anAlertThatAPredecessorToldIsNotToldAgain() {
        Violated told = violated(3, 90);
        StrayRecord stray = new StrayRecord(
                new PartitionId("orders", 1), 95, UnattributedRecord.Kind.UNSIGNED, "", LogRecord.NO_TIME);
        told("g", told, new Place(0, 5), 80);
        told("g", stray, new Place(0, 6), 80);

        outbox.add(told, TopicIds.UNKNOWN);
        outbox.add(stray, TopicIds.UNKNOWN);
        outbox.add(violated(4, 120), TopicIds.UNKNOWN);
        flush(outbox, at(80), NOW);

        assertThat(written("alerts")).containsExactly(violated(4, 120));
    }

    @Test
    void whatAnotherGroupPublishedCountsForThisOneAndIsNoSecondAlert() {
        StrayRecord stray = new StrayRecord(
                new PartitionId("orders", 1), 95, UnattributedRecord.Kind.UNSIGNED, "", LogRecord.NO_TIME);
        List<Finding> found = List.of(violated(3, 90), stray);
        for (Finding finding : found) {
            told("other", finding, new Place(0, 5), 80);
        }
        told("other", unsealed(4, 95), new Place(0, 6), 80);

        for (Finding finding : found) {
            assertThat(outbox.add(finding, TopicIds.UNKNOWN)).isEqualTo(News.FIRST);
            assertThat(outbox.add(finding, TopicIds.UNKNOWN)).isEqualTo(News.NONE);
        }
        Inconclusive sealed = new Inconclusive(interval(4, 95), Inconclusive.Reason.EXPIRED, "gone");
        assertThat(outbox.add(sealed, TopicIds.UNKNOWN))
                .as("this group did not find it unsealed")
                .isEqualTo(News.FIRST);
        flush(outbox, at(80), NOW);

        assertThat(written("alerts")).containsExactly(sealed);
        assertThat(written("verdicts")).containsExactly(found.get(0), stray, sealed);
    }

    @Test
    void whatAnotherGroupMissedIsNothingOfThisOne() {
        MissedRecords missed = new MissedRecords(new PartitionId("orders", 1), 85, 90);
        told("other", missed, new Place(0, 5), 80);

        assertThat(outbox.add(missed, TopicIds.UNKNOWN)).isEqualTo(News.FIRST);
        flush(outbox, at(80), NOW);
        assertThat(written("alerts")).containsExactly(missed);
    }

    @Test
    void aForgedAlertOfAnotherSubjectRevisionOrTopicHidesNothing() {
        Violated found = violated(3, 90);
        long otherTopic = 4711;
        told("g", violated(4, 90), new Place(0, 5), 80);
        told("g", new Violated(found.interval(), true, true, 1, List.of(), Hop.LOG), new Place(0, 6), 80);
        published.restore(new Alert("/stormproof/g", 1, otherTopic, found), new Place(0, 7), Progress.at(80, 4712));

        outbox.add(found, TopicIds.UNKNOWN);
        flush(outbox, at(80), NOW);

        assertThat(written("alerts")).containsExactly(found);
    }

    @Test
    void nothingIsRecalledThatCannotBeFoundAgain() {
        Inconclusive old = new Inconclusive(interval(3, 90), Inconclusive.Reason.EXPIRED, "gone");
        told("g", old, new Place(0, 5), 91);

        outbox.add(old, TopicIds.UNKNOWN);

        assertThat(outbox.size()).isEqualTo(1);
    }

    @Test
    void progressSaysWhereTheAlertsStandThatMayBeFoundAgain() {
        told("g", violated(1, 85), new Place(3, 700), 80);
        outbox.add(violated(2, 75), TopicIds.UNKNOWN);
        outbox.add(violated(3, 90), TopicIds.UNKNOWN);
        outbox.add(verified(4, 95), TopicIds.UNKNOWN);
        flush(outbox, at(80), NOW);
        assertThat(lastNote()).isEqualTo("reported=[0:1-2, 3:700-701]");

        flush(outbox, at(86), NOW + 1);
        assertThat(lastNote()).isEqualTo("reported=[0:1-2]");

        flush(outbox, at(91), NOW + 2);
        assertThat(lastNote()).isEqualTo("reported=[]");
    }

    @Test
    void whereAnAlertOfAnAbortedTransactionStoodIsForgotten() {
        outbox.add(violated(3, 90), TopicIds.UNKNOWN);
        producer.failOffsets = 1;
        flush(outbox, at(80), NOW);
        var unused = producer.send(new ProducerRecord<>("alerts", new byte[0], new byte[0]));
        flush(outbox, at(80), NOW + FindingsOutbox.BACKOFF.firstMillis());

        assertThat(lastNote()).isEqualTo("reported=[0:2-3]");
    }

    @Test
    void progressSaysWhereItsLeadersBegan() {
        Leaders led = Leaders.ofText("12/3,40/5");
        flush(outbox, Map.of(PARTITION, new Progress(80, 6, 5, SavedHeads.NOTHING, null, led)), NOW);

        assertThat(lastNote()).isEqualTo("reported=[] led=12/3,40/5");
    }

    @Test
    void headsGoOutWithTheProgressAndOnceMoreIfTheTransactionFails() {
        producer.failOffsets = 1;
        assertThat(flush(outbox, PROGRESS, heads(), NOW)).isFalse();
        assertThat(producer.history()).isEmpty();

        assertThat(flush(outbox, PROGRESS, heads(), NOW + FindingsOutbox.BACKOFF.firstMillis()))
                .isTrue();
        assertThat(records(PaperHeads.TOPIC)).hasSize(1);
        assertThat(lastNote()).startsWith("reported=[] heads=");

        assertThat(flush(outbox, at(81), heads(), NOW)).isTrue();
        assertThat(records(PaperHeads.TOPIC)).hasSize(1);
    }

    @Test
    void headsThatChangeAreCommittedThoughTheProgressStands() {
        flush(outbox, PROGRESS, NOW);
        assertThat(flush(outbox, PROGRESS, heads(), NOW)).isTrue();

        assertThat(records(PaperHeads.TOPIC)).hasSize(1);
        assertThat(producer.commitCount()).isEqualTo(2);
        assertThat(lastNote()).startsWith("reported=[] heads=");
    }

    @Test
    void onlyProgressThatWasMadeIsCommittedForATopicMayBeGone() {
        TopicPartition other = new TopicPartition("gone", 0);
        Map<TopicPartition, Progress> progress = new HashMap<>(PROGRESS);
        progress.put(other, Progress.at(5, TopicIds.UNKNOWN));
        flush(outbox, progress, NOW);
        assertThat(producer.lastOffsets()).containsOnlyKeys(PARTITION, other);
        progress.putAll(at(81));
        flush(outbox, progress, NOW);
        assertThat(producer.lastOffsets()).containsOnlyKeys(PARTITION);

        // It stands still, but another alert may be found again.
        outbox.add(violated(3, 90), TopicIds.UNKNOWN);
        flush(outbox, progress, NOW);
        assertThat(producer.lastOffsets()).containsOnlyKeys(PARTITION);
        assertThat(lastNote()).isEqualTo("reported=[0:0-1]");

        flush(outbox, progress, NOW + FindingsOutbox.RECOMMIT_MILLIS);
        assertThat(producer.lastOffsets()).containsOnlyKeys(PARTITION, other);
    }

    @Test
    void ofATopicThatLeftTheProgressNothingIsKept() {
        outbox.add(violated(3, 90), 5);
        flush(outbox, in(5, 80), NOW);
        flush(outbox, Map.of(new TopicPartition("kept", 0), Progress.at(1, 7)), NOW + 1);
        outbox.add(violated(3, 90), 5);
        flush(outbox, in(5, 80), NOW + 2);

        assertThat(written("alerts")).hasSize(2);
        assertThat(producer.lastOffsets()).containsOnlyKeys(PARTITION);
    }

    @Test
    void ofATopicThatWasCreatedAnewNothingWasTold() {
        outbox.add(violated(3, 90), 5);
        flush(outbox, in(5, 80), NOW);
        outbox.add(violated(3, 90), 6);
        flush(outbox, in(6, 0), NOW);

        assertThat(written("alerts")).hasSize(2);
        assertThat(lastNote()).isEqualTo("reported=[0:1-2]");
    }

    @Test
    void ofATopicThatWasCreatedAnewBeforeTheTaskBeganNothingWasTold() throws IOException {
        outbox.add(violated(3, 90), 5);
        flush(outbox, in(5, 80), NOW);
        Alert old = AlertSchema.read(records("alerts").get(0).value());

        FindingsOutbox successor = outbox(Optional.empty());
        published.restore(old, new Place(0, 0), Progress.at(0, TopicIds.UNKNOWN));
        successor.add(violated(3, 90), 6);
        flush(successor, in(6, 0), NOW);

        assertThat(records("alerts")).hasSize(2);
        assertThat(AlertSchema.read(records("alerts").get(1).value()).topicId()).isEqualTo(6);
        assertThat(lastNote()).isEqualTo("reported=[0:1-2]");
    }

    @Test
    void anAlertThatDoesNotSayItsTopicsIdIsOfTheTopicThatTheProgressIsIn() {
        published.restore(new Alert("/stormproof/g", 1, violated(3, 90)), new Place(0, 5), Progress.at(80, 6));
        outbox.add(violated(3, 90), 6);

        assertThat(outbox.size()).isZero();
    }

    @Test
    void whatWasToldBeforeTheTopicsIdWasKnownIsNotToldAgain() {
        outbox.add(violated(3, 90), TopicIds.UNKNOWN);
        outbox.add(violated(3, 90), 6);
        flush(outbox, in(6, 0), NOW);

        assertThat(written("alerts")).hasSize(1);
    }

    @Test
    void theClockThatDatesAlertsMeasuresNothing() {
        outbox.add(violated(3, 90), TopicIds.UNKNOWN);
        flush(outbox, PROGRESS, 1_000);
        wallMillis = NOW - 3_600_000;
        outbox.add(violated(4, 90), TopicIds.UNKNOWN);
        flush(outbox, PROGRESS, 1_000 + FindingsOutbox.RECOMMIT_MILLIS);

        assertThat(producer.lastOffsets()).containsKey(PARTITION);
        assertThat(records("alerts"))
                .extracting(record -> AlertSchema.read(record.value()).timeMillis())
                .containsExactly(NOW, NOW - 3_600_000);
    }

    @Test
    void whatSettlesAnAlarmIsTold() {
        Inconclusive unsealed = unsealed(3, 85);
        Verified verified = verified(3, 90);
        outbox.add(unsealed, TopicIds.UNKNOWN);
        flush(outbox, at(80), NOW);
        outbox.add(verified, TopicIds.UNKNOWN);
        outbox.add(verified(4, 95), TopicIds.UNKNOWN);
        outbox.add(verified, TopicIds.UNKNOWN);
        flush(outbox, at(96), NOW);

        assertThat(written("alerts")).containsExactly(unsealed, verified);
        assertThat(records("alerts"))
                .extracting(record -> new String(record.key(), UTF_8))
                .containsOnly(unsealed.id());
        assertThat(written("verdicts")).containsExactly(unsealed, verified, verified(4, 95), verified);
    }

    @Test
    void whatSettlesAnAlarmOfAPredecessorIsToldOnce() {
        told("g", unsealed(3, 85), new Place(0, 5), 88);
        flush(outbox, at(88), NOW);
        assertThat(lastNote()).isEqualTo("reported=[0:5-6]");
        outbox.add(verified(3, 90), TopicIds.UNKNOWN);
        flush(outbox, at(89), NOW);
        assertThat(written("alerts")).containsExactly(verified(3, 90));

        FindingsOutbox successor = outbox(Optional.empty());
        told("g", unsealed(3, 85), new Place(0, 5), 89);
        told("g", verified(3, 90), new Place(0, 6), 89);
        successor.add(verified(3, 90), TopicIds.UNKNOWN);
        flush(successor, at(91), NOW);
        assertThat(records("alerts")).hasSize(1);
    }

    @Test
    void anAlertThatTheTopicRefusesIsCutUntilItFitsAndTheTaskGoesOn() {
        producer.mostBytes = 4_000;
        outbox.add(violated(3, 90), TopicIds.UNKNOWN);
        outbox.add(violatedManyTimes(4, 95), TopicIds.UNKNOWN);

        for (int flush = 0; flush < 30 && !flush(outbox, PROGRESS, NOW); flush++) {
            assertThat(outbox.size()).isEqualTo(2);
        }

        assertThat(outbox.size()).isZero();
        Violated cut = (Violated) written("alerts").get(1);
        assertThat(cut.interval()).isEqualTo(interval(4, 95));
        assertThat(cut.anomalyCount()).isEqualTo(5_000);
        assertThat(cut.anomalies()).isNotEmpty().hasSizeLessThan(10);
        assertThat(records("alerts").get(1).value().length).isBetween(1_000, 4_000);
        assertThat(written("alerts")).first().isEqualTo(violated(3, 90));
    }

    /** The client takes nothing more in the transaction, and does not say why. */
    @Test
    void anAlertThatIsRefusedIsCutThoughTheNextOneCannotBeSentForThat() {
        producer.mostBytes = 20_000;
        producer.takesNothingAfterARefusal = true;
        outbox.add(violatedManyTimes(4, 95), TopicIds.UNKNOWN);
        outbox.add(violatedManyTimes(5, 105), TopicIds.UNKNOWN);

        boolean done = false;
        for (int attempt = 0; attempt < 30 && !done; attempt++) {
            done = flush(outbox, PROGRESS, NOW);
            assertThat(outbox.isFailing()).isFalse();
        }
        assertThat(done).isTrue();
        assertThat(written("alerts")).hasSize(2);
    }

    /** The client fails what it has not sent with what another record failed with. */
    @Test
    void anAlertThatFailsForAnotherOneIsNotCut() {
        outbox.add(violatedManyTimes(4, 95), TopicIds.UNKNOWN);
        flush(outbox, PROGRESS, NOW);

        producer.allFailLikeTheLast = true;
        outbox.add(violatedManyTimes(5, 105), TopicIds.UNKNOWN);
        outbox.add(violated(6, 115), TopicIds.UNKNOWN);
        assertThat(flush(outbox, PROGRESS, NOW)).isFalse();
        producer.allFailLikeTheLast = false;
        assertThat(flush(outbox, PROGRESS, NOW + FindingsOutbox.BACKOFF.mostMillis()))
                .isTrue();

        assertThat(records("alerts").get(1).value().length)
                .isGreaterThan(records("alerts").get(0).value().length - 100);
    }

    @Test
    void anAlertThatCannotBeCutAnyMoreAndIsRefusedEndsTheTaskAfterAsLongAsAnyOtherFailure() {
        producer.mostBytes = 10;
        outbox.add(violated(3, 90), TopicIds.UNKNOWN);

        assertThat(flush(outbox, PROGRESS, NOW)).isFalse();
        assertThatThrownBy(() -> flush(outbox, PROGRESS, NOW + FindingsOutbox.MAX_FAILING_MILLIS))
                .isInstanceOf(RecordTooLargeException.class);
    }

    @Test
    void ofManyUnsealedStreamsNoneIsToldAgainAfterARestartAndEachIsTakenBack() {
        for (int stream = 0; stream < 40; stream++) {
            outbox.add(unsealedStream(stream), TopicIds.UNKNOWN);
            // Alerts of other tasks lie between.
            var unused = producer.send(new ProducerRecord<>("alerts", new byte[0], new byte[0]));
        }
        flush(outbox, at(80), NOW);

        FindingsOutbox successor = successor();
        for (int stream = 0; stream < 40; stream++) {
            successor.add(unsealedStream(stream), TopicIds.UNKNOWN);
            successor.add(
                    new Verified(
                            Intervals.interval(new StreamId("orders", 1, 100 + stream), 3, 200 + stream, 0, 10),
                            Verified.Basis.MATCH,
                            0),
                    TopicIds.UNKNOWN);
        }
        int before = records("alerts").size();
        flush(successor, at(300), NOW);

        assertThat(records("alerts").size() - before).isEqualTo(40);
        assertThat(written("alerts").subList(40, 80)).hasOnlyElementsOfType(Verified.class);
    }

    /** What begins where the metadata beside the last progress says that alerts stand. */
    private FindingsOutbox successor() {
        FindingsOutbox successor = outbox(Optional.empty());
        List<ProducerRecord<byte[], byte[]>> alerts = records("alerts");
        Matcher spans = Pattern.compile("0:([0-9]+)-([0-9]+)").matcher(lastNote());
        while (spans.find()) {
            for (int at = Integer.parseInt(spans.group(1)); at < Integer.parseInt(spans.group(2)); at++) {
                if (alerts.get(at).value().length > 0) {
                    published.restore(
                            new Alert("/stormproof/g", NOW, findingIn(alerts.get(at))),
                            new Place(0, at),
                            Progress.at(80, TopicIds.UNKNOWN));
                }
            }
        }
        return successor;
    }

    /** Who follows a partition's alerts sees what settles them, though partitions were added meanwhile. */
    @Test
    void aVerdictGoesToThePartitionOfTheOpenOne() {
        producer.partitions = 3;
        told("g", unsealed(3, 85), new Place(2, 5), 80);

        outbox.add(violated(3, 85), TopicIds.UNKNOWN);
        outbox.add(violated(4, 95), TopicIds.UNKNOWN);
        assertThat(flush(outbox, PROGRESS, NOW)).isTrue();

        assertThat(records("alerts")).extracting(ProducerRecord::partition).containsExactly(2, null);
        assertThat(records("verdicts")).extracting(ProducerRecord::partition).containsOnlyNulls();
    }

    /** The topic was created anew, with fewer of them. */
    @Test
    void ofAPartitionThatIsGoneTheKeySaysWhereAVerdictGoes() {
        producer.partitions = 2;
        told("g", unsealed(3, 85), new Place(2, 5), 80);

        outbox.add(violated(3, 85), TopicIds.UNKNOWN);
        assertThat(flush(outbox, PROGRESS, NOW)).isTrue();

        assertThat(records("alerts")).extracting(ProducerRecord::partition).containsOnlyNulls();
    }

    private static Inconclusive unsealedStream(long stream) {
        return new Inconclusive(
                Intervals.interval(new StreamId("orders", 1, 100 + stream), 3, 20 + stream, 0, 10),
                Inconclusive.Reason.UNSEALED,
                "");
    }

    private static Violated violatedManyTimes(long number, long offset) {
        Hash signature = Hash.copyOf(new byte[255]);
        List<Anomaly> anomalies = LongStream.range(0, Violated.MAX_NAMED)
                .mapToObj(event -> new Anomaly(
                        Anomaly.Kind.ALTERED, STREAM, event, event + 1, 1_000_000 + event, 1, signature, signature))
                .toList();
        return new Violated(interval(number, offset), true, 5_000, anomalies);
    }

    /** Has the outbox that was made last find an alert of a group, where the progress is at an offset. */
    private void told(String group, Finding finding, Place place, long offset) {
        published.restore(new Alert("/stormproof/" + group, 1, finding), place, Progress.at(offset, TopicIds.UNKNOWN));
    }

    private String lastNote() {
        return Objects.requireNonNull(producer.lastOffsets().get(PARTITION)).metadata();
    }

    private static Inconclusive unsealed(long number, long offset) {
        return new Inconclusive(interval(number, offset), Inconclusive.Reason.UNSEALED, "");
    }

    private FindingsOutbox outbox(Optional<String> verdicts) {
        return outbox(verdicts, Map.of());
    }

    private FindingsOutbox outbox(Optional<String> verdicts, Map<String, String> more) {
        Map<String, String> properties = new HashMap<>(Map.of(
                "bootstrap.servers", "nowhere:1", "input.topics", "orders", "group.id", "g", "alerts.topic", "alerts"));
        properties.put("verdicts.topic", verdicts.orElse("none"));
        properties.putAll(more);
        published = new PublishedAlerts("g");
        return new FindingsOutbox(
                new TaskTransaction(producer, group, () -> 0),
                new StormproofConfig(properties),
                FindingsOutboxTest::metadata,
                new RecordLimits(1 << 20, topic -> OptionalInt.empty()),
                published,
                new PaperHeads(List::of),
                () -> wallMillis,
                "0of1");
    }

    private static String metadata(ProgressMetadata metadata) {
        List<String> spans = metadata.published().orElseThrow().stream()
                .map(span -> span.partition() + ":" + span.beginOffset() + "-" + span.endOffset())
                .toList();
        return "reported=" + spans
                + (metadata.leaders().equals(Leaders.NONE) ? "" : " led=" + metadata.leaders())
                + metadata.heads()
                        .filter(heads -> heads.sum() != 0)
                        .map(heads -> " heads=" + heads.text())
                        .orElse("");
    }

    private static boolean flush(FindingsOutbox outbox, Map<TopicPartition, Progress> progress, long nowMillis) {
        return flush(outbox, progress, NO_HEADS, nowMillis);
    }

    private static boolean flush(
            FindingsOutbox outbox, Map<TopicPartition, Progress> progress, SavedHeads heads, long nowMillis) {
        Map<TopicPartition, SavedHeads> saved = new HashMap<>();
        progress.keySet().forEach(partition -> saved.put(partition, heads));
        return outbox.flush(progress, saved, nowMillis);
    }

    private static SavedHeads heads() {
        Head head = new Head(5, 0, 10, Hash.empty(), 0, false, "", NOW, 0, true, true);
        return new SavedHeads(
                List.of(new SavedStream(STREAM.emitter(), List.of(head), true, false, false, false, List.of())), true);
    }

    private static Map<TopicPartition, Progress> at(long offset) {
        return in(TopicIds.UNKNOWN, offset);
    }

    private static Map<TopicPartition, Progress> in(long topicId, long offset) {
        return Map.of(PARTITION, Progress.at(offset, topicId));
    }

    private List<ProducerRecord<byte[], byte[]>> records(String topic) {
        return producer.history().stream()
                .filter(record -> record.topic().equals(topic))
                .toList();
    }

    private List<Finding> written(String topic) {
        return records(topic).stream()
                .filter(record -> record.value().length > 0)
                .map(FindingsOutboxTest::findingIn)
                .toList();
    }

    private static Finding findingIn(ProducerRecord<byte[], byte[]> record) {
        try {
            return AlertSchema.read(record.value()).finding();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static IntervalId interval(long number, long offset) {
        return Intervals.interval(STREAM, number, offset, 0, 10);
    }

    private static Violated violated(long number, long offset) {
        return new Violated(interval(number, offset), true, 1, List.of());
    }

    private static Verified verified(long number, long offset) {
        return new Verified(interval(number, offset), Verified.Basis.MATCH, 0);
    }

    /** Kafka's mock producer, initialized, failing as often as it is told to. */
    private static final class Transactions extends MockProducer<byte[], byte[]> {
        private int failOffsets;
        private int partitions = 1;
        private int mostBytes = Integer.MAX_VALUE;
        private boolean allFailLikeTheLast;
        private boolean takesNothingAfterARefusal;
        private boolean refused;
        private final Deque<Callback> unsent = new ArrayDeque<>();

        Transactions() {
            super(true, null, new ByteArraySerializer(), new ByteArraySerializer());
            initTransactions();
        }

        @Override
        public synchronized List<PartitionInfo> partitionsFor(String topic) {
            Node[] none = {};
            return IntStream.range(0, partitions)
                    .mapToObj(partition -> new PartitionInfo(topic, partition, Node.noNode(), none, none))
                    .toList();
        }

        @Override
        public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
            if (allFailLikeTheLast) {
                unsent.push(callback);
                return new CompletableFuture<>();
            }
            if (takesNothingAfterARefusal && refused) {
                throw new KafkaException("the transaction is in an error state");
            }
            if (record.value().length <= mostBytes) {
                return super.send(record, callback);
            }
            refused = true;
            RecordTooLargeException refusal = new RecordTooLargeException(record.value().length + " bytes");
            callback.onCompletion(null, refusal);
            return CompletableFuture.failedFuture(refusal);
        }

        @Override
        public synchronized void flush() {
            RecordTooLargeException refusal = new RecordTooLargeException("one of them");
            unsent.forEach(callback -> callback.onCompletion(null, refusal));
            unsent.clear();
            super.flush();
        }

        @Override
        public synchronized void sendOffsetsToTransaction(
                Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata metadata) {
            if (failOffsets > 0) {
                failOffsets--;
                throw new KafkaException("no coordinator");
            }
            super.sendOffsetsToTransaction(offsets, metadata);
        }

        @Override
        public synchronized void abortTransaction() {
            refused = false;
            super.abortTransaction();
        }

        Map<TopicPartition, OffsetAndMetadata> lastOffsets() {
            List<Map<String, Map<TopicPartition, OffsetAndMetadata>>> all = consumerGroupOffsetsHistory();
            return all.get(all.size() - 1).values().iterator().next();
        }
    }
}
