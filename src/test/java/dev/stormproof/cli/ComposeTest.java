package dev.stormproof.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.config.StormproofConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What docker-compose.yml mounts fits what it is mounted for. */
class ComposeTest {
    private static final Path DIR = Path.of("scripts", "compose");

    @Test
    void theConfigurationIsOneThatTheTopologyTakes() {
        StormproofConfig config = StormproofConfig.load(DIR.resolve("verify.properties"));

        assertThat(config.inputTopics()).containsExactly("events");
    }

    @Test
    void everyTopicOfTheConfigurationIsCreated() throws IOException {
        StormproofConfig config = StormproofConfig.load(DIR.resolve("verify.properties"));
        String script = Files.readString(DIR.resolve("create-topics"));

        Stream.concat(
                        config.inputTopics().stream(),
                        Stream.of(config.alertsTopic(), config.verdictsTopic().orElseThrow()))
                .forEach(topic -> assertThat(script).containsPattern("(?m)^create " + topic + " [0-9]+$"));
    }

    @Test
    void whatItRunsIsThere() throws IOException {
        String compose = Files.readString(Path.of("docker-compose.yml"));
        for (String script : new String[] {"create-topics", "submit-topology"}) {
            assertThat(compose).contains("/stormproof/" + script);
            assertThat(DIR.resolve(script)).isExecutable();
        }
        assertThat(Files.readString(DIR.resolve("submit-topology")))
                .contains("dev.stormproof.storm.VerificationTopology");
    }
}
