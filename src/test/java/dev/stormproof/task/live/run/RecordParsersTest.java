package dev.stormproof.task.live.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.Format1Codec;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.proof.checkpoint.UnattributedRecord.Kind;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.Leaves;
import dev.stormproof.task.config.StormproofConfig;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the settings let a record count as. */
class RecordParsersTest {
    private static final Map<String, byte[]> SHA1 =
            Map.of("signature", "9e4647f796987297ce25c638aa6797954b40b730".getBytes(StandardCharsets.US_ASCII));
    private static final byte[] VALUE = "a value".getBytes(StandardCharsets.UTF_8);

    private static LogRecord event(Map<String, String> settings) {
        return parse(settings, VALUE, SHA1);
    }

    private static LogRecord checkpoint(Map<String, String> settings) {
        Leaves leaves = Leaves.builder()
                .append(Hash.copyOf("a".repeat(40).getBytes(StandardCharsets.US_ASCII)))
                .append(Hash.copyOf("b".repeat(40).getBytes(StandardCharsets.US_ASCII)))
                .build();
        return parse(settings, Format1Codec.encode(leaves), Map.of());
    }

    private static LogRecord parse(Map<String, String> settings, byte[] value, Map<String, byte[]> headers) {
        Map<String, String> all = new HashMap<>(
                Map.of("bootstrap.servers", "nowhere:1", "group.id", "g", "input.topics", "orders,payments"));
        all.putAll(settings);
        return RecordParsers.newParser(new StormproofConfig(all))
                .parse("orders", 0, 5, LogRecord.NO_TIME, null, value, headers::get, null);
    }

    private static Map<String, String> signaturesRequired(Map<String, String> more) throws GeneralSecurityException {
        byte[] key = KeyPairGenerator.getInstance("Ed25519")
                .generateKeyPair()
                .getPublic()
                .getEncoded();
        Map<String, String> settings = new HashMap<>(more);
        settings.put("checkpoint.keys", "k1:" + Base64.getEncoder().encodeToString(key));
        return settings;
    }

    private static void assertIsRefused(LogRecord record, Kind kind) {
        assertThat(record).isInstanceOfSatisfying(UnattributedRecord.class, refused -> {
            assertThat(refused.kind()).isEqualTo(kind);
            assertThat(refused.detail()).contains("format 1").contains("format1.topics");
        });
    }

    @Test
    void aCheckpointWithoutANameIsOfNoListedEmitter() {
        assertThat(checkpoint(Map.of("emitters.allowed", "orders:shop-*", "format1.topics", "orders")))
                .isInstanceOfSatisfying(
                        CheckpointRecord.class,
                        read -> assertThat(read.unlisted()).isTrue());
        assertThat(checkpoint(Map.of("emitters.allowed", "payments:shop-*", "format1.topics", "orders")))
                .isInstanceOfSatisfying(
                        CheckpointRecord.class,
                        read -> assertThat(read.unlisted()).isFalse());
    }

    @Test
    void whereSignaturesAreRequiredNothingOfFormat1IsBelieved() throws Exception {
        assertIsRefused(event(signaturesRequired(Map.of())), Kind.UNSIGNED);
        assertIsRefused(checkpoint(signaturesRequired(Map.of())), Kind.UNTRUSTED_CHECKPOINT);
        assertIsRefused(
                checkpoint(signaturesRequired(Map.of("format1.topics", "payments"))), Kind.UNTRUSTED_CHECKPOINT);
    }

    @Test
    void whereSignaturesAreRequiredFormat1IsReadInTheTopicsThatAreNamed() throws Exception {
        Map<String, String> settings = signaturesRequired(Map.of("format1.topics", "orders"));
        assertThat(event(settings)).isInstanceOf(Event.class);
        assertThat(checkpoint(settings)).isInstanceOf(CheckpointRecord.class);
    }

    @Test
    void anApplicationsHeaderOfThatNameMakesNoEventOfFormat1WhereTheTopicIsNotNamed() {
        for (Map<String, String> settings : List.of(Map.<String, String>of(), Map.of("format1.topics", "payments"))) {
            assertIsRefused(event(settings), Kind.UNSIGNED);
            assertIsRefused(checkpoint(settings), Kind.UNTRUSTED_CHECKPOINT);
        }
        assertThat(event(Map.of("format1.topics", "orders"))).isInstanceOf(Event.class);
    }
}
