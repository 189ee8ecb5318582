package dev.stormproof.cli.input;

import dev.stormproof.cli.terminal.Failure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

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

    /** A file of which the name tells the form, unless it is given. */
    public static CandidateFile of(Path file, @Nullable Form form, String keyColumn, String valueColumn) {
        return new CandidateFile(file, form == null ? formOf(InputFiles.title(file)) : form, keyColumn, valueColumn);
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

    private static Form formOf(String title) {
        String name = title.toLowerCase(Locale.ROOT);
        if (name.endsWith(".jsonl") || name.endsWith(".ndjson")) {
            return Form.JSONL;
        }
        if (name.endsWith(".csv")) {
            return Form.CSV;
        }
        throw Failure.usage(title + ": its name does not say what it holds; --format jsonl, csv or lines does");
    }
}
