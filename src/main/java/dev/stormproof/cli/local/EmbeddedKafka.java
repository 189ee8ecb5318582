package dev.stormproof.cli.local;

import dev.stormproof.log.kafka.TopicCreation;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.utils.Exit;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;
import org.jspecify.annotations.Nullable;

/**
 * A Kafka broker in this JVM: one KRaft node that is broker and controller, on the loopback interface only.
 *
 * <pre>
 *   clients ──► CLIENT      127.0.0.1:port    the given port or a free one; its protocol may be overridden (TLS, SASL)
 *   broker  ──► INTERNAL    127.0.0.1:free    plaintext; the broker's own requests and {@link #createTopic}
 *   broker  ──► CONTROLLER  127.0.0.1:free    plaintext; the metadata quorum of one
 * </pre>
 *
 * <p>Its data is in one directory. A given directory stays when the broker is closed, and a later broker on the same
 * directory continues with the same topics, whatever its port; a temporary one is deleted.
 *
 * <p>Topics are not created by being asked for. Starting takes one to five seconds.
 *
 * <p>Kafka's code halts the JVM on a fatal fault. Once a broker has started here, such a fault is thrown in the thread
 * that met it instead, because the JVM is not the broker's; {@link #fault} reports it.
 */
public final class EmbeddedKafka implements AutoCloseable {
    private static final String INTERNAL_LISTENER = "INTERNAL";
    private static final String CONTROLLER_LISTENER = "CONTROLLER";
    private static final String HOST = "127.0.0.1";
    private static final String LISTENERS = "CLIENT://127.0.0.1:%d,INTERNAL://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d";
    private static final String CLUSTER_ID = "c3Rvcm1wcm9vZi1lbWJkZA";
    private static final int NODE = 1;
    private static final int START_ATTEMPTS = 3;
    private static final int ADMIN_TIMEOUT_MILLIS = 60_000;

    /** The brokers of this JVM: Kafka does not say which of them met a fault. */
    private static final Set<EmbeddedKafka> RUNNING = ConcurrentHashMap.newKeySet();

    private final KafkaRaftServer server;
    private final Path dir;
    private final DirectoryLock lock;
    private final boolean temporary;
    private final Ports ports;
    private final AtomicReference<@Nullable String> fault = new AtomicReference<>();
    private boolean closed;

    private EmbeddedKafka(KafkaRaftServer server, Path dir, DirectoryLock lock, boolean temporary, Ports ports) {
        this.server = server;
        this.dir = dir;
        this.lock = lock;
        this.temporary = temporary;
        this.ports = ports;
    }

    public static EmbeddedKafka start() throws IOException {
        return start(0, null, Map.of());
    }

    /** Starts a broker on {@code port}, or on a free one if it is 0, with its data in {@code dir}, or a temporary one. */
    public static EmbeddedKafka start(int port, @Nullable Path dir) throws IOException {
        return start(port, dir, Map.of());
    }

    /**
     * Starts a broker and waits until it serves.
     *
     * @param port the port for clients; 0 for a free one
     * @param dir where its data is, created if absent; null for a temporary directory
     * @param brokerProperties broker settings, which go before the ones chosen here
     * @throws BindException if {@code port} is in use; the message says so
     * @throws IOException if the directory cannot be written
     * @throws KafkaException if the broker does not start, for instance on a directory of another cluster or broker
     */
    public static EmbeddedKafka start(int port, @Nullable Path dir, Map<String, String> brokerProperties)
            throws IOException {
        boolean temporary = dir == null;
        for (int attempt = 1; ; attempt++) {
            Ports ports = Ports.find(port);
            Path data = temporary ? Files.createTempDirectory("stormproof-kafka-") : Files.createDirectories(dir);
            DirectoryLock lock = DirectoryLock.take(data);
            KafkaRaftServer server = null;
            try {
                server = startServer(properties(ports, data, brokerProperties));
                EmbeddedKafka started = new EmbeddedKafka(server, data, lock, temporary, ports);
                RUNNING.add(started);
                return started;
            } catch (RuntimeException e) {
                // Another process may have taken a port between finding it and binding it.
                if (attempt == START_ATTEMPTS || ports.allFree()) {
                    throw e;
                }
            } finally {
                // After an error too: Kafka's classes refuse to be loaded by a JVM that shuts down.
                if (server == null) {
                    release(lock, data, temporary);
                }
            }
        }
    }

    /** The address for clients, as {@code bootstrap.servers} wants it. */
    public String bootstrapServers() {
        return HOST + ":" + ports.client;
    }

    public int port() {
        return ports.client;
    }

    /** The address of the internal listener, for the administration of a broker that restricts its clients. */
    public String adminServers() {
        return HOST + ":" + ports.internal;
    }

    public Path dir() {
        return dir;
    }

    /** The fatal fault since the start, after which it cannot serve any more; of several brokers here all have it. */
    public Optional<String> fault() {
        return Optional.ofNullable(fault.get());
    }

    /**
     * Creates a topic and waits until its partitions' leaders serve it.
     *
     * @throws KafkaException if it exists, or if a setting is unknown
     */
    public void createTopic(String name, int partitions, Map<String, String> config) {
        Map<String, Object> settings = Map.of(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
                adminServers(),
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                ADMIN_TIMEOUT_MILLIS);
        try (Admin admin = Admin.create(settings)) {
            TopicCreation.create(
                    admin, new NewTopic(name, partitions, (short) 1).configs(config), ADMIN_TIMEOUT_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException(e);
        }
    }

    /** Stops the broker, waits until it has ended and deletes a temporary directory. Closing twice does nothing. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        RUNNING.remove(this);
        try {
            server.shutdown();
            server.awaitShutdown();
        } finally {
            release(lock, dir, temporary);
        }
    }

    // One at a time: formatting and the settings of Exit are not made for two threads.
    private static synchronized KafkaRaftServer startServer(Properties properties) {
        Exit.setHaltProcedure((status, message) -> throwFault(message));
        Exit.setExitProcedure((status, message) -> throwFault(message));
        format(properties);
        KafkaRaftServer server = new KafkaRaftServer(new KafkaConfig(properties, false), Time.SYSTEM);
        try {
            server.startup();
            return server;
        } catch (RuntimeException | Error e) {
            server.shutdown();
            throw e instanceof KafkaException known ? known : new KafkaException(e);
        }
    }

    private static void throwFault(@Nullable String message) {
        String text = message == null ? "Kafka gave up; --verbose shows why" : message;
        RUNNING.forEach(broker -> broker.fault.compareAndSet(null, text));
        throw new KafkaException("the embedded broker met a fatal fault: " + text);
    }

    private static void format(Properties properties) {
        String dir = properties.getProperty("log.dirs");
        try {
            new Formatter()
                    .setPrintStream(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
                    .setNodeId(NODE)
                    .setClusterId(CLUSTER_ID)
                    .addDirectory(dir)
                    .setMetadataLogDirectory(dir)
                    .setReleaseVersion(MetadataVersion.latestProduction())
                    .setControllerListenerName(CONTROLLER_LISTENER)
                    .setIgnoreFormatted(true)
                    .run();
        } catch (Exception e) { // The formatter declares no less.
            throw new KafkaException("cannot format " + dir + ": " + e.getMessage(), e);
        }
    }

    private static Properties properties(Ports ports, Path dir, Map<String, String> overrides) {
        Properties p = new Properties();
        p.put("process.roles", "broker,controller");
        p.put("node.id", Integer.toString(NODE));
        p.put("controller.quorum.voters", NODE + "@" + HOST + ":" + ports.controller);
        p.put("controller.listener.names", CONTROLLER_LISTENER);
        p.put("inter.broker.listener.name", INTERNAL_LISTENER);
        p.put("listeners", LISTENERS.formatted(ports.client, ports.internal, ports.controller));
        p.put("listener.security.protocol.map", "CLIENT:PLAINTEXT,INTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT");
        p.put("log.dirs", dir.toAbsolutePath().toString());

        // One node cannot replicate.
        for (String prefix : List.of("offsets.topic.", "transaction.state.log.", "share.coordinator.state.topic.")) {
            p.put(prefix + "replication.factor", "1");
            p.put(prefix + "num.partitions", "1");
        }
        p.put("default.replication.factor", "1");
        p.put("transaction.state.log.min.isr", "1");
        p.put("share.coordinator.state.topic.min.isr", "1");
        p.put("min.insync.replicas", "1");

        // Quick to start, to join a group and to stop; small.
        p.put("group.initial.rebalance.delay.ms", "0");
        p.put("broker.heartbeat.interval.ms", "200");
        p.put("log.cleaner.dedupe.buffer.size", Integer.toString(4 * 1024 * 1024));
        p.put("auto.create.topics.enable", "false");
        p.putAll(overrides);
        return p;
    }

    private static void release(DirectoryLock lock, Path root, boolean temporary) {
        try (lock) {
            if (temporary) {
                Utils.delete(root.toFile());
            }
        } catch (IOException e) {
            throw new KafkaException("cannot give back the directory " + root, e);
        }
    }

    private record Ports(int client, int internal, int controller) {
        /** Finds free ports; they are distinct, being held until all are found. */
        static Ports find(int client) throws IOException {
            List<ServerSocket> held = new ArrayList<>();
            try {
                for (int port : new int[] {client, 0, 0}) {
                    held.add(bind(port));
                }
                int[] ports = held.stream().mapToInt(ServerSocket::getLocalPort).toArray();
                return new Ports(ports[0], ports[1], ports[2]);
            } finally {
                for (ServerSocket socket : held) {
                    socket.close();
                }
            }
        }

        boolean allFree() throws IOException {
            for (int port : new int[] {client, internal, controller}) {
                try {
                    bind(port).close();
                } catch (BindException e) {
                    return false;
                }
            }
            return true;
        }

        private static ServerSocket bind(int port) throws IOException {
            ServerSocket socket = new ServerSocket();
            try {
                socket.setReuseAddress(true);
                socket.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port));
                return socket;
            } catch (BindException e) {
                socket.close();
                BindException named = new BindException("port " + port + " on " + HOST + " is in use");
                named.initCause(e);
                throw named;
            }
        }
    }
}
