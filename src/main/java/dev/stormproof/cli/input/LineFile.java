package dev.stormproof.cli.input;

import dev.stormproof.cli.local.CloseStack;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A line file hands out its lines as events. Standard input and pipes are copied to a temporary file first, because the
 * lines are counted before the first of them is emitted.
 */
public record LineFile(Path file, String title, long count) implements EventSource.Counted {
    /** The file that only its owner may read, as long as the command runs. */
    private record Copy(Path file) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            Files.deleteIfExists(file);
        }
    }

    /** The lines of {@code file}, or of standard input if that is {@code -}. */
    public static LineFile open(Path file, CloseStack resources) throws Exception {
        String title = InputFiles.title(file);
        if (!InputFiles.isStandardInput(file) && Files.isRegularFile(file)) {
            return counted(file, title);
        }
        try (InputStream in = InputFiles.open(file)) {
            // Copied outside of open(): what has no end would keep the stack from being closed.
            Copy copy = resources.open(() -> new Copy(Files.createTempFile("stormproof-input-", ".log")));
            try (OutputStream out = Files.newOutputStream(copy.file())) {
                in.transferTo(out);
            }
            return counted(copy.file(), title);
        }
    }

    private static LineFile counted(Path file, String title) throws IOException {
        long[] count = new long[1];
        new LineFile(file, title, -1).forEach((index, line) -> ++count[0] > 0);
        return new LineFile(file, title, count[0]);
    }

    @Override
    public void forEach(Visitor visitor) throws IOException {
        try (InputStream in = InputFiles.open(file)) {
            new LineStream(in, title).forEach(visitor);
        }
    }

    @Override
    public String unit() {
        return "line";
    }
}
