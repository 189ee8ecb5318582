package dev.stormproof.cli.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.alert.Printable;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Ansi;

/**
 * The one way to a terminal: what records, names and exceptions say can neither steer it nor begin a line.
 *
 * <pre>
 *   println(text), arguments of printf ──► {@link Printable#line}: no line but ours ┐
 *   printf's format, help, logs ────────────────────────────────────────────────────┴► nothing but lines and tabs ──► terminal
 *   {@link #redraw} ── one line over itself, for a bar of progress ─────────────────────────────────────────────────────┘
 * </pre>
 *
 * <p>{@link #install} has everything else that this process writes to its standard streams go the same way: logs, and the
 * stacks of threads that died.
 */
public final class Terminal extends PrintWriter {
    /** The property that the launcher says in whether standard output is a terminal. */
    private static final String OUTPUT_IS_TERMINAL = "stormproof.terminal.output";

    private static final String ERASE_LINE = "\r\u001b[K";
    private static final String GREEN = "\u001b[32m";
    private static final String RED = "\u001b[31m";
    private static final String YELLOW = "\u001b[33m";
    private static final String PLAIN = "\u001b[0m";

    /** The first words of verdicts, and their colours. */
    private static final Map<String, String> COLOURS = Map.of(
            "VERIFIED", GREEN, "ACCEPTED", GREEN, "INCONCLUSIVE", YELLOW, "VIOLATED", RED, "ALERT", RED, "BLIND", RED);

    private final Writer raw;
    private final Pipe pipe;
    private final boolean coloured;

    private Terminal(Writer raw, Pipe pipe, boolean coloured) {
        super(new Filter(raw), true);
        this.raw = raw;
        this.pipe = pipe;
        this.coloured = coloured;
    }

    private static Terminal to(FileDescriptor descriptor, boolean coloured) {
        Pipe pipe = new Pipe(new FileOutputStream(descriptor));
        return new Terminal(new OutputStreamWriter(pipe, UTF_8), pipe, coloured);
    }

    public static Terminal over(Writer out) {
        return out instanceof Terminal terminal
                ? terminal
                : new Terminal(out, new Pipe(OutputStream.nullOutputStream()), false);
    }

    /** The same that shows colours. */
    static Terminal coloured(Writer out) {
        return new Terminal(out, new Pipe(OutputStream.nullOutputStream()), true);
    }

    public static Terminal nowhere() {
        return over(Writer.nullWriter());
    }

    /** The standard output of this process, with colours if it is a terminal and NO_COLOR is not set. */
    public static Terminal ofStandardOutput() {
        // picocli knows the variables that say so; whether this is a terminal it guesses from standard input as well.
        return to(FileDescriptor.out, Boolean.getBoolean(OUTPUT_IS_TERMINAL) && Ansi.AUTO.enabled());
    }

    public static Terminal ofStandardError() {
        return to(FileDescriptor.err, false);
    }

    /** Has what others write to the standard streams of this process made visible as well. */
    public static void install() {
        System.setOut(new PrintStream(new Decoded(ofStandardOutput()), true, UTF_8));
        System.setErr(new PrintStream(new Decoded(ofStandardError()), true, UTF_8));
    }

    /** Prints one line, whatever the text holds. */
    @Override
    public void println(@Nullable String text) {
        synchronized (lock) {
            print(Printable.line(String.valueOf(text)));
            println();
        }
    }

    /** Prints one line that begins with a verdict of ours, whose first word has its colour on a terminal that shows any. */
    public void printVerdict(String text) {
        int end = 0;
        while (end < text.length() && Character.isUpperCase(text.charAt(end))) {
            end++;
        }
        String colour = COLOURS.get(text.substring(0, end));
        if (!coloured || colour == null) {
            println(text);
            return;
        }
        synchronized (lock) {
            flush();
            try {
                raw.write(colour + text.substring(0, end) + PLAIN);
            } catch (IOException e) {
                setError();
            }
            print(Printable.line(text.substring(end)));
            println();
        }
    }

    /** The same of a value; of a frame of a stack the tab before it stays. */
    @Override
    public void println(@Nullable Object value) {
        String text = String.valueOf(value);
        int tabs = 0;
        while (tabs < text.length() && text.charAt(tabs) == '\t') {
            tabs++;
        }
        synchronized (lock) {
            print(text.substring(0, tabs) + Printable.line(text.substring(tabs)));
            println();
        }
    }

    @Override
    public void println() {
        synchronized (lock) {
            write('\n');
            flush();
        }
    }

    /** Prints a format of ours, with values that others may have chosen. */
    @Override
    public Terminal format(@Nullable Locale locale, String format, @Nullable Object... values) {
        @Nullable Object[] shown = values.clone();
        for (int i = 0; i < shown.length; i++) {
            Object value = shown[i];
            shown[i] = value == null || value instanceof Number ? value : Printable.line(value.toString());
        }
        print(String.format(locale, format, shown));
        return this;
    }

    @Override
    public Terminal format(String format, @Nullable Object... values) {
        return format(Locale.ROOT, format, values);
    }

    @Override
    public Terminal printf(@Nullable Locale locale, String format, @Nullable Object... values) {
        return format(locale, format, values);
    }

    @Override
    public Terminal printf(String format, @Nullable Object... values) {
        return format(Locale.ROOT, format, values);
    }

    /** Draws a line over the last one, which has no end; over nothing but the emptied line if the text is empty. */
    public void redraw(String text) {
        synchronized (lock) {
            flush();
            try {
                raw.write(ERASE_LINE);
                raw.write(Printable.line(text));
                raw.flush();
            } catch (IOException e) {
                setError();
            }
        }
    }

    /** True if something could not be written, here or by the writer below. */
    @Override
    public boolean checkError() {
        return super.checkError() || (raw instanceof PrintWriter below && below.checkError());
    }

    /** True if the process that read this through a pipe has closed it, which is no error. */
    public boolean hasClosedPipe() {
        return pipe.closed || (raw instanceof Terminal below && below.hasClosedPipe());
    }

    /** A stream that notes that its reader is gone. */
    private static final class Pipe extends FilterOutputStream {
        private volatile boolean closed;

        Pipe(OutputStream out) {
            super(out);
        }

        @Override
        public void write(byte[] bytes, int begin, int length) throws IOException {
            try {
                out.write(bytes, begin, length);
            } catch (IOException e) {
                closed |= String.valueOf(e.getMessage()).contains("Broken pipe");
                throw e;
            }
        }
    }

    /** A writer that lets nothing through but what can be seen, new lines and tabs. */
    private static final class Filter extends Writer {
        private final Writer out;
        private final StringBuilder shown = new StringBuilder();
        /** The first half of a character whose second one is still to come, or 0. */
        private char half;

        Filter(Writer out) {
            this.out = out;
        }

        @Override
        public void write(char[] chars, int begin, int length) throws IOException {
            synchronized (lock) {
                for (int i = begin; i < begin + length; i++) {
                    add(chars[i]);
                }
                writeShown();
            }
        }

        private void add(char next) {
            if (half != 0 && Character.isLowSurrogate(next)) {
                Printable.append(Character.toCodePoint(half, next), shown);
                half = 0;
                return;
            }
            addHalf();
            if (Character.isHighSurrogate(next)) {
                half = next;
            } else if (next == '\n' || next == '\t') {
                shown.append(next);
            } else {
                Printable.append(next, shown);
            }
        }

        private void addHalf() {
            if (half != 0) {
                Printable.append(half, shown);
                half = 0;
            }
        }

        private void writeShown() throws IOException {
            out.append(shown);
            shown.setLength(0);
        }

        @Override
        public void flush() throws IOException {
            out.flush();
        }

        @Override
        public void close() throws IOException {
            synchronized (lock) {
                addHalf();
                writeShown();
                out.close();
            }
        }
    }

    /** A stream of UTF-8 into a terminal; other bytes stand as U+FFFD. */
    private static final class Decoded extends OutputStream {
        private final Terminal terminal;
        private final CharsetDecoder decoder = UTF_8.newDecoder()
                .onMalformedInput(CodingErrorAction.REPLACE)
                .onUnmappableCharacter(CodingErrorAction.REPLACE);
        private byte[] undecoded = new byte[0];

        Decoded(Terminal terminal) {
            this.terminal = terminal;
        }

        @Override
        public void write(int one) {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public synchronized void write(byte[] bytes, int begin, int length) {
            ByteBuffer in = ByteBuffer.allocate(undecoded.length + length)
                    .put(undecoded)
                    .put(Objects.requireNonNull(bytes), begin, length)
                    .flip();
            CharBuffer text = CharBuffer.allocate(in.remaining() + 1);
            decoder.decode(in, text, false);
            undecoded = new byte[in.remaining()];
            in.get(undecoded);
            terminal.print(text.flip().toString());
        }

        @Override
        public void flush() {
            terminal.flush();
        }
    }
}
