package dev.stormproof.verify.fold;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.testing.DrawnLog;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.Read;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Open events whose content contradicts their own headers, and how many events are open. */
class ContradictedEndsTest {
    private static final long LIMIT_MILLIS = DrawnLog.PROMISE_MILLIS + DrawnLog.TIMEOUTS.graceMillis();

    private static DrawnLog overdue(String drawing) {
        return DrawnLog.of(drawing).verify().tick(0).tick(LIMIT_MILLIS + 1);
    }

    @Test
    void anOverdueStreamWithAnAlteredEventIsViolatedBeforeItIsSealed() {
        DrawnLog log = overdue("#0 e0 e1 #1 e2 ~e3");

        List<Finding> findings = log.verifier().drainFindings();

        assertThat(findings).hasSize(3).last().isInstanceOfSatisfying(Violated.class, violated -> {
            assertThat(violated.standing()).isEqualTo(Violated.Standing.UNSEALED);
            assertThat(violated.revision()).isEqualTo(Finding.UNSEALED_REVISION);
            assertThat(violated.interval().number()).isEqualTo(2);
            assertThat(violated.interval().eventCount()).isEqualTo(2);
            assertThat(violated.anomalies()).singleElement().satisfies(anomaly -> {
                assertThat(anomaly.begin()).isEqualTo(3);
                assertThat(anomaly.offset()).isEqualTo(5);
                assertThat(anomaly.expected()).isNotEqualTo(anomaly.observed());
            });
        });
        assertThat(log.progress()).isEqualTo(6);
        assertThat(log.tick(9 * LIMIT_MILLIS).findings()).as("once").isEmpty();
    }

    @Test
    void itsCheckpointMayStillComeAndSaysMore() {
        DrawnLog log = overdue("#0 e0 e1 #1 ~e2");
        assertThat(log.findings()).last().asString().startsWith("Violated 2");

        log.append("#2 e4 e5 #3").verify();

        assertThat(log.verifier().drainFindings())
                .filteredOn(Violated.class::isInstance)
                .last()
                .isInstanceOfSatisfying(Violated.class, violated -> {
                    assertThat(violated.revision()).isEqualTo(Finding.FINAL_REVISION);
                    assertThat(violated.anomalies()).hasSize(2);
                });
    }

    @Test
    void whatWasAlteredOnItsWayFromTheLogIsNoViolation() {
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1").verify().append("e2");
        log.verifier()
                .take(
                        new DeliveryLink(4, 3, DeliveryLink.NO_EPOCH),
                        new Read(ALICE.altered(4, 2), DeliveryLink.NO_EPOCH, LogRecord.NO_TIME, null));
        log.deliverFrom(5).tick(0).tick(LIMIT_MILLIS + 1);

        assertThat(log.findings()).last().isEqualTo("UNSEALED 2 @4 of 1");
    }

    @Test
    void anAlteredCopyBesideTheEventIsForeign() {
        assertThat(overdue("#0 e0 e1 #1 e2 ~e2 ~e1").findings().get(2))
                .contains("FOREIGN 1..2", "FOREIGN 2..3")
                .doesNotContain("ALTERED");
    }

    @Test
    void whatIsOpenBehindAClosingCheckpointIsViolatedToo() {
        assertThat(overdue("#0 e0 e1 #1. ~e2").findings()).last().asString().contains("ALTERED 2");
    }

    @Test
    void aStreamOfWhichNoCheckpointIsKnownIsReadFromItsFirstEvent() {
        DrawnLog log = DrawnLog.of("e0 ~e1").verify().tick(0).tick(LIMIT_MILLIS + 1);

        assertThat(log.findings()).singleElement().asString().contains("ALTERED 1");
    }

    @Test
    void ofAnAlgorithmThatIsUnknownHereNothingIsSaid() {
        DrawnLog log = DrawnLog.of("#0")
                .append(offset -> new Event(
                        offset,
                        ALICE.stream().emitter(),
                        0,
                        ALICE.event(offset, 0).treeHash(),
                        200,
                        ALICE.event(offset, 0).stated(),
                        Hash.empty(),
                        Event.Content.UNTRANSFORMED,
                        LogRecord.NO_TIME));

        assertThat(log.verify().tick(0).tick(LIMIT_MILLIS + 1).findings())
                .last()
                .isEqualTo("UNSEALED 1 @1 of 1");
    }

    @Test
    void openEventsAreCountedForEachStreamAndSoIsOneThatHasOnlyBegun() {
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1 e2 e3 be0 c#0 de7").verify();

        assertThat(log.verifier().openEnds(Long.MAX_VALUE))
                .extracting(
                        UnsealedTail::checkpoint,
                        UnsealedTail::checkpointOffset,
                        UnsealedTail::sinceOffset,
                        UnsealedTail::events)
                .containsExactly(
                        tuple(1L, 3L, 4L, 2L), tuple(-1L, -1L, 6L, 1L), tuple(0L, 7L, 7L, 0L), tuple(-1L, -1L, 8L, 1L));
        log.append("#2.").verify();
        assertThat(log.verifier().openEnds(Long.MAX_VALUE)).hasSize(3);
        assertThat(log.verifier().openEnds(7)).hasSize(1);
    }

    @Test
    void whatCameAfterTheStreamWasGivenUpIsOpenToo() {
        DrawnLog log = overdue("#0 e0 e1 #1 e2").append("e3 ~e4").verify();

        assertThat(log.verifier().openEnds(Long.MAX_VALUE)).singleElement().satisfies(end -> {
            assertThat(end.events()).isEqualTo(3);
            assertThat(end.overdue()).isTrue();
        });
        // What reads the whole log tells it at the end.
        assertThat(log.verifier().contradicted())
                .singleElement()
                .satisfies(tail -> assertThat(tail.endOffset()).isEqualTo(7));
    }

    @Test
    void aRepeatedCheckpointSealsNoneOfThem() {
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1 e2 #1 e3").verify();

        assertThat(log.verifier().openEnds(Long.MAX_VALUE))
                .singleElement()
                .satisfies(end -> assertThat(end.events()).isEqualTo(2));
    }
}
