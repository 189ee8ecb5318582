package dev.stormproof.proof.sign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Signatures are those of RFC 8032, and of the JDK. */
class Ed25519SignaturesTest {
    /** RFC 8410, 10: what stands before the key's 32 bytes. */
    private static final String PKCS8 = "302e020100300506032b657004220420";

    private static final String X509 = "302a300506032b6570032100";

    private static final int SIGNATURE_BYTES = 64;

    @Test
    void theThirdTestOfRfc8032IsSignedAndVerified() throws Exception {
        var privateKey = Ed25519Signatures.privateKey(
                hex(PKCS8 + "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7"));
        var publicKey = Ed25519Signatures.publicKey(
                hex(X509 + "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025"));
        String signature = "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
                + "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a";

        assertThat(Ed25519Signatures.sign(privateKey, hex("af82"), 2)).isEqualTo(hex(signature));
        assertThat(Ed25519Signatures.verify(publicKey, hex("af82" + signature), 2))
                .isTrue();
    }

    @Test
    void theJdkMakesTheSameSignaturesAndEachBitOfOneCounts() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 20; round++) {
            KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
            byte[] data = new byte[random.nextInt(300)];
            random.nextBytes(data);
            byte[] signed = Arrays.copyOf(data, data.length + SIGNATURE_BYTES);
            System.arraycopy(jdkSignature(pair, data), 0, signed, data.length, SIGNATURE_BYTES);
            var privateKey = Ed25519Signatures.privateKey(pair.getPrivate().getEncoded());
            var publicKey = Ed25519Signatures.publicKey(pair.getPublic().getEncoded());

            assertThat(Ed25519Signatures.sign(privateKey, signed, data.length))
                    .as("seed %d, round %d", seed, round)
                    .isEqualTo(Arrays.copyOfRange(signed, data.length, signed.length));
            assertThat(Ed25519Signatures.verify(publicKey, signed, data.length)).isTrue();
            int bit = random.nextInt(8 * signed.length);
            signed[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(Ed25519Signatures.verify(publicKey, signed, data.length))
                    .as("seed %d, round %d, bit %d", seed, round, bit)
                    .isFalse();
        }
    }

    /** RFC 8032, 5.1.7: S is less than the group's order L, or each signature would have another one. */
    @Test
    void aSignatureWhoseScalarIsNotReducedIsRefused() throws Exception {
        KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        var publicKey = Ed25519Signatures.publicKey(pair.getPublic().getEncoded());
        byte[] signature = jdkSignature(pair, new byte[0]);
        assertThat(Ed25519Signatures.verify(publicKey, signature, 0)).isTrue();

        BigInteger order = BigInteger.TWO.pow(252).add(new BigInteger("27742317777372353535851937790883648493"));
        byte[] scalar = reversed(Arrays.copyOfRange(signature, 32, SIGNATURE_BYTES));
        byte[] unreduced = new BigInteger(1, scalar).add(order).toByteArray();
        Arrays.fill(signature, 32, SIGNATURE_BYTES, (byte) 0);
        System.arraycopy(reversed(unreduced), 0, signature, 32, unreduced.length);

        assertThat(Ed25519Signatures.verify(publicKey, signature, 0)).isFalse();
    }

    @Test
    void aKeyThatIsNoPointOfTheCurveIsRefused() {
        // y = 2 has no x.
        assertThatThrownBy(() -> Ed25519Signatures.publicKey(hex(X509 + "02" + "00".repeat(31))))
                .isInstanceOf(GeneralSecurityException.class);
    }

    private static byte[] jdkSignature(KeyPair pair, byte[] data) throws GeneralSecurityException {
        Signature signature = Signature.getInstance("Ed25519");
        signature.initSign(pair.getPrivate());
        signature.update(data);
        return signature.sign();
    }

    private static byte[] reversed(byte[] bytes) {
        byte[] reversed = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            reversed[i] = bytes[bytes.length - 1 - i];
        }
        return reversed;
    }

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text);
    }

    @Test
    void aSignatureBesideItsDataIsVerifiedByTheLetter() throws Exception {
        KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        byte[] x509 = pair.getPublic().getEncoded();
        byte[] data = {1, 2, 3};
        byte[] signature = jdkSignature(pair, data);
        byte[] other = signature.clone();
        other[5] ^= 1;
        TrustedKeys keys = TrustedKeys.none().withX509("k", x509);

        assertThat(keys.verifyExactly("k", data, signature)).isTrue();
        assertThat(keys.verifyExactly("k", data, other)).isFalse();
        assertThat(keys.verifyExactly("k", data, Arrays.copyOf(signature, SIGNATURE_BYTES - 1)))
                .isFalse();
        assertThat(keys.verifyExactly("another", data, signature)).isFalse();
        assertThat(keys.texts()).containsExactly("k:" + Base64.getEncoder().encodeToString(x509));
    }

    @Test
    void aPublicKeyAloneVerifiesWhatItsPrivateKeySigned() throws Exception {
        KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        byte[] x509 = pair.getPublic().getEncoded();
        CheckpointKey key = CheckpointKey.ofPkcs8("k", pair.getPrivate().getEncoded());
        PublicKey read = PublicKey.ofText(Base64.getEncoder().encodeToString(x509));
        byte[] data = {1, 2, 3};
        byte[] signature = key.sign(data, data.length);

        for (PublicKey one : new PublicKey[] {read, key.publicKey()}) {
            assertThat(one.bytes()).isEqualTo(Arrays.copyOfRange(x509, x509.length - 32, x509.length));
            assertThat(one.verify(data, signature)).isTrue();
            assertThat(one.verifyExactly(data, signature)).isTrue();
            assertThat(one.verify(new byte[3], signature)).isFalse();
            assertThat(one.verifyExactly(new byte[3], signature)).isFalse();
        }
    }
}
