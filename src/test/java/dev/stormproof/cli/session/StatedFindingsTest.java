package dev.stormproof.cli.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.Protection;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.testing.Intervals;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.Seal;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a statement says of streams and findings, however many there are. */
class StatedFindingsTest {
    private final StatedFindings findings = new StatedFindings();

    private static IntervalId interval(long emitter, long number, Protection strength, String key) {
        Hash hash = Hash.fromHex("%064x".formatted(number + 1));
        return Intervals.interval(
                new StreamId("orders", 0, emitter),
                number,
                10 * number,
                10 * number,
                10,
                "billing",
                0,
                new Seal(strength, hash, hash, key));
    }

    private static Verified verified(long emitter, long number, Protection strength, String key) {
        return new Verified(interval(emitter, number, strength, key), Verified.Basis.MATCH, 0);
    }

    private static Violated violated(long emitter, int anomalies) {
        IntervalId interval = interval(emitter, 0, Protection.ACCIDENTS, "");
        Anomaly lost =
                new Anomaly(Anomaly.Kind.LOST, interval.stream(), 3, 4, -1, 0, Hash.fromHex("00ff"), Hash.empty());
        return new Violated(interval, true, anomalies, Collections.nCopies(anomalies, lost));
    }

    @Test
    void aStreamIsSummedUpAndIsAsStrongAsItsWeakestInterval() {
        findings.add(verified(0x0a, 0, Protection.TAMPERING, "k2"));
        findings.add(verified(0x0a, 1, Protection.TAMPERING, "k1"));
        assertThat(findings.streamLines())
                .singleElement()
                .asString()
                .startsWith(
                        "partition=0 emitter=000000000000000a events=20 proven=20 verified=2 violated=0 inconclusive=0"
                                + " sequences=0-20 checkpoints=0-1 strength=tampering keys=k1,k2 last=")
                .endsWith(" name=billing");

        findings.add(verified(0x0a, 2, Protection.ACCIDENTS, ""));
        assertThat(findings.streamLines().get(0)).contains("strength=accidents");
        assertThat(findings.alarmLines()).isEmpty();
    }

    @Test
    void whatIsNoProofIsToldAndStatesNothingOfItsEvents() {
        findings.add(violated(0x0a, 1));
        findings.add(new Inconclusive(
                interval(0x0b, 1, Protection.TAMPERING, "k"), Inconclusive.Reason.EXPIRED, "gone", List.of()));

        assertThat(findings.alarmLines()).hasSize(2).first().asString().contains("\"finding\":\"violated\"");
        assertThat(findings.streamLines())
                .allSatisfy(line ->
                        assertThat(line).contains(" proven=0 verified=0").doesNotContain("strength="));
    }

    @Test
    void streamsAreBoundedAndTheOthersCounted() {
        for (int emitter = 1; emitter <= StatedFindings.MOST_STREAMS + 2; emitter++) {
            findings.add(verified(emitter, 0, Protection.TAMPERING, "k"));
        }
        assertThat(findings.streamLines()).hasSize(StatedFindings.MOST_STREAMS);
        assertThat(findings.moreStreams()).isEqualTo(2);
    }

    @Test
    void whatFindingsNameIsBoundedAndTheOthersAreCounted() {
        for (int emitter = 1; emitter <= 12; emitter++) {
            findings.add(violated(emitter, 1_000));
        }
        assertThat(findings.alarmLines()).hasSize(StatedFindings.MOST_NAMED / 1_000);
        assertThat(findings.moreAlarms()).isEqualTo(2);
    }
}
