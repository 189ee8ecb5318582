package dev.stormproof.alert.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stormproof.alert.Printable;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record as it was read for the page, or why it could not be read.
 *
 * @param fault why it could not be read; empty if it was
 * @param timestampMillis when it was written
 * @param key null if it has none
 * @param value null if it has none
 */
@SuppressWarnings("ArrayRecordComponent") // Bytes on their way to the page; they are never compared.
public record ReadRecord(
        long offset,
        String fault,
        long timestampMillis,
        byte @Nullable [] key,
        List<Header> headers,
        byte @Nullable [] value) {
    /** How many bytes of a value are shown. */
    static final int MOST_VALUE_BYTES = 2_048;

    /** How many bytes are shown of a key, or of the name or value of a header. */
    static final int MOST_KEY_BYTES = 256;

    static final int MOST_HEADERS = 20;

    /** Larger numbers are sent as text, because they are not exact in a browser. */
    private static final long EXACT_UP_TO = 1L << 53;

    /** One header. */
    @SuppressWarnings("ArrayRecordComponent")
    public record Header(String name, byte @Nullable [] value) {}

    /** A place that could not be read. */
    public static ReadRecord unread(long offset, String fault) {
        return new ReadRecord(offset, fault, -1, null, List.of(), null);
    }

    /** The key for a line of text, bounded and without control characters; or why the record could not be read. */
    public String keyText() {
        return fault.isEmpty() ? line(key, MOST_KEY_BYTES) : fault;
    }

    /** The value likewise. */
    public String valueText() {
        return fault.isEmpty() ? line(value, MOST_VALUE_BYTES) : fault;
    }

    private static String line(byte @Nullable [] bytes, int most) {
        if (bytes == null) {
            return "none";
        }
        boolean cut = bytes.length > most;
        byte[] shown = cut ? Arrays.copyOf(bytes, most) : bytes;
        String text = text(shown, cut);
        String seen = text == null ? "0x" + HexFormat.of().formatHex(shown) : '"' + Printable.line(text) + '"';
        return cut ? seen + "… (" + bytes.length + " bytes)" : seen;
    }

    /** The record for the page, with every part bounded. */
    ObjectNode toJson() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        if (offset <= EXACT_UP_TO) {
            json.put("offset", offset);
        } else {
            json.put("offset", Long.toString(offset));
        }
        if (!fault.isEmpty()) {
            return json.put("fault", fault);
        }
        json.put("time", timestampMillis);
        put(json, "key", key, MOST_KEY_BYTES);
        ArrayNode named = json.putArray("headers");
        for (Header header : headers.subList(0, Math.min(MOST_HEADERS, headers.size()))) {
            ObjectNode one = named.addObject();
            put(one, "name", header.name().getBytes(UTF_8), MOST_KEY_BYTES);
            put(one, "value", header.value(), MOST_KEY_BYTES);
        }
        json.put("headerCount", headers.size());
        put(json, "value", value, MOST_VALUE_BYTES);
        return json;
    }

    private static void put(ObjectNode json, String field, byte @Nullable [] bytes, int most) {
        if (bytes == null) {
            return;
        }
        ObjectNode part = json.putObject(field);
        part.put("size", bytes.length);
        byte[] shown = bytes.length > most ? Arrays.copyOf(bytes, most) : bytes;
        String text = text(shown, bytes.length > most);
        if (text == null) {
            part.put("hex", HexFormat.of().formatHex(shown));
        } else {
            part.put("text", text);
        }
    }

    /** Printable UTF-8 as text; null for anything else. A character that the bound cuts is left out. */
    private static @Nullable String text(byte[] bytes, boolean cut) {
        int length = bytes.length;
        int back = 0;
        while (cut && back < 3 && length - back > 0 && (bytes[length - 1 - back] & 0xC0) == 0x80) {
            back++;
        }
        boolean begun = cut && length - back > 0 && (bytes[length - 1 - back] & 0xC0) == 0xC0;
        String text = decoded(bytes, length);
        if (text == null && begun) {
            text = decoded(bytes, length - 1 - back);
        }
        return text != null && text.codePoints().allMatch(ReadRecord::isPrintable) ? text : null;
    }

    private static @Nullable String decoded(byte[] bytes, int length) {
        try {
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 0, length)).toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    private static boolean isPrintable(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL -> character == '\n' || character == '\r' || character == '\t';
            case Character.FORMAT, Character.SURROGATE, Character.UNASSIGNED, Character.PRIVATE_USE -> false;
            default -> true;
        };
    }
}
