package dev.stormproof.verify.feed;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.proof.checkpoint.HeaderName;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.proof.sign.ByteSlice;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The headers of a record, immutable, in one array: cheap to pass between threads and to write between workers.
 *
 * <pre>
 *   for each header, in order:  name size (int32) | name (UTF-8) | value size (int32), -1 for null | value
 * </pre>
 *
 * <p>Kafka's own headers decode lazily and so must not be read by two bolts at once.
 */
public final class HeaderBytes implements LogRecordParser.Headers {
    public static final HeaderBytes NONE = new HeaderBytes(new byte[0]);

    private final byte[] bytes;

    private HeaderBytes(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * Takes the headers of a record that was read.
     *
     * @param valueOf returns null for a header without a value
     */
    public static <H> HeaderBytes of(
            Iterable<H> headers, Function<H, String> nameOf, Function<H, byte @Nullable []> valueOf) {
        byte[] bytes = NONE.bytes;
        int end = 0;
        for (H header : headers) {
            byte[] name = nameOf.apply(header).getBytes(UTF_8);
            byte[] value = valueOf.apply(header);
            int sizeBytes = sizeOf(name, value);
            if (sizeBytes > bytes.length - end) {
                // As large as the first header needs: most records have one.
                bytes = Arrays.copyOf(bytes, Math.max(end + sizeBytes, 2 * end));
            }
            put(ByteBuffer.wrap(bytes, end, sizeBytes), name, value);
            end += sizeBytes;
        }
        return ofEncoded(end == bytes.length ? bytes : Arrays.copyOf(bytes, end));
    }

    /** The same headers and one more after them. */
    public HeaderBytes plus(String name, byte @Nullable [] value) {
        byte[] nameBytes = name.getBytes(UTF_8);
        ByteBuffer buffer = ByteBuffer.allocate(bytes.length + sizeOf(nameBytes, value));
        put(buffer.put(bytes), nameBytes, value);
        return new HeaderBytes(buffer.array());
    }

    /** The same headers and others after them. */
    public HeaderBytes plus(HeaderBytes others) {
        if (others.bytes.length == 0) {
            return this;
        }
        byte[] joined = Arrays.copyOf(bytes, bytes.length + others.bytes.length);
        System.arraycopy(others.bytes, 0, joined, bytes.length, others.bytes.length);
        return new HeaderBytes(joined);
    }

    /** The same headers without those of a name; this object if there are none. */
    public HeaderBytes without(HeaderName name) {
        byte[] kept = null;
        int keptEnd = 0;
        int position = 0;
        while (position < bytes.length) {
            int nameBegin = position + Integer.BYTES;
            int nameSizeBytes = intAt(position);
            int valueSizeBytes = intAt(nameBegin + nameSizeBytes);
            int end = nameBegin + nameSizeBytes + Integer.BYTES + Math.max(0, valueSizeBytes);
            if (name.isAt(bytes, nameBegin, nameSizeBytes)) {
                if (kept == null) {
                    kept = bytes.clone();
                    keptEnd = position;
                }
            } else if (kept != null) {
                System.arraycopy(bytes, position, kept, keptEnd, end - position);
                keptEnd += end - position;
            }
            position = end;
        }
        return kept == null ? this : ofEncoded(Arrays.copyOf(kept, keptEnd));
    }

    /** Hands over the headers in order; a value may be null. */
    public void forEach(BiConsumer<String, byte @Nullable []> taker) {
        int position = 0;
        while (position < bytes.length) {
            int nameBegin = position + Integer.BYTES;
            int nameEnd = nameBegin + intAt(position);
            int valueSizeBytes = intAt(nameEnd);
            int valueBegin = nameEnd + Integer.BYTES;
            position = valueBegin + Math.max(0, valueSizeBytes);
            taker.accept(
                    new String(bytes, nameBegin, nameEnd - nameBegin, UTF_8),
                    valueSizeBytes < 0 ? null : Arrays.copyOfRange(bytes, valueBegin, position));
        }
    }

    /** The headers in an array of {@link #encoded()}, which is not copied and must not be changed. */
    public static HeaderBytes ofEncoded(byte[] encoded) {
        return encoded.length == 0 ? NONE : new HeaderBytes(encoded);
    }

    /** The array itself, which must not be changed. */
    public byte[] encoded() {
        return bytes;
    }

    @Override
    public boolean find(HeaderName name, ByteSlice value) {
        value.setNull();
        int position = 0;
        while (position < bytes.length) {
            int nameBegin = position + Integer.BYTES;
            int nameSizeBytes = intAt(position);
            int valueSizeBytes = intAt(nameBegin + nameSizeBytes);
            int valueBegin = nameBegin + nameSizeBytes + Integer.BYTES;
            if (name.isAt(bytes, nameBegin, nameSizeBytes)) {
                if (valueSizeBytes < 0) {
                    value.setNull();
                } else {
                    value.set(bytes, valueBegin, valueSizeBytes);
                }
            }
            position = valueBegin + Math.max(0, valueSizeBytes);
        }
        return !value.isNull();
    }

    @Override
    public byte @Nullable [] last(String name) {
        ByteSlice value = new ByteSlice();
        return find(new HeaderName(name), value) ? value.toByteArray() : null;
    }

    private static int sizeOf(byte[] name, byte @Nullable [] value) {
        return Integer.BYTES + name.length + Integer.BYTES + (value == null ? 0 : value.length);
    }

    private static void put(ByteBuffer buffer, byte[] name, byte @Nullable [] value) {
        buffer.putInt(name.length).put(name);
        if (value == null) {
            buffer.putInt(-1);
        } else {
            buffer.putInt(value.length).put(value);
        }
    }

    private int intAt(int position) {
        return (bytes[position] & 0xff) << 24
                | (bytes[position + 1] & 0xff) << 16
                | (bytes[position + 2] & 0xff) << 8
                | (bytes[position + 3] & 0xff);
    }
}
