package dev.stormproof.checkpoint;

import dev.stormproof.merkle.Hash;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/** Reads big-endian fields of untrusted bytes in [0, end), and says exactly where they end or break too early. */
final class WireReader {
    private final byte[] bytes;
    private final ByteBuffer buffer;

    WireReader(byte[] bytes, int end) {
        this.bytes = bytes;
        this.buffer = ByteBuffer.wrap(bytes, 0, end);
    }

    int position() {
        return buffer.position();
    }

    int remaining() {
        return buffer.remaining();
    }

    int uint8(String field) throws MalformedCheckpointException {
        demand(field, 1);
        return Byte.toUnsignedInt(buffer.get());
    }

    /** An integer of 1 byte in [min, max]. */
    int uint8(String field, int min, int max) throws MalformedCheckpointException {
        return (int) inRange(position(), field, uint8(field), min, max);
    }

    /** An integer of 2 bytes in [min, max]. */
    int uint16(String field, int min, int max) throws MalformedCheckpointException {
        int position = position();
        demand(field, Short.BYTES);
        return (int) inRange(position, field, Short.toUnsignedInt(buffer.getShort()), min, max);
    }

    int int32(String field) throws MalformedCheckpointException {
        demand(field, Integer.BYTES);
        return buffer.getInt();
    }

    /** An integer of 4 bytes in [min, max]. */
    int int32(String field, int min, int max) throws MalformedCheckpointException {
        return (int) inRange(position(), field, int32(field), min, max);
    }

    long int64(String field) throws MalformedCheckpointException {
        demand(field, Long.BYTES);
        return buffer.getLong();
    }

    /** An integer of 8 bytes, at least {@code min}. */
    long int64(String field, long min) throws MalformedCheckpointException {
        return inRange(position(), field, int64(field), min, Long.MAX_VALUE);
    }

    Hash hash(String field, int sizeBytes) throws MalformedCheckpointException {
        int begin = skip(field, sizeBytes);
        return Hash.copyOf(bytes, begin, sizeBytes);
    }

    /** Well-formed UTF-8. */
    String utf8(String field, int sizeBytes) throws MalformedCheckpointException {
        int begin = skip(field, sizeBytes);
        ByteBuffer encoded = ByteBuffer.wrap(bytes, begin, sizeBytes);
        CharBuffer decoded = CharBuffer.allocate(sizeBytes);
        CoderResult result = StandardCharsets.UTF_8.newDecoder().decode(encoded, decoded, true);
        if (result.isError()) {
            throw MalformedCheckpointException.damaged(encoded.position(), field, "bytes that are no UTF-8", "UTF-8");
        }
        return decoded.flip().toString();
    }

    /** Passes over {@code sizeBytes} and returns where they begin. */
    int skip(String field, long sizeBytes) throws MalformedCheckpointException {
        demand(field, sizeBytes);
        int begin = position();
        buffer.position(begin + (int) sizeBytes);
        return begin;
    }

    /** Demands that everything has been read. */
    void end() throws MalformedCheckpointException {
        if (remaining() != 0) {
            throw MalformedCheckpointException.damaged(position(), "end", remaining() + " more bytes", "the end");
        }
    }

    /** Makes the bytes end earlier. */
    void endAt(int end) {
        buffer.limit(end);
    }

    /** Demands that {@code sizeBytes} more are there. */
    void demand(String field, long sizeBytes) throws MalformedCheckpointException {
        if (sizeBytes > remaining()) {
            throw MalformedCheckpointException.damaged(
                    buffer.limit(),
                    field,
                    "the end, " + remaining() + " bytes after " + position(),
                    sizeBytes + " bytes");
        }
    }

    private static long inRange(int position, String field, long value, long min, long max)
            throws MalformedCheckpointException {
        if (value < min || value > max) {
            String want = max == Long.MAX_VALUE ? "at least " + min : min + " to " + max;
            throw MalformedCheckpointException.damaged(position, field, Long.toString(value), want);
        }
        return value;
    }
}
