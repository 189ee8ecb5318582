package dev.stormproof.emit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.stormproof.proof.checkpoint.EventHeader;
import dev.stormproof.proof.checkpoint.Interval;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.proof.tree.Vectors;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The headers that events get are those of the golden vectors, byte for byte; {@code src/test/python} makes them without Java. */
class EventHeaderVectorsTest {
    private static final Map<Integer, String> SIGNERS = Map.of(3, "sha256-key-value", 4, "xxh3-key-value");

    static Stream<Named<JsonNode>> headers() {
        return Vectors.cases("event-headers.json")
                .filter(vector -> SIGNERS.containsKey(algorithm(vector.getPayload())));
    }

    static Stream<Named<JsonNode>> contents() {
        return Vectors.cases("event-signatures.json");
    }

    private static int algorithm(JsonNode vector) {
        return vector.get("fields").get("signatureAlgorithm").asInt();
    }

    @ParameterizedTest
    @MethodSource("headers")
    void atEachSequence(JsonNode vector) {
        JsonNode fields = vector.get("fields");
        TreeHash treeHash = TreeHash.ofId(fields.get("treeHash").asInt()).orElseThrow();
        EmitterConfig config = new EmitterConfig(Map.of(
                EmitterConfig.EVENT_SIGNER, SIGNERS.get(algorithm(vector)),
                EmitterConfig.TREE_HASH, treeHash.label()));
        StreamId stream = new StreamId(
                "orders", 0, Long.parseUnsignedLong(fields.get("emitter").asText(), 16));
        Format2Emitter emitter = new Format2Emitter(stream, config, new MaxMessageBytes("orders", 900_000, () -> {}));
        emitter.restore(
                new StreamState(new Interval(treeHash, fields.get("sequence").asLong(), false)));
        assertThat(emitter.eventHeader(Vectors.bytes(fields, "signature")).value())
                .isEqualTo(Vectors.bytes(vector, "bytes"));
    }

    @ParameterizedTest
    @MethodSource("contents")
    void ofEachContent(JsonNode vector) throws Exception {
        byte[] key = vector.has("key") ? Vectors.bytes(vector, "key") : null;
        byte[] value = vector.has("value") ? Vectors.bytes(vector, "value") : null;
        for (String hash : List.of("sha256", "xxh3")) {
            MockProducer<byte[], byte[]> inner =
                    new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
            Map<String, Object> config = new HashMap<>();
            config.put("bootstrap.servers", "localhost:1");
            config.put(EmitterConfig.EVENT_SIGNER, hash + "-key-value");
            try (CheckpointingProducer<byte[], byte[]> producer = new CheckpointingProducer<>(
                    config, new ByteArraySerializer(), new ByteArraySerializer(), settings -> inner)) {
                var unused = producer.send(new ProducerRecord<>("orders", 0, key, value));
            }
            // Behind checkpoint number 0.
            byte[] header = inner.history()
                    .get(1)
                    .headers()
                    .lastHeader(EventHeader.NAME)
                    .value();
            assertThat(EventHeader.decode(header).sequence()).isZero();
            assertThat(header).endsWith(Vectors.bytes(vector, hash));
        }
    }
}
