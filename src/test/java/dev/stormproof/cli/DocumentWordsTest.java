package dev.stormproof.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sentences and table cells of the manual are short: scripts/check-words counts them; it needs nothing but Python 3.9. */
class DocumentWordsTest {
    @TempDir
    private Path directory;

    @Test
    void noSentenceAndNoCellOfTheManualIsTooLong() throws Exception {
        Path output = directory.resolve("output");
        assertThat(run(output)).as(Files.readString(output)).isZero();
        assertThat(output).content().contains("docs/operations/alerts.md");
    }

    @Test
    void whatIsTooLongIsTold() throws Exception {
        Path page =
                Files.createDirectories(directory.resolve("docs/operations")).resolve("page.md");
        Files.writeString(
                page, "# Page\n\n" + "word ".repeat(31) + "end.\n\n| a |\n|---|\n| " + "cell ".repeat(26) + "|\n");
        Path output = directory.resolve("output");
        assertThat(run(output, page.toString())).isEqualTo(1);
        assertThat(output).content().contains("a sentence of 32 words", "a cell of 26 words");
    }

    /** Of every page, also of those that have no narrower limits. */
    @Test
    void aMedianANinthDecileAndACellBeyondTheirLimitsAreTold() throws Exception {
        assertThat(told("end.\n\n" + ("word ".repeat(24) + "end.\n").repeat(3)))
                .hasSize(3)
                .allMatch(line -> line.contains("a sentence of 25 words"));
        assertThat(told("It is short.\n".repeat(8) + ("word ".repeat(35) + "end.\n").repeat(2)))
                .hasSize(2)
                .allMatch(line -> line.contains("a sentence of 36 words"));
        assertThat(told("| a |\n|---|\n| " + "cell ".repeat(41) + "|\n"))
                .singleElement()
                .asString()
                .contains("a cell of 41 words");
        assertThat(told(("word ".repeat(19) + "end.\n").repeat(8) + ("word ".repeat(34) + "end.\n").repeat(2)
                        + "\n| a |\n|---|\n| " + "cell ".repeat(40) + "|\n"))
                .isEmpty();
    }

    private List<String> told(String text) throws Exception {
        Path page = directory.resolve("page.md");
        Files.writeString(page, text);
        Path output = directory.resolve("output");
        int exitCode = run(output, page.toString());
        List<String> told = Files.readAllLines(output).stream().skip(2).toList();
        assertThat(exitCode).isEqualTo(told.isEmpty() ? 0 : 1);
        return told;
    }

    private static int run(Path output, String... arguments) throws Exception {
        Process counting = start(output, arguments);
        try {
            assertThat(counting.waitFor(1, TimeUnit.MINUTES)).as("ends in time").isTrue();
        } finally {
            counting.destroyForcibly();
        }
        return counting.exitValue();
    }

    private static Process start(Path output, String... arguments) {
        try {
            ProcessBuilder python = new ProcessBuilder("python3", "-B", "scripts/check-words");
            python.command().addAll(List.of(arguments));
            return python.redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
        } catch (IOException notThere) {
            return abort("no python3 here: the words of the manual were not counted");
        }
    }
}
