package dev.stormproof.proof.checkpoint;

/** The shortest LEB128 form of 63-bit numbers: 7 bits a byte, the lowest first; all bytes but the last have their top bit set. */
final class Leb128 {
    private static final int BITS = 7;
    private static final int LOW_BITS = (1 << BITS) - 1;
    private static final int MORE = 1 << BITS;

    private Leb128() {}

    static int sizeBytes(long number) {
        return (Long.SIZE - Long.numberOfLeadingZeros(number | 1) + BITS - 1) / BITS;
    }

    static void write(long number, byte[] out, int begin) {
        int at = begin;
        long rest = number;
        while (rest > LOW_BITS) {
            out[at++] = (byte) (rest | MORE);
            rest >>>= BITS;
        }
        out[at] = (byte) rest;
    }

    static long read(WireReader in, String field) throws MalformedCheckpointException {
        int position = in.position();
        long number = 0;
        for (int shift = 0; shift < Long.SIZE - 1; shift += BITS) {
            int next = in.uint8(field);
            number |= (long) (next & LOW_BITS) << shift;
            if (next <= LOW_BITS) {
                if (next == 0 && shift > 0) {
                    throw MalformedCheckpointException.damaged(position, field, "a longer form", "the shortest one");
                }
                return number;
            }
        }
        throw MalformedCheckpointException.damaged(position, field, "more than 9 bytes", "less than 2^63");
    }
}
