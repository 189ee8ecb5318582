package dev.stormproof.chaos;

import dev.stormproof.cli.Main;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM of its own runs one program, and writes what it prints to a file. */
final class JavaProcess implements AutoCloseable {
    private static final long END_SECONDS = 60;

    private final Process process;

    private JavaProcess(Process process) {
        this.process = process;
    }

    /** Starts a program: its JVM's options with its class path, its main class and arguments. */
    static JavaProcess start(Path log, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1"));
        command.addAll(arguments);
        return new JavaProcess(new ProcessBuilder(command)
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start());
    }

    /** Starts {@code stormproof watch} with a configuration. */
    static JavaProcess verify(Path config, Path log) throws IOException {
        return start(
                log,
                List.of(
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "watch",
                        "--config",
                        config.toString()));
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Asks it to end, and waits until it has; false if it does not within a minute. */
    boolean end() throws InterruptedException {
        process.destroy();
        return process.waitFor(END_SECONDS, TimeUnit.SECONDS);
    }

    /** Ends it at once. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor(END_SECONDS, TimeUnit.SECONDS);
    }

    /** Stops it for a time, and has it go on. */
    void pause(int millis) throws IOException, InterruptedException {
        signal("STOP");
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } finally {
            signal("CONT");
        }
    }

    private void signal(String signal) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    @Override
    public void close() {
        try {
            if (!end()) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
