package dev.stormproof.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.audit.Auditor;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.judge.ExpiredUnread;
import dev.stormproof.judge.Finding;
import dev.stormproof.judge.Verdict.Inconclusive;
import dev.stormproof.judge.Verdict.Inconclusive.Reason;
import dev.stormproof.judge.Verdict.Verified;
import dev.stormproof.merkle.TreeHash;
import dev.stormproof.sim.SimulatedEmitter;
import dev.stormproof.sim.SimulatedLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a verifier that starts anew knows of streams that fell silent before its beginning. */
class PromisesTest {
    private static final Patience PATIENCE = new Patience(1_000, 5_000);

    /** The promise of every checkpoint of the simulated emitter, and a little more than patience allows. */
    private static final long OVERDUE_MILLIS = 62_000;

    private final SimulatedLog log = new SimulatedLog();
    private final List<Finding> findings = new ArrayList<>();

    @Test
    void aStreamThatWasIdleWhenItsVerifierEndedIsMissedByTheNextOne() throws Exception {
        SimulatedEmitter emitter = emitter(1);
        log.append(emitter.checkpoint());
        log.append(emitter.event());
        log.append(emitter.checkpoint());
        PartitionVerifier first = verifier(0, List.of());
        take(first, 0);
        assertThat(first.progressOffset()).isEqualTo(3);
        assertThat(first.promises()).containsExactly(2L);
        findings.clear();

        PartitionVerifier next = verifier(3, first.promises());
        tick(next, 0);
        tick(next, OVERDUE_MILLIS);

        Inconclusive unsealed = (Inconclusive) findings.get(0);
        assertThat(findings).hasSize(1);
        assertThat(unsealed.reason()).isEqualTo(Reason.UNSEALED);
        assertThat(unsealed.interval().number()).isEqualTo(2);
        assertThat(next.promises()).isEmpty();
        assertThat(next.progressOffset()).isEqualTo(3);
    }

    @Test
    void aStreamThatGoesOnIsNotMissedAndItsNextIntervalIsVerified() throws Exception {
        SimulatedEmitter emitter = emitter(1);
        log.append(emitter.checkpoint());
        PartitionVerifier next = verifier(1, List.of(0L));
        tick(next, 0);
        tick(next, 60_000);
        log.append(emitter.event());
        log.append(emitter.checkpoint());
        take(next, 1);
        tick(next, 60_000);
        tick(next, 100_000);

        assertThat(findings).singleElement().isInstanceOf(Verified.class);
        assertThat(next.promises()).containsExactly(2L);
    }

    @Test
    void aStreamWithEventsBehindTheBeginningIsFollowedFromItsLastCheckpoint() throws Exception {
        SimulatedEmitter emitter = emitter(1);
        log.append(emitter.checkpoint());
        log.append(emitter.event());
        PartitionVerifier next = verifier(1, List.of(0L));
        take(next, 1);
        tick(next, 0);
        tick(next, OVERDUE_MILLIS);

        // Without the checkpoint before it nobody would know which interval this is.
        assertThat(findings)
                .singleElement()
                .isInstanceOfSatisfying(
                        Inconclusive.class,
                        unsealed -> assertThat(unsealed.interval().number()).isEqualTo(1));
    }

    @Test
    void whatWasNotReadAgainYetStillCountsAsPromised() {
        log.append(emitter(1).checkpoint());

        assertThat(verifier(1, List.of(0L)).promises()).containsExactly(0L);
    }

    @Test
    void streamsThatEndedOrWereGivenUpOrComeAgainOweNothing() throws Exception {
        SimulatedEmitter ended = emitter(1);
        SimulatedEmitter silent = emitter(2);
        log.append(ended.checkpoint());
        log.append(ended.closing());
        log.append(silent.checkpoint());
        PartitionVerifier verifier = verifier(0, List.of());
        take(verifier, 0);
        assertThat(verifier.promises()).containsExactly(2L);
        tick(verifier, 0);
        tick(verifier, OVERDUE_MILLIS);
        assertThat(verifier.promises()).isEmpty();

        // The third holds the progress back, and will be read again.
        SimulatedEmitter open = emitter(3);
        log.append(open.event());
        log.append(open.checkpoint());
        take(verifier, 3);
        log.append(open.event());
        assertThat(verifier.progressOffset()).isEqualTo(5);
        assertThat(verifier.promises()).containsExactly(4L);
    }

    @Test
    void whatIsNoCheckpointOrIsGoneIsPassedOver() throws Exception {
        SimulatedEmitter emitter = emitter(1);
        log.append(emitter.checkpoint());
        log.append(emitter.event());
        log.append(emitter.checkpoint());
        log.expireBefore(1);
        PartitionVerifier next = verifier(3, List.of(0L, 1L, 99L));
        tick(next, 0);
        tick(next, OVERDUE_MILLIS);

        assertThat(findings).isEmpty();
        assertThat(next.promises()).isEmpty();
    }

    @Test
    void aStreamThatMayHaveBeenClosedAmongRecordsThatExpiredUnreadOwesNothing() throws Exception {
        SimulatedEmitter closed = emitter(1);
        log.append(closed.checkpoint());
        log.append(closed.closing());
        PartitionVerifier verifier = readThenExpired(1, 2);
        tick(verifier, OVERDUE_MILLIS);

        assertThat(findings).noneMatch(Inconclusive.class::isInstance).hasAtLeastOneElementOfType(ExpiredUnread.class);
        assertThat(verifier.promises()).isEmpty();
        assertThat(verifier.progressOffset()).isEqualTo(log.endOffset());
    }

    @Test
    void eventsWhoseCheckpointMayHaveExpiredUnreadAreToldAsSuch() throws Exception {
        SimulatedEmitter closed = emitter(1);
        log.append(closed.checkpoint());
        log.append(closed.event());
        log.append(closed.closing());
        PartitionVerifier verifier = readThenExpired(2, 3);
        tick(verifier, OVERDUE_MILLIS);

        assertThat(findings)
                .filteredOn(Inconclusive.class::isInstance)
                .singleElement()
                .satisfies(finding -> {
                    Inconclusive unsealed = (Inconclusive) finding;
                    assertThat(unsealed.reason()).isEqualTo(Reason.UNSEALED);
                    assertThat(unsealed.interval().eventCount()).isOne();
                    assertThat(unsealed.detail()).isEqualTo("the records behind it expired before they were read");
                });
        assertThat(verifier.progressOffset()).isEqualTo(log.endOffset());
    }

    @Test
    void aStreamThatIsHeardOfBehindWhatExpiredIsMissedAsEver() throws Exception {
        SimulatedEmitter idle = emitter(1);
        log.append(idle.checkpoint());
        log.append(idle.checkpoint());
        log.append(idle.checkpoint());
        PartitionVerifier verifier = readThenExpired(1, 2);
        tick(verifier, OVERDUE_MILLIS);

        assertThat(findings)
                .filteredOn(Inconclusive.class::isInstance)
                .singleElement()
                .satisfies(finding -> {
                    Inconclusive unsealed = (Inconclusive) finding;
                    assertThat(unsealed.interval().number()).isEqualTo(3);
                    assertThat(unsealed.detail()).isEqualTo("no checkpoint within the promised 60 s");
                });
    }

    /** A verifier that reads the records before {@code read}, sleeps until those before {@code begin} expired, and goes on. */
    private PartitionVerifier readThenExpired(long read, long begin) throws Exception {
        PartitionVerifier verifier = verifier(0, List.of());
        for (SimulatedLog.Entry entry : log.entries(0, read)) {
            verifier.take(Link.contiguous(entry.record().offset()), entry.record());
        }
        tick(verifier, 0);
        SimulatedEmitter other = emitter(2);
        log.append(other.checkpoint());
        log.append(other.closing());
        log.expireBefore(begin);
        for (SimulatedLog.Entry entry : log.entries(begin, log.endOffset())) {
            verifier.take(Link.contiguous(entry.record().offset()), entry.record());
        }
        tick(verifier, 1);
        return verifier;
    }

    private static SimulatedEmitter emitter(long id) {
        return new SimulatedEmitter(new StreamId("orders", 0, id), TreeHash.XXH3, true);
    }

    private static PartitionVerifier verifier(long resumeOffset, List<Long> promises) {
        PartitionVerifier verifier = new PartitionVerifier("orders", 0, resumeOffset, PATIENCE);
        verifier.expect(promises);
        return verifier;
    }

    private void take(PartitionVerifier verifier, long begin) throws Exception {
        for (SimulatedLog.Entry entry : log.entries(begin, log.endOffset())) {
            verifier.take(Link.contiguous(entry.record().offset()), entry.record());
        }
        audit(verifier);
    }

    private void tick(PartitionVerifier verifier, long nowMillis) throws Exception {
        verifier.tick(nowMillis);
        audit(verifier);
        verifier.tick(nowMillis);
        audit(verifier);
    }

    private void audit(PartitionVerifier verifier) throws Exception {
        Auditor auditor = new Auditor(log);
        for (Optional<AuditTask> task = verifier.nextAudit(); task.isPresent(); task = verifier.nextAudit()) {
            if (task.get() instanceof AuditTask.OfInterval interval) {
                verifier.audited(interval, auditor.audit(interval));
            } else if (task.get() instanceof AuditTask.OfHole hole) {
                verifier.audited(hole, auditor.audit(hole));
            } else if (task.get() instanceof AuditTask.OfTail tail) {
                verifier.audited(tail, auditor.audit(tail));
            } else {
                AuditTask.OfPromises promises = (AuditTask.OfPromises) task.get();
                verifier.audited(promises, auditor.audit(promises));
            }
        }
        findings.addAll(verifier.drainFindings());
    }
}
