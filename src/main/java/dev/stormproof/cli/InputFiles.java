package dev.stormproof.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Input files are the ones that a user names, {@code -} being standard input. */
final class InputFiles {
    private InputFiles() {}

    static boolean isStandardInput(Path file) {
        return file.toString().equals("-");
    }

    /** Opens a file for reading, or tells why it cannot be read. The caller closes it, standard input included. */
    static InputStream open(Path file) {
        if (isStandardInput(file)) {
            return System.in;
        }
        if (Files.isDirectory(file)) {
            throw Failure.usage(file + " is a directory; name a file");
        }
        try {
            return Files.newInputStream(file);
        } catch (NoSuchFileException e) {
            throw Failure.usage("there is no file " + file + "; check its name", e);
        } catch (AccessDeniedException e) {
            throw Failure.usage(file + " may not be read; check its permissions", e);
        } catch (IOException e) {
            throw Failure.usage(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** All bytes of a file of at most {@code maxSizeBytes}. */
    static byte[] readAll(Path file, int maxSizeBytes) throws IOException {
        try (InputStream in = open(file)) {
            byte[] bytes = in.readNBytes(maxSizeBytes + 1);
            if (bytes.length > maxSizeBytes) {
                throw Failure.usage(file + " has more than " + maxSizeBytes + " bytes");
            }
            return bytes;
        }
    }
}
