package dev.stormproof.cli;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs commands in this JVM, or as a user does, in a process of their own. */
final class Shell {
    private static final long PATIENCE_SECONDS = 180;

    private Shell() {}

    /** What a command did. */
    record Result(int exitCode, String out, String err) {
        @Override
        public String toString() {
            return "exit code " + exitCode + "\n--- out\n" + out + "--- err\n" + err;
        }
    }

    /** Runs a command in this JVM; never one that starts a topology, whose end may be the JVM's. */
    static Result here(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = Main.run(args, new PrintWriter(out, true), new PrintWriter(err, true));
        return new Result(exitCode, out.toString(), err.toString());
    }

    /** Runs a command in a JVM of its own, until it ends. */
    static Result process(String... args) throws IOException, InterruptedException {
        try (Running running = start(args)) {
            return running.await();
        }
    }

    /** Starts a command in a JVM of its own. */
    static Running start(String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(args));
        Path out = Files.createTempFile("stormproof-test-", ".out");
        Path err = Files.createTempFile("stormproof-test-", ".err");
        Process process = new ProcessBuilder(command)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        return new Running(process, out, err);
    }

    /** A command that runs; closing it ends it, however far it has come. */
    record Running(Process process, Path outFile, Path errFile) implements AutoCloseable {
        /** Waits until it has ended. */
        Result await() throws IOException, InterruptedException {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("still running after " + PATIENCE_SECONDS + " s\n" + result(-1));
            }
            return result(process.exitValue());
        }

        /** Waits until it has printed {@code text} to standard output; returns all that it printed. */
        String awaitOutput(String text) throws IOException, InterruptedException {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            while (System.nanoTime() < deadline) {
                String out = Files.readString(outFile);
                if (out.contains(text)) {
                    return out;
                }
                if (!process.isAlive()) {
                    throw new AssertionError("ended without printing '" + text + "'\n" + result(process.exitValue()));
                }
                Thread.sleep(20);
            }
            throw new AssertionError("did not print '" + text + "'\n" + result(-1));
        }

        private Result result(int exitCode) throws IOException {
            return new Result(
                    exitCode,
                    Files.readString(outFile, StandardCharsets.UTF_8),
                    Files.readString(errFile, StandardCharsets.UTF_8));
        }

        @Override
        public void close() throws IOException {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            Files.deleteIfExists(outFile);
            Files.deleteIfExists(errFile);
        }
    }
}
