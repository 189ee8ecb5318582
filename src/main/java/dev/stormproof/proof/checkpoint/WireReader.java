package dev.stormproof.proof.checkpoint;

import static java.nio.ByteOrder.BIG_ENDIAN;

import dev.stormproof.proof.sign.ByteSlice;
import dev.stormproof.proof.tree.Hash;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * Reads big-endian fields of untrusted bytes, a part of an array, and says exactly where they end or break too early. Positions
 * count from the beginning of that part.
 */
final class WireReader {
    private static final VarHandle INT16 = MethodHandles.byteArrayViewVarHandle(short[].class, BIG_ENDIAN);
    private static final VarHandle INT32 = MethodHandles.byteArrayViewVarHandle(int[].class, BIG_ENDIAN);
    static final VarHandle INT64 = MethodHandles.byteArrayViewVarHandle(long[].class, BIG_ENDIAN);

    private byte[] bytes;
    private int begin;
    private int position;
    private int end;

    WireReader(byte[] bytes, int end) {
        Objects.checkFromIndexSize(0, end, bytes.length);
        this.bytes = bytes;
        this.end = end;
    }

    /** Reads other bytes from now on. */
    void read(ByteSlice part) {
        bytes = part.array();
        begin = part.begin();
        position = 0;
        end = part.sizeBytes();
    }

    int position() {
        return position;
    }

    int remaining() {
        return end - position;
    }

    int uint8(String field) throws MalformedCheckpointException {
        demand(field, 1);
        return Byte.toUnsignedInt(bytes[begin + position++]);
    }

    int uint8(String field, int min, int max) throws MalformedCheckpointException {
        return (int) inRange(position(), field, uint8(field), min, max);
    }

    int uint16(String field, int min, int max) throws MalformedCheckpointException {
        int at = position;
        demand(field, Short.BYTES);
        position += Short.BYTES;
        int value = Short.toUnsignedInt((short) INT16.get(bytes, begin + at));
        return (int) inRange(at, field, value, min, max);
    }

    int int32(String field) throws MalformedCheckpointException {
        demand(field, Integer.BYTES);
        position += Integer.BYTES;
        return (int) INT32.get(bytes, begin + position - Integer.BYTES);
    }

    int int32(String field, int min, int max) throws MalformedCheckpointException {
        return (int) inRange(position(), field, int32(field), min, max);
    }

    long int64(String field) throws MalformedCheckpointException {
        demand(field, Long.BYTES);
        position += Long.BYTES;
        return (long) INT64.get(bytes, begin + position - Long.BYTES);
    }

    long int64(String field, long min) throws MalformedCheckpointException {
        return inRange(position(), field, int64(field), min, Long.MAX_VALUE);
    }

    Hash hash(String field, int sizeBytes) throws MalformedCheckpointException {
        return Hash.copyOf(bytes, begin + skip(field, sizeBytes), sizeBytes);
    }

    String utf8(String field, int sizeBytes) throws MalformedCheckpointException {
        int at = skip(field, sizeBytes);
        ByteBuffer encoded = ByteBuffer.wrap(bytes, begin + at, sizeBytes);
        CharBuffer decoded = CharBuffer.allocate(sizeBytes);
        CoderResult result = StandardCharsets.UTF_8.newDecoder().decode(encoded, decoded, true);
        if (result.isError()) {
            throw MalformedCheckpointException.damaged(
                    encoded.position() - begin, field, "bytes that are no UTF-8", "UTF-8");
        }
        return decoded.flip().toString();
    }

    /** Skips bytes and returns where they begin. */
    int skip(String field, long sizeBytes) throws MalformedCheckpointException {
        demand(field, sizeBytes);
        int at = position;
        position += (int) sizeBytes;
        return at;
    }

    void end() throws MalformedCheckpointException {
        if (remaining() != 0) {
            throw MalformedCheckpointException.damaged(position(), "end", remaining() + " more bytes", "the end");
        }
    }

    void endAt(int end) {
        Objects.checkFromToIndex(position, end, bytes.length - begin);
        this.end = end;
    }

    void demand(String field, long sizeBytes) throws MalformedCheckpointException {
        if (sizeBytes > remaining()) {
            throw MalformedCheckpointException.damaged(
                    end,
                    field,
                    MalformedCheckpointException.END + ", " + remaining() + " bytes after " + position(),
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
