package dev.stormproof.notary.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.stormproof.merkle.Hash;
import dev.stormproof.notary.Consistency;
import dev.stormproof.notary.Extension;
import dev.stormproof.notary.MalformedNoteException;
import dev.stormproof.notary.NoteKey;
import dev.stormproof.notary.SignedNote;
import dev.stormproof.notary.TreeHead;
import dev.stormproof.sign.CheckpointKey;
import dev.stormproof.sign.PublicKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;

/** A witness of c2sp.org/tlog-witness over HTTP: it signs what continues what it signed last, and nothing else. */
public final class TestWitness implements AutoCloseable {
    public static final int OK = 200;

    private final String name;
    private final CheckpointKey key;
    private final PublicKey log;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, TreeHead> seen = new HashMap<>();
    private final List<Integer> answers = new ArrayList<>();
    private volatile long seconds = 1_700_000_000L;
    /** Answers in its place; true if it did. */
    private volatile Predicate<HttpExchange> trouble = exchange -> false;

    /** @param log the key of the notary whose trees it knows */
    public TestWitness(String name, CheckpointKey key, PublicKey log) throws IOException {
        this.name = name;
        this.key = key;
        this.log = log;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/prefix/add-checkpoint", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    public NoteKey vkey() {
        return new NoteKey(name, NoteKey.COSIGNATURE, key.publicKey());
    }

    /** The setting that names it. */
    public String setting() {
        return vkey().text() + " http://127.0.0.1:" + server.getAddress().getPort() + "/prefix/";
    }

    /** Has something else answer requests, as long as it says that it did. */
    public void trouble(Predicate<HttpExchange> answers) {
        trouble = answers;
    }

    /** Sets its clock, in seconds since 1970. */
    public void setClock(long secondsNow) {
        seconds = secondsNow;
    }

    /** The codes that it answered, in order. */
    public synchronized List<Integer> answers() {
        return List.copyOf(answers);
    }

    /** The size that it saw last of a tree; 0 if none. */
    public synchronized long seenSize(String origin) {
        TreeHead head = seen.get(origin);
        return head == null ? 0 : head.size();
    }

    /** Has it believe in another history. */
    public synchronized void see(TreeHead head) {
        seen.put(head.origin(), head);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (trouble.test(exchange)) {
                return;
            }
            answer(exchange, exchange.getRequestBody().readAllBytes());
        }
    }

    private synchronized void answer(HttpExchange exchange, byte[] body) throws IOException {
        try {
            Extension request = Extension.parse(body);
            TreeHead head = TreeHead.parse(request.note().text());
            TreeHead before = seen.get(head.origin());
            if (!request.note().isSignedBy(NoteKey.of(head.origin(), log))) {
                reply(exchange, 403, "");
            } else if (request.oldSize() > head.size()) {
                reply(exchange, 400, "");
            } else if (request.oldSize() != (before == null ? 0 : before.size())) {
                exchange.getResponseHeaders().set("Content-Type", "text/x.tlog.size");
                reply(exchange, 409, (before == null ? 0 : before.size()) + "\n");
            } else if (before != null && !new Consistency().holds(before, head, request.proof())) {
                reply(exchange, 422, "");
            } else if (before == null && !request.proof().isEmpty()) {
                reply(exchange, 422, "");
            } else {
                seen.put(head.origin(), head);
                reply(
                        exchange,
                        OK,
                        "— unknown.example AAAAAQID\n"
                                + cosignature(request.note().text()));
            }
        } catch (MalformedNoteException e) {
            reply(exchange, 400, String.valueOf(e.getMessage()));
        }
    }

    private void reply(HttpExchange exchange, int code, String text) throws IOException {
        answers.add(code);
        byte[] bytes = text.getBytes(UTF_8);
        exchange.sendResponseHeaders(code, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    /** The line of a signature, made here and not by the code that is tested. */
    public String cosignature(String text) {
        return line(text, seconds);
    }

    private String line(String text, long time) {
        byte[] said = ("cosignature/v1\ntime " + time + "\n" + text).getBytes(UTF_8);
        byte[] all = ByteBuffer.allocate(4 + 8 + 64)
                .putInt(vkey().id())
                .putLong(time)
                .put(key.sign(said, said.length))
                .array();
        return "— " + name + " " + Base64.getEncoder().encodeToString(all) + "\n";
    }

    /** A note with this witness's signature. */
    public SignedNote cosign(SignedNote note) throws MalformedNoteException {
        return note.cosigned(cosignature(note.text()).getBytes(UTF_8), vkey()).orElseThrow();
    }

    /** A tree head that no notary signed. */
    public static TreeHead another(TreeHead head) {
        return new TreeHead(head.origin(), head.size(), Hash.copyOf(new byte[32]));
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
