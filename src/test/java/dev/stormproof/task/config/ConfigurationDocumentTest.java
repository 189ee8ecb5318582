package dev.stormproof.task.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.emit.EmitterConfig;
import dev.stormproof.testing.ShownDefault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigDef;
import org.junit.jupiter.api.Test;

/** docs/CONFIGURATION.md is made of the definitions of the settings: {@code -Ddocs.write=true} writes it. */
class ConfigurationDocumentTest {
    private static final Path FILE = Path.of("docs", "CONFIGURATION.md");
    private static final String COMMAND = "./mvnw -q test -Dtest=ConfigurationDocumentTest -Ddocs.write=true";

    @Test
    void theDocumentIsWhatTheDefinitionsMake() throws IOException {
        String document = document();
        if (Boolean.getBoolean("docs.write")) {
            Files.writeString(FILE, document);
        }

        assertThat(Files.readString(FILE))
                .as("to make %s again: %s", FILE, COMMAND)
                .isEqualTo(document);
    }

    private static String document() {
        return """
                # Configuration

                <!-- Made of the settings' definitions. To make it again: %s -->

                Every setting; [these matter to most](guides/verify.md#settings). The [glossary](README.md#glossary) explains the words. To find all mistakes in a file, without contacting Kafka:

                ```sh
                scripts/stormproof config check verify.properties
                ```

                ## The verifier

                In the properties file (UTF-8) of `--config`, for `scripts/stormproof watch`, `dev local` and the submission to Storm. Lists are
                separated by commas.

                %s
                ## The verifier's Kafka clients

                Properties of Kafka's clients are in the same file: without a prefix for all clients (`security.protocol`), with `consumer.` or `producer.`
                for one of them (`producer.linger.ms`). Passwords must be references to a configuration provider
                (`${file:/etc/stormproof/secrets:password}`), because Storm shows a topology's configuration to all its users: see
                [secrets](guides/verify.md#secrets).

                `producer.transaction.timeout.ms` must be at least 15 s; with an output 10 s more (or `flush.interval.ms` if that is longer) and
                1.25 × `transform.timeout.ms` for each attempt.

                These are refused, because the proof depends on them:

                %s
                ## A producer

                Among the properties of `CheckpointingProducer`.

                %s
                ## In environment variables

                `STORMPROOF_` and the key in capitals, with `_` for a dot, `__` for an underscore and `___` for a dash:
                `STORMPROOF_BOOTSTRAP_SERVERS=kafka1:9092` is `bootstrap.servers=kafka1:9092`. Variables override the file; `%s`
                also replaces `--bootstrap-server`. A producer reads none.

                | variable | what it is for |
                |---|---|
                | `STORMPROOF_JAVA_OPTS` | options for the JVM of `scripts/stormproof`, split at spaces |
                | `STORMPROOF_CLASSPATH` | further jars, for your transform or signature algorithm, separated by colons |
                | `STORMPROOF_LOG_LEVEL` | `INFO` or `DEBUG`: what Kafka, Storm and Stormproof log; `--verbose` is `INFO` |

                ## Log levels in Storm

                Without a restart, for ten minutes, or back at once:

                ```sh
                storm set_log_level stormproof -l dev.stormproof=DEBUG:600
                storm set_log_level stormproof -r dev.stormproof
                ```
                """.formatted(
                        COMMAND,
                        table(StormproofConfig.definition()),
                        fixed(),
                        table(EmitterConfig.definition()),
                        EnvironmentSettings.variable(StormproofConfig.BOOTSTRAP_SERVERS));
    }

    private static String table(ConfigDef definition) {
        return definition.configKeys().values().stream()
                .map(key -> "| `" + key.name + "` | " + key.documentation + " | " + values(key) + " |\n")
                .collect(Collectors.joining("", "| setting | what it means | default; valid |\n|---|---|---|\n", ""));
    }

    private static String values(ConfigDef.ConfigKey key) {
        String shown = ShownDefault.of(key.defaultValue, "`");
        boolean anything = key.validator == null || key.validator instanceof ConfigDef.NonEmptyString;
        return Stream.of(shown.equals("none") ? "" : shown, anything ? "" : key.validator.toString())
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining("; "));
    }

    private static String fixed() {
        return new TreeMap<>(KafkaClientProperties.FIXED)
                .entrySet().stream()
                        .map(entry -> "- `" + entry.getKey() + "`: " + entry.getValue() + "\n")
                        .collect(Collectors.joining());
    }
}
