package dev.stormproof.task.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.emit.EmitterConfig;
import dev.stormproof.testing.ShownDefault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
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

    @Test
    void everySettingIsExplainedInSentences() {
        for (ConfigDef definition : List.of(StormproofConfig.definition(), EmitterConfig.definition())) {
            assertThat(definition.configKeys().values())
                    .allSatisfy(key -> assertThat(key.documentation)
                            .as(key.name)
                            .matches("[A-Z].*\\.")
                            .doesNotContain("|"));
        }
    }

    private static String document() {
        return """
                # Configuration

                <!-- Made of the settings' definitions. To make it again: %s -->

                Every setting, with what it means. Which of them matter, and when to change them, is in
                [settings](operations/settings.md). What is wrong with a file, all of it at once:

                ```sh
                scripts/stormproof config check verify.properties
                ```

                It ends with 0, or with 64 if there is a mistake, and asks no Kafka; the start of a topology does, for topics and rights.

                ## Of the topology

                In the properties file (UTF-8) that `--config` names, for `scripts/stormproof watch`, `dev local` and the submission to Storm alike. An
                unknown key is refused, and the nearest one named.

                %s
                ## Of the topology's Kafka clients

                They stand in the same file. What every client knows stands as it is (`security.protocol`, `ssl.truststore.location`,
                `client.id`); what only one knows has `consumer.` or `producer.` before it (`consumer.fetch.max.bytes`,
                `producer.linger.ms`), which also wins over the same property without. A password is a reference to a configuration
                provider (`${file:/etc/stormproof/secrets:password}` with `config.providers`), since Storm shows a topology's configuration to everybody.

                A `producer.transaction.timeout.ms` that is shorter than a transaction may take is refused. That is 15 s without an output. With one it is 10 s more, or
                `flush.interval.ms` if that is longer, and for each attempt 1.25 × `transform.timeout.ms`. Left out, it is long enough.

                Some are the topology's own business and refused, because the proof rests on them:

                %s
                ## Of a producer

                Among the properties of KafkaProducer that `CheckpointingProducer` is made with. An unknown key that begins with `%s` is refused.

                %s
                ## In environment variables

                For containers: `STORMPROOF_` before the key in capitals, with `_` for a dot, `__` for an underscore and `___` for a dash, as the
                container images of Kafka have it. `STORMPROOF_BOOTSTRAP_SERVERS=kafka1:9092` is `bootstrap.servers=kafka1:9092`. They win over
                the file, and are enough without one (`scripts/stormproof watch`, `dev local`, and the submission); `%s` stands in for
                `--bootstrap-server`, too. Variables that Kubernetes makes for a service named `stormproof`
                (`STORMPROOF_SERVICE_HOST`, `STORMPROOF_PORT_9092_TCP`, …) are passed over. A producer reads no environment.

                | variable | what it is for |
                |---|---|
                | `STORMPROOF_JAVA_OPTS` | options for the JVM of `scripts/stormproof`, split at spaces |
                | `STORMPROOF_CLASSPATH` | further jars, for a transform or a signature algorithm of yours, separated by colons |
                | `STORMPROOF_LOG_LEVEL` | `INFO` or `DEBUG`, to hear what Kafka, Storm and we log; `--verbose` is the first of them |

                ## Log levels while it runs

                A topology on a cluster takes them from Storm, for a time in seconds, without a restart:

                ```sh
                storm set_log_level stormproof -l dev.stormproof=DEBUG:600
                storm set_log_level stormproof -r dev.stormproof
                ```

                The first sets the level for ten minutes, the second takes it back at once.
                """.formatted(
                        COMMAND,
                        table(StormproofConfig.definition()),
                        fixed(),
                        EmitterConfig.PREFIX,
                        table(EmitterConfig.definition()),
                        EnvironmentSettings.variable(StormproofConfig.BOOTSTRAP_SERVERS));
    }

    private static String table(ConfigDef definition) {
        return definition.configKeys().values().stream()
                .map(key -> "| `" + key.name + "` | " + key.documentation + " | "
                        + key.type.toString().toLowerCase(java.util.Locale.ROOT) + " | "
                        + ShownDefault.of(key.defaultValue, "`")
                        + " | "
                        + (key.validator == null ? "" : key.validator) + " |\n")
                .collect(Collectors.joining(
                        "", "| setting | what it means | type | default | valid |\n|---|---|---|---|---|\n", ""));
    }

    private static String fixed() {
        return new TreeMap<>(KafkaClientProperties.FIXED)
                .entrySet().stream()
                        .map((Map.Entry<String, String> entry) ->
                                "| `" + entry.getKey() + "` | " + entry.getValue() + " |\n")
                        .collect(Collectors.joining("", "| property | why it cannot be set |\n|---|---|\n", ""));
    }
}
