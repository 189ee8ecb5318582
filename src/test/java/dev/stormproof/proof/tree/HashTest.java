package dev.stormproof.proof.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class HashTest {
    private static final byte[] BYTES = {1, 2, (byte) 0xfe};

    @Test
    void doesNotChangeWithTheArrayItWasMadeFromNorWithTheOneItGave() {
        byte[] source = BYTES.clone();
        Hash whole = Hash.copyOf(source);
        Hash part = Hash.copyOf(source, 1, 2);
        source[1] = 9;
        whole.toByteArray()[0] = 9;
        assertThat(whole.toByteArray()).isEqualTo(BYTES);
        assertThat(part.toByteArray()).isEqualTo(new byte[] {2, (byte) 0xfe});
    }

    @Test
    void equalBytesMakeEqualHashes() {
        assertThat(Hash.copyOf(BYTES))
                .isEqualTo(Hash.fromHex("0102FE"))
                .hasSameHashCodeAs(Hash.fromHex("0102fe"))
                .isNotEqualTo(Hash.fromHex("0102fd"))
                .isNotEqualTo("0102fe")
                .isNotEqualTo(null);
        assertThat(Hash.copyOf(BYTES).hashCode()).isNotEqualTo(Hash.empty().hashCode());
        assertThat(Hash.empty()).isEqualTo(Hash.fromHex(""));
    }

    @Test
    void isReadAndWrittenAsHexadecimalDigits() {
        assertThat(Hash.copyOf(BYTES).toHex()).isEqualTo("0102fe");
        assertThat(Hash.copyOf(BYTES)).hasToString("0102fe");
        assertThatThrownBy(() -> Hash.fromHex("0102f")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Hash.fromHex("0102fg")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void givesItsBytesInPlace() {
        Hash hash = Hash.copyOf(BYTES);
        byte[] out = new byte[5];
        hash.copyTo(out, 1);
        assertThat(out).containsExactly(0, 1, 2, 0xfe, 0);
        assertThat(hash.sizeBytes()).isEqualTo(3);
    }

    @Test
    void theirOrderIsThatOfTheirBytesWithoutSigns() {
        assertThat(Hash.fromHex("01fe")).isLessThan(Hash.fromHex("0201")).isGreaterThan(Hash.fromHex("017f"));
        assertThat(Hash.fromHex("01fe")).isEqualByComparingTo(Hash.fromHex("01fe"));
    }
}
