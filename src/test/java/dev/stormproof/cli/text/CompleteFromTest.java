package dev.stormproof.cli.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import picocli.CommandLine.TypeConversionException;

/** From where on a log has to be complete. */
class CompleteFromTest {
    private static final long UNKNOWN = -1;

    @Test
    void anOffsetIsHeldIfTheLogDoesNotBeginBehindIt() {
        CompleteFrom seven = CompleteFrom.of("7");

        assertThat(seven.offsetIn(0, millis -> 99)).isEqualTo(7);
        assertThat(seven.offsetIn(7, millis -> 99)).isEqualTo(7);
        assertThat(seven.offsetIn(8, millis -> 99)).isEqualTo(UNKNOWN);
    }

    @Test
    void aTimeIsHeldIfAnEarlierRecordIsOrTheLogBeginsAtZero() {
        CompleteFrom noon = CompleteFrom.of("2026-01-31T13:00:00+01:00");

        assertThat(noon.millis()).isEqualTo(1_769_860_800_000L);
        assertThat(noon.offsetIn(0, millis -> 0)).isZero();
        assertThat(noon.offsetIn(5, millis -> 6)).isEqualTo(6);
        // The first record that is left is of that time: what of it lay before is unknown.
        assertThat(noon.offsetIn(5, millis -> 5)).isEqualTo(UNKNOWN);
    }

    @Test
    void anythingElseIsRefused() {
        for (String text : new String[] {"", "-1", "noon", "2026-01-31T13:00:00"}) {
            assertThatThrownBy(() -> CompleteFrom.of(text)).isInstanceOf(TypeConversionException.class);
        }
    }
}
