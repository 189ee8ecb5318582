package dev.stormproof.log.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.OversizedRecords;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.testing.SimulatedEmitter;
import dev.stormproof.testing.SimulatedLog;
import dev.stormproof.verify.chain.ChainVerifier;
import dev.stormproof.verify.chain.LogQuery;
import dev.stormproof.verify.chain.LogRange;
import dev.stormproof.verify.chain.PieceQuery;
import dev.stormproof.verify.chain.RangeQuery;
import dev.stormproof.verify.chain.SavedHeads;
import dev.stormproof.verify.feed.Leaders;
import dev.stormproof.verify.fold.Bounds;
import dev.stormproof.verify.fold.InactivityTimeouts;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

    /** Verifies the log, of whose records so many are kept. */
    private List<Finding> judge(long mostBytes) throws ExpiredRangeException {
        SimulatedLog log = new SimulatedLog();
        records.forEach(log::append);
        ChainVerifier verifier = new ChainVerifier(
                new PartitionId("orders", 0),
                0,
                Leaders.NONE,
                SavedHeads.NOTHING,
                InactivityTimeouts.DEFAULT,
                Bounds.DEFAULT,
                Optional.empty());
        verifier.readOn();
        for (Optional<LogQuery> query = verifier.nextQuery(); query.isPresent(); query = verifier.nextQuery()) {
            if (query.get() instanceof RangeQuery range) {
                verifier.answer(
                        range, RangeReading.read(log, List.of(range), mostBytes).get(0));
            } else {
                PieceQuery piece = (PieceQuery) query.get();
                verifier.answer(piece, PieceReading.read(log, piece.piece()));
            }
        }
        return verifier.drainFindings();
    }

    @Test
    void whatCanBeKeptIsNamed() throws ExpiredRangeException {
        records.remove(50);
        records.add(emitter.checkpoint());
        assertThat(judge(1 << 20)).anyMatch(Violated.class::isInstance);
    }

    @Test
    void aFaultlessOneIsVerifiedWithoutKeepingIt() throws ExpiredRangeException {
        assertThat(byTheRange(FEW_BYTES).matches(target())).isTrue();
    }

    private CheckpointRecord target() {
        return (CheckpointRecord) records.get(records.size() - 1).apply(records.size() - 1);
    }

    private LogRange byTheRange(long mostBytes) throws ExpiredRangeException {
        SimulatedLog log = new SimulatedLog();
        records.forEach(log::append);
        RangeQuery query = new RangeQuery(emitter.stream(), 0, 1, log.endOffset() - 1, log.endOffset(), 0);
        return RangeReading.read(log, List.of(query), mostBytes).get(0);
    }

    private interface Harm {
        void to(List<LongFunction<? extends LogRecord>> records);
    }

    static Stream<Named<Harm>> harms() {
        return Stream.of(
                harm("a loss", records -> records.remove(50)),
                harm("a loss at the end", records -> records.remove(EVENTS)),
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
        records.add(emitter.checkpoint());
        assertThat(judge(FEW_BYTES))
                .noneMatch(finding -> finding instanceof Verified verified
                        && verified.interval().number() == 1)
                .anyMatch(finding -> finding instanceof Inconclusive inconclusive
                        && inconclusive.reason() == Inconclusive.Reason.TOO_LARGE);
    }
}
