package dev.stormproof.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stormproof.cli.local.Stages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A reader that was written for the alerts and findings of release 0.1.0 reads those of today: what a schema said, it says still, and
 * it may say more. Before the release {@code -Dcompatibility.write=true} writes them.
 */
@Tag(Stages.RELEASED)
class SchemaCompatibilityTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path NOW = Path.of("src", "main", "resources", "schema");
    private static final Path RELEASED = Path.of("src", "test", "resources", "compatibility", "schema");

    @ParameterizedTest
    @ValueSource(strings = {"alert-1.json", "alert-data-1.json", "acceptance-1.json", "audit-1.json"})
    void whatTheReleaseSaidIsSaidStill(String file) throws IOException {
        if (Boolean.getBoolean("compatibility.write")) {
            Files.createDirectories(RELEASED);
            Files.copy(NOW.resolve(file), RELEASED.resolve(file), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        }

        assertThat(broken(read(RELEASED.resolve(file)), read(NOW.resolve(file))))
                .isEmpty();
    }

    @Test
    void whatIsGoneOrSaysSomethingElseIsFound() throws IOException {
        JsonNode released = JSON.readTree("""
                {"type": "object", "required": ["a", "b"], "properties": {"a": {"enum": ["x", "y"]}, "b": {"type": "string"}}}""");

        assertThat(broken(released, JSON.readTree("""
                {"type": "object", "required": ["a"], "properties": {"a": {"enum": ["x", "z"]}, "b": {"type": "number"}}}""")))
                .containsExactly("/required: \"b\"", "/properties/a/enum: \"y\"", "/properties/b/type");
        assertThat(broken(released, JSON.readTree("""
                {"type": "object", "required": ["a", "b", "c"], "properties": {"a": {"enum": ["x", "y", "z"]},
                 "b": {"type": "string"}, "c": {"type": "number"}}}"""))).isEmpty();
    }

    private static JsonNode read(Path file) throws IOException {
        return JSON.readTree(file.toFile());
    }

    private static List<String> broken(JsonNode released, JsonNode now) {
        List<String> places = new ArrayList<>();
        compare("", released, now, places);
        return places;
    }

    /** Descriptions may change; members of objects and elements of lists may be added. */
    private static void compare(String place, JsonNode released, JsonNode now, List<String> places) {
        if (released.isObject() && now.isObject()) {
            released.properties().stream()
                    .filter(member -> !member.getKey().equals("description")
                            || member.getValue().isObject())
                    .forEach(member -> compare(
                            place + "/" + member.getKey(), member.getValue(), now.path(member.getKey()), places));
        } else if (released.isArray() && now.isArray()) {
            List<JsonNode> elements = new ArrayList<>();
            now.forEach(elements::add);
            released.forEach(element -> {
                if (!elements.contains(element)) {
                    places.add(place + ": " + element);
                }
            });
        } else if (!released.equals(now)) {
            places.add(place);
        }
    }
}
