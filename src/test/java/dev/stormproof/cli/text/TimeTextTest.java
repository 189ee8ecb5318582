package dev.stormproof.cli.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

/** Times as they are typed. */
class TimeTextTest {
    @ParameterizedTest
    @CsvSource({
        "2026-01-31T08:00:00Z, 2026-01-31T08:00:00Z",
        "2026-01-31T08:00:00+01:00, 2026-01-31T07:00:00Z",
        "2026-01-31, 2026-01-31T00:00:00Z"
    })
    void aTimeOrADateIsRead(String text, Instant time) {
        assertThat(TimeText.of(text)).isEqualTo(time);
    }

    @ParameterizedTest
    @CsvSource({"90s, PT90S", "5m, PT5M", "1h, PT1H", "2d, P2D", "999999999d, P999999999D"})
    void howLongAgoIsCountedFromNow(String text, Duration ago) {
        Instant before = Instant.now();

        assertThat(TimeText.of(text)).isBetween(before.minus(ago), Instant.now().minus(ago));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "yesterday", "1", "0h", "-1h", "1w", "2026-13-01", "2026-01-31T13:00:00"})
    void anythingElseIsRefused(String text) {
        assertThatThrownBy(() -> TimeText.of(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("no time such as");
    }
}
