package dev.stormproof.cli.input;

import java.io.IOException;
import java.io.InputStream;

/** A stream's lines are events, handed out once and as they come; it need not end. */
public record LineStream(InputStream in, String title) implements EventSource {
    @Override
    public void forEach(Visitor visitor) throws IOException {
        LineReader lines = new LineReader(in);
        long index = 0;
        for (byte[] line = lines.next(); line != null && visitor.visit(index, line); line = lines.next()) {
            index++;
        }
    }

    @Override
    public String unit() {
        return "line";
    }
}
