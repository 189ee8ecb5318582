package dev.stormproof.verify.fold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.testing.DrawnLog;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.verify.fold.LogQuery.OfPromises;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Promises of streams that were idle when their verifier ended: they are committed beside its progress. */
class PromisesTest {
    private static final long OVERDUE_MILLIS = DrawnLog.PROMISE_MILLIS + DrawnLog.TIMEOUTS.graceMillis() + 1;

    @Test
    void aStreamThatWasIdleWhenItsVerifierEndedIsGivenUpByTheNextOne() {
        // #0 e0 e1 #1 │ … silence   ► UNSEALED 2
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1").verify();
        log.findings();
        assertThat(log.progress()).isEqualTo(4);
        assertThat(log.verifier().promises().offsets()).containsExactly(3L);
        log.restart().tick(0).tick(OVERDUE_MILLIS);
        assertThat(log.findings()).containsExactly("UNSEALED 2 @3 of 0");
        assertThat(log.verifier().promises()).isEqualTo(Promises.NONE);
        assertThat(log.progress()).isEqualTo(4);
    }

    @Test
    void aStreamThatGoesOnIsNotGivenUpAndItsNextIntervalIsVerified() {
        // #0 │ e0 e1 #1   ► Verified 1
        DrawnLog log = DrawnLog.of("#0").verify().restart().tick(0).tick(DrawnLog.PROMISE_MILLIS);
        log.append("e0 e1 #1").verify().tick(OVERDUE_MILLIS);
        assertThat(log.findings()).containsExactly("Verified 1 by the log");
        assertThat(log.verifier().promises().offsets()).containsExactly(3L);
    }

    @Test
    void aStreamWithEventsBehindTheBeginningIsFollowedFromItsLastCheckpoint() {
        // #0 │ e0 … silence   ► UNSEALED 1
        DrawnLog log = DrawnLog.of("#0").verify().restart().append("e0").verify();
        log.tick(0).tick(OVERDUE_MILLIS);
        assertThat(log.findings()).containsExactly("UNSEALED 1 @1 of 1");
    }

    @Test
    void untilTheyAreReadAgainTheyAreCommittedAgain() {
        // #0 │
        DrawnLog log = DrawnLog.of("#0").verify().restart();
        assertThat(log.verifier().promises().offsets()).containsExactly(0L);
        assertThat(log.audit().verifier().promises().offsets()).containsExactly(0L);
    }

    @Test
    void streamsThatEndedOrWereGivenUpOweNothing() {
        // #0 #1. b#0 … silence
        DrawnLog log = DrawnLog.intervals(0).append("#0 #1. b#0").verify();
        assertThat(log.verifier().promises().offsets()).containsExactly(2L);
        log.tick(0).tick(OVERDUE_MILLIS);
        assertThat(log.verifier().promises()).isEqualTo(Promises.NONE);
    }

    @Test
    void onlyThoseBeforeTheProgressAreCommitted() {
        // b#0 e0 #0   e0 holds the progress back
        DrawnLog log = DrawnLog.of("b#0 e0 c#0").verify();
        assertThat(log.progress()).isEqualTo(1);
        assertThat(log.verifier().promises().offsets()).containsExactly(0L);
    }

    @Test
    void whatIsCommittedOfABusyStreamKeepsUpWithTheProgress() {
        // #0 b#0 be0 e0 e1 #1 ‖ be1 b#1 be2 e2 e3 #2 ‖ …   Bob's open event always lies before Alice's last checkpoint
        DrawnLog log = DrawnLog.of("#0 b#0 be0 e0 e1 #1").verify();
        int round = "be1 b#1 be2 e2 e3 #2".split(" ").length;
        for (int i = 1; i <= 20; i++) {
            log.append("be%d b#%d be%d e%d e%d #%d".formatted(2 * i - 1, i, 2 * i, 2 * i, 2 * i + 1, i + 1))
                    .verify();
            List<Long> promises = log.verifier().promises().offsets();
            assertThat(promises).as("in round %d", i).hasSize(2);
            assertThat(log.progress() - promises.get(0)).as("in round %d", i).isBetween(1L, 3L * round);
        }
    }

    @Test
    void whatIsCommittedWhileCopiesWaitIsTheLastOneBeforeThem() {
        // #0 b#0 be0 e0 e1 #1 ‖ e2 e3 #2 be1 b#1 #0 │   with #0, a copy, not judged
        DrawnLog log = DrawnLog.of("#0 b#0 be0 e0 e1 #1").verify();
        assertThat(log.verifier().promises().offsets()).containsExactly(0L, 1L);
        log.append("e2 e3 #2 be1 b#1").verify().append("#0").deliver();
        assertThat(log.verifier().promises().offsets()).containsExactly(8L, 10L);
        log.findings();
        log.restart().verify().tick(0).tick(OVERDUE_MILLIS);
        assertThat(log.findings()).contains("REPEATED_CHECKPOINT @11", "UNSEALED 3 @8 of 0");
    }

    @Test
    void aCopyThatWasRefusedSincePromisesNothing() {
        // #0 e0 ‖ e1 #1 #0 ‖ e2 #0 │   each #0 but the first is a copy; the last one is not judged
        DrawnLog log = DrawnLog.of("#0 e0").verify();
        assertThat(log.verifier().promises().offsets()).containsExactly(0L);
        log.append("e1 #1 #0").deliver();
        assertThat(log.verifier().promises().offsets()).as("a copy waits").isNotEmpty();
        log.audit().append("e2 #0").deliver();
        assertThat(log.verifier().promises().offsets()).containsExactly(3L);
    }

    @Test
    void aCopyInALaterPieceOfTheLogIsNotTheLastOneOfItsStream() {
        // #0 e0 e1 #1 e2 e3 #2. … #1 │   ► nothing; without the end, the end of #2 and not of #1
        assertThat(copiedFarBelow("#0 e0 e1 #1 e2 e3 #2.")).isEmpty();
        assertThat(copiedFarBelow("#0 e0 e1 #1 e2 e3 #2")).containsExactly("UNSEALED 3 @6 of 0");
    }

    /** What is told of a stream once it is overdue, of which a copy of a checkpoint lies more than one piece behind its end. */
    private static List<String> copiedFarBelow(String stream) {
        DrawnLog log = DrawnLog.of(stream);
        for (int i = 0; i < OfPromises.PIECE; i++) {
            log.log().appendMarker();
        }
        log.append("#1").verify();
        log.findings();
        log.restart(log.progress(), 0, Promises.since(0)).audit().tick(0).tick(OVERDUE_MILLIS);
        return log.findings();
    }

    @Test
    void howManyStreamsAreRememberedWhileTheyAreReadIsBounded() {
        // Two streams are kept: of the first of three ended ones a copy counts again.
        DrawnLog log = DrawnLog.of(new Bounds(2, 100, 100, 1 << 20), "#0 e0 e1 #1 e2 e3 #2. b#0. c#0.");
        for (int i = 0; i < OfPromises.PIECE; i++) {
            log.log().appendMarker();
        }
        log.append("#1").verify();
        log.findings();
        log.restart(log.progress(), 0, Promises.since(0)).audit().tick(0).tick(OVERDUE_MILLIS);
        assertThat(log.findings()).containsExactly("UNSEALED 2 @" + (log.progress() - 1) + " of 0");
    }

    @Test
    void theyAreCommittedInAscendingOrder() {
        // b#0 #0 c#0 e0   with e0 last seen   ► 0, 1, 2
        DrawnLog log = DrawnLog.of("b#0 #0 c#0").verify();
        assertThat(log.verifier().promises().offsets()).containsExactly(0L, 1L, 2L);
    }

    @Test
    void aPlaceWithoutACheckpointOrThatExpiredIsPassedOver() {
        // ✝(#0) e0 #1 │   promises at 0, 1 and 99
        DrawnLog log = DrawnLog.of("#0 e0 x").expireBefore(1);
        log.restart(3, 0, List.of(0L, 1L, 99L)).tick(0).tick(OVERDUE_MILLIS);
        assertThat(log.findings()).isEmpty();
        assertThat(log.verifier().promises()).isEqualTo(Promises.NONE);
    }

    @Test
    void thoseThatWereReadBeforeATruncationBelowAreIgnored() {
        // x #0 │ ✂1 x x   the promise at 1 was read before
        DrawnLog log = DrawnLog.of("x #0").verify();
        log.findings();
        log.restart();
        OfPromises asked = (OfPromises) log.ask().get(0);
        Consumer<PartitionVerifier> found = log.read(asked);
        log.truncate(1).append("x x").verify();
        found.accept(log.verifier());
        log.tick(0).tick(OVERDUE_MILLIS);
        assertThat(log.findings()).containsExactly("UNSIGNED @1", "UNSIGNED @2");
        assertThat(log.verifier().promises()).isEqualTo(Promises.NONE);
    }

    @Test
    void thoseOfAStreamOfWhichACheckpointCameMeanwhileChangeNothing() {
        // #0 │ e0 e1 #1   the promise is answered last
        DrawnLog log = DrawnLog.of("#0").verify().restart();
        LogQuery asked = log.ask().get(0);
        log.append("e0 e1 #1").verify();
        log.answer(asked);
        log.append("e2 e3 #2").verify();
        assertThat(log.findings()).contains("Verified 1 by the log", "Verified 2");
        assertThat(log.verifier().promises().offsets()).containsExactly(6L);
    }

    @Test
    void ofMoreStreamsThanCanBeNamedEachIsFollowedFromItsLastCheckpoint() {
        // 300 emitters that die, among them some that ended, far apart   ► each of the 300 is unsealed
        DrawnLog log = DrawnLog.of("");
        for (int emitter = 0; emitter < 300; emitter++) {
            StreamRecords dead = StreamRecords.of(1 + emitter);
            StreamRecords ended = StreamRecords.of(10_000 + emitter);
            log.append(offset ->
                    dead.checkpoint(0, 0, 0).promising(DrawnLog.PROMISE_MILLIS).at(offset));
            log.append(offset ->
                    ended.checkpoint(0, 0, 0).promising(DrawnLog.PROMISE_MILLIS).at(offset));
            log.append(" |".repeat(100));
            log.append(offset -> ended.checkpoint(1, 0, 0)
                    .after(ended.checkpoint(0, 0, 0)
                            .promising(DrawnLog.PROMISE_MILLIS)
                            .at(0))
                    .closing()
                    .at(offset));
        }
        log.verify();
        log.findings();
        assertThat(log.verifier().promises().offsets()).hasSize(300);

        log.restart(log.progress(), 0, log.verifier().promises().named(100));
        log.audit().tick(0).tick(OVERDUE_MILLIS);

        assertThat(log.findings()).hasSize(300).allMatch(finding -> finding.startsWith("UNSEALED"));
    }

    @Test
    void thoseThatAreLookedForAreCommittedAgainUntilTheLastPieceWasRead() {
        // #0 | … | b#0 │
        DrawnLog log =
                DrawnLog.of("#0" + " |".repeat(OfPromises.PIECE) + " b#0").verify();
        log.findings();
        log.restart(log.progress(), 0, Promises.since(0));
        log.answer(log.ask().get(0));
        assertThat(log.verifier().promises()).isEqualTo(Promises.since(0));
        log.answer(log.ask().get(0));
        assertThat(log.verifier().promises().offsets()).containsExactly(0L, OfPromises.PIECE + 1L);
    }

    @Test
    void ofMoreStreamsThanAreFollowedTheFirstAreUnsealedAtOnce() {
        // #0 b#0 c#0 │   with room for one
        DrawnLog log = DrawnLog.of(new Bounds(1, 100, 100, 1 << 20), "#0 b#0 c#0");
        log.restart(3, 0, Promises.since(0)).audit().tick(0).tick(OVERDUE_MILLIS);
        assertThat(log.findings()).containsExactly("UNSEALED 1 @0 of 0", "UNSEALED b1 @1 of 0", "UNSEALED c1 @2 of 0");
    }

    @Test
    void withoutPromisesNothingIsAsked() {
        // x │
        assertThat(DrawnLog.of("x").verify().restart().ask()).isEmpty();
    }

    @Test
    void asManyAsMayBeNamedAreNamed() {
        Promises two = Promises.at(List.of(3L, 5L));
        assertThat(two.named(2)).isEqualTo(two);
        assertThat(two.named(1)).isEqualTo(Promises.since(3));
    }

    @Test
    void twoAreAddedUp() {
        Promises named = Promises.at(List.of(5L, 9L));
        assertThat(named.and(Promises.at(List.of(3L, 9L)))).isEqualTo(Promises.at(List.of(3L, 5L, 9L)));
        assertThat(named.and(Promises.since(7))).isEqualTo(Promises.since(5));
        assertThat(Promises.since(2).and(named)).isEqualTo(Promises.since(2));
        assertThat(Promises.since(8).and(Promises.since(4))).isEqualTo(Promises.since(4));
        assertThat(Promises.NONE.and(Promises.since(4))).isEqualTo(Promises.since(4));
    }
}
