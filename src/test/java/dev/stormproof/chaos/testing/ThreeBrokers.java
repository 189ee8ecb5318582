package dev.stormproof.chaos.testing;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.utils.Exit;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;

/**
 * Three Kafka brokers in this JVM, each a controller, too: topics have three replicas, of which two must be in sync.
 *
 * <pre>
 *   clients          ──►           CLIENT       of each
 *   the other two    ──►           REPLICATION  of each
 *   brokers          ──►           CONTROLLER   of each: the metadata quorum of three
 * </pre>
 *
 * <p>One that ends hands its leaders over to nobody, so that the others find out for themselves after four seconds.
 */
public final class ThreeBrokers implements AutoCloseable {
    /** Their ids are 1 to this. */
    public static final int COUNT = 3;

    private static final String CLUSTER_ID = "c3Rvcm1wcm9vZi10aHJlZQ";

    private final Path dir;
    /** Of each, in the order of their ids. */
    private final List<Ports> ports = new ArrayList<>();

    private final Map<Integer, KafkaRaftServer> running = new TreeMap<>();

    /** The ports that a broker's listeners are bound to. */
    private record Ports(int client, int replication, int controller) {}

    private ThreeBrokers(Path dir) throws IOException {
        this.dir = dir;
        Iterator<Integer> free = freePorts(3 * COUNT).iterator();
        for (int id = 1; id <= COUNT; id++) {
            Ports own = new Ports(free.next(), free.next(), free.next());
            ports.add(own);
        }
    }

    /** Starts them with their data in a directory, and waits until they serve. */
    public static ThreeBrokers start(Path dir) throws IOException, InterruptedException {
        ThreeBrokers brokers = new ThreeBrokers(dir);
        Exit.setHaltProcedure((status, message) -> {
            throw new KafkaException("a broker met a fatal fault: " + message);
        });
        Exit.setExitProcedure((status, message) -> {
            throw new KafkaException("a broker gave up: " + message);
        });
        try {
            for (int id = 1; id <= COUNT; id++) {
                brokers.format(id);
            }
            brokers.start(IntStream.rangeClosed(1, COUNT).boxed().toList());
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            brokers.close();
            throw e;
        }
        return brokers;
    }

    /** Where clients find them. */
    public String servers() {
        return ports.stream().map(own -> address(own.client())).collect(joining(","));
    }

    /** Makes a topic with a replica on each of them. */
    public void createTopic(String name, int partitions) throws InterruptedException, ExecutionException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers()))) {
            admin.createTopics(List.of(new NewTopic(name, Optional.of(partitions), Optional.empty())))
                    .all()
                    .get();
        }
    }

    /** Starts one again on its data. */
    public void start(int id) throws InterruptedException {
        start(List.of(id));
    }

    private Path data(int id) {
        return dir.resolve("broker-" + id);
    }

    /** Has one end. */
    public void stop(int id) {
        KafkaRaftServer server = running.remove(id);
        if (server == null) {
            throw new IllegalStateException("broker " + id + " does not run");
        }
        server.shutdown();
        server.awaitShutdown();
    }

    /** All at once, since each waits for the quorum. */
    private void start(List<Integer> ids) throws InterruptedException {
        Map<Integer, KafkaRaftServer> servers = new TreeMap<>();
        ids.forEach(id -> servers.put(id, new KafkaRaftServer(new KafkaConfig(properties(id), false), Time.SYSTEM)));
        running.putAll(servers);
        List<CompletableFuture<Void>> starting = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (KafkaRaftServer server : servers.values()) {
            CompletableFuture<Void> started = new CompletableFuture<>();
            starting.add(started);
            Thread thread = new Thread(() -> startUp(server, started), "starts-a-broker");
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        starting.forEach(CompletableFuture::join);
    }

    private static void startUp(KafkaRaftServer server, CompletableFuture<Void> started) {
        try {
            server.startup();
            started.complete(null);
        } catch (Throwable e) { // Whoever waits for it throws it.
            started.completeExceptionally(e);
        }
    }

    private void format(int id) throws IOException {
        String data = Files.createDirectories(data(id)).toString();
        try {
            new Formatter()
                    .setPrintStream(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
                    .setNodeId(id)
                    .setClusterId(CLUSTER_ID)
                    .addDirectory(data)
                    .setMetadataLogDirectory(data)
                    .setReleaseVersion(MetadataVersion.latestProduction())
                    .setControllerListenerName("CONTROLLER")
                    .run();
        } catch (Exception e) { // The formatter declares no less.
            throw new IOException("cannot format " + data, e);
        }
    }

    private Properties properties(int id) {
        Properties p = new Properties();
        p.put("process.roles", "broker,controller");
        p.put("node.id", Integer.toString(id));
        p.put("broker.rack", "rack-" + id);
        p.put(
                "controller.quorum.voters",
                IntStream.rangeClosed(1, COUNT)
                        .mapToObj(voter ->
                                voter + "@" + address(ports.get(voter - 1).controller()))
                        .collect(joining(",")));
        p.put("controller.listener.names", "CONTROLLER");
        p.put("inter.broker.listener.name", "REPLICATION");
        Ports own = ports.get(id - 1);
        p.put("listeners", listeners(own));
        p.put("listener.security.protocol.map", "CLIENT:PLAINTEXT,REPLICATION:PLAINTEXT,CONTROLLER:PLAINTEXT");
        p.put("log.dirs", data(id).toString());
        for (String prefix : List.of("offsets.topic.", "transaction.state.log.", "share.coordinator.state.topic.")) {
            p.put(prefix + "replication.factor", "3");
            p.put(prefix + "num.partitions", "1");
        }
        p.put("default.replication.factor", "3");
        p.put("min.insync.replicas", "2");
        p.put("auto.create.topics.enable", "false");

        // Quick, and small.
        p.put("group.initial.rebalance.delay.ms", "0");
        p.put("broker.heartbeat.interval.ms", "200");
        p.put("broker.session.timeout.ms", "4000");
        p.put("controlled.shutdown.enable", "false");
        p.put("log.cleaner.dedupe.buffer.size", Integer.toString(4 * 1024 * 1024));
        p.put("num.network.threads", "1");
        p.put("num.io.threads", "2");
        p.put("background.threads", "1");
        return p;
    }

    private static String listeners(Ports at) {
        return "CLIENT://" + address(at.client()) + ",REPLICATION://" + address(at.replication()) + ",CONTROLLER://"
                + address(at.controller());
    }

    private static String address(int port) {
        return "127.0.0.1:" + port;
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

    @Override
    public void close() {
        running.values().forEach(KafkaRaftServer::shutdown);
        running.values().forEach(KafkaRaftServer::awaitShutdown);
        running.clear();
    }
}
