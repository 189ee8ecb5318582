package dev.stormproof.task.live.open;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static dev.stormproof.testing.StreamRecords.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.log.audit.LogReadPool;
import dev.stormproof.log.audit.PartitionReader;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.task.live.run.TaskAudits;
import dev.stormproof.testing.SimulatedLog;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.testing.WatchedReader;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.EpochEnd;
import dev.stormproof.verify.fold.InactivityTimeouts;
import dev.stormproof.verify.fold.PartitionVerifier;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Finding;
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

/**
 * A flood of forged checkpoints, one a second, each audited before the next one comes. Each names a predecessor that is nowhere,
 * so that 200,000 records would be searched for it. Of a log without leader epochs nothing is kept from job to job.
 */
@Timeout(120)
class ForgedFloodTest {
    private static final TopicPartition PARTITION = new TopicPartition("orders", 0);
    private static final int EVENTS = 200_000;
    private static final int SECONDS = 30;

    /** What a partition's budget holds, what the seconds add, and what the intervals and the live reading take beside. */
    private static final long MOST_RECORDS = 2_000_000 + SECONDS * 40_000 + EVENTS + SECONDS * 30_000;

    private final SimulatedLog log = new SimulatedLog();
    private final WithoutEpochs old = new WithoutEpochs(log);
    private final WatchedReader counted = new WatchedReader(old);
    private final LogReadPool pool = new LogReadPool("forged-flood", 1, 4, () -> counted);
    private final TaskAudits audits = new TaskAudits(pool, trouble -> {});
    private final PartitionVerifier verifier = new PartitionVerifier("orders", 0, 0, InactivityTimeouts.DEFAULT);
    private final List<Finding> findings = new ArrayList<>();
    private CheckpointRecord last = log.append(ALICE.checkpoint(0, 0, 0)::at);
    private long sequence;
    private long nowMillis;

    @AfterEach
    void endThreads() {
        pool.close();
    }

    /** A log whose records were written before brokers noted leader epochs, until it has them. */
    private static final class WithoutEpochs implements PartitionReader {
        private final SimulatedLog log;
        private volatile boolean hasEpochs;

        WithoutEpochs(SimulatedLog log) {
            this.log = log;
        }

        @Override
        public Bounds bounds() {
            return log.bounds();
        }

        @Override
        public long offsetForTime(long millis) {
            return log.offsetForTime(millis);
        }

        @Override
        public long scan(long begin, long end, Taker taker) throws ExpiredRangeException {
            return log.scan(
                    begin,
                    end,
                    (record, epoch, millis, content) ->
                            taker.take(record, hasEpochs ? epoch : DeliveryLink.NO_EPOCH, millis, content));
        }

        @Override
        public EpochEnd endOfEpoch(long offset, int epoch) {
            return log.endOfEpoch(offset, epoch);
        }
    }

    private void second() {
        nowMillis += 1_000;
        audits.tick(nowMillis);
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
        audits.add(PARTITION, verifier, Optional.empty());
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
    void theRecordsThatAreReadAreBoundedAndAnHonestStreamIsJudgedInBetween() {
        begin();
        for (int i = 0; i < SECONDS; i++) {
            StreamRecords forger = StreamRecords.of(0xF000 + i);
            log.append(forger.checkpoint(7, 100, 110)::at);
            honest(i % 3 == 2);
            int known = findings.size();
            second();
            long number = last.checkpoint().number();
            assertThat(findings.subList(known, findings.size()))
                    .as("second %d", i)
                    .anySatisfy(finding -> assertThat(finding.id()).endsWith("a11ce/" + number));
        }
        assertThat(counted.records()).isLessThan(MOST_RECORDS);
        assertThat(of(Verified.class, verified -> verified.interval().stream().equals(ALICE.stream())))
                .hasSize(1 + SECONDS - SECONDS / 3);
        assertThat(of(Violated.class, violated -> violated.interval().stream().equals(ALICE.stream())))
                .extracting(violated -> violated.anomalies().get(0).kind())
                .hasSizeGreaterThanOrEqualTo(SECONDS / 3)
                .containsOnly(Anomaly.Kind.LOST);
        assertThat(of(Inconclusive.class, beyond -> beyond.reason() == Inconclusive.Reason.OUT_OF_REACH))
                .isNotEmpty()
                .allSatisfy(beyond -> assertThat(beyond.detail()).contains("budget", "audit"));
    }

    @Test
    void onceTheFloodIsOverItIsSearchedAgain() {
        begin();
        for (int i = 0; i < 20; i++) {
            int mine = i;
            log.append(offset ->
                    StreamRecords.of(0xF000 + mine).checkpoint(7, 100, 110).at(offset));
            second();
        }
        assertThat(findings.get(findings.size() - 1)).isInstanceOf(Inconclusive.class);
        findings.clear();
        nowMillis += 50_000;
        log.append(StreamRecords.of(0xE000).checkpoint(7, 100, 110)::at);
        second();
        assertThat(findings).singleElement().isNotInstanceOf(Inconclusive.class);
    }

    @Test
    void whatWasSearchedOnceCostsTheNextForgeriesNothing() {
        old.hasEpochs = true;
        begin();
        for (int i = 0; i < SECONDS; i++) {
            int mine = i;
            log.append(offset ->
                    StreamRecords.of(0xF000 + mine).checkpoint(7, 100, 110).at(offset));
            second();
        }
        // To follow it, for the first search, and what came since.
        assertThat(counted.records()).isBetween(2L * EVENTS, 2L * EVENTS + SECONDS * 1_000L);
        assertThat(of(Inconclusive.class, beyond -> true)).isEmpty();
    }
}
