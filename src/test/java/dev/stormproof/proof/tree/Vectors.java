package dev.stormproof.proof.tree;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HexFormat;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Named;

/** The golden vectors in src/test/resources/vectors; each file names the command that makes it again. */
public final class Vectors {
    private Vectors() {}

    /** The cases of a file, each under its name if it has one. */
    public static Stream<Named<JsonNode>> cases(String file) {
        return StreamSupport.stream(read(file).get("cases").spliterator(), false)
                .map(vector -> Named.of(vector.path("name").asText(vector.toString()), vector));
    }

    public static JsonNode read(String file) {
        try (InputStream in = Vectors.class.getResourceAsStream("/vectors/" + file)) {
            return new ObjectMapper().readTree(Objects.requireNonNull(in, file));
        } catch (IOException e) {
            throw new UncheckedIOException(file, e);
        }
    }

    public static byte[] bytes(JsonNode vector, String field) {
        return HexFormat.of().parseHex(vector.get(field).asText());
    }
}
