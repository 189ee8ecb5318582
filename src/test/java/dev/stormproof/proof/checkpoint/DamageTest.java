package dev.stormproof.proof.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.stormproof.proof.tree.Seed;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.proof.tree.Vectors;
import dev.stormproof.proof.tree.Xxh3;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Damages checkpoints of both formats in every way that one bit or one cut can, and looks at what the decoders do. */
class DamageTest {
    /** What a decoder may allocate whatever the input: readers, exceptions and their messages. */
    private static final int CONSTANT_BYTES = 16 << 10;

    /** Every bit, or with fewer cases some of them: a prime number of bits apart, so that each bit of a byte has its turn. */
    private static final int BIT_STEP = Seed.cases(100) == 100 ? 1 : 61;

    private final Seed seed = Seed.next();

    /** A decoder of one of the formats, and the way back. */
    private enum Format {
        FORMAT1 {
            @Override
            byte[] recode(byte[] bytes) throws MalformedCheckpointException {
                return Format1Codec.encode(
                        Format1Codec.decode("orders", 0, bytes).signatures());
            }

            @Override
            void decode(byte[] bytes) throws MalformedCheckpointException {
                Format1Codec.decode("orders", 0, bytes);
            }
        },
        FORMAT2 {
            @Override
            byte[] recode(byte[] bytes) throws MalformedCheckpointException {
                return CheckpointCodec.encode(CheckpointCodec.decode(bytes));
            }

            @Override
            void decode(byte[] bytes) throws MalformedCheckpointException {
                CheckpointCodec.decode(bytes);
            }
        };

        abstract byte[] recode(byte[] bytes) throws MalformedCheckpointException;

        abstract void decode(byte[] bytes) throws MalformedCheckpointException;

        boolean refuses(byte[] bytes) {
            try {
                decode(bytes);
                return false;
            } catch (MalformedCheckpointException e) {
                return e.position() >= 0 && e.position() <= bytes.length;
            }
        }
    }

    static Stream<Named<JsonNode>> format1() {
        return Vectors.cases("format1.json");
    }

    static Stream<Named<JsonNode>> format2() {
        return Vectors.cases("format2.json");
    }

    @ParameterizedTest
    @MethodSource("format1")
    void everyCutFlipAndAdditionToFormat1IsRefused(JsonNode vector) {
        assertEveryDamageIsRefused(Format.FORMAT1, Vectors.bytes(vector, "bytes"));
    }

    @ParameterizedTest
    @MethodSource("format2")
    void everyCutFlipAndAdditionToFormat2IsRefused(JsonNode vector) {
        assertEveryDamageIsRefused(Format.FORMAT2, Vectors.bytes(vector, "bytes"));
    }

    /** A writer other than ours may make the checksum fit whatever it writes: then one form only may be accepted. */
    @ParameterizedTest
    @MethodSource("format2")
    void aFlipUnderAFittingChecksumIsRefusedOrAnotherCheckpoint(JsonNode vector) {
        if (vector.has("keyId")) {
            return;
        }
        byte[] bytes = Vectors.bytes(vector, "bytes");
        for (int bit = 0; bit < 8 * (bytes.length - 8); bit += BIT_STEP) {
            byte[] forged = fitted(flipped(bytes, bit));
            assertCanonical(Format.FORMAT2, forged, "bit " + bit);
        }
    }

    @Test
    void randomDamagesUnderAFittingChecksumAreRefusedOrCanonical() {
        SplittableRandom random = seed.random();
        List<byte[]> vectors = format2()
                .map(Named::getPayload)
                .filter(vector -> !vector.has("keyId"))
                .map(vector -> Vectors.bytes(vector, "bytes"))
                .toList();
        for (int i = 0; i < Seed.cases(100_000); i++) {
            byte[] bytes = vectors.get(random.nextInt(vectors.size())).clone();
            for (int edits = 1 + random.nextInt(4); edits > 0; edits--) {
                int at = random.nextInt(Math.min(bytes.length, 130));
                bytes[at] = (byte) (random.nextBoolean() ? random.nextInt(256) : random.nextInt(3) - 1);
            }
            assertCanonical(Format.FORMAT2, fitted(bytes), seed.toString());
        }
    }

    @Test
    void randomDamagesToFormat1AreRefusedOrCanonical() {
        SplittableRandom random = seed.random();
        List<byte[]> vectors = format1()
                .map(Named::getPayload)
                .map(vector -> Vectors.bytes(vector, "bytes"))
                .toList();
        for (int i = 0; i < Seed.cases(100_000); i++) {
            byte[] bytes = vectors.get(random.nextInt(vectors.size())).clone();
            for (int edits = 1 + random.nextInt(4); edits > 0; edits--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(4);
            }
            assertCanonical(Format.FORMAT1, bytes, seed.toString());
        }
    }

    @Test
    void decodingAllocatesAtMostTwiceTheInput() throws Exception {
        List<byte[]> inputs1 = new ArrayList<>();
        List<byte[]> inputs2 = new ArrayList<>();
        for (String file : List.of("format1.json", "format1-damaged.json")) {
            Vectors.cases(file).forEach(vector -> inputs1.add(Vectors.bytes(vector.getPayload(), "bytes")));
        }
        for (String file : List.of("format2.json", "format2-damaged.json")) {
            Vectors.cases(file).forEach(vector -> inputs2.add(Vectors.bytes(vector.getPayload(), "bytes")));
        }
        inputs1.add(Format1Codec.encode(Format1CodecTest.leaves(10_000)));
        inputs2.add(CheckpointCodec.encode(CheckpointCodecTest.checkpoint(TreeHash.XXH3, 10_000, true, List.of())));
        for (int pass = 0; pass < 2; pass++) {
            for (byte[] input : inputs1) {
                assertAllocatesLittle(Format.FORMAT1, input, pass);
            }
            for (byte[] input : inputs2) {
                assertAllocatesLittle(Format.FORMAT2, input, pass);
            }
        }
    }

    private static void assertAllocatesLittle(Format format, byte[] input, int pass) {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        boolean unused = format.refuses(input);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        // The first pass also loads classes.
        if (pass > 0) {
            assertThat(allocated).isLessThanOrEqualTo(2L * input.length + CONSTANT_BYTES);
        }
    }

    private static void assertEveryDamageIsRefused(Format format, byte[] bytes) {
        assertThat(format.refuses(bytes)).isFalse();
        for (int size = 0; size < bytes.length; size++) {
            assertThat(format.refuses(Arrays.copyOf(bytes, size)))
                    .as("cut to %s bytes", size)
                    .isTrue();
        }
        for (int bit = 0; bit < 8 * bytes.length; bit += BIT_STEP) {
            if (!format.refuses(flipped(bytes, bit))) {
                throw new AssertionError("accepted with bit " + bit % 8 + " of byte " + bit / 8 + " flipped");
            }
        }
        byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
        for (int last = 0; last < 256; last++) {
            longer[bytes.length] = (byte) last;
            assertThat(format.refuses(longer)).as("one more byte, %s", last).isTrue();
        }
    }

    private static void assertCanonical(Format format, byte[] bytes, String description) {
        byte[] again;
        try {
            again = format.recode(bytes);
        } catch (MalformedCheckpointException e) {
            return;
        }
        if (!Arrays.equals(again, bytes)) {
            throw new AssertionError("accepted, but not the canonical form: " + description);
        }
    }

    private static byte[] flipped(byte[] bytes, int bit) {
        byte[] flipped = bytes.clone();
        flipped[bit / 8] ^= (byte) (1 << bit % 8);
        return flipped;
    }

    private static byte[] fitted(byte[] bytes) {
        int checksumAt = bytes.length - Long.BYTES;
        ByteBuffer.wrap(bytes).putLong(checksumAt, Xxh3.hash(bytes, 0, checksumAt));
        return bytes;
    }
}
