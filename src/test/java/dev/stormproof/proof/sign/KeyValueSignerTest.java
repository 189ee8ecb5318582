package dev.stormproof.proof.sign;

import static org.assertj.core.api.Assertions.assertThat;

import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hashing;
import dev.stormproof.proof.tree.Hash;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A signature is the digest of the message that the class draws, in however many parts it is digested. */
class KeyValueSignerTest {
    private static final int[] SIZES = {-1, 0, 1, 100, 2_030, 2_036, 2_040, 2_044, 2_048, 2_049, 9_000};

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);
    private final EventSigner sha256 = new Sha256Signer();
    private final EventSigner xxh3 = new Xxh3Signer();

    @Test
    void isTheDigestOfTheMessageWhateverTheSizesOfKeyAndValue() throws Exception {
        for (int keyBytes : SIZES) {
            for (int valueBytes : SIZES) {
                for (int around = -4; around <= 4; around++) {
                    check(bytes(keyBytes), bytes(valueBytes < 100 ? valueBytes : valueBytes + around));
                }
            }
        }
    }

    private void check(byte @Nullable [] key, byte @Nullable [] value) throws Exception {
        byte[] message = message(key, value);
        byte[] expected = MessageDigest.getInstance("SHA-256").digest(message);
        HashValue128 fast = Hashing.xxh3_128().hashBytesTo128Bits(message);
        String which = "seed " + seed + ", " + message.length + " bytes";
        assertThat(sha256.sign(key, value)).as(which).isEqualTo(Hash.copyOf(expected));
        assertThat(xxh3.sign(key, value).toByteArray())
                .as(which)
                .isEqualTo(ByteBuffer.allocate(16)
                        .putLong(fast.getMostSignificantBits())
                        .putLong(fast.getLeastSignificantBits())
                        .array());
        byte[] inPlace = new byte[32];
        ((InPlaceSigner) sha256).sign(slice(key), slice(value), inPlace);
        assertThat(inPlace).as(which).isEqualTo(expected);
    }

    private static byte[] message(byte @Nullable [] key, byte @Nullable [] value) {
        ByteBuffer message = ByteBuffer.allocate(
                2 * Integer.BYTES + (key == null ? 0 : key.length) + (value == null ? 0 : value.length));
        for (byte[] part : new byte @Nullable [][] {key, value}) {
            message.putInt(part == null ? -1 : part.length).put(part == null ? new byte[0] : part);
        }
        return message.array();
    }

    private byte @Nullable [] bytes(int sizeBytes) {
        if (sizeBytes < 0) {
            return null;
        }
        byte[] bytes = new byte[sizeBytes];
        random.nextBytes(bytes);
        return bytes;
    }

    private static ByteSlice slice(byte @Nullable [] bytes) {
        ByteSlice slice = new ByteSlice();
        slice.set(bytes);
        return slice;
    }
}
