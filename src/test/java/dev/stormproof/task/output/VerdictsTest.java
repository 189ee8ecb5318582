package dev.stormproof.task.output;

import static dev.stormproof.task.output.VerifiedLog.A;
import static dev.stormproof.task.output.VerifiedLog.B;
import static dev.stormproof.task.output.VerifiedLog.PARTITION;
import static dev.stormproof.task.output.VerifiedLog.checkpoint;
import static dev.stormproof.task.output.VerifiedLog.event;
import static dev.stormproof.task.output.VerifiedLog.unsealed;
import static dev.stormproof.task.output.VerifiedLog.verified;
import static dev.stormproof.task.output.VerifiedLog.violated;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.AllowedEmitters;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.OversizedRecords;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.task.output.Verdicts.Unproven;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.StrayRecord;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Of each record of a drawn log, whether it is verified, and if not why. */
class VerdictsTest {
    private Verdicts verdicts = new Verdicts(PARTITION, AllowedEmitters.ALL, 100);

    @Test
    void theEventsOfAVerifiedIntervalAreAndItsCheckpointIs() {
        add(verified(A, 1, 2, 5, 7, 2));

        assertThat(why(event(A, 2, 7))).isNull();
        assertThat(why(event(A, 4, 8))).isNull();
        assertThat(why(checkpoint(A, 1, 5))).isNull();
    }

    @Test
    void nothingElseIs() {
        add(verified(A, 1, 2, 5, 7, 2));

        String none = "no checkpoint of its stream states it, up to the verified progress";
        assertThat(why(event(A, 1, 7))).as("a copy before it").isEqualTo(none);
        assertThat(why(event(A, 6, 8))).as("a copy after it").isEqualTo(none);
        assertThat(why(event(A, 4, 9))).as("a sequence that it does not state").isEqualTo(none);
        assertThat(why(event(A, 4, 6))).as("one before those").isEqualTo(none);
        assertThat(why(event(A, 4, 8, "altered"))).as("another content").isEqualTo(none);
        assertThat(why(event(B, 4, 8))).as("another stream").isEqualTo(none);
    }

    @Test
    void noOtherCheckpointIs() {
        add(verified(A, 1, 2, 5, 7, 2));

        String none = "it is a checkpoint that ends no verified interval";
        assertThat(why(checkpoint(A, 1, 4))).as("a copy within it").isEqualTo(none);
        assertThat(why(checkpoint(A, 1, 6))).as("a copy after it").isEqualTo(none);
        assertThat(why(checkpoint(A, 2, 5))).as("another one in its place").isEqualTo(none);
        assertThat(why(checkpoint(B, 1, 5))).as("another stream's").isEqualTo(none);
    }

    @Test
    void ofAnIntervalThatIsNotVerifiedNothingIs() {
        StrayRecord itself = StrayRecord.of(
                PARTITION, new UnattributedRecord(5, UnattributedRecord.Kind.UNLISTED_EMITTER, "why", 0));
        add(itself);
        add(violated(A, 1, 5, 7, 2));
        add(itself);

        assertThat(verdicts.of(event(A, 4, 8))).isEqualTo(new Unproven(id(A, 1), "violated: " + id(A, 1)));
        assertThat(why(checkpoint(A, 1, 5))).isEqualTo("violated: " + id(A, 1));
        assertThat(why(event(A, 6, 9))).startsWith("no checkpoint");
        assertThat(why(event(B, 4, 8))).as("another stream's").startsWith("no checkpoint");
    }

    /** A forged checkpoint among its events is judged by itself. */
    @Test
    void aViolatedIntervalWithinAVerifiedOneTakesNothingFromIt() {
        add(violated(A, 9, 4, 100, 1));
        add(verified(A, 1, 2, 6, 7, 3));

        assertThat(why(event(A, 3, 7))).isNull();
        assertThat(why(checkpoint(A, 9, 4))).isEqualTo("violated: " + id(A, 9));
        assertThat(why(event(A, 5, 8))).isNull();
        assertThat(why(checkpoint(A, 1, 6))).isNull();
    }

    /** An end that is stated again states the events of the first statement. */
    @Test
    void ofTwoVerifiedIntervalsThatBeginTogetherBothCheckpointsAre() {
        add(verified(A, 1, 2, 5, 7, 2));
        add(verified(A, 2, 2, 8, 7, 2));

        assertThat(why(event(A, 4, 8))).isNull();
        assertThat(why(checkpoint(A, 1, 5))).isNull();
        assertThat(why(checkpoint(A, 2, 8))).isNull();
    }

    @Test
    void whatIsUnsealedIsNotUntilItIsSealedAfterAll() {
        add(unsealed(A, 4, 7, 2));
        assertThat(why(event(A, 3, 7))).startsWith("inconclusive: ");
        assertThat(why(event(A, 9, 12))).as("what came after").startsWith("inconclusive: ");

        add(verified(A, 1, 3, 10, 7, 6));
        assertThat(why(event(A, 3, 7))).isNull();
        assertThat(why(event(A, 9, 12))).isNull();
        assertThat(why(event(A, 11, 13))).startsWith("no checkpoint");
    }

    @Test
    void whatAnEmitterWroteThatMayNotIsNot() {
        verdicts = new Verdicts(PARTITION, new AllowedEmitters(Map.of("orders", List.of("bakery"))), 100);
        add(verified(A, 1, 2, 5, 7, 2));

        assertThat(why(event(A, 2, 7))).isEqualTo("emitters.allowed does not name its emitter");
        assertThat(why(checkpoint(A, 1, 5))).isEqualTo("emitters.allowed does not name its emitter");
    }

    @ParameterizedTest
    @EnumSource(UnattributedRecord.Kind.class)
    void aStrayIsNotWhateverItsKind(UnattributedRecord.Kind kind) {
        UnattributedRecord stray = new UnattributedRecord(4, kind, "why", LogRecord.NO_TIME);
        add(verified(A, 1, 2, 5, 7, 2));
        assertThat(verdicts.of(stray)).isNotNull();

        StrayRecord own = StrayRecord.of(PARTITION, stray);
        assertThat(verdicts.of(stray)).extracting(Unproven::alertId).isEqualTo(own.id());
    }

    @Test
    void aStrayBearsTheAlertOfItsGroup() {
        StrayRecord group = stray(2).and(stray(4)).and(stray(6));
        add(group);
        add(StrayRecord.of(
                PARTITION, new UnattributedRecord(5, UnattributedRecord.Kind.UNSUPPORTED, "why", LogRecord.NO_TIME)));

        for (long offset : new long[] {2, 4, 6}) {
            assertThat(verdicts.of(new UnattributedRecord(offset, UnattributedRecord.Kind.UNSIGNED, "why", 0)))
                    .extracting(Unproven::alertId)
                    .isEqualTo(group.id());
        }
        assertThat(verdicts.of(new UnattributedRecord(7, UnattributedRecord.Kind.UNSIGNED, "why", 0)))
                .extracting(Unproven::alertId)
                .isNotEqualTo(group.id());
    }

    @Test
    void recordsThatAreTooLargeAreNot() {
        OversizedRecords unread = new OversizedRecords(3, 5, 3, "too large", LogRecord.NO_TIME);
        assertThat(why(unread)).startsWith("stray: ");
        StrayRecord group = StrayRecord.of(PARTITION, unread).and(stray(9));
        add(group);
        assertThat(why(unread)).isEqualTo("stray: " + group.id());
    }

    @Test
    void inFormat1TheEventsThatAnIntervalBeginsWithAreVerified() {
        add(verified(StreamId.NO_EMITTER, 5, 2, 5, 0, 2));

        assertThat(why(event(StreamId.NO_EMITTER, 2, Event.NO_SEQUENCE, "as its value says")))
                .isNull();
        assertThat(why(event(StreamId.NO_EMITTER, 1, Event.NO_SEQUENCE))).isNotNull();
        assertThat(why(event(StreamId.NO_EMITTER, 6, Event.NO_SEQUENCE))).isNotNull();
    }

    /** The checkpoint that was cut off is another one when it comes again. */
    @Test
    void afterACutTheEventsBeforeItStayVerified() {
        add(verified(A, 1, 2, 6, 7, 3));
        add(verified(B, 1, 4, 7, 0, 1));
        add(verified(0xc, 1, 1, 4, 0, 1));
        add(violated(B, 2, 9, 1, 1));
        verdicts.truncated(4);

        assertThat(verdicts.size()).isEqualTo(2);
        assertThat(why(event(0xc, 1, 0))).isNull();
        assertThat(why(checkpoint(0xc, 1, 4))).isNotNull();
        assertThat(why(event(B, 8, 1))).startsWith("no checkpoint");

        assertThat(why(event(A, 3, 8))).isNull();
        assertThat(why(event(A, 4, 8))).as("what lies there now").isNotNull();
        assertThat(why(event(B, 5, 0))).isNotNull();
        assertThat(why(checkpoint(A, 1, 6))).isNotNull();
        assertThat(why(checkpoint(A, 1, 3))).isNotNull();

        add(verified(A, 1, 2, 6, 7, 3));
        assertThat(why(event(A, 4, 8))).isNull();
        assertThat(why(checkpoint(A, 1, 6))).isNull();
    }

    @Test
    void whatEndsBeforeAnOffsetIsForgotten() {
        add(verified(A, 1, 1, 5, 7, 2));
        add(verified(A, 2, 6, 9, 9, 2));
        add(violated(B, 1, 5, 0, 2));
        verdicts.forgetBefore(6);

        assertThat(verdicts.size()).isEqualTo(1);
        assertThat(why(event(A, 6, 9))).isNull();
        assertThat(why(event(B, 4, 0))).startsWith("no checkpoint");
    }

    @Test
    void withoutRoomThoseThatBeginFirstAreKept() {
        verdicts = new Verdicts(PARTITION, AllowedEmitters.ALL, 2);
        add(verified(A, 1, 8, 9, 0, 1));
        assertThat(verdicts.knownBefore()).isEqualTo(Long.MAX_VALUE);
        add(verified(B, 1, 3, 5, 0, 2));
        add(verified(B, 2, 6, 7, 2, 1));

        assertThat(verdicts.size()).isEqualTo(2);
        assertThat(verdicts.knownBefore()).isEqualTo(8);
        assertThat(why(event(B, 3, 0))).isNull();
        assertThat(why(event(B, 6, 2))).isNull();

        verdicts.forgetBefore(6);
        add(verified(A, 2, 8, 12, 0, 2));
        assertThat(verdicts.size()).as("what begins there or after that").isEqualTo(1);
    }

    @Test
    void thoseThatAreOpenWhereTheOutputIsAreKeptHoweverManyTheyAre() {
        verdicts = new Verdicts(PARTITION, AllowedEmitters.ALL, 1);
        verdicts.add(verified(A, 1, 2, 9, 0, 1), 4);
        verdicts.add(verified(B, 1, 4, 8, 0, 1), 4);
        assertThat(verdicts.size()).isEqualTo(2);

        verdicts.add(verified(B, 2, 10, 11, 1, 1), 4);
        assertThat(verdicts.knownBefore()).isEqualTo(10);
    }

    @Test
    void withoutRoomForReasonsTheyAreLessExact() {
        verdicts = new Verdicts(PARTITION, AllowedEmitters.ALL, 1);
        for (long emitter : new long[] {A, B}) {
            add(violated(emitter, 1, emitter, 0, 1));
            add(unsealed(emitter, 20, 1, 1));
        }
        assertThat(why(event(A, 9, 0))).startsWith("violated");
        assertThat(why(event(B, 9, 0))).startsWith("no checkpoint");
        assertThat(why(event(A, 20, 1))).startsWith("inconclusive");
        assertThat(why(event(B, 20, 1))).startsWith("no checkpoint");
    }

    /** The reason is less exact then, and nothing is verified that was not. */
    @Test
    void manyFindingsAfterARecordAreNotSearchedForItsOwn() {
        verdicts = new Verdicts(PARTITION, AllowedEmitters.ALL, 1_000);
        for (int i = 0; i < 101; i++) {
            add(violated(100 + i, 1, 10 + i, 0, 1));
        }
        add(violated(A, 1, 200, 0, 1));
        assertThat(why(event(A, 9, 0))).startsWith("no checkpoint");
        assertThat(why(event(A, 50, 0))).startsWith("violated");
    }

    private void add(Finding finding) {
        verdicts.add(finding, 0);
    }

    private @Nullable String why(LogRecord record) {
        Unproven unproven = verdicts.of(record);
        return unproven == null ? null : unproven.why();
    }

    private static String id(long emitter, long number) {
        return violated(emitter, number, 5, 0, 1).id();
    }

    private static StrayRecord stray(long offset) {
        return StrayRecord.of(
                PARTITION, new UnattributedRecord(offset, UnattributedRecord.Kind.UNSIGNED, "why", offset));
    }
}
