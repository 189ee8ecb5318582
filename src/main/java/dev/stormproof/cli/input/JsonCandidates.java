package dev.stormproof.cli.input;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.stormproof.cli.terminal.Failure;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The candidates of a file that has a JSON object a line.
 *
 * <pre>
 *   {"key": "42", "value": "a text"}                 the text's UTF-8
 *   {"key": "42", "value": {"order": 42, "n": 1}}    the bytes of the object as they stand there, spaces included
 *   {"keyBase64": "NDI=", "valueBase64": "AAE="}     any bytes
 *   {"key": "42", "payload": "a text"}               what kcat -J writes
 * </pre>
 *
 * <p>A field that is null or missing is a null key or value.
 */
record JsonCandidates(InputStream in, String title, String keyColumn, String valueColumn) {
    private static final String BASE64 = "Base64";
    private static final String KCATS_VALUE = "payload";
    private static final JsonFactory JSON = new JsonFactory();

    void forEach(Candidates.Visitor visitor) throws IOException {
        new LineStream(in, title).forEach((index, line) -> {
            String place = title + ":" + (index + 1);
            if (isBlank(line)) {
                return true;
            }
            try {
                Map<String, byte @Nullable []> fields = fields(line);
                boolean hasValue = fields.containsKey(valueColumn) || fields.containsKey(valueColumn + BASE64);
                if (!hasValue && !fields.containsKey(KCATS_VALUE)) {
                    throw Failure.usage(place + " has no field \"" + valueColumn + "\": --value-column names another");
                }
                return visitor.visit(
                        place, bytes(fields, keyColumn), bytes(fields, hasValue ? valueColumn : KCATS_VALUE));
            } catch (IOException | IllegalArgumentException e) {
                String why = e instanceof JsonProcessingException json ? json.getOriginalMessage() : Failure.oneLine(e);
                throw Failure.usage(
                        place + " is no JSON object with a key and a value: " + why
                                + "; a file of other lines must end with .csv or .txt",
                        e);
            }
        });
    }

    private static boolean isBlank(byte[] line) {
        for (byte b : line) {
            if (b != ' ' && b != '\t') {
                return false;
            }
        }
        return true;
    }

    private static byte @Nullable [] bytes(Map<String, byte @Nullable []> fields, String name) {
        byte[] encoded = fields.get(name + BASE64);
        return encoded == null ? fields.get(name) : Base64.getDecoder().decode(encoded);
    }

    private static Map<String, byte @Nullable []> fields(byte[] line) throws IOException {
        Map<String, byte @Nullable []> fields = new HashMap<>();
        try (JsonParser parser = JSON.createParser(line)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("it begins with no '{'");
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                JsonToken token = parser.nextToken();
                if (token.isStructStart()) {
                    int begin = (int) parser.currentTokenLocation().getByteOffset();
                    parser.skipChildren();
                    int end = (int) parser.currentLocation().getByteOffset();
                    fields.put(name, Arrays.copyOfRange(line, begin, end));
                } else {
                    fields.put(
                            name,
                            token == JsonToken.VALUE_NULL
                                    ? null
                                    : parser.getText().getBytes(UTF_8));
                }
            }
            if (parser.nextToken() != null) {
                throw new IOException("something follows the object");
            }
        }
        return fields;
    }
}
