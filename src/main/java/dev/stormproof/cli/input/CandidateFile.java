package dev.stormproof.cli.input;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Locale;

/**
 * A file of candidates.
 *
 * @param keyColumn the name of the field or column that holds the key
 * @param valueColumn that of the value
 */
public record CandidateFile(Path file, Form form, String keyColumn, String valueColumn) implements Candidates {
    public enum Form {
        /** A JSON object a line. */
        JSONL,
        /** Comma-separated values, whose first line names the columns. */
        CSV,
        /** A value a line, without keys. */
        LINES
    }

    /** A file of values a line if its name ends with .txt, of CSV if with .csv, and of JSON lines otherwise. */
    public static CandidateFile of(Path file, String keyColumn, String valueColumn) {
        String name = file.toString().toLowerCase(Locale.ROOT);
        Form form = name.endsWith(".csv") ? Form.CSV : name.endsWith(".txt") ? Form.LINES : Form.JSONL;
        return new CandidateFile(file, form, keyColumn, valueColumn);
    }

    @Override
    public void forEach(Visitor visitor) throws IOException {
        String title = InputFiles.title(file);
        try (InputStream in = InputFiles.open(file)) {
            switch (form) {
                case JSONL -> new JsonCandidates(in, title, keyColumn, valueColumn).forEach(visitor);
                case CSV -> new CsvCandidates(in, title, keyColumn, valueColumn).forEach(visitor);
                case LINES ->
                    new LineStream(in, title)
                            .forEach((index, line) -> visitor.visit(title + ":" + (index + 1), null, line));
            }
        }
    }
}
