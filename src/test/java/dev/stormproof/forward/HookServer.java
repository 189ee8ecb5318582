package dev.stormproof.forward;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A receiver that takes what is sent to it, refuses it, answers late or not at all. */
final class HookServer implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    final List<JsonNode> taken = new CopyOnWriteArrayList<>();
    final List<String> headers = new CopyOnWriteArrayList<>();
    /** How many of the next requests are refused with a 503. */
    final AtomicInteger refusals = new AtomicInteger();
    /** How many of the next requests are taken, and answered only once somebody lets them. */
    final AtomicInteger silences = new AtomicInteger();

    /** What is said with a refusal. */
    volatile String refusal = "";

    private final CountDownLatch released = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;

    HookServer() throws IOException {
        this(0);
    }

    HookServer(int port) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/", this::take);
        server.setExecutor(threads);
        server.start();
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + port() + "/hook");
    }

    int port() {
        return server.getAddress().getPort();
    }

    private void take(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        int code = 200;
        if (refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            code = 503;
        } else {
            taken.add(JSON.readTree(body));
            headers.add(exchange.getRequestHeaders().getFirst("Authorization") + " "
                    + exchange.getRequestHeaders().getFirst("Content-Type") + " "
                    + exchange.getRequestURI().getPath());
            if (silences.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                try {
                    released.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
        byte[] said = (code == 200 ? "" : refusal).getBytes(UTF_8);
        exchange.sendResponseHeaders(code, said.length == 0 ? -1 : said.length);
        if (said.length > 0) {
            exchange.getResponseBody().write(said);
        }
        exchange.close();
    }

    @Override
    public void close() {
        released.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
