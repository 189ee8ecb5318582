package dev.stormproof.proof.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import dev.stormproof.proof.sign.CheckpointKey;
import dev.stormproof.proof.sign.Sha256Signer;
import dev.stormproof.proof.sign.TrustedKeys;
import dev.stormproof.proof.sign.Xxh3Signer;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.Leaves;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.proof.tree.Vectors;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds both codecs to vectors that another implementation made from docs/FORMAT.md. */
class VectorsTest {
    private static final JsonNode KEY = Vectors.read("keys.json").get("cases").get(0);

    static Stream<Named<JsonNode>> eventHeaders() {
        return Vectors.cases("event-headers.json");
    }

    static Stream<Named<JsonNode>> eventSignatures() {
        return Vectors.cases("event-signatures.json");
    }

    static Stream<Named<JsonNode>> damagedEventHeaders() {
        return Vectors.cases("event-headers-damaged.json");
    }

    static Stream<Named<JsonNode>> format1() {
        return Vectors.cases("format1.json");
    }

    static Stream<Named<JsonNode>> damagedFormat1() {
        return Vectors.cases("format1-damaged.json");
    }

    static Stream<Named<JsonNode>> format2() {
        return Vectors.cases("format2.json");
    }

    static Stream<Named<JsonNode>> damagedFormat2() {
        return Vectors.cases("format2-damaged.json");
    }

    static Stream<Named<JsonNode>> untrustedFormat2() {
        return Vectors.cases("format2-untrusted.json");
    }

    @ParameterizedTest
    @MethodSource("eventHeaders")
    void eventHeadersAreWrittenAndRead(JsonNode vector) throws Exception {
        JsonNode fields = vector.get("fields");
        EventHeader header = new EventHeader(
                Long.parseUnsignedLong(fields.get("emitter").asText(), 16),
                fields.get("sequence").asLong(),
                TreeHash.ofId(fields.get("treeHash").asInt()).orElseThrow(),
                fields.get("signatureAlgorithm").asInt(),
                hash(fields, "signature"));
        byte[] bytes = Vectors.bytes(vector, "bytes");
        assertThat(header.encode()).isEqualTo(bytes);
        assertThat(EventHeader.decode(bytes)).isEqualTo(header);
    }

    @ParameterizedTest
    @MethodSource("eventSignatures")
    void keyAndValueAreSigned(JsonNode vector) {
        byte[] key = vector.has("key") ? Vectors.bytes(vector, "key") : null;
        byte[] value = vector.has("value") ? Vectors.bytes(vector, "value") : null;
        assertThat(new Sha256Signer().sign(key, value)).isEqualTo(hash(vector, "sha256"));
        assertThat(new Xxh3Signer().sign(key, value)).isEqualTo(hash(vector, "xxh3"));
    }

    @ParameterizedTest
    @MethodSource("damagedEventHeaders")
    void damagedEventHeadersAreRefused(JsonNode vector) {
        byte[] bytes = Vectors.bytes(vector, "bytes");
        assertRefused(vector, () -> EventHeader.decode(bytes));
    }

    @ParameterizedTest
    @MethodSource("format1")
    void checkpointsOfFormat1AreWrittenAndRead(JsonNode vector) throws Exception {
        Leaves leaves = leaves(vector.get("leaves"));
        byte[] bytes = Vectors.bytes(vector, "bytes");
        assertThat(Format1Codec.encode(leaves)).isEqualTo(bytes);
        Format1Checkpoint read = Format1Codec.decode("orders", 3, bytes);
        assertThat(read.signatures()).isEqualTo(leaves);
        assertThat(read.root()).isEqualTo(hash(vector, "root"));
    }

    @ParameterizedTest
    @MethodSource("damagedFormat1")
    void damagedCheckpointsOfFormat1AreRefused(JsonNode vector) {
        byte[] bytes = Vectors.bytes(vector, "bytes");
        assertRefused(vector, () -> Format1Codec.decode("orders", 3, bytes));
    }

    @ParameterizedTest
    @MethodSource("format2")
    void checkpointsOfFormat2AreWrittenAndRead(JsonNode vector) throws Exception {
        Format2Checkpoint checkpoint =
                checkpoint(vector.get("fields"), vector.path("keyId").asText());
        byte[] bytes = Vectors.bytes(vector, "bytes");
        if (checkpoint.keyId().isPresent()) {
            CheckpointKey key = CheckpointKey.ofPkcs8(KEY.get("id").asText(), Vectors.bytes(KEY, "private"));
            assertThat(CheckpointCodec.encode(checkpoint, key)).isEqualTo(bytes);
            assertThat(demandingVerifier().decode(bytes)).isEqualTo(checkpoint);
        } else {
            assertThat(CheckpointCodec.encode(checkpoint)).isEqualTo(bytes);
            assertThat(CheckpointCodec.encodedSizeBytes(checkpoint)).isEqualTo(bytes.length);
        }
        assertThat(CheckpointCodec.decode(bytes)).isEqualTo(checkpoint);
        assertThat(CheckpointCodec.chainHash(checkpoint.treeHash(), bytes)).isEqualTo(hash(vector, "chainHash"));
        assertThat(checkpoint.leavesMatchRoot()).isEqualTo(checkpoint.leaves().isPresent());
    }

    @ParameterizedTest
    @MethodSource("damagedFormat2")
    void damagedCheckpointsOfFormat2AreRefused(JsonNode vector) {
        byte[] bytes = Vectors.bytes(vector, "bytes");
        assertRefused(vector, () -> CheckpointCodec.decode(bytes));
    }

    @ParameterizedTest
    @MethodSource("untrustedFormat2")
    void untrustedCheckpointsAreRefused(JsonNode vector) {
        byte[] bytes = Vectors.bytes(vector, "bytes");
        assertRefused(vector, () -> demandingVerifier().decode(bytes));
    }

    private static void assertRefused(JsonNode vector, ThrowingCallable decoding) {
        MalformedCheckpointException refusal = catchThrowableOfType(MalformedCheckpointException.class, decoding);
        assertThat(refusal).isNotNull();
        assertThat(refusal.reason().name()).isEqualTo(vector.get("reason").asText());
        assertThat(refusal.position()).isEqualTo(vector.get("position").asInt());
        assertThat(refusal.unsupported())
                .isEqualTo(vector.get("reason").asText().equals("UNSUPPORTED"));
        assertThat(refusal)
                .hasMessageStartingWith("at byte " + refusal.position() + ", ")
                .hasMessageContaining(": got ")
                .hasMessageContaining(", want ");
    }

    private static CheckpointVerifier demandingVerifier() {
        TrustedKeys keys = TrustedKeys.none().withX509(KEY.get("id").asText(), Vectors.bytes(KEY, "public"));
        return new CheckpointVerifier(keys);
    }

    private static Format2Checkpoint checkpoint(JsonNode fields, String keyId) {
        List<SequenceRange> uncertain = new ArrayList<>();
        for (JsonNode range : fields.get("uncertain")) {
            uncertain.add(new SequenceRange(range.get(0).asLong(), range.get(1).asLong()));
        }
        long emitter = Long.parseUnsignedLong(fields.get("emitter").asText(), 16);
        return new Format2Checkpoint(
                new StreamId(
                        fields.get("topic").asText(), fields.get("partition").asInt(), emitter),
                fields.get("emitterName").asText(),
                fields.get("number").asLong(),
                fields.get("firstSequence").asLong(),
                fields.get("eventCount").asLong(),
                TreeHash.ofId(fields.get("treeHash").asInt()).orElseThrow(),
                fields.get("signatureAlgorithm").asInt(),
                fields.get("signatureSizeBytes").asInt(),
                hash(fields, "root"),
                hash(fields, "previousHash"),
                fields.get("createdAtMillis").asLong(),
                fields.get("deadlineMillis").asLong(),
                fields.get("closing").asBoolean(),
                uncertain,
                fields.path("refused").asBoolean(),
                fields.get("previousOffsetHint").asLong(),
                fields.has("leaves") ? Optional.of(leaves(fields.get("leaves"))) : Optional.empty(),
                keyId.isEmpty() ? Optional.empty() : Optional.of(keyId));
    }

    private static Leaves leaves(JsonNode signatures) {
        Leaves.Builder leaves = Leaves.builder();
        for (JsonNode signature : signatures) {
            leaves.append(Hash.fromHex(signature.asText()));
        }
        return leaves.build();
    }

    private static Hash hash(JsonNode fields, String name) {
        return Hash.fromHex(fields.get(name).asText());
    }
}
