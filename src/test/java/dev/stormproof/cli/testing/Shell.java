package dev.stormproof.cli.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.Main;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A shell runs commands in this JVM, or as a user does, in a process of their own. */
public final class Shell {
    private static final long PATIENCE_SECONDS = 180;

    private Shell() {}

    /**
     * What a command did.
     *
     * @param leftovers the files that it left in its temporary directory; unknown for a command in this JVM
     */
    public record Result(int exitCode, String out, String err, List<String> leftovers) {
        public Result {
            leftovers = List.copyOf(leftovers);
        }

        /** Demands that the command has ended so. */
        public Result ends(int expected) {
            assertThat(exitCode).as("%s", this).isEqualTo(expected);
            return this;
        }

        @Override
        public String toString() {
            return "exit code " + exitCode + "\n--- out\n" + out + "--- err\n" + err + "--- left " + leftovers;
        }
    }

    /** Runs a command in this JVM; unfit for a topology that dies, which ends the JVM. */
    public static Result here(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = Main.run(args, new PrintWriter(out, true), new PrintWriter(err, true));
        return new Result(exitCode, out.toString(), err.toString(), List.of());
    }

    /** The same of a line whose words hold no space, and words behind it. */
    public static Result line(String line, String... more) {
        return here(words(line, more));
    }

    public static String[] words(String line, String... more) {
        return Stream.concat(Stream.of(line.split(" ", -1)), Stream.of(more)).toArray(String[]::new);
    }

    /** Runs a command in a JVM of its own, until it ends. */
    public static Result process(String... args) throws IOException, InterruptedException {
        try (Running running = start(args)) {
            return running.await();
        }
    }

    /** Starts a command in a JVM of its own, with a temporary directory of its own. */
    public static Running start(String... args) throws IOException {
        return start(ProcessBuilder.Redirect.from(new File("/dev/null")), args);
    }

    /** The same of a command whose launcher found a terminal of 80 columns as its standard error. */
    public static Running startOnTerminal(String... args) throws IOException {
        return start(
                List.of("-Dstormproof.terminal=80"), ProcessBuilder.Redirect.from(new File("/dev/null")), null, args);
    }

    /** The same with a pipe as its standard input, which ends when the process's output stream is closed. */
    public static Running startPiped(String... args) throws IOException {
        return start(ProcessBuilder.Redirect.PIPE, args);
    }

    /** Starts a command in a JVM with more options. */
    public static Running startWith(String javaOption, String... args) throws IOException {
        return start(List.of(javaOption), ProcessBuilder.Redirect.from(new File("/dev/null")), null, args);
    }

    /** Starts a command whose standard output is a pipe, of which the caller is the reader; it cannot be awaited. */
    public static Running startRead(String... args) throws IOException {
        return start(
                List.of(), ProcessBuilder.Redirect.from(new File("/dev/null")), ProcessBuilder.Redirect.PIPE, args);
    }

    private static Running start(ProcessBuilder.Redirect input, String... args) throws IOException {
        return start(List.of(), input, null, args);
    }

    private static Running start(
            List<String> javaOptions,
            ProcessBuilder.Redirect input,
            ProcessBuilder.@Nullable Redirect output,
            String... args)
            throws IOException {
        Path dir = Files.createTempDirectory("stormproof-test-");
        Path temporary = Files.createDirectory(dir.resolve("tmp"));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(javaOptions);
        command.add(Main.class.getName());
        command.addAll(List.of(args));
        Process process = new ProcessBuilder(command)
                .redirectInput(input)
                .redirectOutput(
                        output == null
                                ? ProcessBuilder.Redirect.to(dir.resolve("out").toFile())
                                : output)
                .redirectError(dir.resolve("err").toFile())
                .start();
        return new Running(process, dir);
    }

    /** A command that runs; closing it ends it, however far it has come. */
    public record Running(Process process, Path dir) implements AutoCloseable {
        /** Waits until it has ended. */
        public Result await() throws IOException, InterruptedException {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("still running after " + PATIENCE_SECONDS + " s\n" + result(-1));
            }
            return result(process.exitValue());
        }

        /** Waits until it has printed {@code text} to standard output; returns all that it printed there. */
        public String awaitOut(String text) throws IOException, InterruptedException {
            return await("out", text);
        }

        /** The same for standard error. */
        public String awaitErr(String text) throws IOException, InterruptedException {
            return await("err", text);
        }

        private String await(String stream, String text) throws IOException, InterruptedException {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            while (System.nanoTime() < deadline) {
                boolean alive = process.isAlive();
                String printed = read(stream);
                if (printed.contains(text)) {
                    return printed;
                }
                if (!alive) {
                    throw new AssertionError("ended without printing '" + text + "'\n" + result(process.exitValue()));
                }
                Thread.sleep(20);
            }
            throw new AssertionError("did not print '" + text + "'\n" + result(-1));
        }

        private Result result(int exitCode) throws IOException {
            try (Stream<Path> left = Files.list(dir.resolve("tmp"))) {
                return new Result(
                        exitCode,
                        read("out"),
                        read("err"),
                        left.map(file -> file.getFileName().toString()).toList());
            }
        }

        private String read(String stream) throws IOException {
            return Files.readString(dir.resolve(stream), StandardCharsets.UTF_8);
        }

        /** Ends the process and deletes everything of it. */
        @Override
        public void close() throws IOException {
            process.destroyForcibly().onExit().join();
            List<Path> files;
            try (Stream<Path> all = Files.walk(dir)) {
                files = new ArrayList<>(all.toList());
            }
            Collections.reverse(files);
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        }
    }
}
