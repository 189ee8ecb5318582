package dev.stormproof.proof.sign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.proof.tree.Hash;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EventSignersTest {
    private static final byte[] ABC = "abc".getBytes(StandardCharsets.UTF_8);

    @Test
    void format1IsSignedWithSha1() {
        assertThat(EventSigners.sha1().sign(null, ABC).toHex()).isEqualTo("a9993e364706816aba3e25717850c26c9cd0d89d");
    }

    @Test
    void aSignerIsUsedAgain() {
        EventSigner signer = EventSigners.sha1();
        assertThat(signer.sign(null, ABC)).isEqualTo(signer.sign(null, ABC));
    }

    @Test
    void format1SignsANullValueWithZeroBytes() {
        assertThat(EventSigners.sha1().sign(null, null).toHex()).isEqualTo("00".repeat(20));
        assertThat(EventSigners.sha1().sign(null, new byte[0]).toHex()).startsWith("da39a3ee");
    }

    @Test
    void signInPlaceAndOnlyWhereThereIsRoom() {
        byte[] out = new byte[24];
        EventSigners.sha1().sign(ABC, out, 3);
        assertThat(out).startsWith(0, 0, 0, 0xa9).endsWith(0x9d, 0);
        EventSigner sha256 = new Sha256Signer();
        assertThatThrownBy(() -> sha256.sign(ABC, out, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void keyAndValueAreSignedEachBehindItsSize() {
        keyAndValueAreSignedEachBehindItsSize(new Sha256Signer());
        keyAndValueAreSignedEachBehindItsSize(new Xxh3Signer());
    }

    private static void keyAndValueAreSignedEachBehindItsSize(EventSigner signer) {
        byte[] none = {};
        Set<Hash> signatures = Set.of(
                signer.sign(null, ABC),
                signer.sign(none, ABC),
                signer.sign(ABC, none),
                signer.sign(ABC, null),
                signer.sign(none, none),
                signer.sign(null, null));
        assertThat(signatures).hasSize(6);
        byte[] alone = new byte[signer.sizeBytes()];
        signer.sign(ABC, alone, 0);
        assertThatThrownBy(() -> signer.sign(ABC, alone, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThat(Hash.copyOf(alone)).isEqualTo(signer.sign(null, ABC));
    }

    @Test
    void areFoundByTheirIds() {
        assertThat(EventSigners.ofId(3).orElseThrow().sizeBytes()).isEqualTo(32);
        assertThat(EventSigners.ofId(3).orElseThrow().id()).isEqualTo((byte) 3);
        assertThat(EventSigners.ofId(4).orElseThrow().sizeBytes()).isEqualTo(16);
        assertThat(EventSigners.ofId(4).orElseThrow().id()).isEqualTo((byte) 4);
        assertThat(IntStream.rangeClosed(-1, 256)
                        .filter(id -> EventSigners.ofId(id).isPresent()))
                .containsExactly(3, 4);
    }

    @Test
    void idsFrom128AreLeftToApplications() {
        assertThat(IntStream.rangeClosed(-1, 256).filter(id -> !EventSigners.isKnown(id)))
                .hasSize(258 - 130)
                .contains(-1, 0, 1, 2, 5, 127, 256);
    }
}
