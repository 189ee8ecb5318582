package dev.stormproof.cli.text;

import static dev.stormproof.cli.testing.Findings.anomaly;
import static dev.stormproof.cli.testing.Findings.inconclusive;
import static dev.stormproof.cli.testing.Findings.verified;
import static dev.stormproof.cli.testing.Findings.violated;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stormproof.alert.AlertText;
import dev.stormproof.cli.fault.FaultKind;
import dev.stormproof.cli.fault.InjectedFault;
import dev.stormproof.cli.terminal.Terminal;
import dev.stormproof.emit.EmitterStats;
import dev.stormproof.verify.judge.Anomaly.Kind;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A report ends a run. */
class RunReportTest {
    private static final Map<Integer, EmitterStats> STATS =
            Map.of(0, new EmitterStats(1, 150, 2, 1, 0, 0, 0, -1), 1, new EmitterStats(2, 1_050, 2, 1, 0, 0, 0, -1));

    private final Tally tally = new Tally();
    private final StringWriter text = new StringWriter();

    @Test
    void aCleanRunHasATableAndAProof() {
        for (int partition = 0; partition < 2; partition++) {
            tally.add(verified(partition, 0));
            for (int number = 1; number < 7; number++) {
                tally.add(verified(partition, number));
            }
        }

        assertThat(print(List.of())).isEqualTo(ExitCode.VERIFIED);
        assertThat(text.toString()).containsPattern("(?m)^1 +1,050 +2 +7 +0 +0$");
        assertThat(text.toString()).containsPattern("(?m)^together +1,200 +4 +14 +0 +0$");
        assertThat(text.toString())
                .contains(
                        "VERIFIED: the 1,200 events that were sent arrived once, in order, with key and value unaltered");
        assertThat(text.toString()).doesNotContain("injected");
    }

    @Test
    void anAnomalyIsTracedToItsLineOfTheInput() {
        tally.add(violated(1, 1, false, anomaly(Kind.LOST, 1, 40, 41)));

        assertThat(print(List.of())).isEqualTo(ExitCode.VIOLATED);
        // Sequence 40 of the second of two partitions: lines 2, 4, 6, …
        assertThat(text.toString()).containsPattern("lost +sequence 40 .*input line 82");
        assertThat(text.toString()).contains("VIOLATED: 1 anomaly in 1 of 4 intervals");
    }

    @Test
    void aFaultThatNobodyNamedIsOurFailure() {
        tally.add(verified(0, 1));

        assertThat(print(List.of(fault(FaultKind.LOSE, 3, -1)))).isEqualTo(ExitCode.FAILED);
        assertThat(text.toString()).contains("NOT NAMED: lose  sequence 3  t-0");
    }

    @Test
    void anAnomalyThatNobodyInjectedIsShown() {
        tally.add(violated(0, 1, false, anomaly(Kind.LOST, 0, 3, 5), anomaly(Kind.DUPLICATED, 0, 9, 10)));

        print(List.of(fault(FaultKind.LOSE, 3, -1)));

        assertThat(text.toString()).contains("injected 1, of these named 1; others named 2");
        assertThat(text.toString()).contains("NOT INJECTED: lost  sequence 3..4");
    }

    @Test
    void theKindAndTheStreamHaveToFit() {
        tally.add(violated(1, 1, false, anomaly(Kind.LOST, 1, 3, 4)));
        tally.add(violated(0, 1, false, anomaly(Kind.ALTERED, 0, 3, 4)));

        assertThat(print(List.of(fault(FaultKind.LOSE, 3, -1)))).isEqualTo(ExitCode.FAILED);
    }

    @Test
    void nothingToVerifyIsSaidSo() {
        assertThat(print(List.of())).isEqualTo(ExitCode.INCONCLUSIVE);
        assertThat(text.toString()).contains("INCONCLUSIVE: nothing to verify, there is no checkpoint");
    }

    @Test
    void anInconclusiveIntervalIsSaidSo() {
        tally.add(inconclusive(0, 1));

        assertThat(print(List.of())).isEqualTo(ExitCode.INCONCLUSIVE);
        assertThat(text.toString())
                .contains(
                        "INCONCLUSIVE: 1 interval is neither proven nor violated; no event is proven of 1,200 that were sent");
    }

    @Test
    void fewerProvenThanSentIsNotVerified() {
        for (int number = 0; number < 11; number++) {
            tally.add(verified(0, number));
        }

        assertThat(print(List.of())).isEqualTo(ExitCode.INCONCLUSIVE);
        assertThat(text.toString()).contains("INCONCLUSIVE: 1,100 events are proven of 1,200 that were sent");
    }

    @Test
    void asJsonItHasTheVerdictEachPartitionAndWhatWasNotNamed() {
        tally.add(violated(0, 1, false, anomaly(Kind.LOST, 0, 40, 41)));
        List<InjectedFault> injected = List.of(fault(FaultKind.LOSE, 40, -1), fault(FaultKind.LOSE, 80, -1));

        ObjectNode json = new RunReport(tally, STATS, injected, 2, "line", AlertText::line).json(ExitCode.FAILED);

        assertThat(json.path("run").asText()).isEqualTo("violated");
        assertThat(json.path("exitCode").asInt()).isEqualTo(ExitCode.FAILED);
        assertThat(json.path("events").asInt()).isEqualTo(1_200);
        assertThat(json.path("partitions")).hasSize(2);
        assertThat(json.path("partitions").get(0).path("violated").asInt()).isOne();
        assertThat(json.path("partitions").get(1).path("events").asInt()).isEqualTo(1_050);
        assertThat(json.path("injected").asInt()).isEqualTo(2);
        assertThat(json.path("named").asInt()).isOne();
        assertThat(json.path("notNamed")).hasSize(1);
        assertThat(json.path("notNamed").get(0).path("sequence").asInt()).isEqualTo(80);
        assertThat(json.path("notInjected").asInt()).isZero();
    }

    private static InjectedFault fault(FaultKind kind, long sequence, long other) {
        return new InjectedFault(kind, "t", 0, sequence, other, 1);
    }

    private int print(List<InjectedFault> injected) {
        Terminal out = Terminal.over(text);
        int exitCode = new RunReport(tally, STATS, injected, 2, "line", AlertText::line).print(out);
        out.flush();
        return exitCode;
    }
}
