package dev.stormproof.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.task.config.StormproofConfig;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.storm.shade.org.yaml.snakeyaml.Yaml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** docker-compose.yml fits the build, and its mounted files fit their use. */
class ComposeTest {
    private static final Path DIR = Path.of("scripts", "compose");

    @TempDir
    Path directory;

    @Test
    void everyTopicOfTheConfigurationIsCreated() throws IOException {
        StormproofConfig config = StormproofConfig.load(DIR.resolve("verify.properties"));
        String script = Files.readString(DIR.resolve("create-topics"));

        Stream.concat(config.input.topics().stream(), Stream.of(config.alerts.topic()))
                .forEach(topic -> assertThat(script).containsPattern("(?m)^create " + topic + " [0-9]+( |$)"));
    }

    @Test
    void whatItRunsIsThere() throws IOException {
        String compose = Files.readString(Path.of("docker-compose.yml"));
        for (String script : new String[] {"create-topics", "submit-topology"}) {
            assertThat(compose).contains("/stormproof/" + script);
            assertThat(DIR.resolve(script)).isExecutable();
        }
        assertThat(Files.readString(DIR.resolve("submit-topology")))
                .contains("dev.stormproof.cli.submit.SubmitCommand");
    }

    @Test
    void kafkaAndStormAreOfTheVersionsThatTheBuildIsTestedWith() throws IOException {
        List<String> images = services().values().stream()
                .map(service -> (String) service.get("image"))
                .toList();

        assertThat(images)
                .filteredOn(image -> image.startsWith("apache/kafka"))
                .isNotEmpty()
                .containsOnly("apache/kafka:" + version("kafka"));
        assertThat(images)
                .filteredOn(image -> image.startsWith("storm:"))
                .isNotEmpty()
                .containsOnly("storm:" + version("storm"));
    }

    @Test
    void whatIsWaitedForUntilItServesHasACheckAndTheRestEnds() throws IOException {
        Map<String, Map<String, Object>> services = services();
        services.forEach((name, service) -> dependencies(service).forEach((awaited, condition) -> {
            assertThat(services).as("what %s waits for", name).containsKey(awaited);
            boolean serves = Objects.requireNonNull(services.get(awaited)).containsKey("healthcheck");
            assertThat(condition)
                    .as("%s waits for %s", name, awaited)
                    .isEqualTo(Map.of("condition", serves ? "service_healthy" : "service_completed_successfully"));
        }));
        assertThat(dependencies(Objects.requireNonNull(services.get("submit"))))
                .containsOnlyKeys("topics", "nimbus", "supervisor");
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "a bash script")
    void submissionWaitsForALeaderAndForWorkers() throws Exception {
        Files.createFile(directory.resolve("stormproof-1-uber.jar"));

        String printed = submit("""
                case $1 in
                  jar) touch "$state/submitted" ;;
                  list)
                    echo . >>"$state/asked"
                    asked=$(wc -l <"$state/asked")
                    [ "$asked" -gt 2 ] || exit 1
                    [ ! -e "$state/submitted" ] || echo "stormproof  ACTIVE  9  $((asked > 5 ? 2 : 0))  3  stormproof-1"
                    ;;
                esac
                """);

        assertThat(printed).isEqualTo("submit: topology stormproof runs\n");
        assertThat(directory.resolve("submitted")).exists();
        assertThat(Files.readAllLines(directory.resolve("asked"))).hasSize(6);
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "a bash script")
    void whatRunsIsNotSubmittedAgain() throws Exception {
        Files.createFile(directory.resolve("stormproof-1-uber.jar"));

        String printed = submit("[ $1 = list ] && echo 'stormproof  ACTIVE  9  2  3  stormproof-1'");

        assertThat(printed).isEqualTo("submit: topology stormproof runs already\n");
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "a bash script")
    void withoutAJarItSaysHowToBuildOne() throws Exception {
        assertThat(submit("exit 1")).contains("found 0; build it with");
    }

    private String submit(String storm) throws IOException, InterruptedException {
        Path bin = Files.createDirectory(directory.resolve("bin"));
        Path standIn =
                Files.writeString(bin.resolve("storm"), "#!/usr/bin/env bash\nstate='" + directory + "'\n" + storm);
        assertThat(standIn.toFile().setExecutable(true)).isTrue();
        ProcessBuilder builder = new ProcessBuilder(
                        "bash", DIR.resolve("submit-topology").toString(), directory.toString(), "verify.properties")
                .redirectErrorStream(true);
        builder.environment().merge("PATH", bin + File.pathSeparator, (path, first) -> first + path);
        builder.environment().put("PAUSE_SECONDS", "0");
        Process process = builder.start();
        String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return printed;
    }

    private static Map<String, Map<String, Object>> services() throws IOException {
        Map<String, Map<String, Map<String, Object>>> compose =
                new Yaml().load(Files.readString(Path.of("docker-compose.yml")));
        return Objects.requireNonNull(compose.get("services"));
    }

    @SuppressWarnings("unchecked") // As the Compose specification has it.
    private static Map<String, Map<String, String>> dependencies(Map<String, Object> service) {
        return (Map<String, Map<String, String>>) service.getOrDefault("depends_on", Map.of());
    }

    private static String version(String name) throws IOException {
        Matcher version =
                Pattern.compile("<" + name + "\\.version>(.*?)</").matcher(Files.readString(Path.of("pom.xml")));
        assertThat(version.find()).isTrue();
        return version.group(1);
    }
}
