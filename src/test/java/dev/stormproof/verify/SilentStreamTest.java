package dev.stormproof.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.audit.Auditor;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.judge.Verdict.Violated;
import dev.stormproof.merkle.TreeHash;
import dev.stormproof.sim.SimulatedEmitter;
import dev.stormproof.sim.SimulatedLog;
import dev.stormproof.verify.AuditTask.OfInterval;
import dev.stormproof.verify.AuditTask.OfTail;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The last interval of a stream that falls silent: an event at its end is missing, and no checkpoint follows. */
class SilentStreamTest {
    private static final Patience PATIENCE = new Patience(1_000, 5_000);

    /** The promise of every checkpoint of the simulated emitter, and a little more than patience allows. */
    private static final long OVERDUE_MILLIS = 62_000;

    private final SimulatedLog log = new SimulatedLog();
    private final Auditor auditor = new Auditor(log);
    private final PartitionVerifier verifier = new PartitionVerifier("orders", 0, 0, PATIENCE);

    @BeforeEach
    void emitAndTake() throws Exception {
        SimulatedEmitter emitter = new SimulatedEmitter(new StreamId("orders", 0, 1), TreeHash.XXH3, true);
        log.append(emitter.checkpoint());
        log.append(emitter.event());
        var lost = emitter.event();
        assertThat(lost).isNotNull();
        log.append(emitter.checkpoint());
        log.read(0, log.endOffset(), record -> verifier.take(Link.contiguous(record.offset()), record));
        verifier.tick(0);
    }

    @Test
    void itsProvisionalVerdictBecomesFinalOnWhatWasReadAndNoMore() throws Exception {
        OfInterval first = (OfInterval) verifier.nextAudit().orElseThrow();
        verifier.audited(first, auditor.audit(first));
        assertThat(violated().provisional()).isTrue();
        giveUp();

        assertFinal();
    }

    @Test
    void itIsDecidedForGoodThoughItsAuditWasUnderWayWhenTheStreamWasGivenUp() throws Exception {
        OfInterval first = (OfInterval) verifier.nextAudit().orElseThrow();
        giveUp();
        verifier.audited(first, auditor.audit(first));
        assertThat(violated().provisional()).isTrue();

        assertFinal();
    }

    private void giveUp() throws Exception {
        verifier.tick(OVERDUE_MILLIS);
        OfTail tail = (OfTail) verifier.nextAudit().orElseThrow();
        verifier.audited(tail, auditor.audit(tail));
    }

    private void assertFinal() throws Exception {
        OfInterval last = (OfInterval) verifier.nextAudit().orElseThrow();
        // A reader would wait in vain for what lies behind the log's end.
        assertThat(last.endOffset()).isEqualTo(log.endOffset());
        verifier.audited(last, auditor.audit(last));
        assertThat(violated().provisional()).isFalse();
        assertThat(verifier.undecided()).isZero();
    }

    private Violated violated() {
        return verifier.drainFindings().stream()
                .filter(Violated.class::isInstance)
                .map(Violated.class::cast)
                .reduce((earlier, later) -> later)
                .orElseThrow();
    }
}
