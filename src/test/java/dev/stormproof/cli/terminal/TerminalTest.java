package dev.stormproof.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** What is printed, with values that want to steer the terminal: clear it, name it, begin a line of their own. */
class TerminalTest {
    private static final String FORGED = "x\u001b[2J\u001b]0;title\u0007\r\nVERIFIED\u202e\u2066";
    private static final String SHOWN = "x\\u001b[2J\\u001b]0;title\\u0007\\u000d\\u000aVERIFIED\\u202e\\u2066";

    private final StringWriter text = new StringWriter();
    private final Terminal terminal = Terminal.over(text);

    @Test
    void aLineIsOneLine() {
        terminal.println(FORGED);
        terminal.println((Object) FORGED);
        terminal.println(7);

        assertThat(text.toString()).isEqualTo(SHOWN + "\n" + SHOWN + "\n7\n");
    }

    @Test
    void aVerdictsFirstWordIsColouredAndTheRestIsOneLine() {
        Terminal coloured = Terminal.coloured(text);
        coloured.printVerdict("VIOLATED: " + FORGED);
        coloured.printVerdict("VERIFIEDLY not a word of ours");
        coloured.printVerdict(FORGED);
        terminal.printVerdict("VERIFIED: plain");

        assertThat(text.toString())
                .isEqualTo("\u001b[31mVIOLATED\u001b[0m: " + SHOWN + "\nVERIFIEDLY not a word of ours\n" + SHOWN
                        + "\nVERIFIED: plain\n");
    }

    @Test
    void aFormatsLinesAreOursAndItsValuesNot() {
        terminal.printf("%n%s is %,d of %s\n", FORGED, 1_000, null);
        terminal.printf(Locale.ROOT, "%-4s|\n", "\u009b");

        assertThat(text.toString()).isEqualTo("\n" + SHOWN + " is 1,000 of null\n\\u009b|\n");
    }

    /** What a library prints, of which nobody knows where a line of ours ends. */
    @Test
    void whateverElseIsWrittenKeepsItsLinesAndCannotSteer() {
        PrintWriter any = terminal;
        any.print("a\tb\n" + FORGED);
        any.write("\ud83d");
        any.write("\ude00");
        any.write('\ud83d');
        any.append('\u001b').append("c\u2028");

        assertThat(text.toString())
                .isEqualTo("a\tb\n" + SHOWN.replace("\\u000a", "\n") + "\ud83d\ude00\\ud83d\\u001bc\\u2028");
    }

    @Test
    void aStackKeepsItsFramesAndItsMessageIsOneLine() {
        new IllegalStateException(FORGED, new IOException("\tat nowhere\n\tat all")).printStackTrace(terminal);

        assertThat(text.toString().lines())
                .startsWith("java.lang.IllegalStateException: " + SHOWN)
                .contains("Caused by: java.io.IOException: \\u0009at nowhere\\u000a\\u0009at all")
                .allMatch(
                        line -> line.startsWith("\t") || line.startsWith("java.lang") || line.startsWith("Caused by"));
    }

    @Test
    void onlyABarOfProgressIsDrawnOverItself() {
        terminal.redraw("50 % of " + FORGED);

        assertThat(text.toString()).isEqualTo("\r\u001b[K50 % of " + SHOWN);
    }

    @Test
    void whatCannotBeWrittenIsAnError() {
        Terminal full = Terminal.over(new Writer() {
            @Override
            public void write(char[] chars, int begin, int length) throws IOException {
                throw new IOException("no space");
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        });
        full.println("text");
        assertThat(full.checkError()).isTrue();
        assertThat(Terminal.over(new PrintWriter(full)).checkError()).isTrue();
        assertThat(terminal.checkError()).isFalse();
    }
}
