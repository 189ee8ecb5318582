package dev.stormproof.chaos;

import dev.stormproof.chaos.LivingCluster.Worker;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The replicas of {@code stormproof watch} are processes that share the partitions; one that ends is started again after a while, as
 * whoever watches over processes does.
 *
 * <p>Any thread may use them.
 */
final class Replicas implements AutoCloseable {
    private static final int COUNT = 2;
    private static final long WATCH_MILLIS = 500;
    /** How long whoever watches lets one be down. */
    private static final long DOWN_MILLIS = 2_000;

    private static final long PATIENCE_SECONDS = 30;

    private final Path config;
    private final Consumer<String> out;
    private final List<Replica> replicas = new CopyOnWriteArrayList<>();
    private final Thread watcher = new Thread(this::watch, "replicas-watcher");
    private int started;
    private volatile boolean wanted;

    private record Replica(Process process, int port) {}

    /**
     * Replicas that are not started yet.
     *
     * @param config the configuration of all of them, beside which each has its own with its port
     * @param out takes a line for each that has ended by itself
     */
    Replicas(Path config, Consumer<String> out) {
        this.config = config;
        this.out = out;
        watcher.setDaemon(true);
        watcher.start();
    }

    /** Starts as many as there are to be. */
    synchronized void start() {
        wanted = true;
        while (replicas.size() < COUNT) {
            try {
                replicas.add(startOne());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Tells all to end, and waits until they have. */
    synchronized void end() {
        wanted = false;
        replicas.forEach(replica -> replica.process().destroy());
        for (Replica replica : replicas) {
            try {
                if (!replica.process().waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                    replica.process().destroyForcibly();
                    out.accept("a replica did not end within " + PATIENCE_SECONDS + " s");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
        replicas.clear();
    }

    /** Those that run. */
    synchronized List<Worker> running() {
        return replicas.stream()
                .filter(replica -> replica.process().isAlive())
                .map(replica -> new Worker(replica.port(), replica.process().pid()))
                .toList();
    }

    private Replica startOne() throws IOException {
        int port = freePort();
        started++;
        Path own = config.resolveSibling("replica-" + started + ".properties");
        List<String> lines = new ArrayList<>(Files.readAllLines(config));
        lines.add("metrics.http.port=" + port);
        Files.write(own, lines);
        File log = config.resolveSibling("replica-" + started + ".log").toFile();
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx384m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.stormproof.cli.Main",
                        "watch",
                        "--config",
                        own.toString())
                .redirectErrorStream(true)
                .redirectOutput(log)
                .start();
        return new Replica(process, port);
    }

    private void watch() {
        try {
            while (true) {
                TimeUnit.MILLISECONDS.sleep(WATCH_MILLIS);
                Integer code = restartEnded();
                if (code != null) {
                    out.accept("a replica ended with " + code + " and is started again");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Starts one again that has ended by itself; the code that it ended with, null if all run. */
    private @Nullable Integer restartEnded() throws InterruptedException {
        Replica ended;
        synchronized (this) {
            ended = wanted
                    ? replicas.stream()
                            .filter(replica -> !replica.process().isAlive())
                            .findFirst()
                            .orElse(null)
                    : null;
        }
        if (ended == null) {
            return null;
        }
        TimeUnit.MILLISECONDS.sleep(DOWN_MILLIS);
        synchronized (this) {
            if (wanted && replicas.remove(ended)) {
                start();
            }
        }
        return ended.process().exitValue();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Ends all at once; whoever is told to stop has no time. */
    void kill() {
        wanted = false;
        List.copyOf(replicas).forEach(replica -> replica.process().destroyForcibly());
    }

    @Override
    public void close() {
        watcher.interrupt();
        end();
    }
}
