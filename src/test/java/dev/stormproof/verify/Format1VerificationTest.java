package dev.stormproof.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.Event;
import dev.stormproof.checkpoint.Format1Codec;
import dev.stormproof.checkpoint.LogRecord;
import dev.stormproof.checkpoint.MalformedCheckpointException;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.judge.Finding;
import dev.stormproof.judge.SealedInterval;
import dev.stormproof.judge.Unattributed;
import dev.stormproof.judge.Verdict.Inconclusive;
import dev.stormproof.judge.Verdict.Verified;
import dev.stormproof.judge.Verdict.Violated;
import dev.stormproof.merkle.Hash;
import dev.stormproof.merkle.Leaves;
import dev.stormproof.merkle.TreeHash;
import dev.stormproof.sim.SimulatedLog;
import dev.stormproof.sim.Verification;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/** What a whole verifier says of streams of format 1, which have no sequences. */
class Format1VerificationTest {
    private int next;

    private LongFunction<Event> event(String signature) {
        Hash hash = Hash.copyOf(signature.getBytes(StandardCharsets.US_ASCII));
        return offset -> new Event(offset, StreamId.NO_EMITTER, Event.NO_SEQUENCE, TreeHash.ADLER32, hash, hash);
    }

    private static LongFunction<CheckpointRecord> checkpoint(Leaves leaves) {
        byte[] bytes = Format1Codec.encode(leaves);
        return offset -> {
            try {
                return new CheckpointRecord(offset, Format1Codec.decode("orders", 0, bytes), Hash.empty());
            } catch (MalformedCheckpointException e) {
                throw new AssertionError(e);
            }
        };
    }

    private List<LongFunction<? extends LogRecord>> stream(int... sizes) {
        List<LongFunction<? extends LogRecord>> records = new ArrayList<>();
        for (int size : sizes) {
            Leaves.Builder leaves = Leaves.builder();
            for (int i = 0; i < size; i++) {
                String signature = String.format("%040x", next++);
                leaves.append(Hash.copyOf(signature.getBytes(StandardCharsets.US_ASCII)));
                records.add(event(signature));
            }
            records.add(checkpoint(leaves.build()));
        }
        return records;
    }

    private static SimulatedLog logOf(List<LongFunction<? extends LogRecord>> records) {
        SimulatedLog log = new SimulatedLog();
        records.forEach(log::append);
        return log;
    }

    private static List<Finding> verify(List<LongFunction<? extends LogRecord>> records) {
        return new Verification(logOf(records), "orders", 0).readAll();
    }

    private static List<String> named(List<Finding> findings) {
        Map<SealedInterval, Violated> last = new LinkedHashMap<>();
        for (Finding finding : findings) {
            if (finding instanceof Violated violated) {
                last.put(violated.interval(), violated);
            }
        }
        return last.values().stream()
                .flatMap(violated -> violated.anomalies().stream())
                .map(anomaly -> anomaly.kind() + " @" + anomaly.offset())
                .distinct()
                .toList();
    }

    @Test
    void aFaultlessStreamIsVerifiedFromTheLogsBeginning() {
        List<Finding> findings = verify(stream(2, 3, 100));
        assertThat(findings)
                .hasSize(3)
                .allSatisfy(finding -> assertThat(((Verified) finding).basis()).isEqualTo(Verified.Basis.MATCH));
    }

    @Test
    void aLostEventIsNamed() {
        List<LongFunction<? extends LogRecord>> records = stream(5, 5);
        records.remove(2);
        List<Finding> findings = verify(records);
        assertThat(named(findings)).containsExactly("LOST @-1");
        assertThat(findings).filteredOn(Verified.class::isInstance).hasSize(1);
    }

    @Test
    void aDuplicateASwapAndAnAlterationAreNamed() {
        List<LongFunction<? extends LogRecord>> records = stream(30, 2);
        records.set(25, event("f".repeat(40)));
        records.add(12, records.remove(11));
        records.add(6, records.get(5));
        assertThat(named(verify(records))).hasSize(3).contains("DUPLICATED @6", "ALTERED @26");
    }

    @Test
    void anEventMovedAcrossACheckpointIsReorderedInBothIntervals() {
        List<LongFunction<? extends LogRecord>> records = stream(5, 5, 2);
        records.add(7, records.remove(3));
        assertThat(named(verify(records))).containsExactly("REORDERED @7");
    }

    @Test
    void aCopyInTheNextIntervalIsADuplicate() {
        List<LongFunction<? extends LogRecord>> records = stream(5, 5, 2);
        records.add(8, records.get(3));
        assertThat(named(verify(records))).containsExactly("DUPLICATED @8");
    }

    @Test
    void whatNobodySignedIsForeign() {
        List<LongFunction<? extends LogRecord>> records = stream(5, 5);
        records.add(2, event("0".repeat(39) + "x"));
        assertThat(named(verify(records))).containsExactly("FOREIGN @2");
    }

    @Test
    void whatLiesBeforeTheFirstCheckpointSeenCannotBeTold() {
        SimulatedLog log = logOf(stream(5, 5, 5));
        log.expireBefore(3);
        List<Finding> findings = new Verification(log, "orders", 0).readAll();
        assertThat(((Inconclusive) findings.get(0)).reason()).isEqualTo(Inconclusive.Reason.UNANCHORED);
        assertThat(findings.subList(1, 3)).allMatch(Verified.class::isInstance);
    }

    @Test
    void everySwapOfNeighboursIsFound() {
        List<LongFunction<? extends LogRecord>> records = stream(64);
        for (int i = 0; i < 63; i++) {
            List<LongFunction<? extends LogRecord>> swapped = new ArrayList<>(records);
            swapped.add(i + 1, swapped.remove(i));
            assertThat(verify(swapped)).noneMatch(Verified.class::isInstance);
        }
    }

    @Test
    void aRepeatedCheckpointSealsNothing() {
        List<LongFunction<? extends LogRecord>> records = stream(2, 3, 2);
        // Two of the next three events come before the repetition; it states two others.
        records.add(5, records.get(2));
        List<Finding> findings = verify(records);
        assertThat(findings).filteredOn(Verified.class::isInstance).hasSize(3);
        assertThat(findings).filteredOn(Unattributed.class::isInstance).hasSize(1);
        assertThat(findings).hasSize(4);
    }

    @Test
    void whatLiesBetweenACheckpointAndItsRepetitionsIsNotOverlooked() {
        for (int repetitions = 1; repetitions < 4; repetitions++) {
            List<LongFunction<? extends LogRecord>> records = stream(2, 3, 2);
            for (int i = 0; i < repetitions; i++) {
                records.add(3, records.get(2));
            }
            records.add(3, event("0".repeat(39) + "x"));
            List<Finding> findings = verify(records);
            assertThat(named(findings)).containsExactly("FOREIGN @3");
            assertThat(findings).filteredOn(Unattributed.class::isInstance).hasSize(repetitions);
        }
    }
}
