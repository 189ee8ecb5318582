package dev.stormproof.cli.submit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.task.config.AlertSettings;
import dev.stormproof.task.config.InputSettings;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.storm.VerificationTopology;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Flux itself reads the example, as {@code storm jar … org.apache.storm.flux.Flux} does. */
@OnKafka
class FluxTopologyTest {
    private static final String EXAMPLE = "examples/flux/stormproof.yaml";

    @TempDir
    private Path directory;

    /** The settings and the topology that Flux would submit. */
    private record Submission(Config config, StormTopology topology) {}

    private static Submission read(Path file) throws Exception {
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(Path.of("target/flux"), "flux-core-*.jar")) {
            URL jar = jars.iterator().next().toUri().toURL();
            try (URLClassLoader flux = new URLClassLoader(new URL[] {jar}, FluxTopology.class.getClassLoader())) {
                Class<?> definition = flux.loadClass("org.apache.storm.flux.model.TopologyDef");
                Class<?> execution = flux.loadClass("org.apache.storm.flux.model.ExecutionContext");
                Class<?> builder = flux.loadClass("org.apache.storm.flux.FluxBuilder");
                Object read = flux.loadClass("org.apache.storm.flux.parser.FluxParser")
                        .getMethod(
                                "parseFile",
                                String.class,
                                boolean.class,
                                boolean.class,
                                Properties.class,
                                boolean.class)
                        .invoke(null, file.toString(), false, true, null, false);
                Config config =
                        (Config) builder.getMethod("buildConfig", definition).invoke(null, read);
                Object context =
                        execution.getConstructor(definition, Config.class).newInstance(read, config);
                return new Submission(config, (StormTopology)
                        builder.getMethod("buildTopology", execution).invoke(null, context));
            }
        }
    }

    private Map<String, String> settings(EmbeddedKafka kafka) {
        return Map.of(
                StormproofConfig.BOOTSTRAP_SERVERS,
                kafka.bootstrapServers(),
                StormproofConfig.GROUP_ID,
                SharedKafka.unique("flux"),
                InputSettings.INPUT_TOPICS,
                SharedKafka.createTopic(kafka, "flux", 2),
                AlertSettings.ALERTS_TOPIC,
                SharedKafka.createTopic(kafka, "alerts", 1));
    }

    /** The example beside a configuration, without the lines that contain {@code leftOut}. */
    private Path example(Map<String, String> settings, String leftOut) throws IOException {
        Path file = directory.resolve("verify.properties");
        Files.write(
                file,
                settings.entrySet().stream()
                        .map(setting -> setting.getKey() + "=" + setting.getValue())
                        .toList());
        return Files.write(
                directory.resolve("stormproof.yaml"),
                Files.readAllLines(Path.of(EXAMPLE)).stream()
                        .filter(line -> leftOut.isEmpty() || !line.contains(leftOut))
                        .map(line -> line.replace("verify.properties\"", file + "\""))
                        .toList());
    }

    @Test
    void theExampleSubmitsWhatSubmitCommandDoes(EmbeddedKafka kafka) throws Exception {
        Map<String, String> settings = settings(kafka);
        Submission submission = read(example(settings, ""));
        assertThat(submission.config())
                .containsExactlyInAnyOrderEntriesOf(VerificationTopology.stormConfig(new StormproofConfig(settings)));
        assertThat(submission.topology().get_spouts()).containsOnlyKeys(VerificationTopology.EVENTS);
        assertThat(submission.topology().get_bolts())
                .containsOnlyKeys(VerificationTopology.TRANSFORM, VerificationTopology.CHECKPOINT);
    }

    @Test
    void aFileWithoutASettingThatTheTopologyRestsOnIsRefused(EmbeddedKafka kafka) throws Exception {
        Path file = example(settings(kafka), "topology.acker.executors");
        assertThatThrownBy(() -> read(file))
                .hasRootCauseMessage("the config of the Flux file has to hold topology.acker.executors: 0");
    }
}
