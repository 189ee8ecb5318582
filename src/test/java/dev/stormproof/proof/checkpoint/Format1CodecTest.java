package dev.stormproof.proof.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stormproof.proof.sign.EventSigner;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.Leaves;
import dev.stormproof.proof.tree.TreeHash;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class Format1CodecTest {
    /** Made by running the merkle-tree project of 2015 as published; leaf i is the hex of SHA-1("event-" + i). */
    static Stream<JsonNode> figuresOf2015() throws IOException {
        try (InputStream in = Format1CodecTest.class.getResourceAsStream("/vectors/format1-2015.json")) {
            JsonNode vectors = new ObjectMapper().readTree(Objects.requireNonNull(in));
            return StreamSupport.stream(vectors.spliterator(), false);
        }
    }

    @ParameterizedTest
    @MethodSource("figuresOf2015")
    void writesWhatTheProjectOf2015Writes(JsonNode figures) throws Exception {
        Leaves leaves = leaves(figures.get("leafCount").asInt());
        byte[] bytes = Format1Codec.encode(leaves);
        assertThat(bytes).hasSize(figures.get("serializedBytes").asInt());
        assertThat(Format1Codec.sizeBytes(leaves)).isEqualTo(bytes.length);
        assertThat(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes)))
                .isEqualTo(figures.get("serializedSha256").asText());
        if (figures.has("serialized")) {
            assertThat(HexFormat.of().formatHex(bytes))
                    .isEqualTo(figures.get("serialized").asText());
        }
        assertThat(Format1Layout.nodeCount(leaves.count()))
                .isEqualTo(figures.get("nodeCount").asLong());
    }

    @ParameterizedTest
    @MethodSource("figuresOf2015")
    void readsWhatTheProjectOf2015Writes(JsonNode figures) throws Exception {
        Leaves leaves = leaves(figures.get("leafCount").asInt());
        Format1Checkpoint checkpoint = Format1Codec.decode("orders", 3, Format1Codec.encode(leaves));
        assertThat(checkpoint.signatures()).isEqualTo(leaves);
        assertThat(checkpoint.root().toHex()).isEqualTo(figures.get("root").asText());
        assertThat(checkpoint.stream()).isEqualTo(new StreamId("orders", 3, StreamId.NO_EMITTER));
        assertThat(checkpoint.treeHash()).isEqualTo(TreeHash.ADLER32);
        assertThat(checkpoint.eventCount()).isEqualTo(leaves.count());
    }

    @ParameterizedTest
    @MethodSource("figuresOf2015")
    void anIntervalOfAdler32HasTheRootOfFormat1(JsonNode figures) {
        Interval interval = new Interval(TreeHash.ADLER32, 0, true);
        Leaves leaves = leaves(figures.get("leafCount").asInt());
        for (int i = 0; i < leaves.count(); i++) {
            interval.add(i, leaves.signature(i));
        }
        assertThat(interval.root().toHex()).isEqualTo(figures.get("root").asText());
        assertThat(interval.leaves()).isEqualTo(leaves);
    }

    @Test
    void leavesOfMixedSizesComeBack() throws Exception {
        for (int count = 2; count <= 70; count++) {
            Leaves.Builder builder = Leaves.builder();
            for (int i = 0; i < count; i++) {
                byte[] signature = "s".repeat(1 + i * 31 % 255).getBytes(StandardCharsets.UTF_8);
                builder.append(signature, 0, signature.length);
            }
            Leaves leaves = builder.build();
            assertThat(Format1Codec.decode("t", 0, Format1Codec.encode(leaves)).signatures())
                    .isEqualTo(leaves);
        }
    }

    @Test
    void fewerThanTwoLeavesOrOnesOfWrongSizeAreRefused() {
        assertThatThrownBy(() -> Format1Codec.encode(leaves(1))).isInstanceOf(IllegalArgumentException.class);
        Leaves.Builder tooLong = Leaves.builder().append(Hash.copyOf(new byte[256]));
        assertThatThrownBy(() -> Format1Codec.encode(
                        tooLong.append(Hash.copyOf(new byte[1])).build()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theMagicTellsFormat1() {
        assertThat(Format1Codec.hasMagic(Format1Codec.encode(leaves(2)))).isTrue();
        assertThat(Format1Codec.hasMagic(HexFormat.of().parseHex("cdaace99"))).isTrue();
        assertThat(Format1Codec.hasMagic(HexFormat.of().parseHex("cdaace"))).isFalse();
        assertThat(Format1Codec.hasMagic(HexFormat.of().parseHex("cdaace98"))).isFalse();
    }

    static Leaves leaves(int count) {
        Leaves.Builder leaves = Leaves.builder();
        EventSigner sha1 = EventSigners.sha1();
        for (int i = 0; i < count; i++) {
            Hash signature = sha1.sign(null, ("event-" + i).getBytes(StandardCharsets.UTF_8));
            leaves.append(Hash.copyOf(signature.toHex().getBytes(StandardCharsets.UTF_8)));
        }
        return leaves.build();
    }

    @Test
    void forWhatFormat1DoesNotStateItHasConstants() {
        Leaves leaves = Leaves.builder()
                .append(Hash.copyOf(new byte[20]))
                .append(Hash.copyOf(new byte[20]))
                .build();
        Checkpoint checkpoint =
                new Format1Checkpoint(new StreamId("orders", 3, StreamId.NO_EMITTER), leaves, Hash.copyOf(new byte[4]));
        assertThat(checkpoint.number()).isEqualTo(Checkpoint.NO_NUMBER);
        assertThat(checkpoint.firstSequence()).isZero();
        assertThat(checkpoint.nextSequence()).isZero();
        assertThat(checkpoint.eventCount()).isEqualTo(2);
        assertThat(checkpoint.previousHash()).isEqualTo(Hash.empty());
        assertThat(checkpoint.deadlineMillis()).isZero();
        assertThat(checkpoint.closing()).isFalse();
        assertThat(checkpoint.uncertain()).isEmpty();
        assertThat(checkpoint.leaves()).contains(leaves);
        assertThat(checkpoint.leavesMatchRoot()).isTrue();
    }
}
