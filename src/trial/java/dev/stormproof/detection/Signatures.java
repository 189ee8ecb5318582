package dev.stormproof.detection;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/** The signatures of the events of a trial are of one of these kinds. */
enum Signatures {
    /** As good hashes of different values are: 32 random bytes; 40 random hexadecimal digits for format 1. */
    RANDOM,
    /** As bad ones may be: 32 bytes that hold an ascending number; its hexadecimal digits, with zeros before, for format 1. */
    COUNTED;

    private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    /** Writes the signature of event {@code i} as {@code sizeBytes} bytes. */
    void write(long i, SplittableRandom random, byte[] out, int begin, int sizeBytes, boolean hex) {
        int bitsPerByte = hex ? 4 : 8;
        long bits = this == RANDOM ? random.nextLong() : i;
        // From the last byte on, so that a number comes out big endian.
        for (int at = sizeBytes - 1; at >= 0; at--) {
            out[begin + at] = hex ? DIGITS[(int) bits & 15] : (byte) bits;
            bits >>>= bitsPerByte;
            if (this == RANDOM && at % (Long.SIZE / bitsPerByte) == 0) {
                bits = random.nextLong();
            }
        }
    }

    /** Changes one bit of a signature, or one digit of a hexadecimal one. */
    static void alter(SplittableRandom random, byte[] bytes, int begin, int sizeBytes, boolean hex) {
        int at = begin + random.nextInt(sizeBytes);
        if (hex) {
            int digit = Character.digit(bytes[at], 16);
            bytes[at] = DIGITS[(digit + 1 + random.nextInt(15)) % 16];
        } else {
            bytes[at] ^= (byte) (1 << random.nextInt(8));
        }
    }
}
