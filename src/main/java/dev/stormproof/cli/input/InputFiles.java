package dev.stormproof.cli.input;

import dev.stormproof.cli.terminal.Failure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The files that a user names for input, {@code -} being standard input. */
public final class InputFiles {
    private InputFiles() {}

    static boolean isStandardInput(Path file) {
        return file.toString().equals("-");
    }

    /** The name of a file for people. */
    public static String title(Path file) {
        return isStandardInput(file) ? "standard input" : file.toString();
    }

    /** Opens a file for reading; the caller closes it, standard input included. */
    public static InputStream open(Path file) {
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
}
