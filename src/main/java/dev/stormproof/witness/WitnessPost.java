package dev.stormproof.witness;

import dev.stormproof.notary.Extension;
import dev.stormproof.witness.Answer.Away;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Requests to one witness, of which each ends within a time whatever the witness does. */
final class WitnessPost {
    /** How long an answer is waited for, all of it. */
    static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** How much of an answer is read. */
    static final int MOST_BYTES = 1 << 16;

    private final Witness witness;
    private final Duration timeout;
    private final HttpClient client = HttpClient.newBuilder()
            .connectTimeout(TIMEOUT)
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    WitnessPost(Witness witness) {
        this(witness, TIMEOUT);
    }

    WitnessPost(Witness witness, Duration timeout) {
        this.witness = witness;
        this.timeout = timeout;
    }

    Answer send(Extension extension) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(witness.addCheckpoint())
                .timeout(timeout)
                .header("content-type", "text/plain; charset=utf-8")
                .POST(HttpRequest.BodyPublishers.ofByteArray(extension.encode()))
                .build();
        CompletableFuture<HttpResponse<byte[]>> sent = client.sendAsync(request, info -> new Bounded());
        try {
            HttpResponse<byte[]> response = sent.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            String type = response.headers().firstValue("content-type").orElse("");
            return Answer.of(response.statusCode(), type, response.body(), extension.note(), witness.key());
        } catch (ExecutionException e) {
            return new Away(String.valueOf(e.getCause()));
        } catch (TimeoutException e) {
            return new Away("no whole answer within " + timeout.toMillis() + " ms");
        } finally {
            boolean unused = sent.cancel(true);
        }
    }

    /** Takes a body up to a bound. */
    private static final class Bounded implements BodySubscriber<byte[]> {
        private final CompletableFuture<byte[]> body = new CompletableFuture<>();
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private Flow.@Nullable Subscription subscription;

        @Override
        public CompletionStage<byte[]> getBody() {
            return body;
        }

        @Override
        public void onSubscribe(Flow.Subscription to) {
            subscription = to;
            to.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            for (ByteBuffer buffer : buffers) {
                byte[] more = new byte[buffer.remaining()];
                buffer.get(more);
                if (bytes.size() + more.length > MOST_BYTES) {
                    if (subscription != null) {
                        subscription.cancel();
                    }
                    body.completeExceptionally(new IOException("an answer of more than " + MOST_BYTES + " bytes"));
                    return;
                }
                bytes.writeBytes(more);
            }
        }

        @Override
        public void onError(Throwable failure) {
            body.completeExceptionally(failure);
        }

        @Override
        public void onComplete() {
            body.complete(bytes.toByteArray());
        }
    }
}
