package dev.stormproof.soak;

import dev.stormproof.cli.Main;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** {@code stormproof dev local} in a JVM of its own; closing it is a SIGKILL. */
public final class TopologyProcess implements AutoCloseable {
    private static final long START_SECONDS = 120;

    private final Process process;
    private final CountDownLatch started = new CountDownLatch(1);

    private TopologyProcess(Process process) {
        this.process = process;
    }

    /** Starts it with a configuration. */
    public static TopologyProcess start(Path config) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx1g",
                        "-XX:+UseParallelGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "dev",
                        "local",
                        "--config",
                        config.toString())
                .redirectInput(new File("/dev/null"))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        TopologyProcess topology = new TopologyProcess(process);
        Thread reader = new Thread(topology::readOutput, "topology-output");
        reader.setDaemon(true);
        reader.start();
        return topology;
    }

    private void readOutput() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.contains("runs in this process")) {
                    started.countDown();
                }
            }
        } catch (IOException e) {
            // The process is gone, and with it its output.
        }
    }

    /** Waits until the topology runs. */
    public void awaitStarted() throws InterruptedException {
        if (!started.await(START_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the topology does not start within " + START_SECONDS + " s");
        }
    }

    /** Waits for a time; throws if the process ends by itself. */
    void liveFor(long millis) throws InterruptedException {
        if (process.waitFor(millis, TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("the topology ended by itself, with " + process.exitValue());
        }
    }

    /** True until the process ends. */
    public boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
