package dev.stormproof.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stormproof.cli.testing.OperationsDocument;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.config.TaskSettings;
import dev.stormproof.task.config.TrackerPlacement;
import dev.stormproof.task.metrics.Metric;
import dev.stormproof.task.storm.VerificationTopology;
import dev.stormproof.testing.ShownDefault;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.Undelivered;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.storm.Config;
import org.junit.jupiter.api.Test;

/** The lists of the manual are those of the code. */
class OperationsDocumentTest {
    private static final Map<String, String> LEAST =
            Map.of("bootstrap.servers", "b:1", "group.id", "g", "input.topics", "t");

    @Test
    void everySettingOfStormIsThereWithItsValue() {
        Map<String, String> atTheSource = new HashMap<>(LEAST);
        atTheSource.put(TaskSettings.TRACKER_PLACEMENT, TrackerPlacement.SOURCE.label());
        Config storm = VerificationTopology.stormConfig(new StormproofConfig(LEAST));
        storm.putAll(VerificationTopology.stormConfig(new StormproofConfig(atTheSource)));
        Map<String, String> values = new TreeMap<>();
        storm.forEach((key, value) -> values.put(key, ShownDefault.of(value, "")));
        // Not of interest, and as configured.
        values.put(Config.TOPOLOGY_KRYO_REGISTER, "");
        values.put(Config.TOPOLOGY_WORKERS, "");

        assertThat(OperationsDocument.table("| setting | value | why |", 0)).isEqualTo(values);
    }

    @Test
    void everyFieldOfAnAlertAnAcceptanceAndAnAuditIsDescribed() throws IOException {
        for (String name : List.of("alert-1", "alert-data-1", "acceptance-1", "audit-1")) {
            Set<String> fields = new TreeSet<>();
            Set<String> described = new TreeSet<>();
            schema(name)
                    .findValues("properties")
                    .forEach(properties -> properties.properties().forEach(field -> {
                        fields.add(field.getKey());
                        if (field.getValue().has("description")) {
                            described.add(field.getKey());
                        }
                    }));
            fields.remove("data");

            assertThat(described).as(name).isNotEmpty().isEqualTo(fields);
        }
    }

    private static JsonNode schema(String name) throws IOException {
        return new ObjectMapper()
                .readTree(Path.of("src/main/resources/schema", name + ".json").toFile());
    }

    @Test
    void theRunbookThatAnAlertNamesIsThere() throws IOException {
        Set<String> named = new TreeSet<>();
        for (String alert : Files.readAllLines(Path.of("src/test/resources/alerts.jsonl"))) {
            named.add(new ObjectMapper()
                    .readTree(alert)
                    .get("data")
                    .get("runbook")
                    .asText());
        }
        assertThat(named)
                .allSatisfy(place ->
                        assertThat(DocumentedCommandsTest.leadsSomewhere(place)).isTrue());
    }

    @Test
    void theLimitsOfAnAlertAreThoseOfTheCode() throws IOException {
        JsonNode data = schema("alert-data-1");
        assertThat(data.at("/$defs/violated/properties/anomalies/maxItems").asInt())
                .isEqualTo(Violated.MAX_NAMED);
        assertThat(data.at("/$defs/violated/properties/anomalyCount/description")
                        .asText())
                .contains(String.format(Locale.ROOT, "%,d", Violated.MAX_NAMED));
        assertThat(data.at("/properties/revision/description").asText())
                .startsWith(Finding.OPEN_REVISION + ": open")
                .contains(Finding.FINAL_REVISION + ": final");
    }

    @Test
    void everyKindOfAnomalyIsThere() {
        assertThat(OperationsDocument.runbook("Violated")).containsOnlyKeys(words(Anomaly.Kind.values()));
    }

    @Test
    void everyReasonOfAnInconclusiveVerdictIsThere() {
        assertThat(OperationsDocument.runbook("Inconclusive")).containsOnlyKeys(words(Inconclusive.Reason.values()));
    }

    /** A stray and an interval of an unknown version have one heading. */
    @Test
    void everyKindOfStrayIsThere() {
        Set<String> headings =
                new TreeSet<>(OperationsDocument.runbook("Strays").keySet());
        headings.add("unsupported");

        assertThat(headings).containsExactlyInAnyOrder(words(UnattributedRecord.Kind.values()));
    }

    /** A diverted event is an anomaly of the output as well. Of an output that goes on there is nothing to do. */
    @Test
    void everyKindOfUndeliveredRecordIsThere() {
        Set<String> headings =
                new TreeSet<>(OperationsDocument.runbook("Output").keySet());
        headings.addAll(List.of("diverted", "resumed", "waited"));

        assertThat(headings).containsExactlyInAnyOrder(words(Undelivered.Kind.values()));
    }

    @Test
    void everyMetricIsThereWithItsNameInStormAndItsLabels() throws IOException {
        Set<String> named = new TreeSet<>();
        Map<String, List<String>> rows = OperationsDocument.words("| Prometheus | Storm | labels | what it says |", 0);
        for (Metric metric : Metric.values()) {
            List<String> row = Objects.requireNonNull(rows.remove(metric.prometheusName()), metric.prometheusName());
            assertThat(List.of(row.get(0).split(", ", -1)))
                    .containsAll(metric.stormName().stream().toList());
            assertThat("group" + (row.get(1).isEmpty() ? "" : ", " + row.get(1)))
                    .as(metric.prometheusName())
                    .isEqualTo(String.join(", ", metric.labels()));
            named.addAll(List.of(row.get(0).split(", ", -1)));
        }
        named.remove("");

        assertThat(rows).isEmpty();
        assertThat(named).isEqualTo(registeredWithStorm());
    }

    private static Set<String> registeredWithStorm() throws IOException {
        Set<String> registered = new TreeSet<>();
        Pattern registration = Pattern.compile(
                "(?:register(?:Gauge|Counter|Meter|Histogram|Timer)\\(\\s*|(?=\"[a-z-]+\", \\w+::))\"([^\"]+)\"");
        try (Stream<Path> files = Files.walk(Path.of("src", "main", "java"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Matcher name = registration.matcher(Files.readString(file));
                while (name.find()) {
                    registered.add(name.group(1));
                }
            }
        }
        Matcher gauge = Pattern.compile("\"([a-z-]+)\", (?:\\w+::|\\(\\) ->)")
                .matcher(Files.readString(
                        Path.of("src/main/java/dev/stormproof/task/live/open/DurableVerification.java")));
        while (gauge.find()) {
            registered.add(gauge.group(1));
        }
        // The bolt completes this one with the type of the finding.
        assertThat(registered.remove("findings-")).isTrue();
        for (Finding.Type type : Finding.Type.values()) {
            registered.add("findings-" + type.label());
        }
        Stream.of(Metric.values())
                .flatMap(metric -> metric.stormName().stream())
                .forEach(registered::add);
        return registered;
    }

    private static String[] words(Enum<?>[] constants) {
        return Arrays.stream(constants)
                .map(constant -> constant.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .collect(Collectors.toSet())
                .toArray(String[]::new);
    }
}
