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
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.security.auth.AuthenticationContext;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.authenticator.DefaultKafkaPrincipalBuilder;
import org.apache.kafka.common.utils.Exit;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;

/**
 * Three Kafka brokers in this JVM, each a controller, too: topics have three replicas, of which two must be in sync.
 *
 * <pre>
 *   clients          ──►           CLIENT       of each
 *   the other two    ──► relay ──► REPLICATION  of each
 *   brokers          ──►           CONTROLLER   of each: the metadata quorum of three
 * </pre>
 *
 * <p>One that ends hands its leaders over to nobody, so that the others find out for themselves after four seconds. Clients need a
 * right only where any is given or taken; producers and records are looked through twice a second.
 */
public final class ThreeBrokers implements AutoCloseable {
    /** Their ids are 1 to this. */
    public static final int COUNT = 3;

    /** A broker writes something into its directory twice a second: its high watermarks. */
    private static final long HALT_SECONDS = 30;

    private static final String CLUSTER_ID = "c3Rvcm1wcm9vZi10aHJlZQ";

    private final Path dir;
    /** Of each, in the order of their ids. */
    private final List<Ports> ports = new ArrayList<>();

    private final List<Relay> relays = new ArrayList<>();
    private final Map<Integer, KafkaRaftServer> running = new TreeMap<>();
    private final BlockingQueue<String> halts = new LinkedBlockingQueue<>();

    /** The ports that a broker's listeners are bound to. */
    private record Ports(int client, int replication, int controller) {}

    /** Tells controllers from clients, so that these can lose a right that those have. */
    public static final class ListenerPrincipal extends DefaultKafkaPrincipalBuilder {
        /** Public, since the broker makes one by reflection. */
        public ListenerPrincipal() {
            super(null, null);
        }

        @Override
        public KafkaPrincipal build(AuthenticationContext context) {
            return new KafkaPrincipal(
                    KafkaPrincipal.USER_TYPE, context.listenerName().equals("CLIENT") ? "client" : "broker");
        }
    }

    private ThreeBrokers(Path dir) throws IOException {
        this.dir = dir;
        Iterator<Integer> free = freePorts(3 * COUNT).iterator();
        for (int id = 1; id <= COUNT; id++) {
            Ports own = new Ports(free.next(), free.next(), free.next());
            ports.add(own);
            relays.add(new Relay(own.replication()));
        }
    }

    /** Starts them with their data in a directory, and waits until they serve. */
    public static ThreeBrokers start(Path dir) throws IOException, InterruptedException {
        ThreeBrokers brokers = new ThreeBrokers(dir);
        Exit.setHaltProcedure((status, message) -> {
            brokers.halts.add(String.valueOf(message));
            throw new KafkaException("a broker met a fatal fault: " + message);
        });
        Exit.setExitProcedure((status, message) -> {
            throw new KafkaException("a broker gave up: " + message);
        });
        try {
            for (int id = 1; id <= COUNT; id++) {
                brokers.format(id);
            }
            brokers.start(IntStream.rangeClosed(1, COUNT).boxed().toList(), Time.SYSTEM);
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
        start(List.of(id), Time.SYSTEM);
    }

    /** Starts one again with a clock that is ahead. */
    public void start(int id, Duration ahead) throws InterruptedException {
        start(List.of(id), new ShiftedTime(ahead));
    }

    /** Cuts one off from the other two, which reach it again once they have tried so often; clients reach all the time. */
    public void cutOff(int id, int tries) throws InterruptedException {
        relays.get(id - 1).cut(tries);
    }

    /** Takes the disk of one away, and waits until it gives up, as its process would end; it is stopped then. */
    public void loseDisk(int id) throws IOException, InterruptedException {
        Files.move(data(id), lost(id));
        if (halts.poll(HALT_SECONDS, TimeUnit.SECONDS) == null) {
            throw new IOException("broker " + id + " did not notice that its disk is gone");
        }
        stop(id);
    }

    /** Gives the disk back, as it was when it was lost. */
    public void findDisk(int id) throws IOException {
        Files.move(lost(id), data(id));
    }

    private Path data(int id) {
        return dir.resolve("broker-" + id);
    }

    private Path lost(int id) {
        return dir.resolve("lost-" + id);
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
    private void start(List<Integer> ids, Time time) throws InterruptedException {
        Map<Integer, KafkaRaftServer> servers = new TreeMap<>();
        ids.forEach(id -> servers.put(id, new KafkaRaftServer(new KafkaConfig(properties(id), false), time)));
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
        p.put(
                "advertised.listeners",
                listeners(new Ports(own.client(), relays.get(id - 1).port(), own.controller())));
        p.put("listener.security.protocol.map", "CLIENT:PLAINTEXT,REPLICATION:PLAINTEXT,CONTROLLER:PLAINTEXT");
        p.put("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
        p.put("allow.everyone.if.no.acl.found", "true");
        p.put("principal.builder.class", ListenerPrincipal.class.getName());
        p.put("super.users", "User:broker");
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
        p.put("log.retention.check.interval.ms", "500");
        p.put("producer.id.expiration.check.interval.ms", "500");
        p.put("replica.high.watermark.checkpoint.interval.ms", "500");
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
    public void close() throws IOException {
        running.values().forEach(KafkaRaftServer::shutdown);
        running.values().forEach(KafkaRaftServer::awaitShutdown);
        running.clear();
        for (Relay relay : relays) {
            relay.close();
        }
    }
}
