package dev.stormproof.timestamp;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.function.UnaryOperator;
import org.bouncycastle.asn1.ASN1GeneralizedTime;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERSet;
import org.bouncycastle.asn1.cms.Attribute;
import org.bouncycastle.asn1.cms.AttributeTable;
import org.bouncycastle.asn1.ess.ESSCertIDv2;
import org.bouncycastle.asn1.ess.SigningCertificateV2;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.tsp.MessageImprint;
import org.bouncycastle.asn1.tsp.TSTInfo;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.cert.jcajce.JcaCertStore;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.CMSSignedDataGenerator;
import org.bouncycastle.cms.CMSTypedData;
import org.bouncycastle.cms.DefaultSignedAttributeTableGenerator;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoGeneratorBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.operator.jcajce.JcaDigestCalculatorProviderBuilder;
import org.bouncycastle.tsp.TSPAlgorithms;
import org.bouncycastle.tsp.TimeStampRequest;
import org.bouncycastle.tsp.TimeStampResponseGenerator;
import org.bouncycastle.tsp.TimeStampTokenGenerator;
import org.jspecify.annotations.Nullable;

/** An authority of one's own: a root, a certificate for time stamping, and RFC 3161 over HTTP. */
public final class LocalAuthority implements AutoCloseable {
    /** What it signs with. */
    enum Keys {
        EC(256, "SHA256withECDSA"),
        RSA(2_048, "SHA256withRSA");

        private final int bits;
        private final String signature;

        Keys(int bits, String signature) {
            this.bits = bits;
            this.signature = signature;
        }

        private KeyPair pair() throws Exception {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(name());
            generator.initialize(bits);
            return generator.generateKeyPair();
        }
    }

    private static final Duration VALID = Duration.ofDays(36_500);

    public final X509Certificate root;
    final X509Certificate certificate;
    private final KeyPair key;
    private final String signature;
    private final HttpServer server;
    private volatile UnaryOperator<byte[]> twist = answer -> answer;
    private volatile Instant now = Instant.now();
    private int serial;

    LocalAuthority(Keys keys, KeyPurposeId purpose) throws Exception {
        signature = keys.signature;
        KeyPair rootKey = keys.pair();
        key = keys.pair();
        X500Name rootName = new X500Name("CN=Root");
        root = certificate(rootName, rootKey, rootName, rootKey, null);
        certificate = certificate(rootName, rootKey, new X500Name("CN=Authority"), key, purpose);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.start();
    }

    public static LocalAuthority start() throws Exception {
        return start(Keys.EC);
    }

    static LocalAuthority start(Keys keys) throws Exception {
        return new LocalAuthority(keys, KeyPurposeId.id_kp_timeStamping);
    }

    public URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }

    /** Has answers changed on their way. */
    void twist(UnaryOperator<byte[]> change) {
        twist = change;
    }

    /** Sets its clock. */
    void now(Instant time) {
        now = time;
    }

    private X509Certificate certificate(
            X500Name issuer, KeyPair signer, X500Name subject, KeyPair subjectKey, @Nullable KeyPurposeId purpose)
            throws Exception {
        Date from = Date.from(Instant.now().minus(Duration.ofDays(1)));
        JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                issuer,
                BigInteger.valueOf(System.nanoTime()),
                from,
                Date.from(Instant.now().plus(VALID)),
                subject,
                subjectKey.getPublic());
        if (purpose == null) {
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
        } else {
            builder.addExtension(Extension.extendedKeyUsage, true, new ExtendedKeyUsage(purpose));
        }
        return new JcaX509CertificateConverter()
                .getCertificate(builder.build(new JcaContentSignerBuilder(signature).build(signer.getPrivate())));
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] answer = twist.apply(
                    answer(new TimeStampRequest(exchange.getRequestBody().readAllBytes())));
            exchange.getResponseHeaders().set("Content-Type", "application/timestamp-reply");
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    private synchronized byte[] answer(TimeStampRequest request) throws Exception {
        TimeStampTokenGenerator tokens = new TimeStampTokenGenerator(
                new JcaSimpleSignerInfoGeneratorBuilder().build(signature, key.getPrivate(), certificate),
                new JcaDigestCalculatorProviderBuilder().build().get(new AlgorithmIdentifier(TSPAlgorithms.SHA256)),
                new ASN1ObjectIdentifier("1.2.3.4"));
        tokens.addCertificates(new JcaCertStore(List.of(certificate)));
        serial++;
        return new TimeStampResponseGenerator(tokens, TSPAlgorithms.ALLOWED)
                .generate(request, BigInteger.valueOf(serial), Date.from(now))
                .getEncoded();
    }

    /** A token that is made by hand, whatever the certificate is for. */
    byte[] byHand(byte[] sha256) throws Exception {
        AlgorithmIdentifier algorithm = new AlgorithmIdentifier(TSPAlgorithms.SHA256);
        byte[] own = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
        Attribute signing = new Attribute(
                PKCSObjectIdentifiers.id_aa_signingCertificateV2,
                new DERSet(new SigningCertificateV2(new ESSCertIDv2(own))));
        TSTInfo info = new TSTInfo(
                new ASN1ObjectIdentifier("1.2.3.4"),
                new MessageImprint(algorithm, sha256),
                new ASN1Integer(1),
                new ASN1GeneralizedTime(Date.from(now)),
                null,
                null,
                null,
                null,
                null);
        CMSSignedDataGenerator signed = new CMSSignedDataGenerator();
        signed.addSignerInfoGenerator(new JcaSimpleSignerInfoGeneratorBuilder()
                .setSignedAttributeGenerator(new DefaultSignedAttributeTableGenerator(new AttributeTable(signing)))
                .build(signature, key.getPrivate(), certificate));
        signed.addCertificates(new JcaCertStore(List.of(certificate)));
        CMSTypedData content = new CMSProcessableByteArray(PKCSObjectIdentifiers.id_ct_TSTInfo, info.getEncoded());
        return signed.generate(content, true).toASN1Structure().getEncoded("DL");
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
