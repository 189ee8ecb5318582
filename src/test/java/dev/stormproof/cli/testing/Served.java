package dev.stormproof.cli.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a dashboard serves is read here. */
public final class Served {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private Served() {}

    /** The address that a command printed. */
    public static URI address(String printed) {
        Matcher address = Pattern.compile("the dashboard is at (\\S+)").matcher(printed);
        if (!address.find()) {
            throw new AssertionError(printed);
        }
        return URI.create(address.group(1));
    }

    /** Follows the updates until one is as wanted. */
    public static JsonNode awaitUpdate(URI dashboard, Predicate<JsonNode> wanted)
            throws IOException, InterruptedException {
        long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
        List<JsonNode> seen = new ArrayList<>();
        InputStream updates = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(dashboard.resolve("/updates")).build(), BodyHandlers.ofInputStream())
                .body();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(updates, UTF_8))) {
            for (String line = lines.readLine();
                    line != null && System.nanoTime() < deadlineNanos;
                    line = lines.readLine()) {
                if (line.startsWith("data: ")) {
                    JsonNode update = new ObjectMapper().readTree(line.substring("data: ".length()));
                    if (wanted.test(update)) {
                        return update;
                    }
                    seen.add(update);
                }
            }
        }
        throw new AssertionError("no such update among " + seen);
    }
}
