package dev.stormproof.timestamp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.stormproof.evidence.Stamp;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DLSet;
import org.bouncycastle.asn1.DLTaggedObject;
import org.bouncycastle.asn1.cms.CMSObjectIdentifiers;
import org.bouncycastle.asn1.cms.ContentInfo;
import org.bouncycastle.asn1.cms.SignedData;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.cert.jcajce.JcaCertStore;
import org.bouncycastle.cms.CMSSignedData;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Time stamps of a local authority, which speaks RFC 3161 over HTTP. */
@Timeout(120)
class TimeStampsTest {
    private static final Path GOLDEN = Path.of("src/test/resources/timestamp");

    private static final Path PLAIN = Path.of("src/test/resources/evidence/statement.proof");

    private final LocalAuthority authority = LocalAuthority.start();
    private final byte[] hash = hash("what is stamped");

    TimeStampsTest() throws Exception {}

    @AfterEach
    void close() {
        authority.close();
    }

    private static byte[] hash(String text) throws Exception {
        return MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
    }

    private byte[] token() throws Exception {
        return new TimeStampAuthority(authority.address()).stamp(hash);
    }

    private TimeStamps byRoot() {
        return new TimeStamps(List.of(authority.root));
    }

    private void assertRefused(TimeStamps trusted, byte[] token, byte[] of) {
        assertThatThrownBy(() -> trusted.check(token, of)).isInstanceOf(RefusedTimeStampException.class);
    }

    @Test
    void aTokenShowsItsTimeByTheWordOfItsAuthority() throws Exception {
        byte[] token = token();

        TimeStamps.Stamped stamped = byRoot().check(token, hash);
        assertThat(stamped.authority()).isEqualTo("CN=Authority");
        assertThat(Duration.between(stamped.time(), Instant.now())).isBetween(Duration.ZERO, Duration.ofMinutes(3));
        assertThat(new TimeStamps(List.of(authority.certificate)).check(token, hash))
                .isEqualTo(stamped);
    }

    @ParameterizedTest
    @EnumSource
    void aFlippedBitOfEachByteIsRefused(LocalAuthority.Keys keys) throws Exception {
        int first = ThreadLocalRandom.current().nextInt(8);
        assertThat(acceptedWithOneFlippedOf(keys, 8, first))
                .as("from bit " + first)
                .isEmpty();
    }

    @Tag("full")
    @Timeout(600)
    @ParameterizedTest
    @EnumSource
    void eachFlippedBitIsRefused(LocalAuthority.Keys keys) throws Exception {
        assertThat(acceptedWithOneFlippedOf(keys, 1, 0)).isEmpty();
    }

    /** The bits of a token, one of so many from a first one on, that can be flipped without a refusal, or with another failure. */
    private List<String> acceptedWithOneFlippedOf(LocalAuthority.Keys keys, int step, int first) throws Exception {
        try (LocalAuthority signing = LocalAuthority.start(keys)) {
            byte[] token = new TimeStampAuthority(signing.address()).stamp(hash);
            TimeStamps byRoot = new TimeStamps(List.of(signing.root));
            List<String> accepted = new ArrayList<>();
            for (int bit = first; bit < 8 * token.length; bit += step) {
                try {
                    TimeStamps.Stamped unused = byRoot.check(flipped(token, bit), hash);
                    accepted.add("bit " + bit % 8 + " of byte " + bit / 8 + " of " + token.length);
                } catch (RefusedTimeStampException e) {
                    assertThat(e).hasMessageMatching("(?s).+");
                } catch (RuntimeException e) {
                    accepted.add("bit " + bit + ": " + e);
                }
            }
            return accepted;
        }
    }

    private static byte[] flipped(byte[] bytes, int bit) {
        byte[] other = bytes.clone();
        other[bit / 8] ^= (byte) (1 << bit % 8);
        return other;
    }

    @Test
    void aTokenOnOtherBytesIsRefused() throws Exception {
        assertRefused(byRoot(), token(), hash("something else"));
    }

    @Test
    void anAuthorityThatNobodyVouchesForIsRefused() throws Exception {
        try (LocalAuthority other = LocalAuthority.start()) {
            assertRefused(new TimeStamps(List.of(other.root)), token(), hash);
            assertRefused(new TimeStamps(List.of(other.certificate)), token(), hash);
        }
    }

    /** Else whoever has any certificate of the root, as for a server, could stamp. */
    @Test
    void aCertificateForAnotherPurposeStampsNothing() throws Exception {
        assertThat(byRoot().check(authority.byHand(hash), hash).authority()).isEqualTo("CN=Authority");
        try (LocalAuthority server = new LocalAuthority(LocalAuthority.Keys.EC, KeyPurposeId.id_kp_serverAuth)) {
            assertRefused(new TimeStamps(List.of(server.root)), server.byHand(hash), hash);
            assertRefused(new TimeStamps(List.of(server.certificate)), server.byHand(hash), hash);
        }
    }

    @Test
    void aTimeAtWhichTheCertificateWasNotValidIsRefused() throws Exception {
        authority.now(Instant.now().minus(Duration.ofDays(400)));
        assertRefused(byRoot(), token(), hash);
    }

    @Test
    void anAnswerOnSomethingElseIsNotTaken() throws Exception {
        byte[][] kept = new byte[1][];
        authority.twist(answer -> {
            if (kept[0] == null) {
                kept[0] = answer;
            }
            return kept[0];
        });
        byte[] unused = token();
        assertThatThrownBy(this::token)
                .as("the answer to an earlier request, with another nonce")
                .isInstanceOf(RefusedTimeStampException.class);
        authority.twist(answer -> new byte[TimeStamps.MOST_BYTES + 1]);
        assertThatThrownBy(this::token).hasMessageContaining("65537 bytes");
        authority.twist(answer -> "no".getBytes(UTF_8));
        assertThatThrownBy(this::token).isInstanceOf(RefusedTimeStampException.class);
    }

    /** The answer ends of itself after two seconds, so that waiting longer fails the test and does not hold it. */
    @Test
    void anAnswerThatDripsIsNotWaitedFor() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        HttpServer dripping = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        dripping.createContext("/", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(200, 0);
                for (int drop = 0; drop < 100 && !over.await(20, TimeUnit.MILLISECONDS); drop++) {
                    exchange.getResponseBody().write(0);
                    exchange.getResponseBody().flush();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        dripping.start();
        try {
            URI address = URI.create("http://127.0.0.1:" + dripping.getAddress().getPort() + "/");
            assertThatThrownBy(() -> new TimeStampAuthority(address, Duration.ofMillis(300)).stamp(hash))
                    .hasMessageContaining("no whole answer within 300 ms")
                    .isInstanceOf(IOException.class);
        } finally {
            over.countDown();
            dripping.stop(0);
        }
    }

    @Test
    void anAuthorityWhereNothingListensIsNotReached() {
        authority.close();
        assertThatThrownBy(this::token).isInstanceOf(IOException.class).hasMessageContaining("gives no answer: ");
    }

    @Test
    void whateverIsFlippedOrCutInAnAnswerItIsATokenOrRefused() throws Exception {
        int refused = 0;
        List<String> thrown = new ArrayList<>();
        for (int at = 0; at < 300; at++) {
            int byteOfAnswer = 5 * at;
            authority.twist(answer -> byteOfAnswer % 2 == 0
                    ? flipped(answer, 8 * (byteOfAnswer % answer.length) + byteOfAnswer % 8)
                    : Arrays.copyOf(answer, byteOfAnswer % answer.length));
            try {
                byte[] unused = token();
            } catch (RefusedTimeStampException e) {
                refused++;
            } catch (IOException | RuntimeException e) {
                thrown.add("at " + byteOfAnswer + ": " + e);
            }
        }
        assertThat(thrown).isEmpty();
        assertThat(refused).isGreaterThan(150);
    }

    /** Its bits would mean nothing. */
    @Test
    void aCertificateThatLeadsNowhereIsRefused() throws Exception {
        try (LocalAuthority other = LocalAuthority.start()) {
            CMSSignedData token = new CMSSignedData(token());
            byte[] more = CMSSignedData.replaceCertificatesAndCRLs(
                            token,
                            new JcaCertStore(inTheirOneOrder(authority.certificate, other.certificate)),
                            token.getAttributeCertificates(),
                            token.getCRLs())
                    .toASN1Structure()
                    .getEncoded("DL");
            assertThatThrownBy(() -> byRoot().check(more, hash)).hasMessageContaining("leads to none that is given");
        }
    }

    /** Bouncy Castle passes over other elements of the set, so that their bits would mean nothing. */
    @Test
    void whatIsNoCertificateOrOneTwiceIsRefused() throws Exception {
        SignedData data = SignedData.getInstance(
                ContentInfo.getInstance(ASN1Primitive.fromByteArray(token())).getContent());
        for (ASN1Encodable more : List.of(
                new DLTaggedObject(false, 1, new DEROctetString(new byte[128])),
                new DEROctetString(new byte[32]),
                data.getCertificates().getObjectAt(0))) {
            ASN1EncodableVector all = new ASN1EncodableVector();
            data.getCertificates().forEach(all::add);
            all.add(more);
            SignedData other = new SignedData(
                    data.getDigestAlgorithms(),
                    data.getEncapContentInfo(),
                    new DLSet(all),
                    data.getCRLs(),
                    data.getSignerInfos());
            byte[] token = new ContentInfo(CMSObjectIdentifiers.signedData, other).getEncoded(ASN1Encoding.DL);

            assertThatThrownBy(() -> byRoot().check(token, hash))
                    .as("%s", more)
                    .hasMessageContaining("something else than certificates, or one twice");
        }
    }

    /** A set is written in the order of its bytes. */
    private static List<X509Certificate> inTheirOneOrder(X509Certificate one, X509Certificate other) throws Exception {
        return Arrays.compareUnsigned(one.getEncoded(), other.getEncoded()) < 0
                ? List.of(one, other)
                : List.of(other, one);
    }

    /** Written by {@code -Devidence.write=true}. */
    @Test
    void theGoldenProofIsStamped() throws Exception {
        Path proof = GOLDEN.resolve("statement-time-stamped.proof");
        Path root = GOLDEN.resolve("time-stamp-root.pem");
        if (Boolean.getBoolean("evidence.write")) {
            byte[] plain = Files.readAllBytes(PLAIN);
            byte[] token = new TimeStampAuthority(authority.address())
                    .stamp(Stamp.imprint(plain).toByteArray());
            Files.write(proof, Stamp.add(plain, token));
            Files.writeString(
                    root,
                    "-----BEGIN CERTIFICATE-----\n"
                            + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(authority.root.getEncoded())
                            + "\n-----END CERTIFICATE-----\n");
        }
        byte[] bytes = Files.readAllBytes(proof);
        Stamp stamp = Stamp.of(bytes).orElseThrow();

        assertThat(new TimeStamps(TimeStamps.certificates(Files.readAllBytes(root)))
                        .check(stamp.token().toByteArray(), stamp.imprint().toByteArray())
                        .authority())
                .isEqualTo("CN=Authority");
        assertThat(Stamp.add(Files.readAllBytes(PLAIN), stamp.token().toByteArray()))
                .isEqualTo(bytes);
    }

    @Test
    void aFileWithoutCertificatesIsRefused() {
        assertThatThrownBy(() -> TimeStamps.certificates("none".getBytes(UTF_8)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> TimeStamps.certificates(new byte[0])).isInstanceOf(IllegalArgumentException.class);
    }
}
