package dev.stormproof.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stormproof.cli.terminal.Terminal;
import dev.stormproof.proof.compare.LogComparison;
import dev.stormproof.proof.compare.testing.LetterLog;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a comparison answers, of drawn logs: nothing that was not compared is called the same. */
class CompareReportTest {
    private final StringWriter text = new StringWriter();

    private CompareReport report(boolean held, int others) {
        return new CompareReport(held, others, Terminal.over(text));
    }

    private static void add(CompareReport report, int partition, String source, String target, boolean json) {
        LetterLog from = LetterLog.of(source);
        LetterLog to = LetterLog.of(target);
        report.add(partition, from, to, new LogComparison(from, to, offset -> {}).run(), json);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ',',
            ignoreLeadingAndTrailingWhitespace = false,
            emptyValue = "",
            value = {
                // source, target, exit code, with --held
                "abc,abc,0,0",
                "'','',2,2",
                "abc,ab,1,1",
                // The source has expired wholly, and the target holds what it never held.
                "abc|,abX,2,2",
                "abc|,'',2,2",
                "abc|,abc|,2,2",
                "ab|c,abc,2,0",
                "abc,ab|c,2,0",
                "ab|c,c,2,0",
                "ab|c,ab|c,2,0",
                "ab|cd,abc,1,1",
                "ab|c,abX|Y,2,2",
                "abc/d,abc,2,2",
                "abc,abc/d,2,2",
                "a|bc/d,a|bc,2,2",
                // What was too large to be read may be what the other log has more, but is no more than that.
                "a*c,a*c,2,2",
                "a*c,aXc,2,2",
                "ac,a*c,2,2",
                "abc,a**,2,2",
                "a*c,aXYc,1,1",
                "aXYc,a*c,1,1",
                "a*bc,a*cb,1,1",
                "*,*,2,2",
            })
    void onlyWhatWasComparedIsTheSame(String source, String target, int exitCode, int held) {
        CompareReport whole = report(false, 0);
        add(whole, 0, source, target, false);
        CompareReport left = report(true, 0);
        add(left, 0, source, target, false);

        assertThat(whole.exitCode()).isEqualTo(exitCode);
        assertThat(left.exitCode()).isEqualTo(held);
        assertThat(whole.conclusions().get(0))
                .startsWith(exitCode == 0 ? "SAME" : exitCode == 1 ? "DIFFERENT" : "INCONCLUSIVE");
    }

    @Test
    void onePartitionThatWasNotComparedMakesTheWholeInconclusive() {
        CompareReport report = report(false, 1);
        add(report, 0, "abc", "abc", false);
        add(report, 1, "xyz|ab", "xyzab", false);
        add(report, 2, "ab/cd", "ab", false);
        report.print();

        assertThat(report.exitCode()).isEqualTo(ExitCode.INCONCLUSIVE);
        assertThat(text.toString())
                .contains("""

                        partition 1:
                          not compared  source 0 to 2: expired
                          not compared  target 0 to 2: the source begins after them  3 records

                        partition 2:
                          not compared  source 2 to 3: kept back by an open transaction
                        """)
                .endsWith("INCONCLUSIVE: the same are 7 records, in order, by key, value and headers; not compared: "
                        + "what expired, 3 records of the target from before the source's beginning, "
                        + "what an open transaction keeps back, 1 partition that was not asked for\n");
    }

    @Test
    void whatWasTooLargeIsToldWithItsRange() {
        CompareReport report = report(false, 0);
        add(report, 0, "a*c*", "a*c", false);
        report.print();

        assertThat(text.toString())
                .contains("""

                        partition 0:
                          not compared  source 1 to 3: 2 too large, an asterisk
                          not compared  target 1: 1 too large, an asterisk
                        """)
                .endsWith("INCONCLUSIVE: the same are 2 records, in order, by key, value and headers; "
                        + "not compared: 3 records too large to be read\n");
    }

    @Test
    void whatIsHeldByBothIsNotSaidToBeAll() {
        CompareReport report = report(true, 2);
        add(report, 0, "ab|c", "ab|c", false);

        assertThat(report.conclusions())
                .containsExactly("SAME: 1 record, in order, by key, value and headers; not compared: what expired, "
                        + "2 partitions that were not asked for");
    }

    @Test
    void whatWasNotComparedStandsInTheJson() throws Exception {
        CompareReport report = report(false, 1);
        add(report, 4, "xyz|ab", "xyzab/c", true);
        report.printJson();

        String[] lines = text.toString().split("\n", -1);
        assertThat(lines).hasSize(4);
        assertThat(lines[0]).contains("\"difference\":\"expired-at-source\"");
        JsonNode partition = new ObjectMapper().readTree(lines[1]);
        assertThat(partition.get("notCompared").toString())
                .isEqualTo(
                        "[{\"log\":\"source\",\"begin\":0,\"end\":3,\"reason\":\"expired\"},"
                                + "{\"log\":\"target\",\"begin\":5,\"end\":6,\"reason\":\"kept back by an open transaction\"}]");
        assertThat(lines[2])
                .isEqualTo(
                        "{\"answer\":\"inconclusive\",\"same\":2,\"missing\":0,\"extra\":0,\"reordered\":0,\"altered\":0,"
                                + "\"expired-at-source\":3,\"expired-at-target\":0,\"expired\":true,\"keptBack\":true,"
                                + "\"tooLarge\":0,\"partitionsNotAsked\":1}");
    }
}
