package dev.stormproof.cli.input;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.cli.terminal.Failure;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The candidates of a file of comma-separated values (RFC 4180) whose first line names the columns.
 *
 * <p>A field's bytes are taken as they are, whatever their encoding. A key that is empty and not quoted is null, as databases
 * write it; an empty value likewise. For one thread.
 */
final class CsvCandidates {
    private static final int END = -1;
    private static final int MAX_ROW_BYTES = LineReader.MAX_LINE_BYTES;

    private final InputStream in;
    private final String title;
    private final String keyColumn;
    private final String valueColumn;
    private long line = 1;

    private static final class Field {
        private final byte[] bytes;
        private final boolean quoted;

        Field(byte[] bytes, boolean quoted) {
            this.bytes = bytes;
            this.quoted = quoted;
        }

        byte @Nullable [] orNull() {
            return bytes.length == 0 && !quoted ? null : bytes;
        }
    }

    CsvCandidates(InputStream in, String title, String keyColumn, String valueColumn) {
        this.in = new BufferedInputStream(in);
        this.title = title;
        this.keyColumn = keyColumn;
        this.valueColumn = valueColumn;
    }

    void forEach(Candidates.Visitor visitor) throws IOException {
        List<String> names =
                row().stream().map(field -> new String(field.bytes, UTF_8)).toList();
        int key = names.indexOf(keyColumn);
        int value = names.indexOf(valueColumn);
        if (value < 0) {
            throw Failure.usage(title + " has no column \"" + valueColumn + "\", but " + names
                    + ": --value-column and --key-column name them");
        }
        while (true) {
            String place = title + ":" + line;
            List<Field> row = row();
            if (row.isEmpty()) {
                return;
            }
            if (row.size() == 1 && row.get(0).orNull() == null) {
                continue;
            }
            if (row.size() != names.size()) {
                throw Failure.usage(place + " has " + row.size() + " fields instead of " + names.size());
            }
            if (!visitor.visit(
                    place,
                    key < 0 ? null : row.get(key).orNull(),
                    row.get(value).orNull())) {
                return;
            }
        }
    }

    /** The next row; empty at the end. */
    private List<Field> row() throws IOException {
        List<Field> fields = new ArrayList<>();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int rowBytes = 0;
        boolean quoted = false;
        boolean open = false;
        boolean bareReturn = false;
        for (int b = in.read(); ; b = in.read()) {
            if (b == END && open) {
                throw Failure.usage(title + ":" + line + " ends within quotes");
            }
            if (b == END && fields.isEmpty() && bytes.size() == 0 && !quoted) {
                return fields;
            }
            if (++rowBytes > MAX_ROW_BYTES) {
                throw Failure.usage(title + ":" + line + " has more than " + MAX_ROW_BYTES + " bytes");
            }
            line += b == '\n' ? 1 : 0;
            if (open) {
                open = b != '"';
                if (open) {
                    bytes.write(b);
                }
            } else if (b == '"' && (bytes.size() == 0 || quoted)) {
                // After a closing quote another one means itself.
                if (quoted) {
                    bytes.write(b);
                }
                bareReturn = false;
                quoted = true;
                open = true;
            } else if (b == ',' || b == '\n' || b == END) {
                byte[] field = bytes.toByteArray();
                boolean endsLine = b == '\n' && bareReturn;
                fields.add(new Field(endsLine ? Arrays.copyOf(field, field.length - 1) : field, quoted));
                bytes.reset();
                quoted = false;
                bareReturn = false;
                if (b != ',') {
                    return fields;
                }
            } else {
                bytes.write(b);
                bareReturn = b == '\r';
            }
        }
    }
}
