package dev.stormproof.proof.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class TreeHashTest {
    static Stream<Named<JsonNode>> roots() {
        return Vectors.cases("roots.json");
    }

    @ParameterizedTest
    @MethodSource("roots")
    void makesTheRootOfTheVector(JsonNode vector) throws Exception {
        TreeHash treeHash = TreeHash.ofId(vector.get("treeHash").asInt()).orElseThrow();
        CompactRange range = CompactRange.of(treeHash);
        MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
        MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
        int leafCount = vector.get("leafCount").asInt();
        for (int i = 0; i < leafCount; i++) {
            byte[] value = ("event-" + i).getBytes(StandardCharsets.UTF_8);
            if (treeHash == TreeHash.ADLER32) {
                byte[] leaf = HexFormat.of().formatHex(sha1.digest(value)).getBytes(StandardCharsets.UTF_8);
                range.append(leaf, 0, leaf.length);
            } else {
                range.append(i, sha256.digest(withoutKey(value)), 0, 32);
            }
        }
        assertThat(range.root().toHex()).isEqualTo(vector.get("root").asText());
    }

    /** A value as its signature covers it: behind its size, and that behind the size of no key. */
    private static byte[] withoutKey(byte[] value) {
        return ByteBuffer.allocate(2 * Integer.BYTES + value.length)
                .putInt(-1)
                .putInt(value.length)
                .put(value)
                .array();
    }

    @ParameterizedTest
    @EnumSource
    void isFoundByItsIdAndItsLabel(TreeHash treeHash) {
        assertThat(TreeHash.ofId(treeHash.id())).contains(treeHash);
        assertThat(TreeHash.ofLabel(treeHash.label())).contains(treeHash);
    }

    @Test
    void hasTheIdsLabelsAndSizesOfTheFormat() {
        assertThat(TreeHash.values())
                .extracting(TreeHash::id, TreeHash::label, TreeHash::sizeBytes)
                .containsExactly(
                        tuple((byte) 1, "xxh3", 8), tuple((byte) 2, "sha256", 32), tuple((byte) 3, "adler32", 8));
        assertThat(TreeHash.ofId(0)).isEmpty();
        assertThat(TreeHash.ofId(4)).isEmpty();
        assertThat(TreeHash.ofId(257)).isEmpty();
        assertThat(TreeHash.ofLabel("XXH3")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void theEmptyRootIsTheHashOfNothing(TreeHash treeHash) {
        TreeHasher hasher = treeHash.newHasher();
        byte[] out = new byte[treeHash.sizeBytes() + 2];
        hasher.plain(new byte[] {1, 2}, 1, 0, out, 1);
        assertThat(treeHash.emptyRoot()).isEqualTo(Hash.copyOf(out, 1, treeHash.sizeBytes()));
    }
}
