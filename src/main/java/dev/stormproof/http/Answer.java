package dev.stormproof.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The answer to a request: some bytes, or an endless row of them. With its end the connection ends. */
public final class Answer {
    private final int status;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private final byte[] body;
    private final @Nullable Updates updates;

    /** What a client is told as long as it stays. Used by the server's thread alone. */
    public interface Updates extends AutoCloseable {
        /** What there is to tell now; null if there is nothing. */
        byte @Nullable [] next(long nowMillis);

        @Override
        void close();
    }

    private Answer(int status, String type, byte[] body, @Nullable Updates updates) {
        this.status = status;
        this.body = body;
        this.updates = updates;
        headers.put("Content-Type", type);
        headers.put("X-Content-Type-Options", "nosniff");
    }

    /** An answer of some bytes, which are not copied. */
    public static Answer of(int status, String type, byte[] body) {
        return new Answer(status, type, body, null);
    }

    /** An answer in words, to be read by people. */
    public static Answer of(int status, String words) {
        return of(status, "text/plain; charset=utf-8", ("stormproof: " + words + "\n").getBytes(UTF_8));
    }

    /** An answer that goes on until the client or the server ends it. */
    public static Answer of(String type, Updates updates) {
        return new Answer(200, type, new byte[0], updates);
    }

    /** Adds a header. */
    public Answer with(String name, String value) {
        headers.put(name, value);
        return this;
    }

    byte[] head() {
        StringBuilder head = new StringBuilder("HTTP/1.1 ").append(status).append(" \r\n");
        headers.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        if (updates == null) {
            head.append("Content-Length: ").append(body.length).append("\r\n");
        }
        return head.append("Connection: close\r\n\r\n").toString().getBytes(ISO_8859_1);
    }

    byte[] body() {
        return body;
    }

    /** What goes on; null if the answer is complete. */
    @Nullable
    Updates updates() {
        return updates;
    }
}
