package dev.stormproof.cli.text;

import static dev.stormproof.cli.testing.Findings.alert;
import static dev.stormproof.cli.testing.Findings.anomaly;
import static dev.stormproof.cli.testing.Findings.inconclusive;
import static dev.stormproof.cli.testing.Findings.verified;
import static dev.stormproof.cli.testing.Findings.violated;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.alert.Acceptance;
import dev.stormproof.alert.Alert;
import dev.stormproof.cli.testing.Findings;
import dev.stormproof.cli.text.Tally.Counts;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Anomaly.Kind;
import dev.stormproof.verify.judge.MissedRecords;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Undelivered;
import org.junit.jupiter.api.Test;

/** What was found so far. */
class TallyTest {
    private final Tally tally = new Tally();

    @Test
    void nothingFoundIsNothingProven() {
        assertThat(tally.exitCode()).isEqualTo(ExitCode.INCONCLUSIVE);
        assertThat(tally.total()).isEqualTo(Counts.NONE);
    }

    @Test
    void verdictsAreCountedByPartition() {
        tally.add(verified(0, 1));
        tally.add(verified(0, 2));
        tally.add(inconclusive(1, 1));
        tally.add(violated(1, 2, false, anomaly(Kind.LOST, 1, 5, 6)));

        assertThat(tally.countsOf(0)).isEqualTo(new Counts(2, 0, 0, 0, 200, 200, 2));
        assertThat(tally.countsOf(1)).isEqualTo(new Counts(0, 1, 1, 0, 200, 0, 0));
        assertThat(tally.countsOf(2)).isEqualTo(Counts.NONE);
        assertThat(tally.total().decided()).isEqualTo(4);
    }

    @Test
    void aVerdictReplacesAnOpenOneInEitherOrder() {
        Anomaly lost = anomaly(Kind.LOST, 0, 5, 6);
        Anomaly reordered = anomaly(Kind.REORDERED, 0, 5, 6);

        assertThat(tally.add(violated(0, 1, true, lost))).isTrue();
        assertThat(tally.countsOf(0).decided()).isZero();
        assertThat(tally.add(violated(0, 1, false, reordered))).isTrue();
        assertThat(tally.add(violated(0, 1, true, lost))).isFalse();

        assertThat(tally.countsOf(0)).isEqualTo(new Counts(0, 1, 0, 0, 100, 0, 0));
        assertThat(tally.anomalies()).containsExactly(reordered);
    }

    @Test
    void aFindingToldTwiceCountsOnce() {
        assertThat(tally.add(verified(0, 1))).isTrue();
        assertThat(tally.add(verified(0, 1))).isFalse();
        assertThat(tally.total().verified()).isEqualTo(1);
    }

    @Test
    void anAnomalyThatTwoIntervalsNameIsOne() {
        Anomaly moved = anomaly(Kind.REORDERED, 0, 99, 100);
        Anomaly earlier = anomaly(Kind.LOST, 0, 7, 8);
        tally.add(violated(0, 1, false, moved, earlier));
        tally.add(violated(0, 2, false, moved));

        assertThat(tally.anomalies()).containsExactly(earlier, moved);
    }

    @Test
    void theWorstDecidesTheExitCode() {
        tally.add(verified(0, 1));
        assertThat(tally.exitCode()).isEqualTo(ExitCode.VERIFIED);
        tally.add(inconclusive(0, 2));
        assertThat(tally.exitCode()).isEqualTo(ExitCode.INCONCLUSIVE);
        tally.add(violated(0, 3, true, anomaly(Kind.LOST, 0, 1, 2)));
        assertThat(tally.exitCode()).isEqualTo(ExitCode.VIOLATED);
    }

    @Test
    void aRecordOfNoStreamIsAViolationAndADroppedOneLeavesItOpen() {
        tally.add(alert(new MissedRecords(new PartitionId("t", 0), 3, 9)));
        assertThat(tally.exitCode()).isEqualTo(ExitCode.INCONCLUSIVE);
        tally.add(alert(new StrayRecord(
                new PartitionId("t", 0), 9, UnattributedRecord.Kind.UNSIGNED, "no header", LogRecord.NO_TIME)));
        assertThat(tally.exitCode()).isEqualTo(ExitCode.VIOLATED);
    }

    @Test
    void anOutputThatLacksARecordIsNotVerifiedUntilItGoesOn() {
        assertThat(tally.isEmpty()).isTrue();
        tally.add(verified(0, 1));
        undelivered(3, Undelivered.Kind.HALTED);
        undelivered(3, Undelivered.Kind.WAITING);
        assertThat(tally.exitCode()).isEqualTo(ExitCode.INCONCLUSIVE);
        assertThat(ReportText.doubts(tally, 0)).containsExactly("the output lacks 2 records");
        undelivered(3, Undelivered.Kind.RESUMED);
        assertThat(tally.exitCode()).isEqualTo(ExitCode.INCONCLUSIVE);
        undelivered(3, Undelivered.Kind.WAITED);
        assertThat(tally.exitCode()).isEqualTo(ExitCode.VERIFIED);
        undelivered(4, Undelivered.Kind.DIVERTED);
        assertThat(tally.exitCode()).isEqualTo(ExitCode.INCONCLUSIVE);
    }

    @Test
    void anOutputThatWentOnIsSomethingThatCame() {
        undelivered(3, Undelivered.Kind.RESUMED);
        assertThat(tally.isEmpty()).isFalse();
    }

    private void undelivered(long offset, Undelivered.Kind kind) {
        tally.add(alert(new Undelivered(new PartitionId("t", 0), offset, kind, "why", 0)));
    }

    @Test
    void whatIsRememberedIsBoundedAndEverythingIsCounted() {
        Tally bounded = new Tally(10, 20);
        for (int number = 0; number < 1_000; number++) {
            bounded.add(verified(0, number));
            bounded.add(violated(1, number, true, anomaly(Kind.LOST, 1, number, number + 1)));
            bounded.add(violated(1, number, false, anomaly(Kind.LOST, 1, number, number + 1)));
            bounded.add(inconclusive(2, number));
        }

        assertThat(bounded.size()).isLessThanOrEqualTo(30);
        assertThat(bounded.total()).isEqualTo(new Counts(1_000, 1_000, 1_000, 0, 300_000, 100_000, 1_000));
        assertThat(bounded.anomalies().size() + bounded.inconclusive().size() + bounded.unnamed())
                .isEqualTo(2_000);
        assertThat(bounded.anomalies()).isNotEmpty();
    }

    @Test
    void anAlarmThatIsNotKeptDecidesTheExitCodeAllTheSame() {
        Tally bounded = new Tally(0, 1);
        bounded.add(alert(new MissedRecords(new PartitionId("t", 0), 3, 9)));
        assertThat(bounded.exitCode()).isEqualTo(ExitCode.INCONCLUSIVE);
        bounded.add(alert(new StrayRecord(
                new PartitionId("t", 0), 9, UnattributedRecord.Kind.UNSIGNED, "no header", LogRecord.NO_TIME)));
        assertThat(bounded.exitCode()).isEqualTo(ExitCode.VIOLATED);
        assertThat(bounded.unattributed()).isEmpty();
        assertThat(bounded.unnamed()).isEqualTo(2);
    }

    @Test
    void whatWasAcceptedIsCountedAndStaysWhatItIs() {
        Alert violated = Findings.violated(0, 4, false, Findings.anomaly(Anomaly.Kind.LOST, 0, 417, 418));
        Acceptance word = Acceptance.of(violated, 1, "alice", "sent again");
        Tally tally = new Tally();
        tally.add(violated);
        tally.accept(word);
        assertThat(tally.exitCode()).as("nothing is proven").isEqualTo(ExitCode.VIOLATED);
        tally.add(Findings.verified(0, 5));
        assertThat(tally.exitCode()).isEqualTo(ExitCode.ACCEPTED);
        assertThat(tally.accepted()).isEqualTo(1);
        assertThat(tally.total().violated()).isEqualTo(1);
        assertThat(tally.anomalies()).hasSize(1);

        tally.add(Findings.inconclusive(0, 6));
        assertThat(tally.exitCode()).as("that one nobody accepted").isEqualTo(ExitCode.VIOLATED);
        tally.accept(Acceptance.of(Findings.inconclusive(0, 6), 1, "bob", "known"));
        assertThat(tally.exitCode()).isEqualTo(ExitCode.ACCEPTED);
    }

    @Test
    void anOutputThatWentOnLeavesNothingToAccept() {
        Alert lost = Findings.violated(0, 4, false, Findings.anomaly(Anomaly.Kind.LOST, 0, 417, 418));
        tally.add(verified(0, 5));
        tally.add(lost);
        tally.accept(Acceptance.of(lost, 1, "alice", "sent again"));
        undelivered(3, Undelivered.Kind.HALTED);
        assertThat(tally.exitCode()).as("an output stands").isEqualTo(ExitCode.VIOLATED);
        undelivered(3, Undelivered.Kind.RESUMED);
        assertThat(tally.exitCode()).isEqualTo(ExitCode.ACCEPTED);
        undelivered(9, Undelivered.Kind.WAITED);
        assertThat(tally.exitCode()).isEqualTo(ExitCode.ACCEPTED);
        undelivered(11, Undelivered.Kind.DIVERTED);
        assertThat(tally.exitCode()).as("it lacks that one").isEqualTo(ExitCode.VIOLATED);
    }

    @Test
    void aVerdictThatComesAfterAnOpenOneWasAcceptedIsNotAccepted() {
        Alert open = Findings.violated(0, 4, true, Findings.anomaly(Anomaly.Kind.LOST, 0, 417, 418));
        Tally tally = new Tally();
        tally.add(Findings.verified(0, 5));
        tally.add(open);
        tally.accept(Acceptance.of(open, 1, "alice", "known"));
        assertThat(tally.exitCode()).isEqualTo(ExitCode.ACCEPTED);
        tally.add(Findings.violated(0, 4, false, Findings.anomaly(Anomaly.Kind.LOST, 0, 417, 419)));
        assertThat(tally.exitCode()).isEqualTo(ExitCode.VIOLATED);
    }
}
