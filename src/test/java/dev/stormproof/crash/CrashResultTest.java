package dev.stormproof.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.crash.CrashTrial.Result;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What {@link CrashTrial} takes for right. */
class CrashResultTest {
    private static Result result(int exitCode, Set<String> lost, Set<String> planted) {
        return new Result(exitCode, 0, lost, 0, 3, 100, planted);
    }

    @Test
    void exactlyThePlantedLossesAreRight() {
        assertThat(result(0, Set.of(), Set.of()).isRight()).isTrue();
        assertThat(result(1, Set.of("00aa/0/7", "00bb/0/9"), Set.of("00aa/0/7", "00bb/0/9"))
                        .isRight())
                .isTrue();
    }

    @Test
    void asManyLossesOfOtherNamesAreWrongAndSaidToBe() {
        Result another = result(1, Set.of("00aa/0/8"), Set.of("00aa/0/7"));

        assertThat(another.isRight()).isFalse();
        assertThat(another.toString()).endsWith("not named: [00aa/0/7]; named, though not planted: [00aa/0/8]");
    }
}
