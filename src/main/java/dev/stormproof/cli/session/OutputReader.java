package dev.stormproof.cli.session;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The reader at the other end of standard output, where that is a pipe: a command that waits for something to print learns
 * that it has ended. Java learns that only by writing; GNU tail, which inherits the pipe, learns it at once (coreutils 8.28).
 *
 * <p>Where there is no pipe or no such tail, the reader counts as there.
 */
public final class OutputReader implements AutoCloseable {
    /** How a process ends that SIGPIPE ended; a tail that does not know its options ends otherwise. */
    private static final int ENDED_BY_SIGPIPE = 128 + 13;

    private static final Path STANDARD_OUTPUT = Path.of("/proc/self/fd/1");

    private final @Nullable Process tail;

    private OutputReader(@Nullable Process tail) {
        this.tail = tail;
    }

    /** Begins to watch. The child ends with this JVM, however that ends. */
    public static OutputReader watch() {
        if (!isPipe()) {
            return new OutputReader(null);
        }
        String pid = "--pid=" + ProcessHandle.current().pid();
        try {
            return new OutputReader(new ProcessBuilder("tail", "-f", pid, "/dev/null")
                    .redirectInput(Redirect.from(new File("/dev/null")))
                    .redirectOutput(Redirect.INHERIT)
                    .redirectError(Redirect.DISCARD)
                    .start());
        } catch (IOException e) { // There is no tail.
            return new OutputReader(null);
        }
    }

    private static boolean isPipe() {
        try {
            return Files.readSymbolicLink(STANDARD_OUTPUT).toString().startsWith("pipe:");
        } catch (IOException | UnsupportedOperationException e) { // There is no /proc.
            return false;
        }
    }

    public boolean hasEnded() {
        return tail != null && !tail.isAlive() && tail.exitValue() == ENDED_BY_SIGPIPE;
    }

    @Override
    public void close() {
        if (tail != null) {
            tail.destroyForcibly().onExit().join();
        }
    }
}
