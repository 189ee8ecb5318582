package dev.stormproof.log.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Large answers are received in arrays that were read before, and never in one that is still read. */
class ReceiveBuffersTest {
    private static final int MIB = 1 << 20;

    private final ReceiveBuffers buffers = new ReceiveBuffers();

    @Test
    void anArrayIsUsedAgainOnceItWasGivenBack() {
        byte[] first = buffers.tryAllocate(MIB).array();
        byte[] second = buffers.tryAllocate(MIB).array();
        assertThat(second).isNotSameAs(first);
        buffers.giveBack(first);

        ByteBuffer third = buffers.tryAllocate(MIB - 3);

        assertThat(third.array()).isSameAs(first);
        assertThat(third.remaining()).isEqualTo(MIB - 3);
        assertThat(third.arrayOffset()).isZero();
        assertThat(buffers.tryAllocate(MIB).array()).isNotSameAs(first);
    }

    @Test
    void theNetworkClientsReleaseGivesNothingBack() {
        ByteBuffer answer = buffers.tryAllocate(MIB);
        assertThat(answer.arrayOffset()).isZero();

        buffers.release(answer);

        assertThat(buffers.tryAllocate(MIB).array()).isNotSameAs(answer.array());
    }

    @Test
    void aLittleMoreThanBeforeFitsIn() {
        byte[] array = buffers.tryAllocate(MIB + 1).array();
        buffers.giveBack(array);

        assertThat(buffers.tryAllocate(MIB + 1_000).array()).isSameAs(array);
    }

    @Test
    void oneThatIsTooSmallIsDropped() {
        buffers.giveBack(buffers.tryAllocate(MIB).array());

        assertThat(buffers.tryAllocate(3 * MIB).remaining()).isEqualTo(3 * MIB);
        assertThat(buffers.tryAllocate(MIB).remaining()).isEqualTo(MIB);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 1_000, 5 << 20})
    void smallAndVeryLargeOnesAreNotKept(int sizeBytes) {
        byte[] array = buffers.tryAllocate(sizeBytes).array();
        assertThat(array).hasSize(sizeBytes);
        buffers.giveBack(array);

        assertThat(buffers.tryAllocate(sizeBytes).array()).isNotSameAs(array);
    }

    @Test
    void twoAreKept() {
        byte[][] arrays = new byte[3][];
        for (int i = 0; i < arrays.length; i++) {
            arrays[i] = buffers.tryAllocate(MIB).array();
        }
        for (byte[] array : arrays) {
            buffers.giveBack(array);
        }

        assertThat(buffers.tryAllocate(MIB).array()).isSameAs(arrays[0]);
        assertThat(buffers.tryAllocate(MIB).array()).isSameAs(arrays[1]);
        assertThat(buffers.tryAllocate(MIB).array()).isNotSameAs(arrays[2]);
    }
}
