package dev.stormproof.proof.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeavesTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 15, 16, 17, 18, 1_000})
    void signaturesOfOneSizeComeBack(int count) {
        List<Hash> signatures = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            signatures.add(signature(i, 4));
        }
        assertHolds(signatures);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 15, 16, 17, 18, 1_000})
    void signaturesOfManySizesComeBack(int count) {
        List<Hash> signatures = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            signatures.add(signature(i, i % 7));
        }
        assertHolds(signatures);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 20, 40})
    void anotherSizeMayComeLate(int before) {
        List<Hash> signatures = new ArrayList<>();
        for (int i = 0; i < before; i++) {
            signatures.add(signature(i, 4));
        }
        signatures.add(signature(before, 5));
        signatures.add(signature(before + 1, 4));
        assertHolds(signatures);
    }

    @Test
    void packedSignaturesMayLieWithinOtherBytes() {
        byte[] packed = {9, 1, 2, 3, 4, 9};
        Leaves leaves = Leaves.within(packed, 1, 2, 2);
        Leaves same = Leaves.builder()
                .append(Hash.fromHex("0102"))
                .append(Hash.fromHex("0304"))
                .build();
        assertThat(leaves).isEqualTo(same).hasSameHashCodeAs(same).hasToString("2 leaves of 4 bytes");
        assertThat(leaves.signature(1)).isEqualTo(Hash.fromHex("0304"));
        byte[] copy = new byte[5];
        leaves.writeTo(ByteBuffer.wrap(copy).position(1));
        assertThat(copy).containsExactly(0, 1, 2, 3, 4);
        assertThatThrownBy(() -> Leaves.within(packed, 3, 2, 2)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(Leaves.within(packed, 3, 0, 2)).isEqualTo(Leaves.empty());
        assertThatThrownBy(() -> Leaves.within(packed, 0, Integer.MAX_VALUE, 2))
                .isInstanceOf(ArithmeticException.class);
    }

    @Test
    void theFirstWordIsOfEightBytesOrTheSizeOfFewer() {
        Leaves leaves = Leaves.builder()
                .append(Hash.fromHex("01020304050607"))
                .append(Hash.fromHex("010000000000008009"))
                .append(Hash.fromHex("0200000000000000"))
                .build();
        assertThat(leaves.firstWord(0)).isEqualTo(7);
        assertThat(leaves.firstWord(2)).isEqualTo(2);
        assertThat(leaves.firstWord(1)).isEqualTo(0x8000_0000_0000_0001L);
    }

    @Test
    void aSignatureOfOthersIsAppendedAndHasItsHashThere() {
        Leaves others = Leaves.builder()
                .append(Hash.fromHex("01"))
                .append(Hash.fromHex("0203"))
                .build();
        Leaves leaves = Leaves.builder().append(others, 1).append(others, 0).build();
        assertThat(leaves.signature(0)).isEqualTo(Hash.fromHex("0203"));
        assertThat(leaves.keyedHash(0)).isEqualTo(others.keyedHash(1)).isNotEqualTo(leaves.keyedHash(1));
    }

    @Test
    void theSameBytesInOtherSizesAreOtherLeaves() {
        Leaves ofTwo = Leaves.within(new byte[4], 0, 2, 2);
        assertThat(ofTwo)
                .isNotEqualTo(Leaves.within(new byte[4], 0, 1, 4))
                .isNotEqualTo(Leaves.within(new byte[4], 0, 4, 1))
                .isNotEqualTo(Leaves.builder()
                        .append(new byte[1], 0, 1)
                        .append(new byte[3], 0, 3)
                        .build())
                .isNotEqualTo(Leaves.within(new byte[] {0, 0, 0, 1}, 0, 2, 2))
                .isNotEqualTo("2 leaves");
        assertThat(Leaves.builder()
                        .append(new byte[1], 0, 1)
                        .append(new byte[3], 0, 3)
                        .build())
                .isNotEqualTo(Leaves.builder()
                        .append(new byte[3], 0, 3)
                        .append(new byte[1], 0, 1)
                        .build());
    }

    @Test
    void aBuiltResultDoesNotChangeWithItsBuilder() {
        Leaves.Builder builder = Leaves.builder(2).append(Hash.fromHex("0102"));
        Leaves one = builder.build();
        builder.append(Hash.fromHex("03"));
        Leaves two = builder.build();
        builder.reset();
        assertThat(builder.build().count()).isZero();
        assertThat(builder.packedSizeBytes()).isZero();
        builder.append(Hash.fromHex("ffff")).append(Hash.fromHex("eeee"));
        assertThat(one.count()).isEqualTo(1);
        assertThat(one.signature(0)).isEqualTo(Hash.fromHex("0102"));
        assertThat(two.count()).isEqualTo(2);
        assertThat(two.signature(1)).isEqualTo(Hash.fromHex("03"));
        assertThat(builder.build()).isEqualTo(Leaves.within(new byte[] {-1, -1, -18, -18}, 0, 2, 2));
    }

    @Test
    void aCopiedBuilderGoesItsOwnWay() {
        Leaves.Builder builder = Leaves.builder().append(Hash.fromHex("0102")).append(Hash.fromHex("03"));
        Leaves.Builder copy = builder.copy();
        assertThat(copy.build()).isEqualTo(builder.build());
        copy.append(Hash.fromHex("04"));
        builder.append(Hash.fromHex("0506"));
        assertThat(copy.build().count()).isEqualTo(3);
        assertThat(copy.packedSizeBytes()).isEqualTo(4);
        assertThat(copy.build().signature(2)).isEqualTo(Hash.fromHex("04"));
        assertThat(builder.build().signature(2)).isEqualTo(Hash.fromHex("0506"));
    }

    @Test
    void anIndexOutsideIsAnError() {
        Leaves leaves = Leaves.within(new byte[4], 0, 2, 2);
        assertThatThrownBy(() -> leaves.signature(2)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> leaves.signature(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    private static void assertHolds(List<Hash> signatures) {
        Leaves.Builder builder = Leaves.builder();
        signatures.forEach(builder::append);
        Leaves leaves = builder.build();
        assertThat(leaves.count()).isEqualTo(signatures.size());
        int packedBytes = 0;
        byte[] out = new byte[8];
        for (int i = 0; i < signatures.size(); i++) {
            Hash signature = signatures.get(i);
            assertThat(leaves.signature(i)).isEqualTo(signature);
            assertThat(leaves.sizeBytes(i)).isEqualTo(signature.sizeBytes());
            assertThat(leaves.copyTo(i, out, 1)).isEqualTo(signature.sizeBytes());
            assertThat(Hash.copyOf(out, 1, signature.sizeBytes())).isEqualTo(signature);
            packedBytes += signature.sizeBytes();
        }
        assertThat(leaves.packedSizeBytes()).isEqualTo(packedBytes);
        assertThat(builder.packedSizeBytes()).isEqualTo(packedBytes);
        byte[] all = new byte[packedBytes + 1];
        leaves.writeTo(ByteBuffer.wrap(all).position(1));
        int at = 1;
        for (int i = 0; i < signatures.size(); i++) {
            assertThat(Hash.copyOf(all, at, leaves.sizeBytes(i))).isEqualTo(signatures.get(i));
            at += leaves.sizeBytes(i);
        }
        boolean oneSize = signatures.stream().map(Hash::sizeBytes).distinct().count() <= 1;
        assertThat(leaves.allOfSize(4)).isEqualTo(oneSize);
        assertThat(leaves.allOfSize(5)).isEqualTo(signatures.isEmpty());
        Leaves again = builder.build();
        assertThat(again).isEqualTo(leaves).hasSameHashCodeAs(leaves);
        assertThat(leaves).hasToString(signatures.size() + " leaves of " + packedBytes + " bytes");
    }

    private static Hash signature(int i, int sizeBytes) {
        byte[] bytes = new byte[sizeBytes];
        for (int k = 0; k < sizeBytes; k++) {
            bytes[k] = (byte) (31 * i + k);
        }
        return Hash.copyOf(bytes);
    }

    @Test
    void signaturesOfOtherSizesAreNotEqualThoughTheirBytesAre() {
        Leaves ofTwo = Leaves.within(new byte[4], 0, 2, 2);
        Leaves mixed = Leaves.builder()
                .append(new byte[1], 0, 1)
                .append(new byte[3], 0, 3)
                .build();

        assertThat(ofTwo.equal(0, mixed, 0, 2)).isFalse();
        assertThat(mixed.equal(0, ofTwo, 0, 2)).isFalse();
        assertThat(ofTwo.equal(0, Leaves.within(new byte[4], 0, 4, 1), 0, 2)).isFalse();
        assertThat(mixed.equal(0, mixed, 0, 2)).isTrue();
        assertThat(ofTwo.equal(0, ofTwo, 1, 1)).isTrue();
    }

    @Test
    void otherLeavesHaveOtherHashCodes() {
        assertThat(Leaves.within(new byte[] {1, 2}, 0, 2, 1).hashCode())
                .isNotEqualTo(Leaves.within(new byte[] {2, 2}, 0, 2, 1).hashCode())
                .isNotEqualTo(Leaves.within(new byte[] {-1, 2}, 0, 2, 1).hashCode());
    }
}
