package dev.stormproof.cli.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.cli.terminal.Failure;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A reader cuts bytes into lines. */
class LineReaderTest {
    @Test
    void aLineFeedEndsALineAndACarriageReturnBeforeItGoesToo() throws IOException {
        assertThat(lines("a\nb\r\nc")).containsExactly("a", "b", "c");
        assertThat(lines("a\n")).containsExactly("a");
        assertThat(lines("")).isEmpty();
    }

    @Test
    void anEmptyLineIsALine() throws IOException {
        assertThat(lines("\n\r\n\nx\n\n")).containsExactly("", "", "", "x", "");
    }

    @Test
    void otherBytesAreKept() throws IOException {
        assertThat(lines("a\rb\n\u00ff\u0000\t \n end \r")).containsExactly("a\rb", "\u00ff\u0000\t ", " end \r");
    }

    @Test
    void linesCrossTheBuffersOfAnInputThatComesInPieces() throws IOException {
        long seed = Long.getLong("seed", 20);
        SplittableRandom random = new SplittableRandom(seed);
        StringBuilder text = new StringBuilder();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            String line = "x".repeat(random.nextInt(4) == 0 ? random.nextInt(100_000) : random.nextInt(10));
            expected.add(line);
            text.append(line).append(random.nextBoolean() ? "\n" : "\r\n");
        }
        assertThat(lines(new Trickle(bytes(text.toString()), random)))
                .as("seed %s", seed)
                .isEqualTo(expected);
    }

    @Test
    void aLineOfMoreThanItsBoundIsRefused() {
        byte[] line = new byte[LineReader.MAX_LINE_BYTES + 1];
        assertThatThrownBy(() -> new LineReader(new ByteArrayInputStream(line)).next())
                .isInstanceOf(Failure.class)
                .hasMessageContaining("line 1 has more than");
    }

    private static List<String> lines(String text) throws IOException {
        return lines(new ByteArrayInputStream(bytes(text)));
    }

    private static List<String> lines(InputStream in) throws IOException {
        LineReader reader = new LineReader(in);
        List<String> lines = new ArrayList<>();
        for (byte[] line = reader.next(); line != null; line = reader.next()) {
            lines.add(new String(line, StandardCharsets.ISO_8859_1));
        }
        return lines;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** An input that gives as much as it likes. */
    private static final class Trickle extends InputStream {
        private final ByteArrayInputStream all;
        private final SplittableRandom random;

        Trickle(byte[] bytes, SplittableRandom random) {
            this.all = new ByteArrayInputStream(bytes);
            this.random = random;
        }

        @Override
        public int read() {
            return all.read();
        }

        @Override
        public int read(byte[] buffer, int begin, int sizeBytes) {
            return all.read(buffer, begin, Math.min(sizeBytes, random.nextInt(1, 5_000)));
        }
    }
}
