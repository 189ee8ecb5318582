package dev.stormproof.consume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.checkpoint.UnattributedRecord;
import dev.stormproof.consume.Entry.OfCheckpoint;
import dev.stormproof.consume.Entry.OfEvent;
import dev.stormproof.consume.HeldRecords.Fate;
import dev.stormproof.consume.HeldRecords.Judged;
import dev.stormproof.judge.Anomaly;
import dev.stormproof.judge.ExpiredUnread;
import dev.stormproof.judge.SealedInterval;
import dev.stormproof.judge.Unattributed;
import dev.stormproof.judge.Verdict.Inconclusive;
import dev.stormproof.judge.Verdict.Verified;
import dev.stormproof.judge.Verdict.Violated;
import dev.stormproof.leader.Leaders;
import dev.stormproof.merkle.Hash;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of records, as a function of progress, alerts and what was fetched. */
class HeldRecordsTest {
    private static final long ALICE = 7;
    private static final long BOB = 8;
    private static final StreamId STREAM = new StreamId("orders", 0, ALICE);

    /** Of records that are no more than the times that they bear. */
    private final HeldRecords<Long> held = new HeldRecords<>(millis -> millis);

    private final PartitionFindings findings = new PartitionFindings();
    private long end;
    private int epoch;

    @Test
    void streamsThatLieAmongEachOtherAreVerifiedByTheirOwnCheckpoints() {
        event(ALICE, 4);
        event(BOB, 1);
        event(ALICE, 5);
        seal(ALICE, 3, 4, 6);
        seal(BOB, 2, 1, 2);

        assertThat(fates(progress(5)))
                .containsExactly(Fate.VERIFIED, Fate.VERIFIED, Fate.VERIFIED, Fate.PASSED, Fate.PASSED);
    }

    @Test
    void aCheckpointThatTheProgressHasNotPassedSealsNothing() {
        event(ALICE, 0);
        seal(ALICE, 1, 0, 1);

        assertThat(fates(progress(1))).containsExactly(Fate.UNVERIFIED, Fate.WAITS);
    }

    @Test
    void anEventBehindWhichThereIsNoCheckpointIsNotVerifiedThoughNoAlertTellsOfIt() {
        event(ALICE, 0);

        assertThat(fates(progress(1))).containsExactly(Fate.UNVERIFIED);
    }

    @Test
    void anEventFromBeforeTheVerificationBeganIsNotVerifiedThoughItsCheckpointStatesItAndNoAlertStands() {
        event(ALICE, 0);
        event(ALICE, 1);
        event(ALICE, 2);
        seal(ALICE, 1, 0, 3);

        assertThat(fates(new ProgressPoint(4, ProgressPoint.NO_EPOCH, Leaders.NONE, 2)))
                .containsExactly(Fate.UNVERIFIED, Fate.UNVERIFIED, Fate.VERIFIED, Fate.PASSED);
    }

    @Test
    void anEventWhoseCheckpointMayNotBeFetchedYetNeedsMore() {
        event(ALICE, 0);

        assertThat(fates(progress(9))).containsExactly(Fate.NEEDS_MORE);
        assertThat(held.judgeFirst(progress(9), end, true, findings).fate())
                .as("if there is no room for more")
                .isEqualTo(Fate.UNVERIFIED);
    }

    @Test
    void anEventThatCameAnIntervalEarlyIsNotVerified() {
        event(ALICE, 0);
        event(ALICE, 1);
        seal(ALICE, 1, 0, 1);
        seal(ALICE, 2, 1, 2);

        assertThat(fates(progress(4))).containsExactly(Fate.VERIFIED, Fate.UNVERIFIED, Fate.PASSED, Fate.PASSED);
    }

    @Test
    void aCopyOfAnEventOfAnEarlierIntervalIsNotVerified() {
        event(ALICE, 0);
        seal(ALICE, 1, 0, 1);
        event(ALICE, 0);
        event(ALICE, 1);
        seal(ALICE, 2, 1, 2);

        assertThat(fates(progress(5)))
                .containsExactly(Fate.VERIFIED, Fate.PASSED, Fate.UNVERIFIED, Fate.VERIFIED, Fate.PASSED);
    }

    @Test
    void aCheckpointThatAnAlertCallsAStrayDoesNotDivideTheIntervalThatItLiesIn() {
        event(ALICE, 0);
        seal(ALICE, 1, 0, 2);
        event(ALICE, 1);
        seal(ALICE, 1, 0, 2);
        findings.add(new Unattributed("orders", 0, 1, UnattributedRecord.Kind.UNTRUSTED_CHECKPOINT, ""));
        findings.add(PaperVerifier.violated(STREAM, 1, 3, 0, 2));

        assertThat(fates(progress(4))).containsExactly(Fate.UNVERIFIED, Fate.PASSED, Fate.UNVERIFIED, Fate.PASSED);
    }

    /** Seed 310011951: the seal continues the fork, so that only what lies behind that is its own. */
    @Test
    void anEventBeforeAForkThatTheNextCheckpointContinuesIsNotVerified() {
        event(ALICE, 0);
        seal(ALICE, 0, 0, 0);
        event(ALICE, 0);
        seal(ALICE, 1, 0, 1);
        findings.add(new Unattributed("orders", 0, 1, UnattributedRecord.Kind.FORKED_CHECKPOINT, ""));

        assertThat(fates(progress(4))).containsExactly(Fate.UNVERIFIED, Fate.PASSED, Fate.VERIFIED, Fate.PASSED);
    }

    /** Seeds 410031536 and 410038912: retention took the originals, so that the copy is the only one of its interval. */
    @Test
    void aCopyOfAWholeIntervalIsNotHandedOutBehindLaterOnesThoughItVerifies() {
        event(ALICE, 5);
        seal(ALICE, 2, 5, 6);
        assertThat(fates(progress(9))).containsExactly(Fate.VERIFIED, Fate.PASSED);

        event(ALICE, 0);
        event(BOB, 0);
        seal(ALICE, 1, 0, 1);
        seal(BOB, 1, 0, 1);
        event(ALICE, 6);
        seal(ALICE, 3, 6, 7);

        assertThat(fates(progress(9)))
                .containsExactly(Fate.UNVERIFIED, Fate.VERIFIED, Fate.PASSED, Fate.PASSED, Fate.VERIFIED, Fate.PASSED);
    }

    @Test
    void anEventThatCouldNotBeReturnedIsStillVerifiedWhenItIsAskedForAgain() {
        event(ALICE, 0);
        seal(ALICE, 1, 0, 1);

        assertThat(held.judgeFirst(progress(2), end, false, findings).fate()).isEqualTo(Fate.VERIFIED);
        assertThat(fates(progress(2))).containsExactly(Fate.VERIFIED, Fate.PASSED);
    }

    @Test
    void howFarStreamsWereHandedOutIsRememberedOfABoundedNumber() {
        int streams = HeldRecords.MOST_STREAMS + 1;
        for (int round = 0; round < 2; round++) {
            for (int emitter = 0; emitter < streams; emitter++) {
                event(emitter, 0);
                seal(emitter, 1, 0, 1);
                // All but the one that came first are remembered; the second round's first displaces the next, and so
                // on.
                assertThat(fates(progress(end))).containsExactly(Fate.VERIFIED, Fate.PASSED);
            }
        }
        event(streams - 1L, 0);
        seal(streams - 1L, 1, 0, 1);
        assertThat(fates(progress(end))).containsExactly(Fate.UNVERIFIED, Fate.PASSED);
    }

    @Test
    void aRecordOfALaterLeaderEpochThanTheProgressWaits() {
        event(ALICE, 0);
        seal(ALICE, 1, 0, 1);
        epoch = 1;
        event(BOB, 0);
        seal(BOB, 1, 0, 1);

        assertThat(fates(new ProgressPoint(4, 0, Leaders.NONE, 0)))
                .containsExactly(Fate.VERIFIED, Fate.PASSED, Fate.WAITS);
    }

    /** It was fetched before, and what lies in its place was verified. */
    @Test
    void aRecordOfAnotherLeaderThanTheOneThatWroteInItsPlaceIsCutOff() {
        event(ALICE, 0);
        seal(ALICE, 1, 0, 1);
        event(BOB, 0);
        seal(BOB, 1, 0, 1);

        assertThat(fates(new ProgressPoint(9, 1, Leaders.ofText("2/1"), 0)))
                .containsExactly(Fate.VERIFIED, Fate.PASSED, Fate.CUT_OFF);
    }

    @Test
    void twoCheckpointsOfOneNumberAreJudgedEachByItself() {
        seal(ALICE, 1, 0, 0);
        event(ALICE, 0);
        seal(ALICE, 1, 0, 1);
        findings.add(PaperVerifier.violated(STREAM, 1, 0, 0, 0));
        findings.add(PaperVerifier.violated(STREAM, 1, 2, 0, 1));

        assertThat(fates(progress(3))).containsExactly(Fate.PASSED, Fate.UNVERIFIED, Fate.PASSED);
    }

    @Test
    void whatNobodySealedInTimeIsUnverifiedUntilItTurnsOutWell() {
        SealedInterval tail = new SealedInterval(STREAM, 1, 0, 0, 1);
        event(ALICE, 0);
        findings.add(new Inconclusive(tail, Inconclusive.Reason.UNSEALED, "silence"));

        Judged first = held.judgeFirst(progress(9), end, false, findings);
        assertThat(first.fate()).isEqualTo(Fate.UNVERIFIED);
        assertThat(first.unverified())
                .isNotNull()
                .extracting(Unverified::alertId)
                .isEqualTo("orders/0/0000000000000007/1");

        seal(ALICE, 1, 0, 1);
        findings.add(new Verified(new SealedInterval(STREAM, 1, 1, 0, 1), Verified.Basis.LOG, 0));
        assertThat(fates(progress(9))).containsExactly(Fate.VERIFIED, Fate.PASSED);
    }

    @Test
    void whatExpiredBeforeItWasVerifiedIsNotHandedOutThoughItWasFetched() {
        event(ALICE, 0);
        seal(ALICE, 1, 0, 1);
        findings.add(new ExpiredUnread("orders", 0, 0, 2));

        assertThat(fates(progress(2))).containsExactly(Fate.UNVERIFIED, Fate.PASSED);
    }

    @Test
    void whatWasWrittenBeforeTheAlertsThatAreThereIsNotVerified() {
        event(ALICE, 0);
        seal(ALICE, 1, 0, 1);
        event(ALICE, 1);
        seal(ALICE, 2, 1, 2);
        findings.missingBefore(1);

        assertThat(fates(progress(4)))
                .as("events of the times 0 and 2")
                .containsExactly(Fate.UNVERIFIED, Fate.PASSED, Fate.VERIFIED, Fate.PASSED);
    }

    @Test
    void ofMoreAlertsThanAreKeptTheFirstIsForgottenAndNothingUpToItCountsAsVerified() {
        event(ALICE, 0);
        seal(ALICE, 1, 0, 1);
        event(ALICE, 1);
        seal(ALICE, 2, 1, 2);
        findings.add(PaperVerifier.violated(STREAM, 1, 1, 0, 1));
        for (int i = 0; i < PartitionFindings.MOST; i++) {
            findings.add(PaperVerifier.violated(STREAM, 10 + i, 100 + i, 0, 1));
        }

        assertThat(fates(progress(4))).containsExactly(Fate.UNVERIFIED, Fate.PASSED, Fate.VERIFIED, Fate.PASSED);
    }

    @Test
    void whatWasCutOffIsForgottenWithItsCheckpoints() {
        event(ALICE, 0);
        seal(BOB, 1, 0, 0);
        event(ALICE, 1);
        seal(ALICE, 1, 0, 2);

        held.removeFrom(1);
        end = 1;
        epoch = 1;
        event(ALICE, 2);
        seal(ALICE, 1, 0, 1);

        assertThat(held.size()).isEqualTo(3);
        assertThat(fates(progress(3))).containsExactly(Fate.VERIFIED, Fate.UNVERIFIED, Fate.PASSED);
        assertThat(held.sizeBytes()).isZero();
    }

    @Test
    void eventsThatFollowOneAnotherAreJudgedAsOneAndMayBeTakenOutInParts() {
        for (int sequence = 0; sequence < 5; sequence++) {
            event(ALICE, sequence);
        }
        seal(ALICE, 1, 0, 5);

        assertThat(count(progress(6))).isEqualTo(5);
        held.handOut(2);
        assertThat(held.first()).isNotNull().extracting(HeldRecords.Run::offset).isEqualTo(2L);
        assertThat(held.records()).toIterable().containsExactly(2L, 3L, 4L, 5L);
        assertThat(held.sizeBytes()).isEqualTo(4);

        assertThat(count(progress(6))).isEqualTo(3);
        held.handOut(3);
        assertThat(fates(progress(6))).containsExactly(Fate.PASSED);
        assertThat(held.sizeBytes()).isZero();
    }

    @Test
    void anEventWhoseSequenceIsNotTheNextIsJudgedByItself() {
        event(ALICE, 0);
        event(ALICE, 2);
        event(ALICE, 1);
        seal(ALICE, 1, 0, 2);

        assertThat(fates(progress(4))).containsExactly(Fate.VERIFIED, Fate.UNVERIFIED, Fate.VERIFIED, Fate.PASSED);
    }

    @Test
    void eventsBetweenWhichTheLogHoldsNothingStandWhereTheyStand() {
        event(ALICE, 0);
        end += 5;
        event(ALICE, 1);
        seal(ALICE, 1, 0, 2);

        assertThat(count(progress(9))).isEqualTo(1);
        held.handOut(1);
        assertThat(held.first()).isNotNull().extracting(HeldRecords.Run::offset).isEqualTo(6L);
        assertThat(fates(progress(9))).containsExactly(Fate.VERIFIED, Fate.PASSED);
    }

    @Test
    void eventsOfTwoLeadersAreJudgedEachByItsOwn() {
        epoch = 1;
        event(ALICE, 0);
        epoch = 2;
        event(ALICE, 1);
        seal(ALICE, 1, 0, 2);

        assertThat(fates(new ProgressPoint(3, 2, Leaders.ofText("0/1,1/2"), 0)))
                .containsExactly(Fate.VERIFIED, Fate.VERIFIED, Fate.PASSED);
    }

    @Test
    void ofEventsThatFollowOneAnotherThoseWaitThatWereCutOff() {
        epoch = 1;
        event(ALICE, 0);
        event(ALICE, 1);
        event(ALICE, 2);
        epoch = 2;
        seal(ALICE, 1, 0, 3);

        assertThat(fates(new ProgressPoint(9, 2, Leaders.ofText("0/1,1/2"), 0)))
                .containsExactly(Fate.VERIFIED, Fate.CUT_OFF);
    }

    @Test
    void ofEventsThatFollowOneAnotherThoseAreNotVerifiedThatAreOlderThanTheAlertsThatAreThere() {
        eventOf(7, ALICE, 0);
        eventOf(2, ALICE, 1);
        eventOf(7, ALICE, 2);
        seal(ALICE, 1, 0, 3);
        findings.missingBefore(3);

        assertThat(fates(progress(4))).containsExactly(Fate.VERIFIED, Fate.UNVERIFIED, Fate.VERIFIED, Fate.PASSED);
    }

    @Test
    void ofEventsThatFollowOneAnotherThoseAreForgottenThatWereCutOff() {
        event(ALICE, 0);
        event(ALICE, 1);
        event(ALICE, 2);

        held.removeFrom(1);
        assertThat(held.records()).toIterable().containsExactly(0L);
        end = 1;
        event(ALICE, 1);
        seal(ALICE, 1, 0, 2);

        assertThat(count(progress(3))).isEqualTo(2);
        assertThat(fates(progress(3))).containsExactly(Fate.VERIFIED, Fate.VERIFIED, Fate.PASSED);
        assertThat(held.sizeBytes()).isZero();
    }

    @Test
    void ofAnAlertItsAnomaliesAreNotKept() {
        List<Anomaly> anomalies = new ArrayList<>(
                List.of(new Anomaly(Anomaly.Kind.LOST, STREAM, 0, 1, -1, 0, Hash.empty(), Hash.empty())));
        WeakReference<Anomaly> kept = new WeakReference<>(anomalies.get(0));
        findings.add(new Violated(new SealedInterval(STREAM, 1, 1, 0, 1), false, true, 1, anomalies));
        anomalies.clear();

        for (int collections = 0; collections < 20 && kept.get() != null; collections++) {
            System.gc();
        }
        assertThat(kept.get()).isNull();
        event(ALICE, 0);
        seal(ALICE, 1, 0, 1);
        assertThat(fates(progress(2))).containsExactly(Fate.UNVERIFIED, Fate.PASSED);
    }

    private void event(long emitter, long sequence) {
        eventOf(end, emitter, sequence);
    }

    private void eventOf(long millis, long emitter, long sequence) {
        held.add(end, epoch, 1, new OfEvent(emitter, sequence), millis);
        end++;
    }

    private void seal(long emitter, long number, long first, long next) {
        held.add(end, epoch, 1, new OfCheckpoint(emitter, number, first, next), end);
        end++;
    }

    private int count(ProgressPoint progress) {
        return held.judgeFirst(progress, end, false, findings).count();
    }

    private static ProgressPoint progress(long offset) {
        return new ProgressPoint(offset, ProgressPoint.NO_EPOCH, Leaders.NONE, 0);
    }

    /** The fates of what is held, up to the first that waits. */
    private List<Fate> fates(ProgressPoint progress) {
        List<Fate> fates = new ArrayList<>();
        while (held.first() != null) {
            Judged judged = held.judgeFirst(progress, end, false, findings);
            fates.addAll(Collections.nCopies(judged.count(), judged.fate()));
            switch (judged.fate()) {
                case WAITS, CUT_OFF, NEEDS_MORE -> {
                    return fates;
                }
                case VERIFIED -> held.handOut(judged.count());
                default -> held.removeFirst();
            }
        }
        return fates;
    }
}
