package dev.stormproof.proof.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.compare.testing.LetterLog;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two stretches of eight records at most, a letter for each, and what is held to be aligned with what follows. */
class StretchAlignmentTest {
    private static Stretch stretch(String letters) {
        Stretch stretch = new Stretch(LetterLog.of(letters), 8);
        boolean unused = stretch.fill();
        return stretch;
    }

    private static String offsets(Stretch stretch) {
        return stretch.entries().stream()
                .map(entry -> Long.toString(entry.offset()))
                .collect(Collectors.joining(" "));
    }

    @ParameterizedTest(name = "{0} and {1}")
    @CsvSource({
        // The last quarter of either may pair with what follows.
        "abcdefgh, abcdefgh, true,  6 7,             6 7",
        "abcdefgh, abcd,     true,  3 4 5 6 7,       3",
        "abcd,     abcdefgh, true,  3,               3 4 5 6 7",
        "abcdefgh, xyzuvwab, true,  1 2 3 4 5 6 7,   7",
        "xyzuvwab, abcdefgh, true,  7,               1 2 3 4 5 6 7",
        "abcdefgh, ijklmnop, false, 0 1 2 3 4 5 6 7, 0 1 2 3 4 5 6 7",
    })
    void theLastQuarterIsKept(String source, String target, boolean committed, String ofSource, String ofTarget) {
        Stretch some = stretch(source);
        Stretch others = stretch(target);

        assertThat(new StretchAlignment(some, others, new Differences(false, false)).commit(false))
                .isEqualTo(committed);
        assertThat(offsets(some)).isEqualTo(ofSource);
        assertThat(offsets(others)).isEqualTo(ofTarget);
    }
}
