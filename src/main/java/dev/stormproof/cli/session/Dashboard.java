package dev.stormproof.cli.session;

import dev.stormproof.alert.Acceptance;
import dev.stormproof.alert.Alert;
import dev.stormproof.dashboard.DashboardServer;
import dev.stormproof.dashboard.Picture;
import dev.stormproof.judge.Finding;
import dev.stormproof.submit.Failure;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;

/** A dashboard is the picture of order and its server; whoever reads the findings hands them over. */
public final class Dashboard implements AutoCloseable {
    private static final Pattern ADDRESS = Pattern.compile("(.+):([0-9]{1,5})");

    /** For how long a canary that was heard may be silent: an interval, and the time that an alert may take. */
    static final long BLIND_MILLIS = 150_000;

    private final Picture picture;
    private final DashboardServer server;
    private final GroupLag lag;
    private @Nullable String group;
    private boolean hasCanary;
    private long canaryNanos = System.nanoTime();

    private Dashboard(Picture picture, DashboardServer server, GroupLag lag, @Nullable String group) {
        this.picture = picture;
        this.server = server;
        this.lag = lag;
        this.group = group;
    }

    /**
     * Starts to serve what is handed over from now on.
     *
     * @param group whose offsets are the verified progress; null for the one that wrote the findings
     * @param about what is read
     */
    public static Dashboard start(Listen listen, Connection connection, @Nullable String group, String about) {
        Picture picture = new Picture(true);
        picture.about(about);
        try {
            DashboardServer server = DashboardServer.start(listen.address(), picture);
            return new Dashboard(picture, server, new GroupLag(connection.admin(), picture), group);
        } catch (IOException e) {
            throw Failure.usage(
                    "nothing can listen at " + listen + ": " + e.getMessage() + "; port 0 takes one that is free", e);
        }
    }

    /** The address to open. */
    public URI uri() {
        return server.uri();
    }

    /** Takes an alert or a verdict, and the record that it was read from. */
    public void take(Alert alert, byte[] record) throws IOException {
        picture.add(alert, record);
        if (alert.canary() && alert.finding().type() == Finding.Type.VIOLATED) {
            // An old one is no sign of life, and says that there was a canary.
            if (System.currentTimeMillis() - alert.timeMillis() < BLIND_MILLIS) {
                canaryNanos = System.nanoTime();
            }
            hasCanary = true;
        }
        if (group == null) {
            group = alert.group().orElse(null);
        }
    }

    /** Expects a canary to be heard: else one that was never heard is not missed. */
    public Dashboard expectCanary() {
        hasCanary = true;
        return this;
    }

    /** Takes somebody's word on an alert. */
    public void take(Acceptance acceptance) {
        picture.accept(acceptance);
    }

    /** Looks after the lag; to be called often. */
    public void tick() {
        long silentMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - canaryNanos);
        String blind = hasCanary && silentMillis > BLIND_MILLIS
                ? "blind: the verifier has told no planted fault for " + silentMillis / 1_000 + " s"
                : "";
        picture.blind(blind);
        if (group != null) {
            lag.look(group, System.nanoTime() / 1_000_000);
        }
    }

    @Override
    public void close() {
        server.close();
    }

    /** The place to listen at. */
    public record Listen(String host, int port) {
        /** Reads {@code HOST:PORT}, for picocli. */
        public static Listen of(String text) {
            Matcher address = ADDRESS.matcher(text);
            if (!address.matches() || Integer.parseInt(address.group(2)) > 65_535) {
                throw new TypeConversionException("'" + text + "' is not HOST:PORT, for instance 127.0.0.1:8090");
            }
            return new Listen(address.group(1), Integer.parseInt(address.group(2)));
        }

        private InetSocketAddress address() {
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
