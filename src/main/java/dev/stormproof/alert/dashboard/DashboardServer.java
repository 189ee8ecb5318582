package dev.stormproof.alert.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.alert.http.AllowedHosts;
import dev.stormproof.alert.http.Answer;
import dev.stormproof.alert.http.PageServer;
import dev.stormproof.alert.http.Request;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Serves the page and keeps it up to date.
 *
 * <pre>
 *   GET /              the page; with ?token=… a cookie, and from there to the page
 *   GET /updates       server-sent events: the whole picture, then what changes, at most every {@value #PACE_MILLIS} ms
 *   GET /finding?key=  the detail of one finding
 *   GET /records?key=  server-sent events: the records at its places, as they are read; only with a {@link RecordSource}
 * </pre>
 *
 * <p>With {@code topology=GROUP}, each is about that topology; otherwise about the first.
 *
 * <p>A bounded number of browsers may follow at once, see {@link PageServer}. A browser that does not read its events gets no more until it
 * does, and is disconnected after a timeout.
 */
public final class DashboardServer implements AutoCloseable {
    private static final long PACE_MILLIS = 400;
    /** The longest time without an event: a new topology is no change of this picture. */
    private static final long KEEP_ALIVE_MILLIS = 5_000;

    private final Topologies topologies;
    private final AccessToken visitors;
    private final Page page = Page.live();
    private final PageServer server;
    private final @Nullable RecordReadings readings;

    private DashboardServer(InetSocketAddress address, Topologies topologies, @Nullable RecordSource door)
            throws IOException {
        this.topologies = topologies;
        this.readings = door == null ? null : new RecordReadings(door);
        this.visitors = AccessToken.of(address);
        this.server =
                PageServer.start("stormproof-dashboard", address, new AllowedHosts(address, List.of()), this::answer);
    }

    /** Starts a server; if other machines can reach it, it demands a token. */
    public static DashboardServer start(InetSocketAddress address, Topologies topologies) throws IOException {
        return start(address, topologies, null);
    }

    /**
     * Starts a server that also shows records at the places of findings.
     *
     * @param door reads the records; null if none are shown
     */
    public static DashboardServer start(InetSocketAddress address, Topologies topologies, @Nullable RecordSource door)
            throws IOException {
        return new DashboardServer(address, topologies, door);
    }

    /** The address to open, with the token if one is needed. */
    public URI uri() {
        InetSocketAddress address = server.address();
        String name = address.getAddress().isAnyLocalAddress() ? "localhost" : address.getHostString();
        String host = name.contains(":") ? "[" + name + "]" : name;
        return URI.create("http://" + host + ":" + address.getPort() + "/"
                + visitors.token()
                        .map(token -> "?" + AccessToken.TOKEN + "=" + token)
                        .orElse(""));
    }

    @Override
    public void close() {
        server.close();
        if (readings != null) {
            readings.close();
        }
    }

    private Answer answer(Request request) {
        return admitted(request)
                .with("Referrer-Policy", "no-referrer")
                .with("Cross-Origin-Resource-Policy", "same-origin")
                .with("Cache-Control", "no-store")
                .with("Content-Security-Policy", page.policy() + "; frame-ancestors 'none'");
    }

    private Answer admitted(Request request) {
        if (request.path().equals("/")
                && request.parameter(AccessToken.TOKEN)
                        .filter(visitors::isToken)
                        .isPresent()) {
            return Answer.of(HttpURLConnection.HTTP_SEE_OTHER, "the page is at /")
                    .with("Set-Cookie", visitors.cookie())
                    .with("Location", "/");
        }
        if (!visitors.areAdmitted(request.headers("cookie"))) {
            return Answer.of(HttpURLConnection.HTTP_FORBIDDEN, "open the address that was printed when this started");
        }
        return switch (request.path()) {
            case "/" ->
                Answer.of(
                        HttpURLConnection.HTTP_OK,
                        "text/html; charset=utf-8",
                        page.html().getBytes(UTF_8));
            case "/updates" ->
                picture(request)
                        .map(this::follow)
                        .orElseGet(() -> Answer.of(HttpURLConnection.HTTP_NOT_FOUND, "there is no such topology"));
            case "/finding" ->
                picture(request)
                        .flatMap(picture -> request.parameter("key").flatMap(picture::detail))
                        .map(detail -> readings == null ? detail : detail.put("content", true))
                        .map(detail -> Answer.of(
                                HttpURLConnection.HTTP_OK,
                                "application/json",
                                detail.toString().getBytes(UTF_8)))
                        .orElseGet(() -> Answer.of(HttpURLConnection.HTTP_NOT_FOUND, "not kept"));
            case "/records" ->
                picture(request)
                        .flatMap(picture -> request.parameter("key").flatMap(picture::shown))
                        .map(this::read)
                        .orElseGet(() -> Answer.of(HttpURLConnection.HTTP_NOT_FOUND, "not kept"));
            default -> Answer.of(HttpURLConnection.HTTP_NOT_FOUND, "there is no such page");
        };
    }

    private Optional<DashboardModel> picture(Request request) {
        return topologies.picture(request.parameter("topology"));
    }

    private Answer follow(DashboardModel picture) {
        return Answer.following(() -> new Changes(picture));
    }

    private Answer read(FindingView shown) {
        RecordReadings all = readings;
        if (all == null) {
            return Answer.of(HttpURLConnection.HTTP_NOT_FOUND, "no content is shown without --show-content");
        }
        return Answer.following(() -> all.begin(shown.finding().partition(), shown.places()));
    }

    /** The events for one browser, beginning with the whole picture. */
    private final class Changes implements Answer.Updates {
        private final DashboardModel picture;
        private long sent = DashboardModel.NOTHING;
        private long lastMillis;

        Changes(DashboardModel picture) {
            this.picture = picture;
        }

        @Override
        public @Nullable String next(long nowMillis) {
            boolean anew = sent == DashboardModel.NOTHING;
            long pauseMillis = picture.version() == sent ? KEEP_ALIVE_MILLIS : PACE_MILLIS;
            if (!anew && nowMillis - lastMillis < pauseMillis) {
                return null;
            }
            var update = picture.since(sent, nowMillis);
            sent = update.required("version").asLong();
            var groups = update.putArray("topologies");
            topologies.groups().forEach(groups::add);
            lastMillis = nowMillis;
            return update.toString();
        }

        @Override
        public void close() {}
    }
}
