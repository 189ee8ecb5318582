package dev.stormproof.cli.input;

import dev.stormproof.cli.terminal.Failure;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A reader cuts a stream of bytes into lines: everything before a line feed, or before the end of a last line without
 * one. A carriage return before the line feed belongs to the terminator; other bytes stay, whatever their encoding.
 */
final class LineReader {
    static final int MAX_LINE_BYTES = 64 << 20;

    private final InputStream in;
    private final byte[] buffer = new byte[1 << 16];
    private int begin;
    private int end;
    private byte[] line = new byte[256];
    private int lineBytes;
    private long lineNumber;

    LineReader(InputStream in) {
        this.in = in;
    }

    /** The next line without its terminator, or null at the end; throws {@link Failure} on a line without end. */
    byte @Nullable [] next() throws IOException {
        lineNumber++;
        lineBytes = 0;
        boolean any = false;
        while (true) {
            if (begin == end) {
                begin = 0;
                end = Math.max(in.read(buffer), 0);
                if (end == 0) {
                    return any ? Arrays.copyOf(line, lineBytes) : null;
                }
            }
            any = true;
            int feed = begin;
            while (feed < end && buffer[feed] != '\n') {
                feed++;
            }
            append(feed - begin);
            if (feed < end) {
                begin = feed + 1;
                boolean carriageReturn = lineBytes > 0 && line[lineBytes - 1] == '\r';
                return Arrays.copyOf(line, carriageReturn ? lineBytes - 1 : lineBytes);
            }
            begin = end;
        }
    }

    private void append(int sizeBytes) {
        if (lineBytes + sizeBytes > MAX_LINE_BYTES) {
            throw Failure.usage(
                    "line " + lineNumber + " has more than " + MAX_LINE_BYTES + " bytes; is this a text file?");
        }
        if (lineBytes + sizeBytes > line.length) {
            line = Arrays.copyOf(line, Math.max(2 * line.length, lineBytes + sizeBytes));
        }
        System.arraycopy(buffer, begin, line, lineBytes, sizeBytes);
        lineBytes += sizeBytes;
    }
}
