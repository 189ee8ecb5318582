package dev.stormproof.log.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.OversizedRecords;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.testing.SimulatedEmitter;
import dev.stormproof.testing.SimulatedLog;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.Read;
import dev.stormproof.verify.fold.InactivityTimeouts;
import dev.stormproof.verify.fold.LogQuery.OfInterval;
import dev.stormproof.verify.fold.PartitionVerifier;
import dev.stormproof.verify.judge.Evidence;
import dev.stormproof.verify.judge.Evidence.Extent;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Verified;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Intervals of more events than an audit keeps. */
class LargeIntervalTest {
    private static final int EVENTS = 100;
    private static final long FEW_BYTES = 2_000;
    private static final Hash OTHER = Hash.copyOf(new byte[32]);

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
                new DeliveryLink(end - 1, end - 2, DeliveryLink.NO_EPOCH),
                new Read(last.get(0).record(), DeliveryLink.NO_EPOCH, LogRecord.NO_TIME, null));
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

    private interface Harm {
        void to(List<LongFunction<? extends LogRecord>> records);
    }

    static Stream<Named<Harm>> harms() {
        return Stream.of(
                harm("a loss", records -> records.remove(50)),
                harm("a loss at the end", records -> records.remove(EVENTS)),
                harm("a missing predecessor", records -> records.remove(0)),
                harm("a duplicate", records -> records.add(60, records.get(50))),
                harm("a swap", records -> records.add(51, records.remove(50))),
                harm(
                        "a record that is too large to be read",
                        records -> records.add(
                                60, offset -> new OversizedRecords(offset, offset, 1, "", LogRecord.NO_TIME))),
                event("an alteration under an intact header", e -> with(e, e.treeHash(), 3, e.stated(), OTHER)),
                event("an alteration with its header", e -> with(e, e.treeHash(), 3, OTHER, OTHER)),
                event("an altered header", e -> with(e, e.treeHash(), 3, OTHER, e.observed())),
                event("another tree hash", e -> with(e, TreeHash.SHA256, 3, e.stated(), e.observed())),
                event("another algorithm", e -> with(e, e.treeHash(), 200, e.stated(), e.observed())));
    }

    private static Named<Harm> harm(String name, Harm harm) {
        return Named.of(name, harm);
    }

    private static Named<Harm> event(String name, UnaryOperator<Event> harm) {
        return Named.of(name, records -> {
            LongFunction<? extends LogRecord> signed = records.get(50);
            records.set(50, offset -> harm.apply((Event) signed.apply(offset)));
        });
    }

    private static Event with(Event event, TreeHash treeHash, int algorithm, Hash stated, Hash observed) {
        return new Event(
                event.offset(),
                event.emitter(),
                event.sequence(),
                treeHash,
                algorithm,
                stated,
                observed,
                Event.Content.UNTRANSFORMED,
                LogRecord.NO_TIME);
    }

    @ParameterizedTest
    @MethodSource("harms")
    void whatIsWrongIsInconclusive(Harm harm) throws ExpiredRangeException {
        harm.to(records);
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
                        StrayRecord.class,
                        finding -> assertThat(finding.kind()).isEqualTo(UnattributedRecord.Kind.FORKED_CHECKPOINT));
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
                IntervalId.of(target), target.chainHash(), 2, target.offset() + 1, false, OfInterval.Earlier.UNKNOWN);
        assertThat(new Auditor(new SearchedLog().on(log), FEW_BYTES, Reach.DEFAULT_OFFSETS, SearchBudget.unlimited())
                        .audit(hinted)
                        .extent())
                .isEqualTo(Extent.TOO_LARGE);
    }

    @Test
    void aRepetitionOfThePredecessorHidesNothing() throws ExpiredRangeException {
        records.add(1, records.get(0));
        assertThat(judge(FEW_BYTES, Extent.TOO_LARGE_AND_MATCHING))
                .isInstanceOfSatisfying(
                        Verified.class,
                        verified -> assertThat(verified.beginOffset()).isEqualTo(2));
    }
}
