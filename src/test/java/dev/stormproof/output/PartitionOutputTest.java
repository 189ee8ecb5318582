package dev.stormproof.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.stormproof.checkpoint.FastContentSigner;
import dev.stormproof.checkpoint.LogRecord;
import dev.stormproof.checkpoint.MalformedCheckpointException;
import dev.stormproof.checkpoint.TransformedHeader;
import dev.stormproof.checkpoint.UnattributedRecord;
import dev.stormproof.feed.HeaderBytes;
import dev.stormproof.feed.Link;
import dev.stormproof.feed.RecordContent;
import dev.stormproof.judge.PartitionId;
import dev.stormproof.judge.Undelivered;
import dev.stormproof.transform.TransformRunner;
import dev.stormproof.transform.TransformRunner.TransformFailure;
import dev.stormproof.transform.Transformed;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The output of one partition, whose log is drawn as letters: a lower-case one is an event, {@code #} a checkpoint, {@code !} an
 * event that the transform fails on, {@code ?} one on which it fails with many words; the transform makes capital letters.
 */
class PartitionOutputTest {
    private static final PartitionId PARTITION = new PartitionId("orders", 3);
    private static final int EPOCH = 4;

    private final Paper paper = new Paper();
    private final List<Undelivered> findings = new ArrayList<>();
    private final TransformRunner transform = new TransformRunner(
            event -> {
                String text = new String(Objects.requireNonNull(event.value()), UTF_8);
                if (text.equals("!")) {
                    throw new IllegalArgumentException("no such letter");
                }
                if (text.equals("?")) {
                    throw new UnmistakablyLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongException(new UnmistakablyLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongException(new UnmistakablyLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongException(new UnmistakablyLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongException(null))));
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
        PartitionOutput output = output(0, Link.NO_EPOCH, OnError.HALT);

        feed(output, 0, EPOCH, "ab#c");

        assertThat(paper.text()).isEqualTo("AB#C");
        assertThat(output.written()).isEqualTo(new Written(4, EPOCH, false));
        assertThat(paper.output.get(2).headers()).isSameAs(HeaderBytes.NONE);
        assertThat(paper.output.get(0).timestampMillis()).isZero();
        assertThat(paper.output.get(3).timestampMillis()).isEqualTo(3);
    }

    @Test
    void whatWasMadeIsSignedWithThePlaceOfWhatWasRead() throws MalformedCheckpointException {
        feed(output(0, Link.NO_EPOCH, OnError.HALT), 0, EPOCH, "ab");

        RecordContent made = paper.output.get(1);
        TransformedHeader header =
                TransformedHeader.decode(Objects.requireNonNull(made.headers().last(TransformedHeader.NAME)));
        assertThat(header.inputOffset()).isEqualTo(1);
        assertThat(header.signature()).isEqualTo(new FastContentSigner().sign(made.key(), made.value()));
        assertThat(made.headers().last("made")).containsExactly(1);
    }

    @Test
    void whatWasWrittenBeforeARestartIsNotWrittenAgain() {
        feed(output(3, EPOCH, OnError.HALT), 1, EPOCH, "bcde");

        assertThat(paper.text()).isEqualTo("DE");
    }

    @Test
    void aRecordOfALaterLeaderInAWrittenPlaceIsWritten() {
        PartitionOutput output = output(3, EPOCH, OnError.HALT);

        feed(output, 1, EPOCH, "b");
        feed(output, 2, EPOCH + 1, "xy");

        assertThat(paper.text()).isEqualTo("XY");
        assertThat(output.written()).isEqualTo(new Written(4, EPOCH + 1, false));
    }

    @Test
    void ofALogThatWasTruncatedWhatIsWrittenInItsPlaceIsWritten() {
        PartitionOutput output = output(0, Link.NO_EPOCH, OnError.HALT);
        feed(output, 0, EPOCH, "abc");

        output.truncated(1);
        feed(output, 0, EPOCH, "a");
        feed(output, 1, EPOCH + 1, "xy");

        assertThat(paper.text()).isEqualTo("ABCXY");
    }

    @Test
    void whatExpiredIsPassedOver() {
        PartitionOutput output = output(0, Link.NO_EPOCH, OnError.HALT);
        feed(output, 0, EPOCH, "ab");

        output.expired(2, 5);
        feed(output, 5, EPOCH, "f");

        assertThat(paper.text()).isEqualTo("ABF");
    }

    @Test
    void aFailingTransformHaltsTheOutputUntilItsPlaceIsTruncated() {
        PartitionOutput output = output(0, Link.NO_EPOCH, OnError.HALT);

        feed(output, 0, EPOCH, "a!cd");

        assertThat(paper.text()).isEqualTo("A");
        assertThat(output.haltedAt()).hasValue(1);
        assertThat(output.written().endOffset()).isEqualTo(1);
        assertThat(findings).singleElement().satisfies(halt -> {
            assertThat(halt.kind()).isEqualTo(Undelivered.Kind.HALTED);
            assertThat(halt.offset()).isEqualTo(1);
            assertThat(halt.detail())
                    .startsWith("java.lang.IllegalArgumentException at ")
                    .doesNotContain("no such letter");
        });
        assertThat(paper.told).containsExactly("1: java.lang.IllegalArgumentException: no such letter");
        output.truncated(1);
        feed(output, 1, EPOCH + 1, "b");
        assertThat(paper.text()).isEqualTo("AB");
        assertThat(output.haltedAt()).isEmpty();
        assertResumed(1, "truncated");
    }

    @Test
    void anOutputThatTriesAgainAfterARestartAndSucceedsIsFoundResumedOnce() {
        PartitionOutput output = output(new Written(1, EPOCH, true), OnError.HALT);

        feed(output, 0, EPOCH, "abc");

        assertThat(paper.text()).isEqualTo("BC");
        assertThat(output.written()).isEqualTo(new Written(3, EPOCH, false));
        assertResumed(1, "the transform took the event");
    }

    @Test
    void anOutputThatTriesAgainAndFailsAgainStands() {
        PartitionOutput output = output(new Written(1, EPOCH, true), OnError.HALT);

        feed(output, 1, EPOCH, "!c");

        assertThat(output.haltedAt()).hasValue(1);
        assertThat(output.written()).isEqualTo(new Written(1, EPOCH, true));
        assertThat(findings).extracting(Undelivered::kind).containsExactly(Undelivered.Kind.HALTED);
    }

    @Test
    void anOutputThatStandsBeforeAnotherEventOfALaterLeaderIsResumedAtTheFormerOne() {
        PartitionOutput output = output(new Written(2, EPOCH, true), OnError.HALT);

        feed(output, 1, EPOCH + 1, "!c");

        assertThat(findings)
                .extracting(Undelivered::offset, Undelivered::kind)
                .containsExactly(tuple(2L, Undelivered.Kind.RESUMED), tuple(1L, Undelivered.Kind.HALTED));
    }

    @Test
    void anOutputWhoseEventExpiredIsResumed() {
        PartitionOutput output = output(0, Link.NO_EPOCH, OnError.HALT);
        feed(output, 0, EPOCH, "!");

        output.expired(0, 5);
        feed(output, 5, EPOCH, "f");

        assertThat(paper.text()).isEqualTo("F");
        assertResumed(0, "dropped");
    }

    @Test
    void anOutputWhoseEventIsDivertedAtItsReleaseIsNotResumedAsWell() {
        PartitionOutput output = output(new Written(1, EPOCH, true), OnError.HALT);
        output.divertAt(1);

        feed(output, 1, EPOCH, "!c");

        assertThat(paper.text()).isEqualTo("-C");
        assertThat(findings).extracting(Undelivered::kind).containsExactly(Undelivered.Kind.DIVERTED);
        assertThat(output.written().halted()).isFalse();
    }

    @Test
    void aDivertedEventLeavesAMarkerInItsPlace() {
        PartitionOutput output = output(0, Link.NO_EPOCH, OnError.DIVERT);

        feed(output, 0, EPOCH, "a!c");

        assertThat(paper.text()).isEqualTo("A-C");
        RecordContent marker = paper.output.get(1);
        assertThat(marker.headers().last(TransformedHeader.DIVERTED))
                .asString(UTF_8)
                .startsWith("java.lang.IllegalArgumentException at ")
                .doesNotContain("no such letter");
        assertThat(paper.diverted)
                .singleElement()
                .satisfies(event -> assertThat(event.value()).asString(UTF_8).isEqualTo("!"));
        assertThat(findings).extracting(Undelivered::kind).containsExactly(Undelivered.Kind.DIVERTED);
    }

    @Test
    void ofALongReasonItsBeginningIsWritten() {
        feed(output(0, Link.NO_EPOCH, OnError.DIVERT), 0, EPOCH, "?");

        assertThat(paper.output.get(0).headers().last(TransformedHeader.DIVERTED))
                .hasSize(500);
        assertThat(paper.diverted.get(0).headers().last(TransformedHeader.DIVERTED))
                .hasSize(500);
    }

    @Test
    void aReleasedEventIsDivertedAndNoOther() {
        PartitionOutput output = output(0, Link.NO_EPOCH, OnError.HALT);
        output.divertAt(1);

        feed(output, 0, EPOCH, "a!c!");

        assertThat(paper.text()).isEqualTo("A-C");
        assertThat(output.haltedAt()).hasValue(3);
    }

    @Test
    void aRecordThatTheOutputTopicDoesNotTakeIsAFailureOfTheTransform() {
        paper.maxRecordBytes = 60;
        PartitionOutput output = output(0, Link.NO_EPOCH, OnError.HALT);

        feed(output, 0, EPOCH, "a");

        assertThat(output.haltedAt()).hasValue(0);
        assertThat(findings)
                .singleElement()
                .satisfies(halt -> assertThat(halt.detail()).contains("the output topic takes 60"));
    }

    @Test
    void whatTheBoltHasTransformedIsNotTransformedAgain() {
        PartitionOutput output = output(0, Link.NO_EPOCH, OnError.HALT);

        output.record(record(0), EPOCH, new RecordContent(null, "made".getBytes(UTF_8), HeaderBytes.NONE, 0, true));

        assertThat(paper.text()).isEqualTo("made");
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

    private PartitionOutput output(long writtenEnd, int writtenEpoch, OnError onError) {
        return output(new Written(writtenEnd, writtenEpoch, false), onError);
    }

    private PartitionOutput output(Written written, OnError onError) {
        return new PartitionOutput(
                PARTITION, written, paper, transform, content -> isCheckpoint(content.value()), onError, findings::add);
    }

    private static boolean isCheckpoint(byte @Nullable [] value) {
        return value != null && value[0] == '#';
    }

    private static void feed(PartitionOutput output, long offset, int epoch, String letters) {
        for (int i = 0; i < letters.length(); i++) {
            byte[] value = letters.substring(i, i + 1).getBytes(UTF_8);
            output.record(
                    record(offset + i), epoch, new RecordContent(null, value, HeaderBytes.NONE, offset + i, false));
        }
    }

    private static LogRecord record(long offset) {
        return new UnattributedRecord(offset, UnattributedRecord.Kind.UNSIGNED, "");
    }

    private static final class UnmistakablyLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UnmistakablyLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongException(@Nullable Exception cause) {
            super(cause);
        }
    }

    /** The topics, on paper. */
    private static final class Paper implements OutputLog {
        private final List<RecordContent> output = new ArrayList<>();
        private final List<RecordContent> diverted = new ArrayList<>();
        private final List<String> told = new ArrayList<>();
        private int maxRecordBytes = 1_000;

        @Override
        public int maxRecordBytes() {
            return maxRecordBytes;
        }

        @Override
        public void append(RecordContent record) {
            output.add(record);
        }

        @Override
        public void divert(RecordContent input) {
            diverted.add(input);
        }

        @Override
        public void tell(long offset, TransformFailure failure) {
            told.add(offset + ": " + failure.getCause());
        }

        String text() {
            StringBuilder text = new StringBuilder();
            for (RecordContent record : output) {
                byte[] value = record.value();
                text.append(value == null ? "-" : new String(value, UTF_8));
            }
            return text.toString();
        }
    }
}
