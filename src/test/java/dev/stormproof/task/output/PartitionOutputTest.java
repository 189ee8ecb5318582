package dev.stormproof.task.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.EventHeader;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.MalformedCheckpointException;
import dev.stormproof.proof.checkpoint.OversizedRecords;
import dev.stormproof.proof.checkpoint.TransformedHeader;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.sign.Xxh3Signer;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.task.transform.TransformRunner;
import dev.stormproof.task.transform.TransformRunner.TransformFailure;
import dev.stormproof.task.transform.Transformed;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.HeaderBytes;
import dev.stormproof.verify.feed.Leaders;
import dev.stormproof.verify.feed.Read;
import dev.stormproof.verify.feed.RecordContent;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.Undelivered;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The output of one partition, whose log is drawn as letters: a lower-case one is an event, {@code #} a checkpoint, {@code !} an
 * event that the transform fails on, {@code ?} one on which it fails with many words; the transform makes capital letters.
 */
class PartitionOutputTest {
    private static final PartitionId PARTITION = new PartitionId("orders", 3);
    private static final int EPOCH = 4;

    private final Paper topic = new Paper();
    private final Paper aside = new Paper();
    private final List<Undelivered> findings = new ArrayList<>();
    private final TransformRunner transform = new TransformRunner(
            event -> {
                String text = new String(Objects.requireNonNull(event.value()), UTF_8);
                if (text.equals("!")) {
                    throw new IllegalArgumentException("no such letter");
                }
                if (text.equals("?")) {
                    throw new UnmistakablyLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongException(
                            new UnmistakablyLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongException(
                                    new UnmistakablyLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongException(
                                            new UnmistakablyLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongException(
                                                    null))));
                }
                return Transformed.of(text.toUpperCase(Locale.ROOT).getBytes(UTF_8))
                        .withHeader("made", new byte[] {1});
            },
            0,
            60_000);

    @AfterEach
    void close() {
        transform.close();
    }

    @Test
    void eachRecordMakesOneInTheLogsOrderAndCheckpointsPassAsTheyAre() {
        PartitionOutput output = output(0, DeliveryLink.NO_EPOCH, OnError.HALT);

        feed(output, 0, EPOCH, "ab#c");

        assertThat(topic.text()).isEqualTo("AB#C");
        assertThat(output.written()).isEqualTo(written(4, EPOCH, false, false));
        assertThat(topic.records.get(2).headers()).isSameAs(HeaderBytes.NONE);
        assertThat(topic.records.get(0).timestampMillis()).isZero();
        assertThat(topic.records.get(3).timestampMillis()).isEqualTo(3);
    }

    @Test
    void whatWasMadeIsSignedWithThePlaceOfWhatWasRead() throws MalformedCheckpointException {
        feed(output(0, DeliveryLink.NO_EPOCH, OnError.HALT), 0, EPOCH, "ab");

        RecordContent made = topic.records.get(1);
        TransformedHeader header =
                TransformedHeader.decode(Objects.requireNonNull(made.headers().last(TransformedHeader.NAME)));
        assertThat(header.inputOffset()).isEqualTo(1);
        assertThat(header.signature()).isEqualTo(new Xxh3Signer().sign(made.key(), made.value()));
        assertThat(made.headers().last("made")).containsExactly(1);
    }

    @Test
    void whatWasWrittenBeforeARestartIsNotWrittenAgain() {
        feed(output(3, EPOCH, OnError.HALT), 1, EPOCH, "bcde");

        assertThat(topic.text()).isEqualTo("DE");
    }

    @Test
    void aRecordOfALaterLeaderInAWrittenPlaceIsWritten() {
        PartitionOutput output = output(3, EPOCH, OnError.HALT);

        feed(output, 1, EPOCH, "b");
        feed(output, 2, EPOCH + 1, "xy");

        assertThat(topic.text()).isEqualTo("XY");
        assertThat(output.written().endOffset()).isEqualTo(4);
        assertThat(output.written().leaders()).hasToString("0/4,2/5");
    }

    /** What came back was cut off before, and what lay there meanwhile is written. */
    @Test
    void aRecordOfAnEarlierLeaderThanWroteThereIsWritten() {
        Leaders leaders = Leaders.of(0, EPOCH).followedBy(Leaders.of(1, EPOCH + 2));
        PartitionOutput output = output(new Written(3, leaders, false, false), OnError.HALT);

        feed(output, 0, EPOCH, "a");
        feed(output, 1, EPOCH + 1, "xyz");

        assertThat(topic.text()).isEqualTo("XYZ");
        assertThat(output.written().leaders()).hasToString("0/4,1/5");
    }

    @Test
    void ofALogThatWasTruncatedWhatIsWrittenInItsPlaceIsWritten() {
        PartitionOutput output = output(0, DeliveryLink.NO_EPOCH, OnError.HALT);
        feed(output, 0, EPOCH, "abc");

        output.truncated(1);
        feed(output, 0, EPOCH, "a");
        feed(output, 1, EPOCH + 1, "xy");

        assertThat(topic.text()).isEqualTo("ABCXY");
    }

    @Test
    void whatExpiredIsPassedOver() {
        PartitionOutput output = output(0, DeliveryLink.NO_EPOCH, OnError.HALT);
        feed(output, 0, EPOCH, "ab");

        output.expired(2, 5);
        feed(output, 5, EPOCH, "f");

        assertThat(topic.text()).isEqualTo("ABF");
    }

    @Test
    void aFailingTransformHaltsTheOutputUntilItsPlaceIsTruncated() {
        PartitionOutput output = output(0, DeliveryLink.NO_EPOCH, OnError.HALT);

        feed(output, 0, EPOCH, "a!cd");

        assertThat(topic.text()).isEqualTo("A");
        assertThat(output.haltedAt()).hasValue(1);
        assertThat(output.written().endOffset()).isEqualTo(1);
        assertThat(findings).singleElement().satisfies(halt -> {
            assertThat(halt.kind()).isEqualTo(Undelivered.Kind.HALTED);
            assertThat(halt.offset()).isEqualTo(1);
            assertThat(halt.detail())
                    .startsWith("java.lang.IllegalArgumentException at ")
                    .doesNotContain("no such letter");
        });
        assertThat(topic.told).containsExactly("1: java.lang.IllegalArgumentException: no such letter");
        output.truncated(1);
        feed(output, 1, EPOCH + 1, "b");
        assertThat(topic.text()).isEqualTo("AB");
        assertThat(output.haltedAt()).isEmpty();
        assertResumed(1, "another one is there now");
    }

    @Test
    void anOutputThatTriesAgainAfterARestartAndSucceedsIsFoundResumedOnce() {
        PartitionOutput output = output(written(1, EPOCH, true, false), OnError.HALT);

        feed(output, 0, EPOCH, "abc");

        assertThat(topic.text()).isEqualTo("BC");
        assertThat(output.written()).isEqualTo(written(3, EPOCH, false, false));
        assertResumed(1, "the output took the record");
    }

    @Test
    void anOutputThatTriesAgainAndFailsAgainStands() {
        PartitionOutput output = output(written(1, EPOCH, true, false), OnError.HALT);

        feed(output, 1, EPOCH, "!c");

        assertThat(output.haltedAt()).hasValue(1);
        assertThat(output.written()).isEqualTo(written(1, EPOCH, true, false));
        assertThat(findings).extracting(Undelivered::kind).containsExactly(Undelivered.Kind.HALTED);
    }

    @Test
    void anOutputThatStandsBeforeAnotherEventOfALaterLeaderIsResumedAtTheFormerOne() {
        PartitionOutput output = output(written(2, EPOCH, true, false), OnError.HALT);

        feed(output, 1, EPOCH + 1, "!c");

        assertThat(findings)
                .extracting(Undelivered::offset, Undelivered::kind)
                .containsExactly(tuple(2L, Undelivered.Kind.RESUMED), tuple(1L, Undelivered.Kind.HALTED));
    }

    @Test
    void anOutputWhoseEventExpiredIsResumed() {
        PartitionOutput output = output(0, DeliveryLink.NO_EPOCH, OnError.HALT);
        feed(output, 0, EPOCH, "!");

        output.expired(0, 5);
        feed(output, 5, EPOCH, "f");

        assertThat(topic.text()).isEqualTo("F");
        assertResumed(0, "dropped");
    }

    @Test
    void anOutputWhoseEventIsDivertedAtItsReleaseIsNotResumedAsWell() {
        PartitionOutput output = output(written(1, EPOCH, true, false), OnError.HALT);
        output.divertAt(1);

        feed(output, 1, EPOCH, "!c");

        assertThat(topic.text()).isEqualTo("-C");
        assertThat(findings).extracting(Undelivered::kind).containsExactly(Undelivered.Kind.DIVERTED);
        assertThat(output.written().halted()).isFalse();
    }

    @Test
    void aDivertedEventLeavesAMarkerInItsPlace() {
        PartitionOutput output = output(0, DeliveryLink.NO_EPOCH, OnError.DIVERT);

        feed(output, 0, EPOCH, "a!c");

        assertThat(topic.text()).isEqualTo("A-C");
        RecordContent marker = topic.records.get(1);
        assertThat(marker.headers().last(TransformedHeader.DIVERTED))
                .asString(UTF_8)
                .startsWith("java.lang.IllegalArgumentException at ")
                .doesNotContain("no such letter");
        assertThat(aside.records)
                .singleElement()
                .satisfies(event -> assertThat(event.value()).asString(UTF_8).isEqualTo("!"));
        assertThat(findings).extracting(Undelivered::kind).containsExactly(Undelivered.Kind.DIVERTED);
    }

    @Test
    void ofALongReasonItsBeginningIsWritten() {
        feed(output(0, DeliveryLink.NO_EPOCH, OnError.DIVERT), 0, EPOCH, "?");

        assertThat(topic.records.get(0).headers().last(TransformedHeader.DIVERTED))
                .hasSize(500);
        assertThat(aside.records.get(0).headers().last(TransformedHeader.DIVERTED))
                .hasSize(500);
    }

    @Test
    void ofALongReasonAnAlertThatGetsOutTellsTheBeginning() {
        feed(output(0, DeliveryLink.NO_EPOCH, OnError.HALT), 0, EPOCH, "?");

        assertThat(findings)
                .singleElement()
                .satisfies(halt -> assertThat(halt.detail()).hasSize(500));
    }

    @Test
    void recordsThatAreTooLargeToBeReadStopTheOutputOrLeaveOneMarker() {
        RecordContent none = new RecordContent(null, null, HeaderBytes.NONE, 1, false);
        Read oversized = new Read(new OversizedRecords(1, 3, 3, "too large", 1), EPOCH, 0, none);
        PartitionOutput halting = output(0, DeliveryLink.NO_EPOCH, OnError.HALT);
        feed(halting, 0, EPOCH, "a");
        halting.take(oversized);
        feed(halting, 4, EPOCH, "e");
        assertThat(halting.haltedAt()).hasValue(1);
        assertThat(findings)
                .singleElement()
                .satisfies(halt -> assertThat(halt.detail()).isEqualTo("too large"));

        PartitionOutput released = output(halting.written(), OnError.HALT);
        released.divertAt(1);
        released.take(oversized);
        feed(released, 4, EPOCH, "e");

        assertThat(topic.text()).isEqualTo("A-E");
        assertThat(aside.records)
                .singleElement()
                .satisfies(marker -> assertThat(marker.value()).isNull());
    }

    @Test
    void aReleasedEventIsDivertedAndNoOther() {
        PartitionOutput output = output(0, DeliveryLink.NO_EPOCH, OnError.HALT);
        output.divertAt(1);

        feed(output, 0, EPOCH, "a!c!");

        assertThat(topic.text()).isEqualTo("A-C");
        assertThat(output.haltedAt()).hasValue(3);
    }

    @Test
    void anEventInThePlaceOfAReleasedOneThatWasCutOffIsNotDiverted() {
        PartitionOutput output = output(0, DeliveryLink.NO_EPOCH, OnError.HALT);
        output.divertAt(1);

        feed(output, 0, EPOCH, "a");
        output.truncated(1);
        feed(output, 1, EPOCH + 1, "!");

        assertThat(topic.text()).isEqualTo("A");
        assertThat(output.haltedAt()).hasValue(1);
    }

    @Test
    void aRecordThatTheOutputTopicDoesNotTakeHaltsTheOutput() {
        topic.maxRecordBytes = 60;
        PartitionOutput output = output(0, DeliveryLink.NO_EPOCH, OnError.HALT);

        feed(output, 0, EPOCH, "a");

        assertThat(output.haltedAt()).hasValue(0);
        assertThat(findings)
                .singleElement()
                .satisfies(halt -> assertThat(halt.detail()).contains("takes 60"));
    }

    @Test
    void whatTheBoltHasTransformedIsNotTransformedAgain() {
        PartitionOutput output = output(0, DeliveryLink.NO_EPOCH, OnError.HALT);

        output.take(new Read(
                record(0), EPOCH, 0, new RecordContent(null, "made".getBytes(UTF_8), HeaderBytes.NONE, 0, true)));

        assertThat(topic.text()).isEqualTo("made");
    }

    @Test
    void aCheckpointThatTheOutputTopicDoesNotTakeHaltsTheOutputAsWell() {
        topic.maxRecordBytes = 0;

        feed(output(0, DeliveryLink.NO_EPOCH, OnError.HALT), 0, EPOCH, "#");

        assertThat(findings).extracting(Undelivered::kind).containsExactly(Undelivered.Kind.HALTED);
        assertThat(topic.records).isEmpty();
    }

    @Test
    void ofWhatIsTooLargeToDivertAMarkerAndThePlaceAreWritten() throws MalformedCheckpointException {
        topic.maxRecordBytes = 400;
        aside.maxRecordBytes = 400;
        byte[] eventHeader = {1, 2, 3};
        HeaderBytes headers =
                HeaderBytes.NONE.plus(EventHeader.NAME, eventHeader).plus(Format2Checkpoint.HEADER, new byte[5_000]);

        PartitionOutput output = output(7, DeliveryLink.NO_EPOCH, OnError.DIVERT);
        output.take(new Read(record(7), EPOCH, 0, new RecordContent(new byte[900], new byte[900], headers, 5, false)));

        assertThat(findings).extracting(Undelivered::kind).containsExactly(Undelivered.Kind.DIVERTED);
        RecordContent marker = topic.records.get(0);
        assertThat(marker.value()).isNull();
        assertThat(marker.key()).isNull();
        assertThat(marker.headers().last(EventHeader.NAME)).isEqualTo(eventHeader);
        assertThat(marker.headers().last(Format2Checkpoint.HEADER)).isNull();
        assertThat(TransformedHeader.decode(
                                Objects.requireNonNull(marker.headers().last(TransformedHeader.NAME)))
                        .inputOffset())
                .isEqualTo(7);
        assertThat(aside.records.get(0).value()).isNull();
        assertThat(aside.records.get(0).headers().last(TransformedHeader.DIVERTED))
                .asString(UTF_8)
                .contains("its content is left out here; it is at orders-3@7");
    }

    @Test
    void ofALargeHeaderAMarkerWithoutContentKeepsNothing() {
        topic.maxRecordBytes = 1_500;
        HeaderBytes headers = HeaderBytes.NONE.plus(EventHeader.NAME, new byte[1_025]);

        output(0, DeliveryLink.NO_EPOCH, OnError.DIVERT)
                .take(new Read(
                        record(0), EPOCH, 0, new RecordContent(new byte[900], new byte[1_200], headers, 5, false)));
        headers = HeaderBytes.NONE.plus(EventHeader.NAME, new byte[1_024]);
        output(1, DeliveryLink.NO_EPOCH, OnError.DIVERT)
                .take(new Read(
                        record(1), EPOCH, 0, new RecordContent(new byte[900], new byte[1_200], headers, 5, false)));

        assertThat(topic.records.get(0).headers().last(EventHeader.NAME)).isNull();
        assertThat(topic.records.get(1).headers().last(EventHeader.NAME)).hasSize(1_024);
        assertThat(topic.records.get(1).key()).isNull();
    }

    @Test
    void aMarkerIsNoCheckpointThoughTheRecordClaimedToBeOne() {
        topic.maxRecordBytes = 1_500;
        aside.maxRecordBytes = 10_000;
        HeaderBytes headers =
                HeaderBytes.NONE.plus(Format2Checkpoint.HEADER, new byte[2_000]).plus("trace", new byte[9]);

        output(0, DeliveryLink.NO_EPOCH, OnError.DIVERT)
                .take(new Read(
                        record(0), EPOCH, 0, new RecordContent(new byte[3], "#".getBytes(UTF_8), headers, 5, false)));

        RecordContent marker = topic.records.get(0);
        assertThat(marker.headers().last(Format2Checkpoint.HEADER)).isNull();
        assertThat(marker.headers().last("trace")).hasSize(9);
        assertThat(marker.key()).hasSize(3);
        assertThat(aside.records.get(0).headers().last(Format2Checkpoint.HEADER))
                .hasSize(2_000);
    }

    @Test
    void anEventThatBearsAMarkersHeaderIsNoMarkerInTheOutput() {
        HeaderBytes headers = HeaderBytes.NONE
                .plus(TransformedHeader.DIVERTED, "forged".getBytes(UTF_8))
                .plus("trace", new byte[9]);

        output(0, DeliveryLink.NO_EPOCH, OnError.HALT)
                .take(new Read(record(0), EPOCH, 0, new RecordContent(null, "a".getBytes(UTF_8), headers, 5, false)));

        RecordContent made = topic.records.get(0);
        assertThat(made.headers().last(TransformedHeader.DIVERTED)).isNull();
        assertThat(made.headers().last("trace")).hasSize(9);
    }

    @Test
    void whatIsNotEvenTakenWithoutItsContentHaltsTheOutput() {
        topic.maxRecordBytes = 10;

        feed(output(0, DeliveryLink.NO_EPOCH, OnError.DIVERT), 0, EPOCH, "a");

        assertThat(findings).singleElement().satisfies(halt -> {
            assertThat(halt.kind()).isEqualTo(Undelivered.Kind.HALTED);
            assertThat(halt.detail()).contains("not even its diversion is taken: takes 10");
        });
        assertThat(aside.records).isEmpty();
    }

    @Test
    void aRecordWhoseTimeIsNotTakenIsDivertedUnderTheTimeOfWriting() {
        topic.oldestMillis = 2;
        aside.oldestMillis = 2;

        feed(output(0, DeliveryLink.NO_EPOCH, OnError.DIVERT), 1, EPOCH, "bc");

        assertThat(topic.text()).isEqualTo("-C");
        assertThat(topic.records.get(0).timestampMillis()).isEqualTo(-1);
        assertThat(aside.records.get(0).timestampMillis()).isEqualTo(-1);
        assertThat(aside.text()).isEqualTo("b");
    }

    @Test
    void anOutputWhoseTopicTakesNothingWaitsAndSaysSoOnceAndAnotherGoesOnFromThere() {
        topic.unavailable = "it does not exist";
        PartitionOutput output = output(0, DeliveryLink.NO_EPOCH, OnError.HALT);
        feed(output, 0, EPOCH, "ab");

        assertThat(output.standsAt()).hasValue(0);
        assertThat(output.haltedAt()).isEmpty();
        assertThat(output.mayGoOn()).isFalse();
        assertThat(output.written()).isEqualTo(written(0, DeliveryLink.NO_EPOCH, false, true));
        assertThat(findings).extracting(Undelivered::kind).containsExactly(Undelivered.Kind.WAITING);

        topic.unavailable = null;
        assertThat(output.mayGoOn()).isTrue();
        PartitionOutput again = output(output.written(), OnError.HALT);
        again.goOnFrom(output);
        feed(again, 0, EPOCH, "ab");

        assertThat(topic.text()).isEqualTo("AB");
        assertThat(findings)
                .extracting(Undelivered::kind)
                .containsExactly(Undelivered.Kind.WAITING, Undelivered.Kind.WAITED);
        assertThat(again.written()).isEqualTo(written(2, EPOCH, false, false));
    }

    @Test
    void anOutputThatWaitsForItsOwnTopicGoesOnThoughThatOfDivertedEventsTakesNothing() {
        topic.unavailable = "it has no leader";
        aside.unavailable = "it does not exist";
        PartitionOutput output = output(0, DeliveryLink.NO_EPOCH, OnError.HALT);
        feed(output, 0, EPOCH, "ab");
        assertThat(output.mayGoOn()).isFalse();

        topic.unavailable = null;
        assertThat(output.mayGoOn()).isTrue();
    }

    /** Only the commit tells, and not which of them it was. */
    @Test
    void anOutputThatWasWrittenInVainWaitsForTheTopicThatTookNothing() {
        PartitionOutput output = output(0, DeliveryLink.NO_EPOCH, OnError.DIVERT);
        feed(output, 0, EPOCH, "a!");
        aside.unavailable = "it does not exist";
        output.unavailable(1, 1, "it does not exist");
        assertThat(output.mayGoOn()).isFalse();

        aside.unavailable = null;
        assertThat(output.mayGoOn()).isTrue();
    }

    @Test
    void whatCannotBeDivertedNowWaits() {
        aside.unavailable = "it has no leader";
        PartitionOutput output = output(0, DeliveryLink.NO_EPOCH, OnError.DIVERT);
        feed(output, 0, EPOCH, "a!c");

        assertThat(topic.text()).isEqualTo("A");
        assertThat(output.standsAt()).hasValue(1);
        assertThat(output.mayGoOn()).isFalse();
        assertThat(findings).extracting(Undelivered::kind).containsExactly(Undelivered.Kind.WAITING);
        aside.unavailable = null;
        assertThat(output.mayGoOn()).isTrue();
    }

    @Test
    void aRecordThatIsRefusedAfterItWasAppendedHaltsTheOutput() {
        PartitionOutput output = output(0, DeliveryLink.NO_EPOCH, OnError.HALT);
        feed(output, 0, EPOCH, "abc");

        assertThat(output.refused(1, 1, "too far ahead")).isFalse();
        feed(output, 3, EPOCH, "d");

        assertThat(output.haltedAt()).hasValue(1);
        assertThat(output.written()).isEqualTo(written(1, EPOCH, true, false));
        assertThat(findings).singleElement().satisfies(halt -> {
            assertThat(halt.offset()).isEqualTo(1);
            assertThat(halt.detail()).isEqualTo("too far ahead");
        });
        assertThat(topic.text()).isEqualTo("ABC");
    }

    @Test
    void aRecordThatIsRefusedIsDivertedThenWithoutItsContentAndThenHaltsTheOutput() {
        PartitionOutput output = output(0, DeliveryLink.NO_EPOCH, OnError.DIVERT);
        feed(output, 0, EPOCH, "ab");

        assertThat(output.refused(1, 1, "too far ahead")).isTrue();
        assertThat(output.standsAt()).hasValue(1);
        PartitionOutput second = after(output, 1, "b");
        assertThat(topic.text()).isEqualTo("AB-");
        assertThat(aside.text()).isEqualTo("b");

        assertThat(second.refused(1, 1, "the same")).isTrue();
        PartitionOutput third = after(second, 1, "b");
        assertThat(aside.text()).isEqualTo("b-");
        assertThat(third.written()).isEqualTo(written(2, EPOCH, false, false));

        assertThat(third.refused(1, 1, "the same")).isTrue();
        PartitionOutput last = after(third, 1, "b");
        assertThat(last.haltedAt()).hasValue(1);
        assertThat(findings)
                .extracting(Undelivered::kind)
                .containsExactly(Undelivered.Kind.DIVERTED, Undelivered.Kind.DIVERTED, Undelivered.Kind.HALTED);
    }

    /** As one of an earlier topic of the name, in the same transaction. */
    @Test
    void aRefusalOfARecordThatItHasNotWrittenPassesNothingOver() {
        PartitionOutput output = output(0, DeliveryLink.NO_EPOCH, OnError.HALT);

        assertThat(output.refused(5_000, 1, "too far ahead")).isFalse();
        assertThat(output.standsAt()).isEmpty();
        output.unavailable(5_000, 1, "it has no leader");
        assertThat(output.standsAt()).isEmpty();

        feed(output, 0, EPOCH, "ab");
        assertThat(topic.text()).isEqualTo("AB");
        assertThat(findings).isEmpty();
    }

    @Test
    void whatEndedWithARecordThatIsRefusedHasNotEnded() {
        PartitionOutput output = output(written(1, EPOCH, true, true), OnError.HALT);
        feed(output, 1, EPOCH, "b!");
        assertThat(output.written()).isEqualTo(written(2, EPOCH, true, false));

        output.unavailable(1, 1, "forbidden");

        assertThat(output.written()).isEqualTo(written(1, EPOCH, true, true));
        feed(after(output, 1, "b"), 2, EPOCH, "c");
        assertThat(findings)
                .extracting(Undelivered::offset, Undelivered::kind)
                .containsExactly(
                        tuple(1L, Undelivered.Kind.RESUMED),
                        tuple(1L, Undelivered.Kind.WAITED),
                        tuple(2L, Undelivered.Kind.HALTED),
                        tuple(1L, Undelivered.Kind.WAITING),
                        tuple(1L, Undelivered.Kind.RESUMED),
                        tuple(1L, Undelivered.Kind.WAITED));
    }

    @Test
    void aRefusalRightAfterTheLastWrittenRecordPassesNothingOver() {
        PartitionOutput output = output(0, DeliveryLink.NO_EPOCH, OnError.HALT);
        feed(output, 0, EPOCH, "ab");

        assertThat(output.refused(2, 1, "too far ahead")).isFalse();
        output.unavailable(2, 1, "it has no leader");
        assertThat(output.standsAt()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"1, ABB", "2, AB-"})
    void aRefusedRecordThatWasCutOffIsForgotten(long cut, String text) {
        PartitionOutput output = output(0, DeliveryLink.NO_EPOCH, OnError.DIVERT);
        feed(output, 0, EPOCH, "ab");
        assertThat(output.refused(1, 1, "too far ahead")).isTrue();
        PartitionOutput again = output(output.written(), OnError.DIVERT);
        again.goOnFrom(output);

        assertThat(again.truncated(cut)).isEqualTo(cut);
        feed(again, 1, EPOCH, "b");
        assertThat(topic.text()).isEqualTo(text);
    }

    @Test
    void whatExpiredBeforeTheRecordThatItStandsAtLeavesItStanding() {
        PartitionOutput output = output(0, DeliveryLink.NO_EPOCH, OnError.HALT);
        feed(output, 0, EPOCH, "a!");

        output.expired(0, 1);
        assertThat(output.haltedAt()).hasValue(1);
        assertThat(output.written().halted()).isTrue();
    }

    @Test
    void itHasNoRoomWhileItsTransactionIsDueUnlessItWritesNothing() {
        PartitionOutput output = output(0, DeliveryLink.NO_EPOCH, OnError.HALT);
        assertThat(output.takesContent()).isTrue();
        assertThat(output.room()).isEqualTo(Integer.MAX_VALUE);

        topic.due = true;
        assertThat(output.room()).isZero();
        feed(output, 0, EPOCH, "!");
        assertThat(output.room()).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void aRecordThatIsLeftOutIsPassedAndEndsAHalt() {
        PartitionOutput output = output(written(1, EPOCH, true, false), OnError.HALT);

        output.leaveOut(new Read(record(1), EPOCH, 0, null));
        assertThat(output.written()).isEqualTo(written(2, EPOCH, false, false));
        assertResumed(1, "the output goes on without the record");
    }

    @Test
    void eachLeaderIsNotedWhereItBeganToWrite() {
        PartitionOutput output = output(0, DeliveryLink.NO_EPOCH, OnError.HALT);
        feed(output, 0, EPOCH, "a");
        feed(output, 1, EPOCH + 1, "b");
        feed(output, 2, EPOCH + 1, "c");
        feed(output, 3, DeliveryLink.NO_EPOCH, "d");
        assertThat(output.written().leaders()).hasToString("0/4,1/5");

        Leaders leaders = Leaders.of(0, EPOCH).followedBy(Leaders.of(2, EPOCH + 1));
        PartitionOutput again = output(new Written(3, leaders, false, false), OnError.HALT);
        feed(again, 1, EPOCH + 1, "x");
        assertThat(again.written().leaders()).as("farther up than was known").hasToString("0/4,1/5");
    }

    @Test
    void aWaitThatEndedWithARecordThatIsRefusedHasNotEnded() {
        PartitionOutput output = output(written(1, EPOCH, false, true), OnError.HALT);
        feed(output, 1, EPOCH, "b");
        assertThat(output.written()).isEqualTo(written(2, EPOCH, false, false));

        output.refused(1, 1, "too far ahead");
        assertThat(output.written()).isEqualTo(written(1, EPOCH, true, true));
    }

    @Test
    void aMarkerOfTheInputStaysAMarker() {
        Event marker = StreamRecords.event(
                0, 7, 0, EventSigners.XXH3_KEY_VALUE, Hash.empty(), Hash.empty(), Event.Content.DIVERTED);
        HeaderBytes headers = HeaderBytes.NONE.plus(TransformedHeader.DIVERTED, "no such letter".getBytes(UTF_8));

        output(0, DeliveryLink.NO_EPOCH, OnError.HALT)
                .take(new Read(marker, EPOCH, 0, new RecordContent(null, "a".getBytes(UTF_8), headers, 5, false)));

        assertThat(topic.records.get(0).headers().last(TransformedHeader.DIVERTED))
                .asString(UTF_8)
                .isEqualTo("no such letter");
    }

    @Test
    void aDiversionEndsWhatWasReportedOfAnotherRecordAndAWaitForItself() {
        feed(output(written(2, EPOCH, true, false), OnError.DIVERT), 1, EPOCH + 1, "!");
        assertThat(findings)
                .extracting(Undelivered::offset, Undelivered::kind)
                .containsExactly(tuple(2L, Undelivered.Kind.RESUMED), tuple(1L, Undelivered.Kind.DIVERTED));

        findings.clear();
        feed(output(written(1, EPOCH, false, true), OnError.DIVERT), 1, EPOCH, "!");
        assertThat(findings)
                .extracting(Undelivered::offset, Undelivered::kind)
                .containsExactly(tuple(1L, Undelivered.Kind.WAITED), tuple(1L, Undelivered.Kind.DIVERTED));
    }

    @Test
    void aWaitEndsWhatWasReportedOfAnotherRecord() {
        topic.unavailable = "it does not exist";
        feed(output(written(2, EPOCH, true, false), OnError.HALT), 1, EPOCH + 1, "b");

        assertThat(findings)
                .extracting(Undelivered::offset, Undelivered::kind)
                .containsExactly(tuple(2L, Undelivered.Kind.RESUMED), tuple(1L, Undelivered.Kind.WAITING));
    }

    @Test
    void anOutputWhoseTopicsTakeNothingWaitsForItsOwn() {
        PartitionOutput output = output(0, DeliveryLink.NO_EPOCH, OnError.DIVERT);
        feed(output, 0, EPOCH, "a");
        topic.unavailable = "it has no leader";
        aside.unavailable = "it does not exist";
        output.unavailable(0, 1, "it has no leader");

        topic.unavailable = null;
        assertThat(output.mayGoOn()).isTrue();
    }

    private PartitionOutput after(PartitionOutput stands, long offset, String letters) {
        PartitionOutput again = output(stands.written(), stands.haltedAt().isPresent() ? OnError.DIVERT : OnError.HALT);
        again.goOnFrom(stands);
        feed(again, offset, EPOCH, letters);
        return again;
    }

    private void assertResumed(long offset, String why) {
        assertThat(findings).last().satisfies(resumed -> {
            assertThat(resumed.kind()).isEqualTo(Undelivered.Kind.RESUMED);
            assertThat(resumed.offset()).isEqualTo(offset);
            assertThat(resumed.detail()).contains(why);
        });
        assertThat(findings)
                .filteredOn(finding -> finding.kind() == Undelivered.Kind.RESUMED)
                .hasSize(1);
    }

    private static Written written(long end, int epoch, boolean halted, boolean waiting) {
        return new Written(end, Leaders.of(0, epoch), halted, waiting);
    }

    private PartitionOutput output(long writtenEnd, int writtenEpoch, OnError onError) {
        return output(written(writtenEnd, writtenEpoch, false, false), onError);
    }

    private PartitionOutput output(Written written, OnError onError) {
        return new PartitionOutput(
                PARTITION,
                written,
                topic,
                Optional.of(aside),
                transform,
                content -> isCheckpoint(content.value()),
                onError,
                finding -> findings.add((Undelivered) finding));
    }

    private static boolean isCheckpoint(byte @Nullable [] value) {
        return value != null && value[0] == '#';
    }

    private static void feed(PartitionOutput output, long offset, int epoch, String letters) {
        for (int i = 0; i < letters.length(); i++) {
            byte[] value = letters.substring(i, i + 1).getBytes(UTF_8);
            output.take(new Read(
                    record(offset + i), epoch, 0, new RecordContent(null, value, HeaderBytes.NONE, offset + i, false)));
        }
    }

    private static LogRecord record(long offset) {
        return new UnattributedRecord(offset, UnattributedRecord.Kind.UNSIGNED, "", LogRecord.NO_TIME);
    }

    private static final
    class UnmistakablyLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongException
            extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UnmistakablyLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongException(
                @Nullable Exception cause) {
            super(cause);
        }
    }

    /** A topic, on paper. */
    private static final class Paper implements OutputLog {
        private final List<RecordContent> records = new ArrayList<>();
        private final List<String> told = new ArrayList<>();
        private int maxRecordBytes = 1_000;
        private long oldestMillis = Long.MIN_VALUE;
        private boolean due;
        private @Nullable String unavailable;

        @Override
        public @Nullable String unavailable() {
            return unavailable;
        }

        @Override
        public boolean isDue() {
            return due;
        }

        @Override
        public boolean isFull() {
            return false;
        }

        @Override
        public @Nullable String refusal(RecordContent record) {
            if (record.timestampMillis() >= 0 && record.timestampMillis() < oldestMillis) {
                return "too old";
            }
            return record.sizeBytes() > maxRecordBytes ? "takes " + maxRecordBytes : null;
        }

        @Override
        public void append(long inputOffset, RecordContent record) {
            records.add(record);
        }

        @Override
        public void logFailure(long offset, TransformFailure failure) {
            told.add(offset + ": " + failure.getCause());
        }

        String text() {
            StringBuilder text = new StringBuilder();
            for (RecordContent record : records) {
                byte[] value = record.value();
                text.append(value == null ? "-" : new String(value, UTF_8));
            }
            return text.toString();
        }
    }
}
