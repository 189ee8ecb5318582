package dev.stormproof.task.live.open;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static dev.stormproof.testing.StreamRecords.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.log.audit.LogReadPool;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.task.live.run.TaskAudits;
import dev.stormproof.testing.SimulatedLog;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.testing.WatchedReader;
import dev.stormproof.verify.feed.Leaders;
import dev.stormproof.verify.fold.Bounds;
import dev.stormproof.verify.fold.ChainVerifier;
import dev.stormproof.verify.fold.InactivityTimeouts;
import dev.stormproof.verify.fold.SavedHeads;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A flood of forged checkpoints, one a second, of which each names a predecessor that is nowhere. */
@Timeout(120)
class ForgedFloodTest {
    private static final TopicPartition PARTITION = new TopicPartition("orders", 0);
    private static final int EVENTS = 200_000;
    private static final int SECONDS = 30;

    /** To follow the log, to read Bob's unsealed events once he is given up, and what an interval and its successor take beside. */
    private static final long MOST_RECORDS = 2 * EVENTS + SECONDS * 100;

    private final SimulatedLog log = new SimulatedLog();
    private final WatchedReader counted = new WatchedReader(log);
    private final LogReadPool pool = new LogReadPool("forged-flood", 1, 4, () -> counted);
    private final TaskAudits audits = new TaskAudits(pool, trouble -> {});
    private final ChainVerifier verifier = new ChainVerifier(
            new PartitionId("orders", 0),
            0,
            Leaders.NONE,
            SavedHeads.NOTHING,
            InactivityTimeouts.DEFAULT,
            Bounds.DEFAULT,
            Optional.empty());
    private final List<Finding> findings = new ArrayList<>();
    private CheckpointRecord last = log.append(ALICE.checkpoint(0, 0, 0)::at);
    private long sequence;
    private long nowMillis;

    @AfterEach
    void endThreads() {
        pool.close();
    }

    private void second() {
        nowMillis += 1_000;
        audits.tick(nowMillis);
        verifier.tick(nowMillis);
        verifier.readOn();
        for (audits.askAll(); pool.pending() > 0; audits.askAll()) {
            while (audits.drain().isEmpty()) {
                Thread.onSpinWait();
            }
            findings.addAll(verifier.drainFindings());
        }
    }

    /** An honest interval of ten events, of which the first may be lost. */
    private void honest(boolean lost) {
        for (long i = lost ? 1 : 0; i < 10; i++) {
            long mine = sequence + i;
            log.append(offset -> ALICE.event(offset, mine));
        }
        last = log.append(ALICE.checkpoint(last.checkpoint().number() + 1, sequence, sequence + 10)
                .behind(last)::at);
        sequence += 10;
    }

    private void begin() {
        audits.add(PARTITION, verifier, id -> true, Optional.empty());
        for (long i = 0; i < EVENTS; i++) {
            long mine = i;
            log.append(offset -> BOB.event(offset, mine));
        }
        second();
    }

    private <T extends Finding> List<T> of(Class<T> type, Predicate<T> wanted) {
        return findings.stream()
                .filter(type::isInstance)
                .map(type::cast)
                .filter(wanted)
                .toList();
    }

    @Test
    void aForgedCheckpointCostsNothingAndAnHonestStreamIsJudgedInBetween() {
        begin();
        for (int i = 0; i < SECONDS; i++) {
            StreamRecords forger = StreamRecords.of(0xF000 + i);
            log.append(forger.checkpoint(7, 100, 110)::at);
            honest(i % 3 == 2);
            second();
            long judged = last.checkpoint().number() - (i % 3 == 2 ? 1 : 0);
            assertThat(findings)
                    .as("second %d", i)
                    .anySatisfy(finding -> assertThat(finding.id()).endsWith("a11ce/" + judged));
        }
        honest(false);
        second();
        // If nothing follows a forged checkpoint, it is taken for the head; if nothing follows for as long again, it is
        // judged.
        for (int i = 0; i < 2; i++) {
            nowMillis += InactivityTimeouts.DEFAULT.limitMillis(0);
            second();
            second();
        }

        assertThat(counted.records()).isLessThan(MOST_RECORDS);
        assertThat(of(Verified.class, verified -> verified.interval().stream().equals(ALICE.stream())))
                .hasSize(2 + SECONDS - SECONDS / 3);
        assertThat(of(Violated.class, violated -> violated.interval().stream().equals(ALICE.stream())))
                .hasSize(SECONDS / 3)
                .extracting(violated -> violated.anomalies().get(0).kind())
                .containsOnly(Anomaly.Kind.LOST);
        assertThat(of(Inconclusive.class, verdict -> verdict.interval().stream().equals(BOB.stream())))
                .extracting(Inconclusive::reason)
                .containsExactly(Inconclusive.Reason.UNSEALED);
        assertThat(findings).as("one verdict for each forgery").hasSize(2 + SECONDS + 1 + SECONDS);
    }
}
