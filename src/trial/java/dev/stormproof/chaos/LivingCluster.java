package dev.stormproof.chaos;

import dev.stormproof.chaos.ClusterFaultInjector.Prepared;
import dev.stormproof.packaging.testing.ClusterScript;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A living cluster is one of {@code scripts/cluster} with one topology; its processes can be looked up, signalled and started. */
final class LivingCluster {
    private static final String FILLER = "filler";

    private static final Pattern WORKER = Pattern.compile("^worker +127\\.0\\.0\\.1:(\\d+) +pid (\\d+), (.*)$");

    /** A line of ss: the local port, the peer's, and the process. */
    private static final Pattern CONNECTION =
            Pattern.compile("^\\S+ +\\S+ +\\S+:(\\d+) +\\S+:(\\d+) +users:(.*)$", Pattern.MULTILINE);

    private static final Pattern PORT = Pattern.compile(":(\\d+)");
    private static final Path FAKE_TIME = Path.of(
                    "/usr/lib",
                    System.getProperty("os.arch").equals("aarch64") ? "aarch64-linux-gnu" : "x86_64-linux-gnu")
            .resolve("faketime/libfaketime.so.1");

    private static final int MOST_ATTEMPTS = 4;
    private static final int MOST_DOWN_MILLIS = 8_000;

    private final ClusterScript script;
    private final String topology;
    private final Path config;
    private final Optional<Replicas> replicas;

    /** A worker process and the port that other workers reach it on. */
    record Worker(int port, long pid) {}

    /** @param replicas the processes that verify; without them a topology does */
    LivingCluster(ClusterScript script, String topology, Path config, Optional<Replicas> replicas) {
        this.script = script;
        this.topology = topology;
        this.config = config;
        this.replicas = replicas;
    }

    /** The workers that run the topology now. */
    List<Worker> workers() {
        if (replicas.isPresent()) {
            return replicas.get().running();
        }
        return script.run("status")
                .printed()
                .lines()
                .map(WORKER::matcher)
                .filter(line -> line.matches() && line.group(3).startsWith(topology + "-"))
                .map(line -> new Worker(Integer.parseInt(line.group(1)), Long.parseLong(line.group(2))))
                .collect(Collectors.toList());
    }

    /** The parts of a kind: the brokers, the Supervisors, the Nimbuses. */
    List<String> partsOf(String kind) throws IOException {
        try (Stream<Path> parts = Files.list(script.dir().resolve("pids"))) {
            return parts.map(part -> part.getFileName().toString())
                    .filter(part -> part.startsWith(kind + "-"))
                    .sorted()
                    .toList();
        }
    }

    String anyOf(String kind, SplittableRandom random) throws IOException {
        List<String> parts = partsOf(kind);
        return parts.get(random.nextInt(parts.size()));
    }

    /** The workers on the ports of a Supervisor. */
    List<Worker> workersOf(String supervisor) throws IOException {
        Path storm =
                script.dir().resolve(supervisor.replace("supervisor", "conf")).resolve("storm.yaml");
        Set<Integer> ports = Files.readAllLines(storm).stream()
                .filter(line -> line.startsWith("  - "))
                .map(line -> Integer.valueOf(line.substring(4)))
                .collect(Collectors.toSet());
        return workers().stream()
                .filter(worker -> ports.contains(worker.port()))
                .toList();
    }

    /** The Nimbus that leads, as Storm tells. */
    String leadingNimbus() {
        return "nimbus-" + script.run("status").done().find("Nimbus 127\\.0\\.0\\.(\\d+):\\d+ leads");
    }

    /** The pid of a part, for instance zookeeper or broker-1. */
    long pidOf(String part) throws IOException {
        Path file = script.dir().resolve("pids").resolve(part);
        return Long.parseLong(Files.readString(file, StandardCharsets.UTF_8).strip());
    }

    /** Sends a signal; a process that is gone does not mind. */
    void signal(String signal, long pid) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + signal, Long.toString(pid)).start().waitFor();
    }

    /**
     * Starts what does not run, and waits until the cluster serves. A daemon of Storm's that loses its ZooKeeper session ends
     * itself, maybe while others are being started; so this looks again, as a watcher of daemons would.
     */
    void repair() {
        for (int attempt = 1; attempt < MOST_ATTEMPTS; attempt++) {
            if (script.run("up").exitCode() == 0) {
                return;
            }
        }
        script.run("up").done();
    }

    /** Starts, stops or crashes a part, and waits until it has come or gone. */
    void process(String what, String part) {
        script.run("process", what, part).done();
    }

    /** A part that is killed, and started again after a time. */
    Prepared killed(String part, SplittableRandom random) throws IOException {
        long pid = pidOf(part);
        int downMillis = random.nextInt(MOST_DOWN_MILLIS);
        return new Prepared(part + " down for " + downMillis + " ms", () -> signal("KILL", pid), () -> {
            TimeUnit.MILLISECONDS.sleep(downMillis);
            repair();
        });
    }

    /** A process that is stopped, and goes on after a time. */
    Prepared stopped(String what, long pid, int millis) {
        return new Prepared(what + ", stopped for " + millis + " ms", () -> signal("STOP", pid), () -> {
            try {
                TimeUnit.MILLISECONDS.sleep(millis);
            } finally {
                signal("CONT", pid);
            }
        });
    }

    void submit() {
        if (replicas.isPresent()) {
            replicas.get().start();
            return;
        }
        script.run("submit", "--config", config.toString(), "--topology", topology)
                .done();
    }

    void kill() {
        if (replicas.isPresent()) {
            replicas.get().end();
            return;
        }
        script.run("kill", topology).done();
    }

    void rebalance(int workers) {
        script.run("rebalance", topology, "-n", Integer.toString(workers)).done();
    }

    /** Lets a part that is down start with a clock that is off; needs libfaketime. */
    void startWithClock(String part, String offset) throws IOException {
        if (!Files.exists(FAKE_TIME)) {
            throw new IOException("clock-off needs " + FAKE_TIME + ": install the package libfaketime");
        }
        script.run(
                        Map.of(
                                "LD_PRELOAD",
                                FAKE_TIME.toString(),
                                "FAKETIME",
                                offset,
                                // Timeouts stay what they are.
                                "FAKETIME_DONT_FAKE_MONOTONIC",
                                "1",
                                "DONT_FAKE_MONOTONIC",
                                "1"),
                        "process",
                        "start",
                        part)
                .done();
    }

    /** Lays a part's directory over itself, to be read only; needs root. What is open there stays so. */
    void readOnly(String part) throws IOException, InterruptedException {
        String data = dataOf(part);
        command("mount", "--bind", data, data);
        command("mount", "-o", "remount,ro,bind", data);
    }

    /** Takes that back; true if the part has ended meanwhile. */
    boolean writable(String part) throws IOException, InterruptedException {
        boolean ended =
                !ProcessHandle.of(pidOf(part)).map(ProcessHandle::isAlive).orElse(false);
        command("umount", "-l", dataOf(part));
        return ended;
    }

    /** Moves the data of a part that is stopped onto a disk of its own, in memory, which has so much room left. */
    void ownDisk(String part, int freeMegabytes) throws IOException, InterruptedException {
        String data = dataOf(part);
        String usedMegabytes = command("du", "-sm", data).split("\\s", 2)[0];
        command("mv", data, beside(data));
        command("mkdir", data);
        command(
                "mount",
                "-t",
                "tmpfs",
                "-o",
                "size=" + (Integer.parseInt(usedMegabytes) + freeMegabytes) + "m",
                "tmpfs",
                data);
        command("cp", "-a", beside(data) + "/.", data);
        command("rm", "-r", beside(data));
    }

    /** Fills that disk up. */
    void fill(String part) throws IOException {
        byte[] zeros = new byte[1 << 16];
        try (OutputStream filler = Files.newOutputStream(Path.of(dataOf(part), FILLER))) {
            while (true) {
                filler.write(zeros);
            }
        } catch (IOException e) {
            if (Files.getFileStore(Path.of(dataOf(part))).getUsableSpace() > 0) {
                throw e;
            }
        }
    }

    /** Makes room again; true if the part has ended meanwhile. */
    boolean makeRoom(String part) throws IOException {
        boolean ended =
                !ProcessHandle.of(pidOf(part)).map(ProcessHandle::isAlive).orElse(false);
        Files.delete(Path.of(dataOf(part), FILLER));
        return ended;
    }

    /** Moves the data of a part that is stopped back. */
    void commonDisk(String part) throws IOException, InterruptedException {
        String data = dataOf(part);
        command("cp", "-a", data, beside(data));
        command("umount", data);
        command("rmdir", data);
        command("mv", beside(data), data);
    }

    private static String beside(String data) {
        return data + "-moved";
    }

    private String dataOf(String broker) {
        return script.dir().resolve(broker.replace("broker", "kafka")).toString();
    }

    private static String command(String... words) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", words) + ": " + printed.strip());
        }
        return printed;
    }

    /** Resets every connection that one of two brokers has to the other just now; returns how many. */
    long cutApart(String one, String other) throws IOException, InterruptedException {
        String connections = command("ss", "-tnpH", "state", "established");
        List<String> between = new ArrayList<>(between(connections, pidOf(one), portsOf(other)));
        between.addAll(between(connections, pidOf(other), portsOf(one)));
        if (!between.isEmpty()) {
            command("ss", "-K", "-tnH", "state", "established", "( " + String.join(" or ", between) + " )");
        }
        return between.size();
    }

    private static List<String> between(String connections, long pid, Set<String> ports) {
        return CONNECTION
                .matcher(connections)
                .results()
                .filter(line -> line.group(3).contains("pid=" + pid + ",") && ports.contains(line.group(2)))
                .map(line -> "( sport = :" + line.group(1) + " and dport = :" + line.group(2) + " )")
                .toList();
    }

    /** The ports that a broker listens on, for clients and controllers. */
    private Set<String> portsOf(String broker) throws IOException {
        Path conf = script.dir().resolve("conf").resolve(broker + ".properties");
        String listeners = Files.readAllLines(conf).stream()
                .filter(line -> line.startsWith("listeners="))
                .findFirst()
                .orElseThrow();
        return PORT.matcher(listeners).results().map(port -> port.group(1)).collect(Collectors.toSet());
    }

    /** Resets every connection to the ports that there is just now; returns how many. */
    long cut(List<Integer> ports) throws IOException, InterruptedException {
        String filter = ports.stream().map(port -> "dport = :" + port).collect(Collectors.joining(" or "));
        Process process = new ProcessBuilder("ss", "-K", "-tnH", "state", "established", "( " + filter + " )")
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("connections cannot be cut here: " + printed.strip());
        }
        return printed.lines().filter(line -> !line.isBlank()).count();
    }
}
