package dev.stormproof.timestamp;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.SecureRandom;
import java.time.Duration;
import org.bouncycastle.tsp.TSPAlgorithms;
import org.bouncycastle.tsp.TSPException;
import org.bouncycastle.tsp.TimeStampRequest;
import org.bouncycastle.tsp.TimeStampRequestGenerator;
import org.bouncycastle.tsp.TimeStampResponse;
import org.bouncycastle.tsp.TimeStampToken;

/** An authority that stamps hashes with its time over HTTP, as RFC 3161, section 3.4, says. */
public final class TimeStampAuthority {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int NONCE_BITS = 64;

    private final URI address;

    public TimeStampAuthority(URI address) {
        this.address = address;
    }

    /**
     * The token on a SHA-256 hash, with the authority's certificates.
     *
     * @throws RefusedTimeStampException if the authority grants none, or one that is of something else
     * @throws IOException if it cannot be reached
     */
    public byte[] stamp(byte[] sha256) throws IOException, InterruptedException, RefusedTimeStampException {
        TimeStampRequestGenerator generator = new TimeStampRequestGenerator();
        generator.setCertReq(true);
        TimeStampRequest request =
                generator.generate(TSPAlgorithms.SHA256, sha256, new BigInteger(NONCE_BITS, new SecureRandom()));
        HttpResponse<InputStream> answer = HttpClient.newBuilder()
                .connectTimeout(TIMEOUT)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build()
                .send(
                        HttpRequest.newBuilder(address)
                                .timeout(TIMEOUT)
                                .header("content-type", "application/timestamp-query")
                                .POST(HttpRequest.BodyPublishers.ofByteArray(request.getEncoded()))
                                .build(),
                        HttpResponse.BodyHandlers.ofInputStream());
        byte[] body;
        try (InputStream in = answer.body()) {
            body = in.readNBytes(TimeStamps.MOST_BYTES + 1);
        }
        if (answer.statusCode() != 200 || body.length > TimeStamps.MOST_BYTES) {
            throw new RefusedTimeStampException(
                    address + " answers " + answer.statusCode() + ", " + body.length + " bytes");
        }
        try {
            TimeStampResponse response = new TimeStampResponse(body);
            response.validate(request);
            TimeStampToken token = response.getTimeStampToken();
            if (token == null) {
                throw new RefusedTimeStampException(address + " grants no time stamp: " + response.getStatusString());
            }
            return token.getEncoded();
            // guard: whatever-an-answer-throws-it-is-refused: without | RuntimeException
        } catch (TSPException | IOException | RuntimeException e) {
            throw new RefusedTimeStampException(address + " answers no time stamp on this: " + e.getMessage());
        }
    }
}
