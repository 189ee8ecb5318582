package dev.stormproof.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.testing.ChainLog;
import dev.stormproof.testing.DrawnPage;
import dev.stormproof.testing.NamedTests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each limit in docs/DETECTION.md has a number, what is seen instead, and a test that exists, a log that is drawn, or none. */
class DetectionDocumentTest {
    private static final Pattern LIMIT =
            Pattern.compile("^\\| (\\d+) \\| ([^|]+) \\| ([^|]+) \\| ([^|]+) \\|$", Pattern.MULTILINE);
    private static final String DRAWN = "drawn";

    private static DrawnPage page() throws IOException {
        return DrawnPage.of("docs/DETECTION.md");
    }

    private static String section() throws IOException {
        return page().text().replaceFirst("(?s)^.*\\n## Limits\\n", "").replaceFirst("(?s)\\n## .*$", "");
    }

    private static List<MatchResult> limits() throws IOException {
        return LIMIT.matcher(section()).results().toList();
    }

    static Stream<String> drawnLogs() throws IOException {
        return page().logs().stream();
    }

    @Test
    void theLimitsAreNumberedWithoutAGap() throws IOException {
        assertThat(limits())
                .hasSizeGreaterThan(20)
                .extracting(limit -> Integer.valueOf(limit.group(1)))
                .isEqualTo(IntStream.rangeClosed(1, limits().size()).boxed().toList());
        assertThat(section().lines().filter(line -> line.matches("\\| \\d+ .*")))
                .as("each has its four cells")
                .hasSameSizeAs(limits());
    }

    @Test
    void eachLimitNamesTestsOrADrawnLogOrNone() throws IOException {
        assertThat(limits())
                .extracting(limit -> limit.group(4))
                .allSatisfy(shown -> assertThat(shown).matches("–|drawn|`\\w+Test(#\\w+)?`(, `\\w+Test(#\\w+)?`)*"));
        assertThat(page().numbers())
                .isEqualTo(limits().stream()
                        .filter(limit -> limit.group(4).equals(DRAWN))
                        .map(limit -> limit.group(1))
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("drawnLogs")
    void ofEachDrawnLogThePageSaysWhatTheVerifierFinds(String drawn) {
        assertThat(ChainLog.played(drawn)).isEqualTo(drawn);
    }

    @ParameterizedTest
    @ValueSource(strings = {"docs/DETECTION.md", "docs/operations/adoption.md"})
    void everyTestThatThePageNamesExists(String page) throws IOException {
        assertThat(NamedTests.in(Files.readString(Path.of(page))).missing()).isEqualTo(List.of());
    }
}
