package dev.stormproof.timestamp;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.bouncycastle.tsp.TSPAlgorithms;
import org.bouncycastle.tsp.TSPException;
import org.bouncycastle.tsp.TimeStampRequest;
import org.bouncycastle.tsp.TimeStampRequestGenerator;
import org.bouncycastle.tsp.TimeStampResponse;
import org.bouncycastle.tsp.TimeStampToken;

/** An authority that stamps hashes with its time over HTTP, as RFC 3161, section 3.4, says. */
public final class TimeStampAuthority {
    /** How long an answer is waited for, all of it. */
    static final Duration TIMEOUT = Duration.ofSeconds(30);

    private static final int NONCE_BITS = 64;

    private final URI address;
    private final Duration timeout;

    public TimeStampAuthority(URI address) {
        this(address, TIMEOUT);
    }

    TimeStampAuthority(URI address, Duration timeout) {
        this.address = address;
        this.timeout = timeout;
    }

    /**
     * The token on a SHA-256 hash, with the authority's certificates.
     *
     * @throws RefusedTimeStampException if the authority grants none, or one that is of something else
     * @throws IOException if it cannot be reached, or does not answer in time
     */
    public byte[] stamp(byte[] sha256) throws IOException, InterruptedException, RefusedTimeStampException {
        TimeStampRequestGenerator generator = new TimeStampRequestGenerator();
        generator.setCertReq(true);
        TimeStampRequest request =
                generator.generate(TSPAlgorithms.SHA256, sha256, new BigInteger(NONCE_BITS, new SecureRandom()));
        byte[] body = ask(request.getEncoded());
        try {
            TimeStampResponse response = new TimeStampResponse(body);
            response.validate(request);
            TimeStampToken token = response.getTimeStampToken();
            if (token == null) {
                throw new RefusedTimeStampException(address + " grants no time stamp: " + response.getStatusString());
            }
            return token.getEncoded();
        } catch (TSPException | IOException | RuntimeException e) {
            throw new RefusedTimeStampException(address + " answers no time stamp on this: " + e.getMessage());
        }
    }

    /** The body of the answer to a request. The client's own timeout would end with the headers. */
    private byte[] ask(byte[] request) throws IOException, InterruptedException, RefusedTimeStampException {
        CompletableFuture<HttpResponse<InputStream>> sent = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NEVER)
                .build()
                .sendAsync(
                        HttpRequest.newBuilder(address)
                                .header("content-type", "application/timestamp-query")
                                .POST(HttpRequest.BodyPublishers.ofByteArray(request))
                                .build(),
                        HttpResponse.BodyHandlers.ofInputStream());
        try {
            Answer answer = sent.thenApplyAsync(Answer::read).get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            if (answer.status != 200 || answer.body.length > TimeStamps.MOST_BYTES) {
                throw new RefusedTimeStampException(
                        address + " answers " + answer.status + ", " + answer.body.length + " bytes");
            }
            return answer.body;
        } catch (TimeoutException e) {
            throw new IOException(address + " gives no whole answer within " + timeout.toMillis() + " ms", e);
        } catch (ExecutionException e) {
            throw new IOException(address + " gives no answer: " + e.getCause(), e);
        } finally {
            boolean unused = sent.cancel(true);
            CompletableFuture<Void> unusedToo = sent.thenAccept(Answer::close);
        }
    }

    /** What an authority answered, up to a bound. */
    private static final class Answer {
        private final int status;
        private final byte[] body;

        private Answer(int status, byte[] body) {
            this.status = status;
            this.body = body;
        }

        static Answer read(HttpResponse<InputStream> response) {
            try (InputStream in = response.body()) {
                return new Answer(response.statusCode(), in.readNBytes(TimeStamps.MOST_BYTES + 1));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Ends the read of a body. */
        static void close(HttpResponse<InputStream> response) {
            try {
                response.body().close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
