package dev.stormproof.timestamp;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.ASN1Set;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.DLSet;
import org.bouncycastle.asn1.cms.CMSObjectIdentifiers;
import org.bouncycastle.asn1.cms.ContentInfo;
import org.bouncycastle.asn1.cms.IssuerAndSerialNumber;
import org.bouncycastle.asn1.cms.SignedData;
import org.bouncycastle.asn1.cms.SignerInfo;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cms.CMSException;
import org.bouncycastle.cms.CMSSignedData;
import org.bouncycastle.cms.SignerInformationVerifier;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoVerifierBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.tsp.TSPAlgorithms;
import org.bouncycastle.tsp.TSPException;
import org.bouncycastle.tsp.TimeStampToken;
import org.jspecify.annotations.Nullable;

/**
 * The check of a token of <a href="https://www.rfc-editor.org/rfc/rfc3161">RFC 3161</a>, without a network.
 *
 * <pre>
 *   hash ──► TSTInfo: hash, time ──► signature ◄── authority's certificate, for time stamping alone ◄── … ◄── one that is given
 * </pre>
 *
 * <p>What the signature does not cover is held to one form, and a certificate that leads nowhere is refused: so no bit is without a meaning.
 * Whether a certificate was revoked is not asked.
 */
public final class TimeStamps {
    /** How much of a token is read. */
    public static final int MOST_BYTES = 1 << 16;

    private final List<X509Certificate> trusted;

    /** @param trusted the authority's own certificate, or those that vouch for it */
    public TimeStamps(Collection<X509Certificate> trusted) {
        this.trusted = List.copyOf(trusted);
    }

    /** A time, and whose word it is. */
    public record Stamped(Instant time, String authority) {}

    /**
     * The certificates of a file, PEM or DER.
     *
     * @throws IllegalArgumentException if there are none
     */
    public static List<X509Certificate> certificates(byte[] file) {
        try {
            List<X509Certificate> found = new ArrayList<>();
            for (Certificate one :
                    CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(file))) {
                found.add((X509Certificate) one);
            }
            if (!found.isEmpty()) {
                return found;
            }
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("it holds no X.509 certificates: " + e.getMessage(), e);
        }
        throw new IllegalArgumentException("it holds no X.509 certificate");
    }

    /** The time at which a SHA-256 hash was stamped; throws if the token does not show it, or nobody who is trusted vouches for it. */
    public Stamped check(byte[] token, byte[] sha256) throws RefusedTimeStampException {
        try {
            if (token.length > MOST_BYTES) {
                throw new RefusedTimeStampException("a time stamp of more than " + MOST_BYTES + " bytes");
            }
            SignerInfo signer = demandOneForm(token);
            TimeStampToken stamp = new TimeStampToken(new CMSSignedData(token));
            if (!stamp.getTimeStampInfo().getMessageImprintAlgOID().equals(TSPAlgorithms.SHA256)
                    || !Arrays.equals(stamp.getTimeStampInfo().getMessageImprintDigest(), sha256)) {
                throw new RefusedTimeStampException("the time stamp is of other bytes");
            }
            Date time = stamp.getTimeStampInfo().getGenTime();
            List<X509Certificate> sent = new ArrayList<>();
            X509Certificate authority = null;
            for (X509CertificateHolder one : stamp.getCertificates().getMatches(null)) {
                X509Certificate certificate = new JcaX509CertificateConverter().getCertificate(one);
                sent.add(certificate);
                authority = stamp.getSID().match(one) ? certificate : authority;
            }
            for (X509Certificate one : trusted) {
                authority = authority == null && stamp.getSID().match(new X509CertificateHolder(one.getEncoded()))
                        ? one
                        : authority;
            }
            if (authority == null) {
                throw new RefusedTimeStampException("the certificate of its authority is neither in it nor given");
            }
            byte[] named = new IssuerAndSerialNumber(
                            X500Name.getInstance(
                                    authority.getIssuerX500Principal().getEncoded()),
                            authority.getSerialNumber())
                    .getEncoded();
            // Names are compared without regard to case, and its bytes are not signed.
            if (!Arrays.equals(named, signer.getSID().getEncoded())) {
                throw new RefusedTimeStampException(
                        "the time stamp names its authority in another form than the certificate");
            }
            demandTrust(authority, sent, time);
            SignerInformationVerifier verifier = new JcaSimpleSignerInfoVerifierBuilder().build(authority);
            // The signature, the hash of the certificate in it, and the one purpose of the certificate.
            stamp.validate(verifier);
            return new Stamped(
                    time.toInstant(), authority.getSubjectX500Principal().getName());
        } catch (TSPException
                | CMSException
                | IOException
                | OperatorCreationException
                | GeneralSecurityException
                | RuntimeException e) {
            // Bouncy Castle has a different exception for each way in which bytes are no token.
            throw new RefusedTimeStampException("the time stamp does not hold: " + e.getMessage());
        }
    }

    private void demandTrust(X509Certificate authority, List<X509Certificate> sent, Date time)
            throws GeneralSecurityException, RefusedTimeStampException {
        List<Certificate> path = List.of(authority);
        if (!trusted.contains(authority)) {
            X509CertSelector wanted = new X509CertSelector();
            wanted.setCertificate(authority);
            Set<TrustAnchor> anchors =
                    trusted.stream().map(one -> new TrustAnchor(one, null)).collect(Collectors.toSet());
            PKIXBuilderParameters parameters = new PKIXBuilderParameters(anchors, wanted);
            parameters.addCertStore(CertStore.getInstance("Collection", new CollectionCertStoreParameters(sent)));
            parameters.setRevocationEnabled(false);
            parameters.setDate(time);
            path = new ArrayList<>(CertPathBuilder.getInstance("PKIX")
                    .build(parameters)
                    .getCertPath()
                    .getCertificates());
        }
        for (X509Certificate one : sent) {
            if (!path.contains(one) && !trusted.contains(one)) {
                throw new RefusedTimeStampException(
                        "its certificate of " + one.getSubjectX500Principal().getName()
                                + " leads to none that is given; give the one that signed it");
            }
        }
    }

    /** What no signature covers has one form. */
    private static SignerInfo demandOneForm(byte[] token) throws IOException, RefusedTimeStampException {
        ContentInfo info = ContentInfo.getInstance(ASN1Primitive.fromByteArray(token));
        SignedData data = SignedData.getInstance(info.getContent());
        // Of what has no other form than the one that is made here, tags and types are the right ones as well.
        byte[] again = new ContentInfo(CMSObjectIdentifiers.signedData, data).getEncoded(ASN1Encoding.DL);
        if (!Arrays.equals(again, token)
                || !(data.getEncapContentInfo().getContent() instanceof ASN1OctetString)
                || data.getSignerInfos().size() != 1
                || data.getCRLs() != null
                || !data.getVersion().hasValue(3)) {
            throw new RefusedTimeStampException("the time stamp is not in its one form");
        }
        demandCertificates(data.getCertificates());
        SignerInfo signer = SignerInfo.getInstance(data.getSignerInfos().getObjectAt(0));
        byte[] written = data.getSignerInfos().getObjectAt(0).toASN1Primitive().getEncoded(ASN1Encoding.DL);
        boolean digests = Arrays.equals(signer.getEncoded(ASN1Encoding.DL), written)
                && data.getDigestAlgorithms().size() == 1
                && AlgorithmIdentifier.getInstance(data.getDigestAlgorithms().getObjectAt(0))
                        .equals(signer.getDigestAlgorithm());
        boolean plain = digests
                && signer.getUnauthenticatedAttributes() == null
                && isPlain(signer.getDigestAlgorithm().getParameters());
        if (!plain || !signer.getVersion().hasValue(1)) {
            throw new RefusedTimeStampException("the time stamp holds more than its authority signed");
        }
        return signer;
    }

    /** Bouncy Castle passes over what is no X.509 certificate. */
    private static void demandCertificates(@Nullable ASN1Set certificates) throws RefusedTimeStampException {
        Set<ASN1Encodable> seen = new HashSet<>();
        for (ASN1Encodable one : certificates == null ? new DLSet() : certificates) {
            if (!(one instanceof ASN1Sequence) || !seen.add(one)) {
                throw new RefusedTimeStampException(
                        "the time stamp holds something else than certificates, or one twice");
            }
        }
    }

    private static boolean isPlain(@Nullable ASN1Encodable parameters) {
        return parameters == null || DERNull.INSTANCE.equals(parameters);
    }
}
