package dev.stormproof.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A server hands out the page and keeps it up to date.
 *
 * <pre>
 *   GET /              the page; with ?token=… a cookie, and from there to the page
 *   GET /updates       server-sent events: the whole picture, then what changes, at most every {@value #PACE_MILLIS} ms
 *   GET /finding?key=  what is told of one finding when it is opened
 * </pre>
 *
 * <p>Each request has a thread of its own, at most {@value #THREADS} at once, of which {@value #MOST_FOLLOWERS} follow.
 */
public final class DashboardServer implements AutoCloseable {
    static final int MOST_FOLLOWERS = 32;
    private static final int THREADS = MOST_FOLLOWERS + 16;

    private static final long PACE_MILLIS = 400;
    /** A browser that went away is noticed by writing to it. */
    private static final long KEEP_ALIVE_MILLIS = 5_000;

    private static final int MISDIRECTED = 421;
    private static final Pattern PARAMETER = Pattern.compile("&");

    private final HttpServer server;
    private final Picture picture;
    private final Visitors visitors;
    private final Page page = Page.live();
    private final ExecutorService threads = new ThreadPoolExecutor(
            0, THREADS, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), DashboardServer::newThread);
    private final Semaphore followers = new Semaphore(MOST_FOLLOWERS);
    private final CountDownLatch closing = new CountDownLatch(1);

    private DashboardServer(HttpServer server, Picture picture, Visitors visitors) {
        this.server = server;
        this.picture = picture;
        this.visitors = visitors;
    }

    /** Starts a server; one that others than this machine can reach demands a token. */
    public static DashboardServer start(InetSocketAddress address, Picture picture) throws IOException {
        DashboardServer started = new DashboardServer(HttpServer.create(address, 0), picture, Visitors.of(address));
        started.server.setExecutor(started.threads);
        started.server.createContext("/", started::handle);
        started.server.start();
        return started;
    }

    /** The address to open, with the token if one is needed. */
    public URI uri() {
        InetSocketAddress address = server.getAddress();
        String name = address.getAddress().isAnyLocalAddress() ? "localhost" : address.getHostString();
        String host = name.contains(":") ? "[" + name + "]" : name;
        return URI.create("http://" + host + ":" + address.getPort() + "/"
                + visitors.token()
                        .map(token -> "?" + Visitors.TOKEN + "=" + token)
                        .orElse(""));
    }

    @Override
    public void close() {
        closing.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    private static Thread newThread(Runnable request) {
        Thread thread = new Thread(request, "stormproof-dashboard");
        thread.setDaemon(true);
        return thread;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
            exchange.getResponseHeaders().set("Referrer-Policy", "no-referrer");
            exchange.getResponseHeaders().set("Cross-Origin-Resource-Policy", "same-origin");
            exchange.getResponseHeaders().set("Cache-Control", "no-store");
            exchange.getResponseHeaders().set("Content-Security-Policy", page.policy() + "; frame-ancestors 'none'");
            String path = exchange.getRequestURI().getPath();
            if (!visitors.isKnown(exchange.getRequestHeaders().getFirst("Host"))) {
                refuse(exchange, MISDIRECTED, "this server is not known by that name; --listen can give it one");
            } else if (!exchange.getRequestMethod().equals("GET")) {
                refuse(exchange, HttpURLConnection.HTTP_BAD_METHOD, "there is nothing to change here");
            } else if (path.equals("/")
                    && parameter(exchange, Visitors.TOKEN)
                            .filter(visitors::isToken)
                            .isPresent()) {
                exchange.getResponseHeaders().set("Set-Cookie", visitors.cookie());
                exchange.getResponseHeaders().set("Location", "/");
                refuse(exchange, HttpURLConnection.HTTP_SEE_OTHER, "the page is at /");
            } else if (!visitors.areAdmitted(
                    Objects.requireNonNullElse(exchange.getRequestHeaders().get("Cookie"), List.of()))) {
                refuse(
                        exchange,
                        HttpURLConnection.HTTP_FORBIDDEN,
                        "open the address that was printed when this started");
            } else {
                answer(exchange, path);
            }
        }
    }

    private void answer(HttpExchange exchange, String path) throws IOException {
        switch (path) {
            case "/" -> send(exchange, HttpURLConnection.HTTP_OK, "text/html; charset=utf-8", page.html());
            case "/updates" -> follow(exchange);
            case "/finding" -> {
                Optional<String> detail =
                        parameter(exchange, "key").flatMap(picture::detail).map(Object::toString);
                if (detail.isPresent()) {
                    send(exchange, HttpURLConnection.HTTP_OK, "application/json", detail.get());
                } else {
                    refuse(exchange, HttpURLConnection.HTTP_NOT_FOUND, "not kept");
                }
            }
            default -> refuse(exchange, HttpURLConnection.HTTP_NOT_FOUND, "there is no such page");
        }
    }

    private static Optional<String> parameter(HttpExchange exchange, String name) {
        return Stream.ofNullable(exchange.getRequestURI().getRawQuery())
                .flatMap(PARAMETER::splitAsStream)
                .filter(parameter -> parameter.startsWith(name + "="))
                .map(parameter -> URLDecoder.decode(parameter.substring(name.length() + 1), UTF_8))
                .findFirst();
    }

    private static void refuse(HttpExchange exchange, int status, String why) throws IOException {
        send(exchange, status, "text/plain; charset=utf-8", "stormproof: " + why + "\n");
    }

    private static void send(HttpExchange exchange, int status, String type, String text) throws IOException {
        byte[] body = text.getBytes(UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.sendResponseHeaders(status, -1);
        } else {
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    /** Writes what changes until the browser goes away or the server is closed. */
    private void follow(HttpExchange exchange) throws IOException {
        if (!followers.tryAcquire()) {
            refuse(exchange, HttpURLConnection.HTTP_UNAVAILABLE, MOST_FOLLOWERS + " browsers follow already");
            return;
        }
        try {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
            exchange.sendResponseHeaders(HttpURLConnection.HTTP_OK, 0);
            OutputStream out = exchange.getResponseBody();
            long sent = Picture.NOTHING;
            long lastMillis = 0;
            do {
                long nowMillis = System.currentTimeMillis();
                if (picture.version() != sent || nowMillis - lastMillis >= KEEP_ALIVE_MILLIS) {
                    var update = picture.since(sent, nowMillis);
                    sent = update.required("version").asLong();
                    lastMillis = nowMillis;
                    out.write(("data: " + update + "\n\n").getBytes(UTF_8));
                    out.flush();
                }
            } while (!closing.await(PACE_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            followers.release();
        }
    }
}
