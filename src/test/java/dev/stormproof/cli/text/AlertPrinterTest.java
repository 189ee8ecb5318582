package dev.stormproof.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertText;
import dev.stormproof.alert.RecordUrls;
import dev.stormproof.cli.testing.Findings;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Anomaly.Kind;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class AlertPrinterTest {
    private static final Anomaly LOST = Findings.anomaly(Kind.LOST, 0, 417, 418);

    private final AlertPrinter printer = new AlertPrinter(AlertText::line);
    private final AlertPrinter explaining = new AlertPrinter(
            AlertText::line,
            RecordUrls.NONE,
            new NextCommands("stormproof", "--bootstrap-server kafka1:9092", "alerts"));

    @Test
    void whoIsAskedToExplainTellsWhatHappenedAndWhatToDo() {
        List<String> lines = explaining.lines(Findings.violated(0, 4, true, LOST));

        assertThat(lines)
                .containsSubsequence(
                        "        > lost: A producer stated this event, and the log does not hold it.",
                        "        > what to do: Send the event again and accept the alert. Look for an unclean election, acks")
                .filteredOn(line -> line.startsWith("        >"))
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
        assertThat(explaining.lines(Findings.inconclusive(0, 5)))
                .contains("        > expired: The log no longer holds the whole interval.");
        assertThat(explaining.lines(Findings.verified(0, 6))).hasSize(1);
    }

    @Test
    void anAlertEndsWithTheCommandsToRunNextEachOnOneLine() {
        Alert alert = Findings.violated(0, 4, false, LOST);
        String id = alert.finding().id();

        assertThat(explaining.lines(alert))
                .contains(
                        "ALERT 1 event lost in t-0, before the checkpoint at offset 400",
                        "        alert   " + id,
                        "        found   1970-01-01T00:00:00Z",
                        "        find    stormproof alerts find " + id
                                + " --bootstrap-server kafka1:9092 --alerts-topic alerts",
                        "        audit   stormproof audit --bootstrap-server kafka1:9092 --topic t"
                                + " --partition 0 --from 400 --to 401",
                        "        accept  stormproof alerts accept " + id
                                + " --bootstrap-server kafka1:9092 --alerts-topic alerts --by \"$(id -un)\" --reason WHY");
        assertThat(explaining.lines(Findings.inconclusive(0, 5)).toString()).doesNotContain("alerts find");
    }

    @Test
    void whateverAnAttackerWroteIsOneWordForAShell() {
        assertThat(NextCommands.quoted("orders/0/00c0ffee/7~01@12")).isEqualTo("orders/0/00c0ffee/7~01@12");
        assertThat(NextCommands.quoted("a;rm '$HOME")).isEqualTo("'a;rm '\\''$HOME'");
        assertThat(NextCommands.quoted("")).isEqualTo("''");
    }

    @Test
    void alertsWithoutEndAreForgottenOldestFirst() {
        for (int checkpoint = 0; checkpoint <= AlertPrinter.MOST_REMEMBERED; checkpoint++) {
            printer.lines(Findings.violated(0, checkpoint, false, LOST));
        }

        assertThat(printer.lines(Findings.violated(0, 1, false, LOST))).isEmpty();
        assertThat(printer.lines(Findings.violated(0, 0, false, LOST))).hasSize(2);
    }

    @Test
    void ofOneAlertFiftyAnomaliesArePrintedAndTheOthersCounted() {
        Anomaly[] lost = new Anomaly[52];
        Arrays.setAll(lost, i -> Findings.anomaly(Kind.LOST, 0, 2L * i, 2L * i + 1));

        List<String> lines = printer.lines(Findings.violated(0, 4, false, lost));

        assertThat(lines).hasSize(1 + 50 + 1);
        assertThat(lines.get(51)).isEqualTo("        and 2 more");
    }

    @Test
    void whatIsToldTwiceIsPrintedOnce() {
        assertThat(printer.lines(Findings.violated(0, 4, true, LOST))).isNotEmpty();
        assertThat(printer.lines(Findings.violated(0, 4, true, LOST))).isEmpty();
        assertThat(printer.lines(Findings.violated(0, 4, false, LOST))).hasSize(2);
        assertThat(printer.lines(Findings.violated(0, 4, false, LOST))).isEmpty();
        assertThat(printer.lines(Findings.violated(0, 4, true, LOST)))
                .as("the open one")
                .isEmpty();
        assertThat(printer.lines(Findings.inconclusive(0, 5))).hasSize(1);
        assertThat(printer.lines(Findings.inconclusive(0, 5))).isEmpty();
    }

    @Test
    void anOpenAlertSaysThatItIsAndWhatFollows() {
        String lines = String.join(" ", printer.lines(Findings.violated(0, 4, true, LOST)));
        assertThat(lines).contains("not sealed yet", "> not final: if a checkpoint of the stream");
        assertThat(String.join(" ", printer.lines(Findings.violated(0, 5, false, LOST))))
                .doesNotContain("comes again");
    }
}
