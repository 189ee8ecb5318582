package dev.stormproof.proof.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.proof.checkpoint.MalformedCheckpointException.Reason;
import dev.stormproof.proof.sign.CheckpointKey;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.sign.TrustedKeys;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.proof.tree.Xxh3;
import dev.stormproof.testing.CheckpointFields;
import java.nio.ByteBuffer;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class CheckpointVerifierTest {
    private static final Format2Checkpoint CHECKPOINT =
            CheckpointCodecTest.checkpoint(TreeHash.SHA256, 5, true, List.of());

    private final KeyPair oldPair = newPair("Ed25519");
    private final KeyPair newPair = newPair("Ed25519");
    private final CheckpointKey oldKey =
            CheckpointKey.ofPkcs8("billing-2025", oldPair.getPrivate().getEncoded());
    private final CheckpointKey newKey =
            CheckpointKey.ofPkcs8("billing-2026", newPair.getPrivate().getEncoded());
    private final TrustedKeys onlyOld =
            TrustedKeys.none().withX509("billing-2025", oldPair.getPublic().getEncoded());
    private final TrustedKeys both =
            onlyOld.withX509("billing-2026", newPair.getPublic().getEncoded());

    @Test
    void aTrustedKeysCheckpointIsReadWithItsKeyId() throws Exception {
        byte[] bytes = CheckpointCodec.encode(CHECKPOINT, oldKey);
        Format2Checkpoint read = new CheckpointVerifier(onlyOld).decode(bytes);
        assertThat(read).isEqualTo(CheckpointCodec.decode(bytes));
        assertThat(read.keyId()).contains("billing-2025");
        assertThat(read.leaves()).isEqualTo(CHECKPOINT.leaves());
    }

    @Test
    void afterRotationBothKeysAreAccepted() throws Exception {
        CheckpointVerifier verifier = new CheckpointVerifier(both);
        assertThat(verifier.decode(CheckpointCodec.encode(CHECKPOINT, oldKey)).keyId())
                .contains("billing-2025");
        assertThat(verifier.decode(CheckpointCodec.encode(CHECKPOINT, newKey)).keyId())
                .contains("billing-2026");
    }

    @Test
    void anotherKeyIsRefused() {
        byte[] bytes = CheckpointCodec.encode(CHECKPOINT, newKey);
        assertUntrusted(() -> new CheckpointVerifier(onlyOld).decode(bytes), "billing-2026");
    }

    @Test
    void aKeyUnderAnIdThatNoCheckpointCanHoldIsRefused() {
        byte[] der = newPair.getPublic().getEncoded();
        assertThatThrownBy(() -> onlyOld.withX509("billing 2026", der))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("billing 2026");
        assertThat(onlyOld.withX509("billing-2026", der).ids())
                .containsExactlyInAnyOrder("billing-2025", "billing-2026");
    }

    @Test
    void anotherKeyUnderATrustedIdIsRefused() {
        CheckpointKey impostor =
                CheckpointKey.ofPkcs8("billing-2025", newPair.getPrivate().getEncoded());
        byte[] bytes = CheckpointCodec.encode(CHECKPOINT, impostor);
        assertUntrusted(() -> new CheckpointVerifier(onlyOld).decode(bytes), "a wrong one");
    }

    @Test
    void unsignedIsRefusedWhereAnyKeyIsTrusted() throws Exception {
        byte[] bytes = CheckpointCodec.encode(CHECKPOINT);
        assertUntrusted(() -> new CheckpointVerifier(onlyOld).decode(bytes), "none");
        assertThat(new CheckpointVerifier(TrustedKeys.none()).decode(bytes)).isEqualTo(CHECKPOINT);
    }

    @Test
    void withoutTrustedKeysSignedCheckpointsAreReadUnverifiedAndTheirKeyIsNotNamed() throws Exception {
        byte[] bytes = CheckpointCodec.encode(CHECKPOINT, newKey);
        assertThat(new CheckpointVerifier(TrustedKeys.none()).decode(bytes).keyId())
                .isEmpty();
    }

    @Test
    void everySignedBitIsSigned() {
        byte[] bytes = CheckpointCodec.encode(CHECKPOINT, oldKey);
        CheckpointVerifier verifier = new CheckpointVerifier(onlyOld);
        int checksumAt = bytes.length - Long.BYTES;
        // A forger knows the checksum: make it fit again after each change.
        for (int bit = 0; bit < 8 * checksumAt; bit++) {
            byte[] forged = bytes.clone();
            forged[bit / 8] ^= (byte) (1 << bit % 8);
            ByteBuffer.wrap(forged).putLong(checksumAt, Xxh3.hash(forged, 0, checksumAt));
            assertThatThrownBy(() -> verifier.decode(forged))
                    .as("bit %s of byte %s", bit % 8, bit / 8)
                    .isInstanceOf(MalformedCheckpointException.class);
        }
    }

    @Test
    void aDamagedCheckpointIsCalledDamagedNotForged() {
        byte[] bytes = CheckpointCodec.encode(CHECKPOINT, oldKey);
        bytes[bytes.length - 20] ^= 1;
        assertThatThrownBy(() -> new CheckpointVerifier(onlyOld).decode(bytes))
                .isInstanceOfSatisfying(
                        MalformedCheckpointException.class,
                        e -> assertThat(e.reason()).isEqualTo(Reason.DAMAGED));
    }

    @Test
    void theChainDoesNotDependOnTheSignature() {
        Format2Checkpoint unsigned = CHECKPOINT;
        Hash chain = CheckpointCodec.chainHash(TreeHash.SHA256, CheckpointCodec.encode(unsigned, oldKey));
        assertThat(CheckpointCodec.chainHash(TreeHash.SHA256, CheckpointCodec.encode(unsigned, newKey)))
                .isEqualTo(chain);
    }

    @Test
    void keysAreReadFromPemAndFromBase64() {
        String privateText =
                Base64.getEncoder().encodeToString(oldPair.getPrivate().getEncoded());
        String publicText =
                Base64.getEncoder().encodeToString(oldPair.getPublic().getEncoded());
        String privatePem = "-----BEGIN PRIVATE KEY-----\n" + privateText + "\n-----END PRIVATE KEY-----\n";
        String publicPem = "-----BEGIN PUBLIC KEY-----\n" + publicText + "\n-----END PUBLIC KEY-----\n";
        byte[] wanted = CheckpointCodec.encode(CHECKPOINT, oldKey);
        for (String text : List.of(privateText, privatePem)) {
            assertThat(CheckpointCodec.encode(CHECKPOINT, CheckpointKey.ofText("billing-2025", text)))
                    .isEqualTo(wanted);
        }
        for (String text : List.of(publicText, publicPem)) {
            CheckpointVerifier verifier = new CheckpointVerifier(TrustedKeys.ofTexts(Map.of("billing-2025", text)));
            assertThat(readKeyId(verifier, wanted)).contains("billing-2025");
        }
    }

    @Test
    void whatIsNoKeyIsRefusedWithoutBeingRepeated() {
        String secret = "c2VjcmV0";
        assertThatThrownBy(() -> CheckpointKey.ofText("k", secret))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'k'")
                .hasMessageNotContaining(secret);
        assertThatThrownBy(() -> CheckpointKey.ofText("k", "s€cret!"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("s€cret");
        String publicPem = "-----BEGIN PUBLIC KEY-----\n" + secret + "\n-----END PUBLIC KEY-----\n";
        assertThatThrownBy(() -> CheckpointKey.ofText("k", publicPem))
                .hasMessageContaining("PUBLIC KEY")
                .hasMessageNotContaining(secret);
        byte[] otherCurve = newPair("Ed448").getPrivate().getEncoded();
        assertThatThrownBy(() -> CheckpointKey.ofPkcs8("k", otherCurve)).isInstanceOf(IllegalArgumentException.class);
        byte[] otherPublic = newPair("Ed448").getPublic().getEncoded();
        assertThatThrownBy(() -> TrustedKeys.none().withX509("k", otherPublic))
                .isInstanceOf(IllegalArgumentException.class);
        byte[] good = oldPair.getPrivate().getEncoded();
        assertThatThrownBy(() -> CheckpointKey.ofPkcs8("no spaces", good)).isInstanceOf(IllegalArgumentException.class);
        assertThat(oldKey.toString()).isEqualTo("key 'billing-2025'");
    }

    @Test
    void protectionAgainstTamperingNeedsAKey() {
        assertThatThrownBy(() -> CheckpointVerifier.againstTampering(TrustedKeys.none()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** The flag alone, on bytes too short for a signature. */
    static byte[] signedWithoutTrailer() {
        byte[] bytes = new byte[120];
        bytes[5] = 4;
        return bytes;
    }

    private static Optional<String> readKeyId(CheckpointVerifier verifier, byte[] bytes) {
        try {
            return verifier.decode(bytes).keyId();
        } catch (MalformedCheckpointException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void whatProtectsAgainstAccidentsAloneIsNotBelievedWhereTamperingIsFeared() throws Exception {
        CheckpointVerifier strict = CheckpointVerifier.againstTampering(onlyOld);
        assertUntrusted(
                () -> strict.decode(CheckpointCodec.encode(empty(TreeHash.XXH3, 3), oldKey)),
                "protects against accidents alone");
        assertUntrusted(
                () -> strict.decode(CheckpointCodec.encode(empty(TreeHash.SHA256, 4), oldKey)),
                "protects against accidents alone");
        assertThat(strict.decode(CheckpointCodec.encode(empty(TreeHash.SHA256, 3), oldKey))
                        .keyId())
                .contains("billing-2025");
    }

    private static Format2Checkpoint empty(TreeHash treeHash, int algorithm) {
        return CheckpointFields.checkpoint(new StreamId("orders", 0, 5), c -> {
            c.treeHash = treeHash;
            c.signatureAlgorithm = algorithm;
            c.signatureSizeBytes = EventSigners.sizeOf(algorithm);
            c.root = Hash.copyOf(new byte[treeHash.sizeBytes()]);
        });
    }

    /** An audit and a topology may be given the keys in different orders, and find the same bytes. */
    @Test
    void theTrustedKeysAreNamedInTheOrderOfTheirIds() {
        byte[] bytes = CheckpointCodec.encode(CHECKPOINT, newKey);
        List<String> sorted = List.of("2026", "billing", "eu-west", "k1", "key-2", "orders", "zulu");
        for (int first = 0; first < sorted.size(); first++) {
            TrustedKeys keys = TrustedKeys.none();
            for (int i = 0; i < sorted.size(); i++) {
                String id = sorted.get((first + 3 * i) % sorted.size());
                keys = keys.withX509(id, oldPair.getPublic().getEncoded());
            }
            CheckpointVerifier verifier = new CheckpointVerifier(keys);
            assertUntrusted(() -> verifier.decode(bytes), "want one of " + sorted);
        }
    }

    private static void assertUntrusted(ThrowingCallable call, String detail) {
        assertThatThrownBy(call).isInstanceOfSatisfying(MalformedCheckpointException.class, e -> {
            assertThat(e.reason()).isEqualTo(Reason.UNTRUSTED);
            assertThat(e).hasMessageContaining(detail);
        });
    }

    private static KeyPair newPair(String algorithm) {
        try {
            return KeyPairGenerator.getInstance(algorithm).generateKeyPair();
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
