package dev.stormproof.storm.tuple;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
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
public final class HeaderBytes {
    private static final HeaderBytes NONE = new HeaderBytes(new byte[0]);

    private final byte[] bytes;

    private HeaderBytes(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Takes the headers of a record that was read. */
    public static HeaderBytes of(Headers headers) {
        List<byte[]> names = new ArrayList<>();
        int sizeBytes = 0;
        for (Header header : headers) {
            byte[] name = header.key().getBytes(UTF_8);
            byte[] value = header.value();
            names.add(name);
            sizeBytes += Integer.BYTES + name.length + Integer.BYTES + (value == null ? 0 : value.length);
        }
        if (names.isEmpty()) {
            return NONE;
        }
        ByteBuffer buffer = ByteBuffer.allocate(sizeBytes);
        int index = 0;
        for (Header header : headers) {
            byte[] name = names.get(index++);
            byte[] value = header.value();
            buffer.putInt(name.length).put(name);
            if (value == null) {
                buffer.putInt(-1);
            } else {
                buffer.putInt(value.length).put(value);
            }
        }
        return new HeaderBytes(buffer.array());
    }

    /** Takes the array of {@link #encoded()}, which is not copied and must not be used elsewhere. */
    public static HeaderBytes ofEncoded(byte[] encoded) {
        return encoded.length == 0 ? NONE : new HeaderBytes(encoded);
    }

    /** The array itself, to be written and not to be changed. */
    public byte[] encoded() {
        return bytes;
    }

    /** The value of the last header of that name; null if there is none, or if its value is null. */
    public byte @Nullable [] last(String name) {
        byte[] wanted = name.getBytes(UTF_8);
        byte[] found = null;
        int position = 0;
        while (position < bytes.length) {
            int nameBegin = position + Integer.BYTES;
            int nameEnd = nameBegin + intAt(position);
            int valueSizeBytes = intAt(nameEnd);
            int valueBegin = nameEnd + Integer.BYTES;
            int valueEnd = valueBegin + Math.max(0, valueSizeBytes);
            if (Arrays.equals(bytes, nameBegin, nameEnd, wanted, 0, wanted.length)) {
                found = valueSizeBytes < 0 ? null : Arrays.copyOfRange(bytes, valueBegin, valueEnd);
            }
            position = valueEnd;
        }
        return found;
    }

    private int intAt(int position) {
        return (bytes[position] & 0xff) << 24
                | (bytes[position + 1] & 0xff) << 16
                | (bytes[position + 2] & 0xff) << 8
                | (bytes[position + 3] & 0xff);
    }
}
