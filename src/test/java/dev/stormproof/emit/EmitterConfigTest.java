package dev.stormproof.emit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.proof.sign.EventSigner;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.tree.TreeHash;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmitterConfigTest {
    private static EmitterConfig config(Object... settings) {
        return new EmitterConfig(map(settings));
    }

    private static Map<String, Object> map(Object... settings) {
        Map<String, Object> map = new HashMap<>();
        for (int i = 0; i < settings.length; i += 2) {
            map.put((String) settings[i], settings[i + 1]);
        }
        return map;
    }

    private static void assertRefused(String message, Object... settings) {
        assertThatThrownBy(() -> config(settings))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message);
    }

    /** A signer as an application would supply it. */
    public static final class Length implements EventSigner {
        @Override
        public byte id() {
            return (byte) 200;
        }

        @Override
        public int sizeBytes() {
            return 1;
        }

        @Override
        public void sign(byte[] value, byte[] out, int outBegin) {
            out[outBegin] = (byte) value.length;
        }
    }

    /** A signer under an id that belongs to the format. */
    public static final class Usurper implements EventSigner {
        @Override
        public byte id() {
            return EventSigners.SHA256_KEY_VALUE;
        }

        @Override
        public int sizeBytes() {
            return 1;
        }

        @Override
        public void sign(byte[] value, byte[] out, int outBegin) {}
    }

    @Test
    void defaultsAreThoseOfTheDocumentation() {
        EmitterConfig config = config("bootstrap.servers", "localhost:1", "client.id", "shop");
        assertThat(config.format).isEqualTo(2);
        assertThat(config.emitterName).isEqualTo("shop");
        assertThat(config.maxEvents).isEqualTo(1_000);
        assertThat(config.maxIntervalMillis).isEqualTo(1_000);
        assertThat(config.maxBytes).isEqualTo(900_000);
        assertThat(config.deadlineMillis).isEqualTo(60_000);
        assertThat(config.keepsLeaves).isTrue();
        assertThat(config.treeHash).isEqualTo(TreeHash.XXH3);
        assertThat(config.signers.get().id()).isEqualTo((byte) EventSigners.XXH3_KEY_VALUE);
        assertThat(config.signatureHeader).isEqualTo("signature");
        assertThat(config.key).isEmpty();
        assertThat(config.isTransactional).isFalse();
    }

    @Test
    void stringsFromAPropertiesFileAreRead() {
        EmitterConfig config = config(EmitterConfig.MAX_EVENTS, "7", EmitterConfig.DEADLINE_MS, "500");
        assertThat(config.maxEvents).isEqualTo(7);
        assertThat(config.deadlineMillis).isEqualTo(500);
    }

    @Test
    void aRemovedSettingIsRefusedWithWhatToUseInItsPlace() {
        EmitterConfig.REMOVED.forEach((key, instead) -> {
            assertRefused(key + " was removed: " + instead, key, "true");
        });
        try (HideCheckpoints consumer = new HideCheckpoints()) {
            assertThatThrownBy(() -> consumer.configure(map("group.id", "g", "stormproof.verified.group", "v")))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageStartingWith("stormproof.verified.group was removed: read the output topic");
        }
    }

    @Test
    void anUnknownSettingIsRefusedAndTheNearestNamed() {
        assertRefused(
                "unknown setting stormproof.checkpoint.max.event; did you mean stormproof.checkpoint.max.events?",
                "stormproof.checkpoint.max.event",
                5);
        assertRefused("did you mean stormproof.format?", "stormproof.fromat", 1);
        assertThat(config("my.own.serializer.setting", "x").maxEvents).isEqualTo(1_000);
    }

    @Test
    void weakAcknowledgementIsRefused() {
        assertRefused("checkpoints need acks=all", "acks", "1");
        assertRefused("checkpoints need acks=all", "acks", 0);
        assertRefused("checkpoints need enable.idempotence=true", "enable.idempotence", false);
        assertRefused("checkpoints need enable.idempotence=true", "enable.idempotence", "false");
        assertThat(config("acks", "-1", "enable.idempotence", "true").maxEvents).isEqualTo(1_000);
    }

    @Test
    void theSizeOfCheckpointsFollowsTheClientsLimitsUnlessItIsSet() {
        assertThat(config().maxBytes).isEqualTo(900_000);
        assertThat(config("max.request.size", 500_000).maxBytes).isEqualTo(498_976);
        assertThat(config("max.request.size", 500_000, "buffer.memory", "100000").maxBytes)
                .isEqualTo(98_976);
        assertThat(config("max.request.size", 500_000, EmitterConfig.MAX_BYTES, 5_000).maxBytes)
                .isEqualTo(5_000);
        assertThat(config("max.request.size", 500).maxBytes).isZero();
    }

    @Test
    void valuesOutOfRangeAreRefused() {
        assertRefused(EmitterConfig.FORMAT, EmitterConfig.FORMAT, 3);
        assertRefused(EmitterConfig.MAX_EVENTS, EmitterConfig.MAX_EVENTS, 0);
        assertRefused(EmitterConfig.DETAIL, EmitterConfig.DETAIL, "everything");
        assertRefused(EmitterConfig.TREE_HASH, EmitterConfig.TREE_HASH, "crc32");
        assertRefused("max.request.size (500000)", "max.request.size", 500_000, EmitterConfig.MAX_BYTES, 499_000);
        assertRefused("without control characters", EmitterConfig.EMITTER_NAME, "a\u001bb");
        assertRefused("at most 255 bytes", "client.id", "ü".repeat(128));
    }

    private static Object[] and(Object[] settings, Object... more) {
        return Stream.concat(Arrays.stream(settings), Arrays.stream(more)).toArray();
    }

    private static String secret() throws Exception {
        KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        return Base64.getEncoder().encodeToString(pair.getPrivate().getEncoded());
    }

    private static Object[] key() throws Exception {
        return new Object[] {EmitterConfig.KEY_ID, "k1", EmitterConfig.KEY_PRIVATE, secret()};
    }

    private static void assertChosen(TreeHash treeHash, int algorithm, Object... settings) {
        EmitterConfig config = config(settings);
        assertThat(config.treeHash).isEqualTo(treeHash);
        assertThat(config.signers.get().id()).isEqualTo((byte) algorithm);
    }

    @Test
    void oneChoiceOfWhatToProtectAgainst() throws Exception {
        assertChosen(TreeHash.XXH3, EventSigners.XXH3_KEY_VALUE, EmitterConfig.PROTECT_AGAINST, "accidents");
        assertChosen(
                TreeHash.SHA256, EventSigners.SHA256_KEY_VALUE, and(key(), EmitterConfig.PROTECT_AGAINST, "tampering"));
        assertRefused(EmitterConfig.PROTECT_AGAINST, EmitterConfig.PROTECT_AGAINST, "theft");
    }

    @Test
    void singleSettingsOverrideTheChoice() throws Exception {
        Object[] accidents = {EmitterConfig.PROTECT_AGAINST, "accidents"};
        assertChosen(TreeHash.SHA256, EventSigners.XXH3_KEY_VALUE, and(accidents, EmitterConfig.TREE_HASH, "sha256"));
        assertChosen(
                TreeHash.XXH3,
                EventSigners.SHA256_KEY_VALUE,
                and(accidents, EmitterConfig.EVENT_SIGNER, "sha256-key-value"));
        assertChosen(TreeHash.XXH3, EventSigners.XXH3_KEY_VALUE, and(accidents, key()));
        assertChosen(
                TreeHash.SHA256,
                200,
                and(
                        key(),
                        EmitterConfig.PROTECT_AGAINST,
                        "tampering",
                        EmitterConfig.TREE_HASH,
                        "sha256",
                        EmitterConfig.EVENT_SIGNER,
                        Length.class.getName()));
    }

    /** Who signed checkpoints, or chose the sha256 tree, before there was the choice does not get weaker signatures by it. */
    @Test
    void withoutTheChoiceAKeyOrTheSha256TreeHasEventsSignedAgainstTampering() throws Exception {
        assertChosen(TreeHash.SHA256, EventSigners.SHA256_KEY_VALUE, key());
        assertChosen(TreeHash.SHA256, EventSigners.SHA256_KEY_VALUE, EmitterConfig.TREE_HASH, "sha256");
        assertChosen(TreeHash.XXH3, EventSigners.SHA256_KEY_VALUE, and(key(), EmitterConfig.TREE_HASH, "xxh3"));
        assertChosen(
                TreeHash.SHA256, EventSigners.XXH3_KEY_VALUE, and(key(), EmitterConfig.EVENT_SIGNER, "xxh3-key-value"));
    }

    @Test
    void whatContradictsProtectionAgainstTamperingIsRefused() throws Exception {
        Object[] tampering = {EmitterConfig.PROTECT_AGAINST, "tampering"};
        assertRefused("stormproof.protect.against=tampering needs stormproof.checkpoint.key.file", tampering);
        Object[] signed = and(key(), tampering);
        assertRefused("protects against accidents alone", and(signed, EmitterConfig.TREE_HASH, "xxh3"));
        assertRefused("name sha256-key-value or a class", and(signed, EmitterConfig.EVENT_SIGNER, "xxh3-key-value"));
        assertRefused("needs stormproof.format=2", and(tampering, EmitterConfig.FORMAT, 1));
    }

    @Test
    void format1HasItsOwnAlgorithms() {
        EmitterConfig config = config(EmitterConfig.FORMAT, 1);
        assertThat(config.treeHash).isEqualTo(TreeHash.ADLER32);
        assertThat(config.signers.get().id()).isEqualTo((byte) EventSigners.SHA1);
        assertRefused("format 1 has adler32", EmitterConfig.FORMAT, 1, EmitterConfig.TREE_HASH, "xxh3");
        assertRefused("only format 1 has it", EmitterConfig.TREE_HASH, "adler32");
        assertRefused("format 1 has sha1", EmitterConfig.FORMAT, 1, EmitterConfig.EVENT_SIGNER, "xxh3-key-value");
        assertRefused("sha1", EmitterConfig.EVENT_SIGNER, "sha1");
        assertRefused("at least 2 events", EmitterConfig.FORMAT, 1, EmitterConfig.MAX_EVENTS, 1);
    }

    @Test
    void anApplicationCanSupplyASigner() {
        EmitterConfig config = config(EmitterConfig.EVENT_SIGNER, Length.class.getName());
        assertThat(config.signers.get()).isInstanceOf(Length.class).isNotSameAs(config.signers.get());
        assertRefused("nor a class found here", EmitterConfig.EVENT_SIGNER, "md5");
        assertRefused("is no dev.stormproof", EmitterConfig.EVENT_SIGNER, "java.lang.String");
        assertRefused("must be 128 to 255", EmitterConfig.EVENT_SIGNER, Usurper.class.getName());
    }

    @Test
    void aFileIsEnoughForAKey(@TempDir Path dir) throws Exception {
        String secret = secret();
        String file = Files.writeString(
                        dir.resolve("app.pem"),
                        "-----BEGIN PRIVATE KEY-----\n" + secret + "\n-----END PRIVATE KEY-----\n")
                .toString();

        assertThat(config(EmitterConfig.KEY_FILE, file).key.orElseThrow().id()).isEqualTo("app");
        assertChosen(TreeHash.SHA256, EventSigners.SHA256_KEY_VALUE, EmitterConfig.KEY_FILE, file);
        assertThat(config(EmitterConfig.KEY_FILE, file, EmitterConfig.KEY_ID, "k1")
                        .key
                        .orElseThrow()
                        .id())
                .isEqualTo("k1");
        assertRefused("leave one out", EmitterConfig.KEY_FILE, file, EmitterConfig.KEY_PRIVATE, secret);
        assertRefused("there is no such file", EmitterConfig.KEY_FILE, "no.pem");
        Path other = Files.writeString(dir.resolve("other.pem"), "nonsense");
        assertRefused("is no Ed25519 private key", EmitterConfig.KEY_FILE, other.toString());
    }

    @Test
    void aKeyNeedsItsIdAndIsNeverShown() throws Exception {
        String secret = secret();
        EmitterConfig config = config(EmitterConfig.KEY_ID, "k1", EmitterConfig.KEY_PRIVATE, secret);
        assertThat(config.key.orElseThrow().id()).isEqualTo("k1");
        assertThat(config.values().toString()).doesNotContain(secret);
        assertRefused("needed together", EmitterConfig.KEY_ID, "k1");
        assertRefused("needed together", EmitterConfig.KEY_PRIVATE, secret);
        assertRefused(
                "no signed checkpoints",
                EmitterConfig.FORMAT,
                1,
                EmitterConfig.KEY_ID,
                "k1",
                EmitterConfig.KEY_PRIVATE,
                secret);
        String damaged = "x" + secret;
        assertThatThrownBy(() -> config(EmitterConfig.KEY_ID, "k1", EmitterConfig.KEY_PRIVATE, damaged))
                .isInstanceOf(ConfigException.class)
                .message()
                .doesNotContain(secret);
    }

    @Test
    void withTransactionsTheDeadlineIsAfterTheirTimeout() {
        assertThat(config("transactional.id", "t").deadlineMillis).isEqualTo(120_000);
        assertThat(config("transactional.id", "t", "transaction.timeout.ms", "100000").deadlineMillis)
                .isEqualTo(200_000);
        assertThat(config("transactional.id", "t", EmitterConfig.DEADLINE_MS, 500L).deadlineMillis)
                .isEqualTo(500);
    }
}
