package dev.stormproof.cli.session;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.discovery.ScrapeTargets;
import dev.stormproof.http.AllowedHosts;
import dev.stormproof.http.Answer;
import dev.stormproof.http.PageServer;
import dev.stormproof.http.Request;
import dev.stormproof.submit.Failure;
import dev.stormproof.submit.Terminal;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The targets of some topologies are read from Kafka, once or again and again, and served as {@code GET /targets}.
 *
 * <p>A list that could not be read lately is not served: Prometheus keeps the one that it has on every answer but 200.
 */
public final class TargetsSession implements AutoCloseable {
    /** How old a served list is at most: an attempt of 15 s, and some. */
    static final long STALE_MILLIS = 20_000;

    private final Connection connection;
    private final Collection<String> groups;
    private final LongSupplier nanoTime;
    private volatile @Nullable Listed latest;
    private @Nullable PageServer server;
    private boolean toldFailure;

    /** A list, and when it was read. */
    private record Listed(String json, long readNanos) {}

    public TargetsSession(Connection connection, Collection<String> groups) {
        this(connection, groups, System::nanoTime);
    }

    TargetsSession(Connection connection, Collection<String> groups, LongSupplier nanoTime) {
        this.connection = connection;
        this.groups = List.copyOf(groups);
        this.nanoTime = nanoTime;
    }

    /** The list as it is now. */
    public String read() throws InterruptedException {
        try {
            return ScrapeTargets.read(connection.admin(), groups).json();
        } catch (ExecutionException e) {
            throw connection.explain(e.getCause() == null ? e : e.getCause());
        }
    }

    /** Begins to serve what {@link #refresh} reads; returns where. */
    public InetSocketAddress serve(Dashboard.Listen listen) {
        InetSocketAddress address = listen.address();
        try {
            server =
                    PageServer.start("stormproof-targets", address, new AllowedHosts(address, List.of()), this::answer);
            return server.address();
        } catch (IOException e) {
            throw Failure.usage(
                    "nothing can listen at " + listen + ": " + e.getMessage() + "; port 0 takes one that is free", e);
        }
    }

    /** Reads the list again; says once if that fails, and once when it succeeds again. */
    public void refresh(Terminal err) throws InterruptedException {
        try {
            latest = new Listed(read(), nanoTime.getAsLong());
            if (toldFailure) {
                err.println("stormproof: the targets are read again");
            }
            toldFailure = false;
        } catch (Failure e) {
            if (!toldFailure) {
                err.println("stormproof: the targets cannot be read: " + e.getMessage());
            }
            toldFailure = true;
        }
    }

    private Answer answer(Request request) {
        if (!request.path().equals("/targets")) {
            return Answer.of(HttpURLConnection.HTTP_NOT_FOUND, "the targets are at /targets");
        }
        Listed listed = latest;
        if (listed == null || nanoTime.getAsLong() - listed.readNanos() > TimeUnit.MILLISECONDS.toNanos(STALE_MILLIS)) {
            return Answer.of(HttpURLConnection.HTTP_UNAVAILABLE, "Kafka has not said lately who is there");
        }
        return Answer.of(
                HttpURLConnection.HTTP_OK, "application/json", listed.json().getBytes(UTF_8));
    }

    @Override
    public void close() {
        if (server != null) {
            server.close();
        }
    }
}
