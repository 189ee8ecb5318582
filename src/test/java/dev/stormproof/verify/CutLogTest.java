package dev.stormproof.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.audit.Auditor;
import dev.stormproof.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.LogRecord;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.checkpoint.UnattributedRecord;
import dev.stormproof.judge.ExpiredUnread;
import dev.stormproof.judge.Finding;
import dev.stormproof.judge.Unattributed;
import dev.stormproof.judge.Verdict;
import dev.stormproof.judge.Verdict.Inconclusive;
import dev.stormproof.judge.Verdict.Violated;
import dev.stormproof.merkle.TreeHash;
import dev.stormproof.sim.SimulatedEmitter;
import dev.stormproof.sim.SimulatedLog;
import dev.stormproof.verify.AuditTask.OfHole;
import dev.stormproof.verify.AuditTask.OfInterval;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/** What a verifier with little room keeps in mind when a log is cut, or a stream is given up. */
class CutLogTest {
    private static final Bounds ONE_STREAM = new Bounds(1, 8, 2, 4);

    private final SimulatedLog log = new SimulatedLog();
    private final SimulatedEmitter first = emitter(0xA11CE);
    private final SimulatedEmitter second = emitter(0xB0B);

    private static SimulatedEmitter emitter(long id) {
        return new SimulatedEmitter(new StreamId("orders", 0, id), TreeHash.XXH3, true);
    }

    private static PartitionVerifier verifier(Bounds bounds) {
        return new PartitionVerifier("orders", 0, 0, 0, Patience.DEFAULT, bounds);
    }

    private void take(PartitionVerifier verifier, long from, long to, boolean start) {
        boolean starts = start;
        for (SimulatedLog.Entry entry : log.entries(from, to)) {
            LogRecord record = entry.record();
            verifier.take(new Link(record.offset(), record.offset() - 1, starts, entry.leaderEpoch(), 1), record);
            starts = false;
        }
    }

    private List<Finding> auditAll(PartitionVerifier verifier) throws ExpiredRangeException {
        Auditor auditor = new Auditor(log);
        for (Optional<AuditTask> task = verifier.nextAudit(); task.isPresent(); task = verifier.nextAudit()) {
            if (task.get() instanceof AuditTask.OfInterval interval) {
                verifier.audited(interval, auditor.audit(interval));
            } else if (task.get() instanceof OfHole hole) {
                verifier.audited(hole, auditor.audit(hole));
            }
        }
        return verifier.drainFindings();
    }

    private static long unsealed(List<Finding> findings) {
        return findings.stream()
                .filter(finding -> finding instanceof Inconclusive inconclusive
                        && inconclusive.reason() == Inconclusive.Reason.UNSEALED)
                .count();
    }

    @Test
    void eventsWhoseCheckpointWasCutOffAreOpenAgainThoughTheirStreamWasGivenUp() throws ExpiredRangeException {
        log.append(first.checkpoint());
        log.append(first.event());
        first.event();
        log.append(first.checkpoint());
        log.append(second.checkpoint());
        PartitionVerifier verifier = verifier(ONE_STREAM);
        take(verifier, 0, 4, true);
        log.truncate(2);
        log.append(second.checkpoint());
        take(verifier, 2, 3, false);
        log.append(second.event());
        take(verifier, 3, 4, false);

        assertThat(verifier.progressOffset()).isLessThanOrEqualTo(1);
        List<Finding> findings = auditAll(verifier);
        take(verifier, 3, 4, false);

        assertThat(unsealed(findings)).isEqualTo(1);
    }

    @Test
    void eventsBeforeARepetitionAreOpenAgainThoughTheirStreamWasGivenUp() throws ExpiredRangeException {
        log.append(first.checkpoint());
        log.append(first.event());
        LongFunction<CheckpointRecord> sealing = first.checkpoint();
        log.append(sealing);
        log.append(first.event());
        log.append(offset -> new UnattributedRecord(offset, UnattributedRecord.Kind.UNSIGNED, "never arrives"));
        log.append(sealing);
        log.append(second.checkpoint());
        log.append(second.checkpoint());
        PartitionVerifier verifier = verifier(ONE_STREAM);
        take(verifier, 0, 4, true);
        // The repetition comes over a hole, so that only the log can tell what it is.
        verifier.take(new Link(5, 4, false, 0, 1), log.entries(5, 6).get(0).record());
        take(verifier, 6, 7, false);

        assertThat(auditAll(verifier))
                .extracting(finding -> finding instanceof Unattributed stray ? stray.kind() : null)
                .contains(UnattributedRecord.Kind.REPEATED_CHECKPOINT);
        assertThat(verifier.progressOffset()).isEqualTo(3);
        take(verifier, 7, 8, false);
        assertThat(unsealed(auditAll(verifier))).isEqualTo(1);
    }

    @Test
    void eventsBeforeARepetitionAreOpenAgainThoughTheirStreamWasGivenUpAndCameBack() throws ExpiredRangeException {
        log.append(first.checkpoint());
        log.append(first.event());
        LongFunction<CheckpointRecord> sealing = first.checkpoint();
        log.append(sealing);
        log.append(first.event());
        log.append(offset -> new UnattributedRecord(offset, UnattributedRecord.Kind.UNSIGNED, "never arrives"));
        log.append(sealing);
        log.append(second.checkpoint());
        log.append(first.event());
        PartitionVerifier verifier = verifier(ONE_STREAM);
        take(verifier, 0, 4, true);
        verifier.take(new Link(5, 4, false, 0, 1), log.entries(5, 6).get(0).record());
        take(verifier, 6, 8, false);

        assertThat(auditAll(verifier))
                .extracting(finding -> finding instanceof Unattributed stray ? stray.kind() : null)
                .contains(UnattributedRecord.Kind.REPEATED_CHECKPOINT);
        assertThat(verifier.progressOffset()).isEqualTo(3);
    }

    @Test
    void recordsThatExpiredBehindACutAreMissed() throws ExpiredRangeException {
        log.append(first.checkpoint());
        log.append(first.event());
        log.append(first.event());
        log.append(first.checkpoint());
        log.append(first.event());
        log.append(first.checkpoint());
        PartitionVerifier verifier = verifier(Bounds.DEFAULT);
        take(verifier, 0, 6, true);
        log.truncate(1);
        for (int i = 0; i < 4; i++) {
            log.append(second.checkpoint());
        }
        log.expireBefore(3);
        // Its reader was to begin at the cut, and found the log beginning further down.
        verifier.take(new Link(3, 0, true, 1, 2), log.entries(3, 4).get(0).record());

        assertThat(auditAll(verifier)).contains(new ExpiredUnread("orders", 0, 1, 3));
    }

    @Test
    void whatWasToldProvisionallyTakesNoRoomFromFirstAudits() throws ExpiredRangeException {
        PartitionVerifier verifier = verifier(new Bounds(100, 2, 2, 1));
        List<SimulatedEmitter> losing = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            losing.add(emitter(100 + i));
            log.append(losing.get(i).checkpoint());
            losing.get(i).event();
            log.append(losing.get(i).checkpoint());
            take(verifier, log.endOffset() - 2, log.endOffset(), i == 0);
            assertThat(auditAll(verifier)).anyMatch(Violated.class::isInstance);
        }
        for (SimulatedEmitter one : losing) {
            log.append(one.checkpoint());
            take(verifier, log.endOffset() - 1, log.endOffset(), false);
        }
        assertThat(verifier.undecided()).isEqualTo(9);
        assertThat(verifier.waitingAudits()).isZero();
        assertThat(auditAll(verifier)).hasSize(18);
        assertThat(verifier.undecided()).isZero();
    }

    @Test
    void aCheckpointFoundInAHoleWaitsWhileNoAuditIsFree() throws ExpiredRangeException {
        for (int i = 0; i < 6; i++) {
            log.append(first.checkpoint());
        }
        PartitionVerifier verifier = verifier(new Bounds(100, 2, 2, 1));
        verifier.take(new Link(1, 0, true, 0, 1), log.entries(1, 2).get(0).record());
        OfInterval interval = (OfInterval) verifier.nextAudit().orElseThrow();
        verifier.audited(interval, new Auditor(log).audit(interval));
        OfHole hole = (OfHole) verifier.nextAudit().orElseThrow();
        OfHole.Found found = new Auditor(log).audit(hole);
        for (long offset = 3; offset < 6; offset += 2) {
            verifier.take(
                    new Link(offset, offset - 1, true, 0, offset),
                    log.entries(offset, offset + 1).get(0).record());
        }
        assertThat(verifier.waitingAudits()).isEqualTo(2);

        verifier.audited(hole, found);

        assertThat(verifier.waitingAudits()).isEqualTo(2);
        assertThat(verifier.progressOffset()).isZero();
        auditAll(verifier);
        assertThat(verifier.progressOffset()).isEqualTo(6);
    }

    @Test
    void whereTheLogWasCutIsAskedOfItWhenAReaderComesFromBehindTheCut() throws ExpiredRangeException {
        log.append(first.checkpoint());
        log.append(first.event());
        log.append(first.event());
        log.append(first.checkpoint());
        log.append(first.event());
        log.truncate(1);
        log.append(second.checkpoint());
        for (int i = 0; i < 5; i++) {
            log.append(second.event());
        }
        // Everything before 4 was decided by somebody who died; the reader lives on, and has read beyond.
        PartitionVerifier verifier = new PartitionVerifier("orders", 0, 4, 0, Patience.DEFAULT, Bounds.DEFAULT);
        verifier.take(new Link(5, 4, false, 1, 7), log.entries(5, 6).get(0).record());

        assertThat(verifier.progressOffset()).isEqualTo(4);
        assertThat(verifier.progressEpoch()).isZero();
        assertThat(auditAll(verifier))
                .anyMatch(finding -> finding instanceof Verdict verdict
                        && verdict.interval().stream().equals(second.stream())
                        && verdict.interval().number() == 0);
        assertThat(verifier.progressOffset()).isEqualTo(2);
    }

    @Test
    void aReaderThatReadOnHasNoDoubts() {
        log.append(first.checkpoint());
        log.append(first.event());
        PartitionVerifier verifier = verifier(Bounds.DEFAULT);
        take(verifier, 0, 2, true);
        verifier.take(new Link(2, 1, false, 1, 1), first.checkpoint().apply(2));
        assertThat(verifier.holes()).isZero();
        assertThat(verifier.nextAudit()).containsInstanceOf(OfInterval.class);
    }

    @Test
    void whatRetentionTookBehindACutIsMissedFromWhatWasDecided() throws ExpiredRangeException {
        log.append(first.checkpoint());
        log.append(first.event());
        log.append(first.event());
        PartitionVerifier verifier = verifier(Bounds.DEFAULT);
        take(verifier, 0, 3, true);
        log.truncate(1);
        for (int i = 0; i < 5; i++) {
            log.append(second.checkpoint());
        }
        log.expireBefore(5);
        verifier.take(new Link(2, 1, false, 1, 7), log.entries(5, 6).get(0).record());

        assertThat(auditAll(verifier)).contains(new ExpiredUnread("orders", 0, 1, 2));
    }

    @Test
    void theFirstCheckpointAfterARestartIsAudited() throws ExpiredRangeException {
        LongFunction<CheckpointRecord> checkpoint = first.checkpoint();
        log.append(first.event());
        log.append(checkpoint);
        PartitionVerifier verifier = new PartitionVerifier("orders", 0, 1, 0, Patience.DEFAULT, Bounds.DEFAULT);
        take(verifier, 1, 2, true);
        assertThat(auditAll(verifier)).noneMatch(Verdict.Verified.class::isInstance);
    }

    @Test
    void theFirstCheckpointOfAStreamThatWasGivenUpIsAudited() throws ExpiredRangeException {
        LongFunction<CheckpointRecord> checkpoint = first.checkpoint();
        log.append(first.event());
        log.append(second.checkpoint());
        log.append(checkpoint);
        PartitionVerifier verifier = verifier(ONE_STREAM);
        take(verifier, 0, 3, true);
        assertThat(auditAll(verifier))
                .noneMatch(finding -> finding instanceof Verdict.Verified verified
                        && verified.interval().stream().equals(first.stream()));
    }

    @Test
    void aStreamThatBeganWithALateCheckpointIsNoNewOne() throws ExpiredRangeException {
        LongFunction<CheckpointRecord> number0 = first.checkpoint();
        LongFunction<CheckpointRecord> number1 = first.checkpoint();
        log.append(number1);
        log.append(number0);
        log.append(number0);
        PartitionVerifier verifier = verifier(Bounds.DEFAULT);
        take(verifier, 0, 2, true);
        auditAll(verifier);
        take(verifier, 2, 3, false);
        assertThat(auditAll(verifier)).allMatch(Unattributed.class::isInstance);
    }

    @Test
    void nothingIsChainedToACheckpointThatExpiredUnjudged() throws ExpiredRangeException {
        log.append(first.checkpoint());
        log.append(first.event());
        LongFunction<CheckpointRecord> number1 = first.checkpoint();
        log.append(number1);
        var event1 = first.event();
        log.append(event1);
        log.append(number1);
        PartitionVerifier verifier = verifier(Bounds.DEFAULT);
        take(verifier, 4, 5, true);
        log.append(event1);
        log.append(first.checkpoint());
        log.expireBefore(5);
        assertThat(auditAll(verifier)).anyMatch(Inconclusive.class::isInstance);
        take(verifier, 5, 7, false);
        assertThat(auditAll(verifier))
                .noneMatch(finding -> finding instanceof Verdict.Verified verified
                        && verified.basis() == Verdict.Verified.Basis.MATCH);
    }

    @Test
    void eventsFoundInAHoleBeforeARepetitionAreOpenAgain() throws ExpiredRangeException {
        log.append(first.checkpoint());
        LongFunction<CheckpointRecord> number1 = first.checkpoint();
        log.append(number1);
        log.append(first.event());
        log.append(number1);
        log.append(second.checkpoint());
        log.append(second.checkpoint());
        PartitionVerifier verifier = verifier(ONE_STREAM);
        take(verifier, 0, 2, true);
        // What lies in between is read from the log, and its stream is given up at once.
        verifier.take(new Link(4, 3, false, 0, 1), log.entries(4, 5).get(0).record());
        List<Finding> findings = auditAll(verifier);
        verifier.take(new Link(5, 4, false, 0, 1), log.entries(5, 6).get(0).record());
        findings = new ArrayList<>(findings);
        findings.addAll(auditAll(verifier));
        assertThat(unsealed(findings)).isEqualTo(1);
    }
}
