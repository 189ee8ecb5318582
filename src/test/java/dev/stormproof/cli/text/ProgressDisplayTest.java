package dev.stormproof.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.terminal.Terminal;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** A display shows how far a run has come. */
class ProgressDisplayTest {
    private final StringWriter text = new StringWriter();

    @Test
    void onATerminalABarIsDrawnOverItselfAndTakenAway() {
        ProgressDisplay progress = new ProgressDisplay(Terminal.over(text), 80);
        progress.update(1, 2, "half", 1_000);
        progress.update(2, 2, "too soon", 1_050);
        progress.clear();

        assertThat(text.toString()).isEqualTo("\r\u001b[K[" + "#".repeat(12) + ".".repeat(12) + "] half\r\u001b[K");
    }

    @Test
    void elsewhereThereIsALineNowAndThenAndNothingToTakeAway() {
        ProgressDisplay progress = new ProgressDisplay(Terminal.over(text), 0);
        progress.update(0, 2, "none", 1_000);
        progress.update(1, 2, "too soon", 5_000);
        progress.update(1, 2, "half", 12_000);
        progress.update(1, 2, "half", 23_000);
        progress.clear();

        assertThat(text.toString()).isEqualTo("stormproof: half" + System.lineSeparator());
    }

    @Test
    void aStateIsOneLineOfATerminalAndElsewhereALineAMinute() {
        ProgressDisplay terminal = new ProgressDisplay(Terminal.over(text), 10);
        terminal.status("1234567890", 1_000);
        terminal.status("12", 2_000);
        terminal.clear();
        assertThat(text.toString()).isEqualTo("\r\u001b[K123456789\r\u001b[K12\r\u001b[K");

        StringWriter lines = new StringWriter();
        ProgressDisplay elsewhere = new ProgressDisplay(Terminal.over(lines), 0);
        for (long millis = 5_000; millis <= 130_000; millis += 1_000) {
            elsewhere.status("as before", millis);
        }
        assertThat(lines.toString().lines()).containsExactly("stormproof: as before", "stormproof: as before");
    }

    @Test
    void aLineThatWouldWrapLosesItsBarFirst() {
        ProgressDisplay progress = new ProgressDisplay(Terminal.over(text), 10);
        progress.update(1, 2, "123456789", 1_000);
        progress.update(1, 2, "1234567890", 2_000);

        assertThat(text.toString()).isEqualTo("\r\u001b[K123456789\r\u001b[K123456789");
    }

    @Test
    void nothingToDoIsNoProgress() {
        new ProgressDisplay(Terminal.over(text), 80).update(0, 0, "empty", 1_000);
        assertThat(text.toString()).contains("[" + ".".repeat(24) + "]");
    }
}
