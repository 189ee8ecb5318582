package dev.stormproof.chaos;

import dev.stormproof.chaos.testing.WaitLimit;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Some brokers, each a process and a controller too, keep their ports and directories when they are started again. */
final class BrokerProcesses implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 120;
    private static final String CLUSTER_ID = "4L6g3nShT-eMCtK--X86sw";
    private static final String HOST = "127.0.0.1";

    private final Path dir;
    private final List<Integer> clientPorts;
    private final List<Integer> controllerPorts;
    private final Map<Integer, JavaProcess> running = new TreeMap<>();

    BrokerProcesses(Path dir, int count) throws IOException {
        this.dir = dir;
        List<Integer> ports = freePorts(2 * count);
        clientPorts = ports.subList(0, count);
        controllerPorts = ports.subList(count, 2 * count);
    }

    private static List<Integer> freePorts(int count) throws IOException {
        List<ServerSocket> held = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                held.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return held.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (ServerSocket socket : held) {
                socket.close();
            }
        }
    }

    /** Where clients find them. */
    String servers() {
        return clientPorts.stream().map(port -> HOST + ":" + port).collect(Collectors.joining(","));
    }

    /** Writes the configuration of a broker, and formats its directory. */
    void format(int node) throws IOException, InterruptedException {
        Path config = Files.write(config(node), properties(node));
        try (JavaProcess format = JavaProcess.start(
                log(node),
                List.of(
                        "-cp",
                        System.getProperty("java.class.path"),
                        "kafka.tools.StorageTool",
                        "format",
                        "-t",
                        CLUSTER_ID,
                        "-c",
                        config.toString()))) {
            WaitLimit limit = WaitLimit.inSeconds(PATIENCE_SECONDS);
            while (format.isAlive()) {
                limit.check(() -> "broker " + node + " is not formatted; see " + log(node));
                limit.pause();
            }
        }
    }

    private List<String> properties(int node) {
        String voters = IntStream.rangeClosed(1, controllerPorts.size())
                .mapToObj(voter -> voter + "@" + HOST + ":" + controllerPorts.get(voter - 1))
                .collect(Collectors.joining(","));
        return List.of(
                "process.roles=broker,controller",
                "node.id=" + node,
                "controller.quorum.voters=" + voters,
                "controller.listener.names=CONTROLLER",
                "listeners=PLAINTEXT://" + HOST + ":" + clientPorts.get(node - 1) + ",CONTROLLER://" + HOST + ":"
                        + controllerPorts.get(node - 1),
                "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
                "log.dirs=" + dir.resolve("broker-" + node),
                "min.insync.replicas=2",
                "offsets.topic.num.partitions=3",
                "transaction.state.log.num.partitions=3",
                "transaction.state.log.min.isr=2",
                "auto.create.topics.enable=false",
                "log.cleaner.dedupe.buffer.size=4194304");
    }

    /** Starts a broker, and waits until it listens. */
    void start(int node) throws IOException, InterruptedException {
        JavaProcess broker = JavaProcess.start(
                log(node),
                List.of(
                        "-Xmx320m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "kafka.Kafka",
                        config(node).toString()));
        running.put(node, broker);
        if (running.size() < clientPorts.size()) {
            return; // Without most of the others there is no quorum yet.
        }
        WaitLimit limit = WaitLimit.inSeconds(PATIENCE_SECONDS);
        while (!listens(clientPorts.get(node - 1))) {
            if (!broker.isAlive()) {
                throw new IOException("broker " + node + " ended; see " + log(node));
            }
            limit.check(() -> "broker " + node + " does not listen; see " + log(node));
            limit.pause();
        }
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** The process of a broker that was started. */
    JavaProcess process(int node) {
        return Objects.requireNonNull(running.get(node));
    }

    /** Has a broker end in good order. */
    void stop(int node) throws IOException, InterruptedException {
        JavaProcess broker = running.get(node);
        if (broker == null || !broker.end()) {
            throw new IOException("broker " + node + " does not end; see " + log(node));
        }
    }

    private Path config(int node) {
        return dir.resolve("broker-" + node + ".properties");
    }

    private Path log(int node) {
        return dir.resolve("broker-" + node + ".log");
    }

    @Override
    public void close() {
        // At once: the last ones would wait for a quorum that is gone.
        try {
            for (JavaProcess broker : running.values()) {
                broker.kill();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
