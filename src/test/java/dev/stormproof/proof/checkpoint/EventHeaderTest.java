package dev.stormproof.proof.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import java.util.Arrays;
import org.apache.kafka.common.utils.ByteUtils;
import org.junit.jupiter.api.Test;

class EventHeaderTest {
    private static final EventHeader HEADER = new EventHeader(
            0x0123456789abcdefL, 258, TreeHash.XXH3, EventSigners.XXH3_KEY_VALUE, Hash.copyOf(new byte[16]));

    @Test
    void everyFieldComesBackFromItsPlace() throws Exception {
        byte[] bytes = HEADER.encode();
        assertThat(Hash.copyOf(bytes).toHex()).isEqualTo("21" + "04" + "0123456789abcdef" + "8202" + "00".repeat(16));
        assertThat(EventHeader.decode(bytes)).isEqualTo(HEADER);
    }

    @Test
    void everyTruncationAndEveryMoreByteIsRefused() {
        byte[] bytes = HEADER.encode();
        for (int size = 0; size < bytes.length; size++) {
            byte[] truncated = Arrays.copyOf(bytes, size);
            assertThatThrownBy(() -> EventHeader.decode(truncated)).isInstanceOf(MalformedCheckpointException.class);
        }
        byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
        assertThatThrownBy(() -> EventHeader.decode(longer)).isInstanceOf(MalformedCheckpointException.class);
    }

    /** Of any sequence that is reached: at 10 million events a second, 2^56 takes 228 years. */
    @Test
    void againstAccidentsItTakes40BytesAtMost() {
        Hash signature = Hash.copyOf(new byte[16]);
        for (long sequence : new long[] {0, 127, 128, 1L << 48, (1L << 56) - 1}) {
            byte[] value =
                    new EventHeader(-1, sequence, TreeHash.XXH3, EventSigners.XXH3_KEY_VALUE, signature).encode();
            int onTheWire = ByteUtils.sizeOfVarint(EventHeader.NAME.length())
                    + EventHeader.NAME.length()
                    + ByteUtils.sizeOfVarint(value.length)
                    + value.length;
            assertThat(onTheWire).isLessThanOrEqualTo(40);
            assertThat(sequence > 127 || onTheWire == 33).isTrue();
        }
    }

    @Test
    void whatNoHeaderCanSayIsAProgrammersError() {
        Hash signature = Hash.copyOf(new byte[16]);
        assertThatThrownBy(() -> new EventHeader(0, 0, TreeHash.XXH3, 4, signature))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new EventHeader(1, -1, TreeHash.XXH3, 4, signature))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new EventHeader(1, 0, TreeHash.ADLER32, 4, signature))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new EventHeader(1, 0, TreeHash.XXH3, 3, signature))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new EventHeader(1, 0, TreeHash.XXH3, 2, Hash.copyOf(new byte[20])))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
