package dev.stormproof.cli.session;

import dev.stormproof.alert.Acceptance;
import dev.stormproof.alert.Acceptances;
import dev.stormproof.alert.Alert;
import dev.stormproof.alert.dashboard.DashboardModel;
import dev.stormproof.alert.dashboard.DashboardServer;
import dev.stormproof.alert.dashboard.Topologies;
import dev.stormproof.cli.terminal.Failure;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;

/**
 * A dashboard is the pictures of order and their server; its owner reads the findings and hands them over. Each group that findings name is a
 * topology with a picture of its own.
 */
public final class Dashboard implements AutoCloseable {
    private static final Pattern ADDRESS = Pattern.compile("(.+):([0-9]{1,5})");

    /** How many topologies are shown; what further ones find is counted as not shown. */
    static final int MOST_TOPOLOGIES = 50;

    private final Connection connection;
    private final String about;
    private final Acceptances acceptances = new Acceptances();
    private final Map<String, Topology> others = new LinkedHashMap<>();
    private final Topology first;
    private final Topologies topologies;
    private final DashboardServer server;
    private boolean hasMore;

    /** The state of one group. */
    private static final class Topology {
        private final DashboardModel picture;
        private final GroupLag lag;
        private final VerifierHealth signs;
        private @Nullable String group;

        private Topology(Connection connection, @Nullable String group, String about) {
            this.picture = new DashboardModel(true, connection.recordUrls());
            this.lag = new GroupLag(connection.admin(), picture);
            this.signs = new VerifierHealth(System.nanoTime());
            this.group = group;
            picture.about(about);
        }

        private void take(Alert alert, byte[] record, boolean isNew) throws IOException {
            picture.add(alert, record);
            signs.take(alert, isNew, System.currentTimeMillis(), System.nanoTime());
        }

        private void tick() {
            picture.blind(signs.blind(System.nanoTime()));
            if (group != null) {
                lag.look(group, System.nanoTime() / 1_000_000);
            }
        }
    }

    private Dashboard(Connection connection, Listen listen, @Nullable String group, String about, boolean showsContent)
            throws IOException {
        this.connection = connection;
        this.about = about;
        this.first = new Topology(connection, group, about);
        this.topologies = new Topologies(Objects.requireNonNullElse(group, ""), first.picture);
        this.server = DashboardServer.start(
                listen.address(), topologies, showsContent ? new RecordContents(connection) : null);
    }

    /**
     * Starts to serve what is handed over from now on.
     *
     * @param group the topology that is shown first, and whose offsets are its verified progress; null for the first that findings name
     * @param about what is read
     * @param showsContent true if the page also shows what is at the places that findings name
     */
    public static Dashboard start(
            Listen listen, Connection connection, @Nullable String group, String about, boolean showsContent) {
        try {
            return new Dashboard(connection, listen, group, about, showsContent);
        } catch (IOException e) {
            throw Failure.usage(
                    "nothing can listen at " + listen + ": " + e.getMessage() + "; port 0 takes one that is free", e);
        }
    }

    public URI uri() {
        return server.uri();
    }

    /**
     * Takes an alert or a verdict, and the record that it was read from.
     *
     * @param isNew whether that was written since the dashboard is there
     */
    public void take(Alert alert, byte[] record, boolean isNew) throws IOException {
        Optional<String> group = alert.group();
        Topology topology = group.isPresent() ? topology(group.get()) : first;
        if (topology != null) {
            topology.take(alert, record, isNew);
        }
    }

    private @Nullable Topology topology(String group) {
        if (first.group == null) {
            first.group = group;
            topologies.name(group);
        }
        if (group.equals(first.group)) {
            return first;
        }
        Topology known = others.get(group);
        if (known != null) {
            return known;
        }
        if (others.size() + 1 >= MOST_TOPOLOGIES) {
            if (!hasMore) {
                first.picture.about(
                        about + "; of more than " + MOST_TOPOLOGIES + " topologies the others are not shown");
            }
            hasMore = true;
            return null;
        }
        Topology topology = new Topology(connection, group, about);
        acceptances.all().forEach(topology.picture::accept);
        others.put(group, topology);
        topologies.add(group, topology.picture);
        return topology;
    }

    /** Expects a canary to be heard: else one that was never heard is not missed. */
    public Dashboard expectCanary() {
        first.signs.expect();
        return this;
    }

    public void take(Acceptance acceptance) {
        acceptances.add(acceptance);
        first.picture.accept(acceptance);
        others.values().forEach(topology -> topology.picture.accept(acceptance));
    }

    /** Looks after the lags; to be called often. */
    public void tick() {
        first.tick();
        others.values().forEach(Topology::tick);
    }

    @Override
    public void close() {
        server.close();
    }

    public record Listen(String host, int port) {
        /** Reads {@code HOST:PORT}, for picocli. */
        public static Listen of(String text) {
            Matcher address = ADDRESS.matcher(text);
            if (!address.matches() || Integer.parseInt(address.group(2)) > 65_535) {
                throw new TypeConversionException("'" + text + "' is not HOST:PORT, for instance 127.0.0.1:8090");
            }
            return new Listen(address.group(1), Integer.parseInt(address.group(2)));
        }

        InetSocketAddress address() {
            InetSocketAddress address = new InetSocketAddress(host, port);
            if (address.isUnresolved()) {
                throw Failure.usage("there is no host " + host + " to listen at; localhost is this machine alone");
            }
            return address;
        }

        @Override
        public String toString() {
            return host + ":" + port;
        }
    }
}
