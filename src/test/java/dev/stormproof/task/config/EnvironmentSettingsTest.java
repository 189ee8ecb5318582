package dev.stormproof.task.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnvironmentSettingsTest {
    @Test
    void aVariableIsTheKeyInCapitalsWithUnderscoresForDots() {
        assertThat(EnvironmentSettings.of(Map.of(
                        "STORMPROOF_BOOTSTRAP_SERVERS", "k:9092 ",
                        "STORMPROOF_CONFIG_PROVIDERS_MY__FILE_CLASS", "C",
                        "STORMPROOF_A___B", "dash",
                        "KAFKA_GROUP_ID", "another program's",
                        "stormproof_group_id", "not in capitals")))
                .containsExactly(
                        Map.entry("a-b", "dash"),
                        Map.entry("bootstrap.servers", "k:9092"),
                        Map.entry("config.providers.my_file.class", "C"));
    }

    @Test
    void everySettingHasAVariableOfItsOwn() {
        for (String key : StormproofConfig.definition().names()) {
            String variable = EnvironmentSettings.variable(key);
            assertThat(EnvironmentSettings.of(Map.of(variable, "x"))).containsOnlyKeys(key);
        }
        assertThat(EnvironmentSettings.variable("a_b-c.d")).isEqualTo("STORMPROOF_A__B___C_D");
    }

    @Test
    void theLaunchersVariablesAndThoseOfAKubernetesServiceAreNone() {
        assertThat(EnvironmentSettings.of(Map.of(
                        "STORMPROOF_JAVA_OPTS", "-Xmx1g",
                        "STORMPROOF_CLASSPATH", "x.jar",
                        "STORMPROOF_LOG_LEVEL", "INFO",
                        "STORMPROOF_SERVICE_HOST", "10.0.0.1",
                        "STORMPROOF_SERVICE_PORT_HTTP", "9092",
                        "STORMPROOF_PORT", "tcp://10.0.0.1:9092",
                        "STORMPROOF_PORT_9092_TCP_ADDR", "10.0.0.1")))
                .isEmpty();
    }

    @Test
    void theyWinOverTheFile(@TempDir Path dir) throws IOException {
        Path file = Files.writeString(dir.resolve("x.properties"), "group.id=file\nworkers=2\n");

        assertThat(StormproofConfig.properties(file, Map.of("STORMPROOF_GROUP_ID", "environment")))
                .isEqualTo(Map.of("group.id", "environment", "workers", "2"));
        assertThat(StormproofConfig.properties(null, Map.of("STORMPROOF_GROUP_ID", "environment")))
                .isEqualTo(Map.of("group.id", "environment"));
    }
}
