package dev.stormproof.alert;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The schemas of alerts. Tests hold to them what they read of verification and of audits; here also no field may come that
 * they do not name.
 */
public final class AlertSchema {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String DATA = "/schema/alert-data-1.json";
    private static final String EVENT = "/schema/alert-1.json";

    private static final JsonSchemaFactory FACTORY = JsonSchemaFactory.getInstance(
            SpecVersion.VersionFlag.V202012,
            builder -> builder.schemaLoaders(loaders ->
                    loaders.schemas(Map.of(AlertJson.DATA_SCHEMA, closed(DATA).toString()))));
    private static final JsonSchema OF_EVENT = schema(EVENT);
    private static final JsonSchema OF_DATA = schema(DATA);
    private static final JsonSchema OF_ACCEPTANCE = schema("/schema/acceptance-1.json");
    private static final JsonSchema OF_AUDIT = schema("/schema/audit-1.json");

    private AlertSchema() {}

    /** Reads an alert as {@link AlertJson} does, and holds it to the schema. */
    public static Alert read(byte[] written) throws IOException {
        check(written);
        return AlertJson.read(written);
    }

    /** Throws an {@link AssertionError} that says what is wrong with an alert, the data of one, or a last line of an audit. */
    public static void check(byte[] written) {
        try {
            Set<ValidationMessage> faults = faults(JSON.readTree(written));
            if (!faults.isEmpty()) {
                throw new AssertionError(faults + " of " + new String(written, StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new AssertionError("no JSON", e);
        }
    }

    static Set<ValidationMessage> faults(JsonNode written) {
        boolean acceptance = written.path("type").asText().equals(AcceptanceJson.TYPE);
        return (acceptance
                        ? OF_ACCEPTANCE
                        : written.has("specversion") ? OF_EVENT : written.has("audited") ? OF_AUDIT : OF_DATA)
                .validate(written);
    }

    /** The names of the fields that the schema of data lists. */
    static Set<String> fieldsOfData() {
        return read(DATA).findValues("properties").stream()
                .flatMap(properties -> properties.propertyStream().map(Map.Entry::getKey))
                .collect(Collectors.toSet());
    }

    private static JsonSchema schema(String resource) {
        return FACTORY.getSchema(
                closed(resource), SchemaValidatorsConfig.builder().build());
    }

    private static ObjectNode closed(String resource) {
        ObjectNode schema = read(resource).put("unevaluatedProperties", false);
        if (schema.path("$defs").get("anomaly") instanceof ObjectNode anomaly) {
            anomaly.put("unevaluatedProperties", false);
        }
        return schema;
    }

    private static ObjectNode read(String resource) {
        try (InputStream in = AlertJson.class.getResourceAsStream(resource)) {
            return (ObjectNode) JSON.readTree(Objects.requireNonNull(in));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
