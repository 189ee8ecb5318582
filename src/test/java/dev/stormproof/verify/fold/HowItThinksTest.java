package dev.stormproof.verify.fold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.testing.ChainLog;
import dev.stormproof.testing.DrawnPage;
import dev.stormproof.testing.NamedTests;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The page docs/HOW_IT_THINKS.md: what it says of each log that it draws is what the verifier finds. */
class HowItThinksTest {
    private static DrawnPage page() throws IOException {
        return DrawnPage.of("docs/HOW_IT_THINKS.md");
    }

    static Stream<String> drawnLogs() throws IOException {
        return page().logs().stream();
    }

    @ParameterizedTest
    @MethodSource("drawnLogs")
    void ofEachDrawnLogThePageSaysWhatTheVerifierFinds(String drawn) {
        assertThat(ChainLog.played(drawn)).isEqualTo(drawn);
    }

    @Test
    void thereAreDrawnLogs() throws IOException {
        assertThat(drawnLogs()).hasSizeGreaterThan(5);
    }

    @Test
    void everyTestThatItNamesExists() throws IOException {
        assertThat(NamedTests.in(page().text()).missing()).isEmpty();
    }
}
