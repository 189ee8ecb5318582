package dev.stormproof.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.checkpoint.Format2Checkpoint.Ending;
import dev.stormproof.merkle.Hash;
import dev.stormproof.merkle.TreeHash;
import dev.stormproof.sign.CheckpointKey;
import dev.stormproof.sign.EventSigners;
import dev.stormproof.sign.TrustedKeys;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A recovered end as it is read: no link of the chain, and never as strong as its emitter's own word. */
class RecoveryRecordTest {
    private static final Format2Checkpoint END = new Format2Checkpoint(
            new StreamId("orders", 0, 7),
            "billing",
            1,
            0,
            0,
            TreeHash.SHA256,
            EventSigners.SHA256_KEY_VALUE,
            32,
            new Interval(TreeHash.SHA256, 0, false).root(),
            Hash.copyOf(new byte[32]),
            1,
            0,
            Ending.RECOVERED,
            List.of(),
            -1,
            Optional.empty(),
            Optional.empty());

    private static LogRecord read(String topic, Origins origins, CheckpointVerifier verifier, byte[] bytes) {
        return new LogRecordParser(origins, Format1Expected.everywhere(), List.of(), verifier)
                .parse(
                        topic,
                        0,
                        4,
                        LogRecord.NO_TIME,
                        null,
                        null,
                        name -> name.equals(Format2Checkpoint.HEADER) ? bytes : null);
    }

    @Test
    void itIsNoCheckpointOfTheChain() {
        LogRecord read = read(
                "orders", Origins.NONE, new CheckpointVerifier(TrustedKeys.none(), false), CheckpointCodec.encode(END));
        assertThat(read).isInstanceOfSatisfying(RecoveryRecord.class, end -> {
            assertThat(end.checkpoint()).isEqualTo(END);
            assertThat(end.offset()).isEqualTo(4);
        });
    }

    @Test
    void itIsReadInAMirrorOfItsTopic() {
        LogRecord read = read(
                "dc1.orders",
                new Origins(Map.of(), Map.of("dc1.orders", "orders")),
                new CheckpointVerifier(TrustedKeys.none(), false),
                CheckpointCodec.encode(END));
        assertThat(read)
                .isInstanceOfSatisfying(
                        RecoveryRecord.class,
                        end -> assertThat(end.checkpoint().stream().topic()).isEqualTo("dc1.orders"));
    }

    @Test
    void whereProtectionAgainstTamperingIsRequiredItIsNotBelievedWhoeverSignedIt() throws Exception {
        KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        CheckpointKey key = CheckpointKey.ofPkcs8("k", pair.getPrivate().getEncoded());
        TrustedKeys keys = TrustedKeys.ofTexts(
                Map.of("k", Base64.getEncoder().encodeToString(pair.getPublic().getEncoded())));
        byte[] signed = CheckpointCodec.encode(END, key);

        assertThat(Protection.of(new CheckpointVerifier(keys, true).decode(signed)))
                .isEqualTo(Protection.ACCIDENTS);
        assertThatThrownBy(() -> CheckpointVerifier.againstTampering(keys).decode(signed))
                .isInstanceOfSatisfying(
                        MalformedCheckpointException.class,
                        refused ->
                                assertThat(refused.reason()).isEqualTo(MalformedCheckpointException.Reason.UNTRUSTED))
                .hasMessageContaining("recovered end");
    }

    @Test
    void oneThatPromisesOrIsTheFirstIsImpossible() {
        assertThatThrownBy(() -> new Format2Checkpoint(
                        END.stream(),
                        "",
                        0,
                        0,
                        0,
                        TreeHash.SHA256,
                        EventSigners.SHA256_KEY_VALUE,
                        32,
                        END.root(),
                        Hash.empty(),
                        1,
                        0,
                        Ending.RECOVERED,
                        List.of(),
                        -1,
                        Optional.empty(),
                        Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("recovered end");
    }
}
