package dev.stormproof.log.origin;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static dev.stormproof.testing.StreamRecords.PLAIN;
import static dev.stormproof.testing.StreamRecords.otherSignature;
import static dev.stormproof.testing.StreamRecords.signature;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.log.origin.OriginEvidence.Judged;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Anomaly.Kind;
import dev.stormproof.verify.judge.Evidence;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.Hop;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Inconclusive.Reason;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The hop of each anomaly of interval 5, sequences 42 and 43, by what the origin's log shows of it. */
class HopsTest {
    private final CheckpointRecord four = ALICE.checkpoint(4, 40, 42).at(10);
    private final CheckpointRecord five =
            ALICE.checkpoint(5, 42, 44).after(four).at(20);
    private final Evidence evidence = here(List.of(four, five), ALICE.event(11, 42), ALICE.event(12, 43));

    private static Evidence here(List<CheckpointRecord> checkpoints, Event... events) {
        return new Evidence(5, checkpoints, List.of(events));
    }

    private static Anomaly anomaly(Kind kind, long begin, long end, Hash observed) {
        return new Anomaly(kind, ALICE.stream(), begin, end, 11, 2, signature(begin), observed);
    }

    private static Anomaly anomaly(Kind kind, long begin) {
        return anomaly(kind, begin, begin + 1, signature(begin));
    }

    private Violated violated(Anomaly... anomalies) {
        return new Violated(IntervalId.of(five), true, anomalies.length, List.of(anomalies));
    }

    private Inconclusive expired() {
        return new Inconclusive(IntervalId.of(five), Reason.EXPIRED, "gone");
    }

    private static Judged judged(long begin, long end, Finding finding, Event... events) {
        return new Judged(begin, end, Optional.of(finding), List.of(events));
    }

    private static OriginEvidence origin(long fromSequence, Judged... intervals) {
        return new OriginEvidence(5, fromSequence, List.of(intervals));
    }

    private OriginEvidence showing(Anomaly... anomalies) {
        return origin(42, judged(42, 44, violated(anomalies)));
    }

    private Hop hop(Anomaly anomaly, OriginEvidence origin) {
        return hop(anomaly, evidence, origin);
    }

    private Hop hop(Anomaly anomaly, Evidence here, OriginEvidence origin) {
        return new Blame(five, here, origin).of(List.of(anomaly)).get(0).hop();
    }

    private List<String> parts(Anomaly anomaly, OriginEvidence origin) {
        return new Blame(five, evidence, origin)
                .of(List.of(anomaly)).stream()
                        .map(part -> part.begin() + ".." + part.end() + " " + part.hop())
                        .toList();
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"FOREIGN", "OUT_OF_REACH"})
    void whatIsUnexpectedThereTooCameBefore(Kind there) {
        Anomaly foreign = anomaly(Kind.FOREIGN, 42);
        assertThat(hop(foreign, showing(anomaly(there, 42)))).isEqualTo(Hop.BEFORE_ORIGIN);
        assertThat(hop(foreign, showing(anomaly(there, 42, 43, otherSignature(42)))))
                .as("with another content")
                .isEqualTo(Hop.SEVERAL);
        assertThat(hop(foreign, showing(anomaly(there, 42, 43, Hash.empty()))))
                .as("with a content that is unknown there")
                .isEqualTo(Hop.BEFORE_ORIGIN);
        assertThat(hop(anomaly(Kind.FOREIGN, 42, 43, Hash.empty()), showing(anomaly(there, 42))))
                .as("with a content that is unknown here")
                .isEqualTo(Hop.BEFORE_ORIGIN);
    }

    @Test
    void ofTwoUnexpectedOnesOfANameOneIsAccountedForByOneThere() {
        Anomaly foreign = anomaly(Kind.FOREIGN, 42);
        assertThat(new Blame(five, evidence, showing(foreign)).of(List.of(foreign, foreign)))
                .extracting(Anomaly::hop)
                .containsExactly(Hop.BEFORE_ORIGIN, Hop.BETWEEN_LOGS);
    }

    @Test
    void whatIsUnexpectedHereAndOtherwiseWrongThereWentWrongOnSeveral() {
        Anomaly foreign = anomaly(Kind.FOREIGN, 42);
        assertThat(hop(foreign, showing(anomaly(Kind.DUPLICATED, 42)))).isEqualTo(Hop.SEVERAL);
        assertThat(hop(foreign, showing(anomaly(Kind.REORDERED, 42)))).isEqualTo(Hop.SEVERAL);
        assertThat(hop(foreign, showing(anomaly(Kind.ALTERED, 42)))).isEqualTo(Hop.BETWEEN_LOGS);
        assertThat(hop(foreign, showing(anomaly(Kind.DUPLICATED, 43)))).isEqualTo(Hop.BETWEEN_LOGS);
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"UNLOCATED", "CHAIN_BROKEN"})
    void whatIsOfAWholeIntervalIsComparedWhole(Kind kind) {
        Anomaly whole = anomaly(kind, 42);
        assertThat(hop(whole, showing(whole))).isEqualTo(Hop.BEFORE_ORIGIN);
        assertThat(hop(whole, showing(anomaly(kind, 43)))).isEqualTo(Hop.BETWEEN_LOGS);
        assertThat(hop(whole, origin(42, judged(42, 44, expired())))).isEqualTo(Hop.UNKNOWN);
    }

    @Test
    void anEventOutOfOrderHereAndNoneThereWasMovedBetween() {
        Anomaly moved = anomaly(Kind.REORDERED, 42);
        Judged other = judged(42, 44, violated(anomaly(Kind.LOST, 43)), ALICE.event(8, 42));
        assertThat(hop(moved, origin(42, other))).isEqualTo(Hop.BETWEEN_LOGS);
    }

    @Test
    void anEventOutOfOrderIsComparedWithTheOrderThereAsFarAsThatIsKnown() {
        Judged unread = judged(40, 42, expired());
        Judged swapped = judged(42, 44, violated(anomaly(Kind.REORDERED, 42)), ALICE.event(7, 42), ALICE.event(8, 43));
        OriginEvidence partly = origin(40, unread, swapped);
        assertThat(hop(anomaly(Kind.REORDERED, 42), partly)).isEqualTo(Hop.BEFORE_ORIGIN);
        assertThat(hop(anomaly(Kind.REORDERED, 41), partly)).isEqualTo(Hop.UNKNOWN);
        assertThat(hop(
                        anomaly(Kind.REORDERED, 42),
                        origin(40, unread, judged(42, 44, violated(anomaly(Kind.LOST, 43))))))
                .as("none is out of order there")
                .isEqualTo(Hop.UNKNOWN);
    }

    @Test
    void aLostRangeFallsIntoWhatIsUnknownIsThereAndIsMissingThereToo() {
        OriginEvidence origin = origin(
                40,
                judged(40, 41, expired()),
                judged(41, 42, expired()),
                judged(42, 44, violated(anomaly(Kind.ALTERED, 42), anomaly(Kind.LOST, 43))));
        assertThat(parts(anomaly(Kind.LOST, 40, 44, Hash.empty()), origin))
                .containsExactly("40..42 UNKNOWN", "42..43 BETWEEN_LOGS", "43..44 BEFORE_ORIGIN");
    }

    @Test
    void anAlteredEventIsKnownFromTheFirstSequenceThatWasRead() {
        OriginEvidence origin = origin(42, judged(42, 44, new Verified(IntervalId.of(five), Verified.Basis.LOG, 0)));
        assertThat(hop(anomaly(Kind.ALTERED, 42), origin)).isEqualTo(Hop.BETWEEN_LOGS);
        assertThat(hop(anomaly(Kind.ALTERED, 41), origin)).isEqualTo(Hop.UNKNOWN);
        assertThat(hop(anomaly(Kind.ALTERED, 42), origin(42, judged(42, 44, expired()))))
                .as("not decided there")
                .isEqualTo(Hop.UNKNOWN);
    }

    @Test
    void ofFormat1NothingIsFoundElsewhere() {
        CheckpointRecord plain = PLAIN.plainCheckpoint(20, 1, 2);
        Evidence here = here(List.of(plain));
        Anomaly lost = anomaly(Kind.LOST, 0);
        OriginEvidence origin = origin(0, judged(0, 2, violated(lost)));
        assertThat(new Blame(plain, here, origin).of(List.of(lost)).get(0).hop())
                .isEqualTo(Hop.UNKNOWN);
    }

    @Test
    void theOriginIsReadWholeIfItIsFromTheFirstSequenceThatTheIntervalAccountsFor() {
        Anomaly doubled = anomaly(Kind.DUPLICATED, 43);
        CheckpointRecord three = ALICE.checkpoint(3, 38, 40).at(9);
        Evidence withoutFour = here(List.of(three, five));
        assertThat(hop(doubled, withoutFour, origin(41, judged(41, 44, violated()))))
                .isEqualTo(Hop.UNKNOWN);
        assertThat(hop(doubled, withoutFour, origin(40, judged(40, 44, violated()))))
                .isEqualTo(Hop.BETWEEN_LOGS);
        CheckpointRecord overlapping = ALICE.checkpoint(4, 40, 50).at(10);
        assertThat(hop(doubled, here(List.of(overlapping, five)), origin(45, judged(45, 50, violated()))))
                .as("behind a predecessor that states more than lies before")
                .isEqualTo(Hop.UNKNOWN);
    }

    @Test
    void aJudgementThereDecidesIfWhatDiffersIsKnown() {
        IntervalId interval = IntervalId.of(five);
        assertThat(new Judged(42, 44, Optional.empty(), List.of()).isDecided()).isTrue();
        assertThat(judged(42, 44, new Verified(interval, Verified.Basis.LOG, 0)).isDecided())
                .isTrue();
        assertThat(judged(42, 44, violated()).isDecided()).isTrue();
        assertThat(judged(42, 44, new Inconclusive(interval, Reason.UNCERTAIN, ""))
                        .isDecided())
                .isTrue();
        assertThat(judged(42, 44, expired()).isDecided()).isFalse();
        assertThat(judged(
                                42,
                                44,
                                new StrayRecord(
                                        new PartitionId("orders", 0),
                                        9,
                                        UnattributedRecord.Kind.UNSIGNED,
                                        "",
                                        LogRecord.NO_TIME))
                        .isDecided())
                .isFalse();
    }
}
