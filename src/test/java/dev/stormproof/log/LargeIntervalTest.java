package dev.stormproof.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.Event;
import dev.stormproof.checkpoint.LogRecord;
import dev.stormproof.checkpoint.OversizedRecords;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.checkpoint.UnattributedRecord;
import dev.stormproof.feed.Link;
import dev.stormproof.feed.Read;
import dev.stormproof.judge.Evidence;
import dev.stormproof.judge.Evidence.Extent;
import dev.stormproof.judge.Finding;
import dev.stormproof.judge.SealedInterval;
import dev.stormproof.judge.Unattributed;
import dev.stormproof.judge.Verdict.Inconclusive;
import dev.stormproof.judge.Verdict.Verified;
import dev.stormproof.log.PartitionReader.ExpiredRangeException;
import dev.stormproof.merkle.Hash;
import dev.stormproof.merkle.TreeHash;
import dev.stormproof.testing.SimulatedEmitter;
import dev.stormproof.testing.SimulatedLog;
import dev.stormproof.verify.AuditTask.OfInterval;
import dev.stormproof.verify.InactivityTimeouts;
import dev.stormproof.verify.PartitionVerifier;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/** Intervals of more events than an audit keeps. */
class LargeIntervalTest {
    private static final int EVENTS = 100;
    private static final long FEW_BYTES = 2_000;

    private final SimulatedEmitter emitter =
            new SimulatedEmitter(new StreamId("orders", 0, 0xA11CE), TreeHash.XXH3, false);
    private final List<LongFunction<? extends LogRecord>> records = new ArrayList<>();

    LargeIntervalTest() {
        records.add(emitter.checkpoint());
        for (int i = 0; i < EVENTS; i++) {
            records.add(emitter.event());
        }
        records.add(emitter.checkpoint());
    }

    /** Reads the log over a hole, so that the last checkpoint is judged by the log; the evidence goes to a verifier. */
    private Finding judge(long maxBytes, Extent extent) throws ExpiredRangeException {
        SimulatedLog log = new SimulatedLog();
        records.forEach(log::append);
        long end = log.endOffset();
        PartitionVerifier verifier = new PartitionVerifier("orders", 0, end - 1, InactivityTimeouts.DEFAULT);
        List<SimulatedLog.Entry> last = log.entries(end - 1, end);
        verifier.take(
                new Link(end - 1, end - 2, Link.NO_EPOCH),
                new Read(last.get(0).record(), Link.NO_EPOCH, LogRecord.NO_TIME));
        OfInterval task = (OfInterval) verifier.nextAudit().orElseThrow();
        Evidence evidence = new Auditor(
                        new SearchedLog().on(log), maxBytes, Reach.DEFAULT_OFFSETS, SearchBudget.unlimited())
                .audit(task);
        assertThat(evidence.extent()).isEqualTo(extent);
        if (extent != Extent.WHOLE) {
            assertThat(evidence.events()).isEmpty();
            assertThat(evidence.checkpoints()).hasSizeLessThanOrEqualTo(2);
        }
        verifier.audited(task, evidence);
        List<Finding> findings = verifier.drainFindings();
        assertThat(findings).hasSize(1);
        return findings.get(0);
    }

    private void assertInconclusive() throws ExpiredRangeException {
        assertThat(judge(FEW_BYTES, Extent.TOO_LARGE))
                .isInstanceOfSatisfying(
                        Inconclusive.class,
                        finding -> assertThat(finding.reason()).isEqualTo(Inconclusive.Reason.TOO_LARGE));
    }

    @Test
    void whatCanBeKeptIsKept() throws ExpiredRangeException {
        assertThat(judge(1 << 20, Extent.WHOLE)).isInstanceOf(Verified.class);
    }

    @Test
    void aFaultlessOneIsVerifiedWithoutKeepingIt() throws ExpiredRangeException {
        assertThat(judge(FEW_BYTES, Extent.TOO_LARGE_AND_MATCHING)).isInstanceOf(Verified.class);
    }

    @Test
    void aLossIsInconclusive() throws ExpiredRangeException {
        records.remove(50);
        assertInconclusive();
    }

    @Test
    void aRecordThatIsTooLargeToBeReadIsInconclusive() throws ExpiredRangeException {
        records.add(60, offset -> new OversizedRecords(offset, offset, 1, "", LogRecord.NO_TIME));
        assertInconclusive();
    }

    @Test
    void aDuplicateIsInconclusive() throws ExpiredRangeException {
        records.add(60, records.get(50));
        assertInconclusive();
    }

    @Test
    void aSwapIsInconclusive() throws ExpiredRangeException {
        records.add(51, records.remove(50));
        assertInconclusive();
    }

    @Test
    void anAlterationUnderAnIntactHeaderIsInconclusive() throws ExpiredRangeException {
        LongFunction<? extends LogRecord> signed = records.get(50);
        records.set(50, offset -> {
            Event event = (Event) signed.apply(offset);
            Hash other = Hash.copyOf(new byte[32]);
            return new Event(
                    offset,
                    event.emitter(),
                    event.sequence(),
                    event.treeHash(),
                    event.signatureAlgorithm(),
                    event.stated(),
                    other);
        });
        assertInconclusive();
    }

    @Test
    void anAlterationWithItsHeaderIsInconclusive() throws ExpiredRangeException {
        LongFunction<? extends LogRecord> signed = records.get(50);
        records.set(50, offset -> {
            Event event = (Event) signed.apply(offset);
            Hash other = Hash.copyOf(new byte[32]);
            return new Event(
                    offset,
                    event.emitter(),
                    event.sequence(),
                    event.treeHash(),
                    event.signatureAlgorithm(),
                    other,
                    other);
        });
        assertInconclusive();
    }

    @Test
    void behindAnotherCheckpointOfItsNumberItIsAFork() throws ExpiredRangeException {
        SimulatedEmitter other = new SimulatedEmitter(emitter.stream(), TreeHash.XXH3, false);
        other.checkpoint();
        LongFunction<CheckpointRecord> stranger = other.checkpoint();
        records.add(50, stranger);
        assertThat(judge(FEW_BYTES, Extent.TOO_LARGE))
                .isInstanceOfSatisfying(
                        Unattributed.class,
                        finding -> assertThat(finding.kind()).isEqualTo(UnattributedRecord.Kind.FORKED_CHECKPOINT));
    }

    @Test
    void aMissingPredecessorIsInconclusive() throws ExpiredRangeException {
        records.remove(0);
        assertInconclusive();
    }

    /** What lies between a predecessor and its repetition is of the interval, wherever the predecessor is said to lie. */
    @Test
    void anExtraEventBetweenThePredecessorAndItsRepetitionIsInconclusive() throws ExpiredRangeException {
        records.add(1, records.get(50));
        records.add(2, records.get(0));
        assertInconclusive();

        SimulatedLog log = new SimulatedLog();
        records.forEach(log::append);
        CheckpointRecord target = (CheckpointRecord)
                log.entries(log.endOffset() - 1, log.endOffset()).get(0).record();
        OfInterval hinted = new OfInterval(
                SealedInterval.of(target),
                target.chainHash(),
                2,
                target.offset() + 1,
                false,
                OfInterval.Earlier.UNKNOWN);
        assertThat(new Auditor(new SearchedLog().on(log), FEW_BYTES, Reach.DEFAULT_OFFSETS, SearchBudget.unlimited())
                        .audit(hinted)
                        .extent())
                .isEqualTo(Extent.TOO_LARGE);
    }

    @Test
    void anAlteredHeaderIsInconclusive() throws ExpiredRangeException {
        LongFunction<? extends LogRecord> signed = records.get(50);
        records.set(50, offset -> {
            Event event = (Event) signed.apply(offset);
            Hash other = Hash.copyOf(new byte[32]);
            return new Event(
                    offset,
                    event.emitter(),
                    event.sequence(),
                    event.treeHash(),
                    event.signatureAlgorithm(),
                    other,
                    event.observed());
        });
        assertInconclusive();
    }

    @Test
    void aRepetitionOfThePredecessorHidesNothing() throws ExpiredRangeException {
        records.add(1, records.get(0));
        assertThat(judge(FEW_BYTES, Extent.TOO_LARGE_AND_MATCHING))
                .isInstanceOfSatisfying(
                        Verified.class,
                        verified -> assertThat(verified.beginOffset()).isEqualTo(2));
    }

    @Test
    void anEventOfAnotherTreeHashIsInconclusive() throws ExpiredRangeException {
        LongFunction<? extends LogRecord> signed = records.get(50);
        records.set(50, offset -> {
            Event event = (Event) signed.apply(offset);
            return new Event(
                    offset,
                    event.emitter(),
                    event.sequence(),
                    TreeHash.SHA256,
                    event.signatureAlgorithm(),
                    event.stated(),
                    event.observed());
        });
        assertInconclusive();
    }

    @Test
    void anEventOfAnotherAlgorithmIsInconclusive() throws ExpiredRangeException {
        LongFunction<? extends LogRecord> signed = records.get(50);
        records.set(50, offset -> {
            Event event = (Event) signed.apply(offset);
            return new Event(
                    offset, event.emitter(), event.sequence(), event.treeHash(), 200, event.stated(), event.observed());
        });
        assertInconclusive();
    }

    @Test
    void aLossAtTheEndIsInconclusive() throws ExpiredRangeException {
        records.remove(EVENTS);
        assertInconclusive();
    }
}
