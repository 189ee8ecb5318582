package dev.stormproof.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.testing.NamedTests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Each limit in docs/DETECTION.md has a number, what is seen instead, and a test that exists, or none. */
class DetectionDocumentTest {
    private static final Pattern LIMIT =
            Pattern.compile("^\\| (\\d+) \\| ([^|]+) \\| ([^|]+) \\| ([^|]+) \\|$", Pattern.MULTILINE);

    private static String section() throws IOException {
        String document = Files.readString(Path.of("docs/DETECTION.md"));
        return document.replaceFirst("(?s)^.*\\n## Limits\\n", "").replaceFirst("(?s)\\n## .*$", "");
    }

    private static List<MatchResult> limits() throws IOException {
        return LIMIT.matcher(section()).results().toList();
    }

    @Test
    void theLimitsAreNumberedWithoutAGap() throws IOException {
        assertThat(limits())
                .hasSizeGreaterThan(40)
                .extracting(limit -> Integer.valueOf(limit.group(1)))
                .isEqualTo(IntStream.rangeClosed(1, limits().size()).boxed().toList());
        assertThat(section().lines().filter(line -> line.matches("\\| \\d+ .*")))
                .as("each has its four cells")
                .hasSameSizeAs(limits());
    }

    @Test
    void eachLimitNamesTestsOrNone() throws IOException {
        assertThat(limits())
                .extracting(limit -> limit.group(4))
                .allSatisfy(tests -> assertThat(tests).matches("–|`\\w+Test(#\\w+)?`(, `\\w+Test(#\\w+)?`)*"));
    }

    @Test
    void everyTestThatThePageNamesExists() throws IOException {
        assertThat(NamedTests.in(Files.readString(Path.of("docs/DETECTION.md"))).missing())
                .isEqualTo(List.of());
    }
}
