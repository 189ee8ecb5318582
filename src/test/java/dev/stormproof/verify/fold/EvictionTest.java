package dev.stormproof.verify.fold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.testing.DrawnLog;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.Leaders;
import dev.stormproof.verify.feed.Read;
import dev.stormproof.verify.fold.LogQuery.OfInterval;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Streams that make room for others: with room for one, each new stream evicts the one before. */
class EvictionTest {
    private static final Bounds ONE_STREAM = new Bounds(1, 100, 100, 1 << 20);

    @Test
    void theOpenEventsOfAnEvictedStreamAreUnsealed() {
        // #0 e0 b#0   ► UNSEALED 1
        DrawnLog log = DrawnLog.of(ONE_STREAM, "#0 e0 b#0").verify();
        assertThat(log.findings()).contains("UNSEALED 1 @1 of 1");
        assertThat(log.verifier().streams()).isEqualTo(1);
        assertThat(log.progress()).isEqualTo(3);
    }

    @Test
    void aFloodOfInventedEmittersTakesNoMoreMemoryThanTheBoundsAllow() {
        Bounds bounds = new Bounds(1, 1, 100, 1 << 20);
        PartitionVerifier verifier = new PartitionVerifier(
                "t", 0, 0, Leaders.NONE, new InactivityTimeouts(1, 1, 1), bounds, Optional.empty());
        for (int i = 0; i < 1_000; i++) {
            verifier.take(
                    new DeliveryLink(i, i - 1, DeliveryLink.NO_EPOCH),
                    new Read(StreamRecords.of(1 + i).event(i, 0), DeliveryLink.NO_EPOCH, LogRecord.NO_TIME, null));
        }
        assertThat(verifier.sizeBytes()).isPositive().isLessThanOrEqualTo(bounds.mostBytes());
    }

    @Test
    void itSaysWhy() {
        // #0 e0 b#0
        DrawnLog log = DrawnLog.of(ONE_STREAM, "#0 e0 b#0").verify();
        assertThat(log.verifier().drainFindings())
                .anySatisfy(finding -> assertThat(finding.toString()).contains("more than 1 streams at once"));
    }

    @Test
    void anEvictedStreamWithoutOpenEventsThatOwesACheckpointIsUnsealed() {
        // #0 e0 e1 #1 b#0   ► UNSEALED 2, of no events
        DrawnLog log = DrawnLog.of(ONE_STREAM, "#0 e0 e1 #1 b#0").verify();
        assertThat(log.findings())
                .containsExactly("Verified 0", "Verified 1", "UNSEALED 2 @3 of 0", "Verified b0 by the log");
    }

    @Test
    void anEvictedStreamThatComesBackGoesOnBehindItsLastCheckpoint() {
        // #0 e0 e1 #1. b#0 e2 b#1   ► UNSEALED 2
        DrawnLog log = DrawnLog.of(ONE_STREAM, "#0 e0 e1 #1. b#0 e2 b#1").verify();
        assertThat(log.findings()).contains("UNSEALED 2 @5 of 1");
    }

    @Test
    void aCopyOfAnEndedAndEvictedStreamOwesNothing() {
        // #0 e0 e1 #1. … b#0. #0 … silence   ► a repetition, and nothing else of Alice
        DrawnLog log = DrawnLog.of(ONE_STREAM, "#0 e0 e1 #1.");
        for (int i = 0; i < 70_000; i++) {
            log.log().appendMarker();
        }
        log.append("b#0. #0").verify();
        log.tick(0).tick(2 * DrawnLog.PROMISE_MILLIS).audit().tick(4 * DrawnLog.PROMISE_MILLIS);
        assertThat(log.findings())
                .contains("REPEATED_CHECKPOINT @70005")
                .noneMatch(finding -> finding.startsWith("UNSEALED"));
    }

    @Test
    void twoOpenEndsOfNoKnownNumberAreToldOneByOne() {
        // e0 b#0. e1 b#0.
        DrawnLog log = DrawnLog.of(ONE_STREAM, "e0 b#0. e1 b#0.").verify();
        List<String> ids = log.verifier().drainFindings().stream()
                .map(finding -> finding.id())
                .filter(id -> id.contains("/-1"))
                .toList();
        assertThat(ids).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void aStreamThatOwesNothingIsEvictedWithoutAWord() {
        // #0 e0 e1 #1. b#0
        DrawnLog log = DrawnLog.of(ONE_STREAM, "#0 e0 e1 #1. b#0").verify();
        assertThat(log.findings()).containsExactly("Verified 0", "Verified 1", "Verified b0 by the log");
    }

    @Test
    void anEvictedStreamThatComesBackIsJudgedByTheLog() {
        // #0 be0 e0 e1 #1   ► UNSEALED 1 for now, Verified 1 by the log
        DrawnLog log = DrawnLog.of(ONE_STREAM, "#0 be0 e0 e1 #1").verify();
        assertThat(log.findings())
                .containsExactly("Verified 0", "UNSEALED 1 @0 of 0", "UNSEALED b-1 @1 of 1", "Verified 1 by the log");
    }

    @Test
    void aCheckpointZeroOfAnEvictedStreamIsJudgedByTheLog() {
        // e0 b#0 #0   ► Alice's checkpoint 0 is not verified: e0 lies before it
        DrawnLog log = DrawnLog.of(ONE_STREAM, "e0 b#0 #0").verify();
        assertThat(log.findings()).doesNotContain("Verified 0", "Verified 0 by the log");
    }

    @Test
    void untilItsLastCheckpointIsJudgedItIsNotGivenUp() {
        // #0 │ e0 e1 #1. b#0   ► Verified 1 by the log, nothing unsealed
        DrawnLog log = DrawnLog.of(ONE_STREAM, "#0 e0 e1 #1. b#0")
                .restart(1, 0, List.of())
                .deliver();
        assertThat(log.progress()).isEqualTo(1);
        assertThat(log.findings()).isEmpty();
        assertThat(log.audit().findings()).containsExactly("Verified 1 by the log", "Verified b0 by the log");
        assertThat(log.progress()).isEqualTo(5);
    }

    @Test
    void eventsBeforeARepetitionAreOpenAgainThoughTheirStreamWasEvictedMeanwhile() {
        // #0 e0 e1 #1 │ e2 #1 b#0   ► REPEATED_CHECKPOINT, e2 unsealed
        DrawnLog log = DrawnLog.of(ONE_STREAM, "#0 e0 e1 #1 e2 #1 b#0")
                .restart(4, 0, List.of())
                .deliver();
        assertThat(log.verifier().streams()).isEqualTo(1);
        assertThat(log.progress()).isEqualTo(4);
        log.audit();
        assertThat(log.findings())
                .containsExactly("REPEATED_CHECKPOINT @5", "UNSEALED -1 @4 of 1", "Verified b0 by the log");
        assertThat(log.progress()).isEqualTo(7);
    }

    @Test
    void aStreamThatComesBackBeforeItsAuditGoesOnAsItWas() {
        // #0 e0 e1 #1 │ e2 #1 b#0 e3 be0   ► e2 and e3 unsealed, once what lies between is judged
        DrawnLog log = DrawnLog.of(ONE_STREAM, "#0 e0 e1 #1 e2 #1 b#0 e3 be0")
                .restart(4, 0, List.of())
                .deliver();
        log.audit();
        assertThat(log.findings())
                .containsExactly("REPEATED_CHECKPOINT @5", "UNSEALED -1 @7 of 2", "Verified b0 by the log");
        assertThat(log.progress()).isEqualTo(8);
    }

    @Test
    void theProvisionalVerdictOfAnEvictedStreamIsFinal() {
        // #0 e0 #1 b#0   with e1 lost   ► Violated 1 for now, then final
        DrawnLog log = DrawnLog.of(ONE_STREAM, "#0 e0 #1 b#0").deliver();
        OfInterval task = (OfInterval) log.ask().get(0);
        log.answer(task);
        assertThat(log.findings()).contains("Violated 1? LOST 1..2");
        log.audit();
        assertThat(log.findings()).contains("Violated 1: LOST 1..2");
        assertThat(log.verifier().undecided()).isEqualTo(1);
    }

    @Test
    void aPromisedStreamEvictsAnotherLikeAnyOther() {
        // b#0 │ e0   the promise of b#0 is read behind e0   ► UNSEALED
        DrawnLog log = DrawnLog.of(ONE_STREAM, "b#0 e0").restart(1, 0, List.of(0L));
        LogQuery promises = log.ask().get(0);
        log.deliver().answer(promises);
        assertThat(log.findings()).containsExactly("UNSEALED -1 @1 of 1");
    }

    @Test
    void theLeastRecentlySeenStreamIsEvicted() {
        // #0 b#0 e0 c#0   with room for two   ► Bob makes room
        DrawnLog log = DrawnLog.of(new Bounds(2, 100, 100, 1 << 20), "#0 b#0 be0 e0 c#0")
                .verify();
        assertThat(log.findings()).contains("UNSEALED b1 @2 of 1");
        assertThat(log.progress()).isEqualTo(3);
    }
}
