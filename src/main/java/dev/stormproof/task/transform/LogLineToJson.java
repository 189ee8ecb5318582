package dev.stormproof.task.transform;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import org.jspecify.annotations.Nullable;

/**
 * Wraps a log line into a JSON object with its place in the log and, if the line has them, time and level.
 *
 * <pre>
 *   {"topic":"log","partition":2,"offset":17,"time":"2015-07-29T17:41:44.747","level":"INFO","line":"2015-07-29 …"}
 * </pre>
 *
 * <p>{@code time} is local, because log lines seldom have a zone. A line without a year gives {@code timeWithoutYear}, for instance
 * {@code 12-10T06:55:46}. {@code level} is upper case. A value that is not UTF-8 is in {@code bytes}, in Base64, instead of {@code line}. A null
 * value stays null.
 */
final class LogLineToJson implements EventTransform {
    private final JsonFactory json = new JsonFactory();
    private final CharsetDecoder decoder = UTF_8.newDecoder();
    private final ByteArrayOutputStream buffer = new ByteArrayOutputStream();

    @Override
    public Transformed apply(InputEvent event) {
        byte[] value = event.read().value();
        if (value == null) {
            return Transformed.of(null);
        }
        buffer.reset();
        try (JsonGenerator out = json.createGenerator(buffer)) {
            out.writeStartObject();
            out.writeStringField("topic", event.topic());
            out.writeNumberField("partition", event.partition());
            out.writeNumberField("offset", event.offset());
            String line = decoded(value);
            if (line == null) {
                out.writeBinaryField("bytes", value);
            } else {
                write(LogLine.of(line), out);
                out.writeStringField("line", line);
            }
            out.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return Transformed.of(buffer.toByteArray());
    }

    private static void write(LogLine line, JsonGenerator out) throws IOException {
        if (!line.time().isEmpty()) {
            out.writeStringField(line.hasYear() ? "time" : "timeWithoutYear", line.time());
        }
        if (!line.level().isEmpty()) {
            out.writeStringField("level", line.level());
        }
    }

    private @Nullable String decoded(byte[] value) {
        try {
            return decoder.decode(ByteBuffer.wrap(value)).toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }
}
