package dev.stormproof.alert.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The answer to a request: some bytes, or server-sent events. The connection ends with it. */
public final class Answer {
    private final int status;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private final byte[] body;
    private final @Nullable Supplier<Updates> updates;

    /** The events for a client while it is connected. Used by one thread. */
    public interface Updates extends AutoCloseable {
        /** The next event, in one line; null if there is none. */
        @Nullable
        String next(long nowMillis);

        @Override
        void close();
    }

    private Answer(int status, String type, byte[] body, @Nullable Supplier<Updates> updates) {
        this.status = status;
        this.body = body;
        this.updates = updates;
        headers.put("Content-Type", type);
        headers.put("X-Content-Type-Options", "nosniff");
        headers.put("Connection", "close");
    }

    /** An answer of some bytes, which are not copied. */
    public static Answer of(int status, String type, byte[] body) {
        return new Answer(status, type, body, null);
    }

    /** An answer as plain text, for people. */
    public static Answer of(int status, String words) {
        return of(status, "text/plain; charset=utf-8", ("stormproof: " + words + "\n").getBytes(UTF_8));
    }

    /**
     * An answer of server-sent events that goes on until the client or the server ends it.
     *
     * @param updates begins the events, unless too many clients follow already
     */
    public static Answer following(Supplier<Updates> updates) {
        return new Answer(200, "text/event-stream; charset=utf-8", new byte[0], updates);
    }

    /** Adds a header. */
    public Answer with(String name, String value) {
        headers.put(name, value);
        return this;
    }

    int status() {
        return status;
    }

    Map<String, String> headers() {
        return headers;
    }

    byte[] body() {
        return body;
    }

    /** The events; null if the answer is complete. */
    @Nullable
    Supplier<Updates> updates() {
        return updates;
    }
}
