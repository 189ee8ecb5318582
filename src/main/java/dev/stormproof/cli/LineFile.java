package dev.stormproof.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A line file hands out its lines as events. Standard input and pipes are copied to a temporary file first, because the
 * lines are counted before the first of them is emitted.
 */
record LineFile(Path file, String title, boolean temporary, long count) implements EventSource {
    /** The lines of {@code file}, or of standard input if that is {@code -}. */
    static LineFile open(Path file) throws IOException {
        if (!InputFiles.isStandardInput(file) && Files.isRegularFile(file)) {
            return new LineFile(file, file.toString(), false, visit(file, (index, line) -> true));
        }
        try (InputStream in = InputFiles.open(file)) {
            Path copy = Files.createTempFile("stormproof-input-", ".log");
            try {
                Files.copy(in, copy, StandardCopyOption.REPLACE_EXISTING);
                String title = InputFiles.isStandardInput(file) ? "standard input" : file.toString();
                return new LineFile(copy, title, true, visit(copy, (index, line) -> true));
            } catch (IOException | RuntimeException e) {
                Files.delete(copy);
                throw e;
            }
        }
    }

    @Override
    public void forEach(Visitor visitor) throws IOException {
        visit(file, visitor);
    }

    @Override
    public String unit() {
        return "line";
    }

    @Override
    public void close() throws IOException {
        if (temporary) {
            Files.deleteIfExists(file);
        }
    }

    private static long visit(Path file, Visitor visitor) throws IOException {
        try (InputStream in = InputFiles.open(file)) {
            LineReader lines = new LineReader(in);
            long index = 0;
            for (byte[] line = lines.next(); line != null; line = lines.next()) {
                if (!visitor.visit(index, line)) {
                    break;
                }
                index++;
            }
            return index;
        }
    }
}
