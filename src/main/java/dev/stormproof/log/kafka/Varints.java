package dev.stormproof.log.kafka;

import dev.stormproof.log.kafka.MalformedBatchException.Fault;

/**
 * A cursor over a part of an array that holds numbers of variable size, as Kafka's records do: seven bits a byte, the lowest
 * first, and the sign in the lowest bit of all.
 */
final class Varints {
    private static final int LAST_INT_BITS = 28;
    private static final int LAST_LONG_BITS = 63;

    private byte[] bytes = new byte[0];
    private int position;
    private int end;

    void set(byte[] array, int begin, int endIndex) {
        bytes = array;
        position = begin;
        end = endIndex;
    }

    int position() {
        return position;
    }

    int remaining() {
        return end - position;
    }

    byte int8() throws Fault {
        if (position >= end) {
            throw ended();
        }
        return bytes[position++];
    }

    int varint() throws Fault {
        int raw = int8();
        if (raw < 0) {
            raw = (int) further(raw & 0x7f, LAST_INT_BITS);
        }
        return (raw >>> 1) ^ -(raw & 1);
    }

    long varlong() throws Fault {
        long raw = int8();
        if (raw < 0) {
            raw = further(raw & 0x7f, LAST_LONG_BITS);
        }
        return (raw >>> 1) ^ -(raw & 1);
    }

    /** Skips some bytes, and returns where they begin. */
    int skip(int sizeBytes) throws Fault {
        if (sizeBytes > remaining()) {
            throw ended();
        }
        int begin = position;
        position += sizeBytes;
        return begin;
    }

    private long further(long lowest, int maxBits) throws Fault {
        long raw = lowest;
        for (int bits = 7; bits <= maxBits; bits += 7) {
            byte next = int8();
            raw |= (long) (next & 0x7f) << bits;
            if (next >= 0) {
                return raw;
            }
        }
        throw new Fault("a number of more than " + (maxBits / 7 + 1) + " bytes");
    }

    private static Fault ended() {
        return new Fault("a record that ends within a field");
    }
}
