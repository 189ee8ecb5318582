package dev.stormproof.forward;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Requests to one address.
 *
 * @param headers sent with every request
 * @param timeout for how long an answer is waited for, and then the text of a refusal
 */
record Post(HttpClient client, URI address, Map<String, String> headers, Duration timeout) {
    /** How much of a refusal's text is told. */
    private static final int MOST_TEXT_BYTES = 300;

    static Post to(URI address, Map<String, String> headers, Duration timeout) {
        HttpClient client = HttpClient.newBuilder()
                .connectTimeout(timeout)
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
        return new Post(client, address, headers, timeout);
    }

    /** Sends a body; returns if the answer is of 200 to 299. */
    void send(String contentType, byte[] body) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(address)
                .timeout(timeout)
                .header("content-type", contentType)
                .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        headers.forEach(request::header);
        HttpResponse<InputStream> response = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream answer = response.body()) {
            if (response.statusCode() < 200 || response.statusCode() > 299) {
                // The request's own timeout ends with the headers.
                CompletableFuture<String> text = CompletableFuture.supplyAsync(() -> beginning(answer))
                        .completeOnTimeout("", timeout.toMillis(), TimeUnit.MILLISECONDS);
                throw new IOException(address + " answers " + response.statusCode() + text.join());
            }
        }
    }

    /** How a refusal's text begins; nothing if it cannot be read. */
    private static String beginning(InputStream answer) {
        try {
            String text = new String(answer.readNBytes(MOST_TEXT_BYTES), UTF_8).strip();
            return text.isEmpty() ? "" : ": " + text;
        } catch (IOException e) {
            return "";
        }
    }
}
