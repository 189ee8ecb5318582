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

/** Each limit in docs/DETECTION.md has a number; src/test/resources/limits.md has for each a test that exists, a log that is drawn, or none. */
class DetectionDocumentTest {
    private static final String TESTS = "src/test/resources/limits.md";
    private static final Pattern LIMIT = Pattern.compile("^(\\d+)\\. ", Pattern.MULTILINE);
    private static final Pattern SHOWN = Pattern.compile("^\\| (\\d+) \\| ([^|]+) \\|$", Pattern.MULTILINE);

    private static DrawnPage tests() throws IOException {
        return DrawnPage.of(TESTS);
    }

    private static List<String> limits() throws IOException {
        String section = Files.readString(Path.of("docs/DETECTION.md"))
                .replaceFirst("(?s)^.*\\n## Limits\\n", "")
                .replaceFirst("(?s)\\n## .*$", "");
        return LIMIT.matcher(section).results().map(limit -> limit.group(1)).toList();
    }

    private static List<MatchResult> shown() throws IOException {
        return SHOWN.matcher(tests().text()).results().toList();
    }

    static Stream<String> drawnLogs() throws IOException {
        return tests().logs().stream();
    }

    @Test
    void theLimitsAreNumberedWithoutAGapAndEachIsListed() throws IOException {
        assertThat(limits())
                .hasSizeGreaterThan(20)
                .isEqualTo(IntStream.rangeClosed(1, limits().size())
                        .mapToObj(Integer::toString)
                        .toList());
        assertThat(shown()).extracting(limit -> limit.group(1)).isEqualTo(limits());
    }

    @Test
    void eachLimitNamesTestsOrADrawnLogOrNone() throws IOException {
        assertThat(shown())
                .extracting(limit -> limit.group(2))
                .allSatisfy(by -> assertThat(by).matches("–|drawn|`\\w+Test(#\\w+)?`(, `\\w+Test(#\\w+)?`)*"));
        assertThat(tests().numbers())
                .isEqualTo(shown().stream()
                        .filter(limit -> limit.group(2).equals("drawn"))
                        .map(limit -> limit.group(1))
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("drawnLogs")
    void ofEachDrawnLogTheListSaysWhatTheVerifierFinds(String drawn) {
        assertThat(ChainLog.played(drawn)).isEqualTo(drawn);
    }

    @ParameterizedTest
    @ValueSource(strings = {TESTS, "src/test/resources/trials.md"})
    void everyTestThatThePageNamesExists(String page) throws IOException {
        assertThat(NamedTests.in(Files.readString(Path.of(page))).missing()).isEqualTo(List.of());
    }
}
