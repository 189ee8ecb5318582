package dev.stormproof.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.stormproof.task.config.EnvironmentSettings;
import dev.stormproof.task.config.InputSettings;
import dev.stormproof.task.config.MetricsAddress;
import dev.stormproof.task.config.StormproofConfig;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What runs in containers fits the code: every command line is one of ours, every setting one of the configuration's, and every page one
 * that is served. {@code scripts/check deploy} asks the schemas of Kubernetes as well.
 */
class ContainersTest {
    private static final Path MANIFESTS = Path.of("deploy", "kubernetes", "verify.yaml");
    private static final Path ALERTING = Path.of("deploy", "kubernetes", "alerting.yaml");
    private static final String NAME = "app.kubernetes.io/name";
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

    /** The documents of the manifests by their kinds. */
    static Map<String, JsonNode> manifests() throws IOException {
        Map<String, JsonNode> byKind = new TreeMap<>();
        try (var documents = YAML.readerFor(JsonNode.class).<JsonNode>readValues(MANIFESTS.toFile())) {
            while (documents.hasNext()) {
                JsonNode document = documents.next();
                assertThat(document.required("apiVersion").asText()).isNotEmpty();
                assertThat(document.at("/metadata/name").asText()).isEqualTo("stormproof-verify");
                assertThat(byKind.put(document.required("kind").asText(), document))
                        .isNull();
            }
        }
        return byKind;
    }

    /** What plants faults, and who watches it, by their names. */
    private static Map<String, JsonNode> alerting() throws IOException {
        Map<String, JsonNode> byName = new TreeMap<>();
        try (var documents = YAML.readerFor(JsonNode.class).<JsonNode>readValues(ALERTING.toFile())) {
            while (documents.hasNext()) {
                JsonNode document = documents.next();
                byName.put(document.at("/metadata/name").asText(), document);
            }
        }
        return byName;
    }

    private static JsonNode alerting(String name) throws IOException {
        return Objects.requireNonNull(alerting().get(name), name);
    }

    private static String metricsPort(List<String> line) {
        return option(line, "--listen").replaceFirst("^.*:", "");
    }

    private static String option(List<String> line, String name) {
        return line.get(line.indexOf(name) + 1);
    }

    /** The ports at which Prometheus asks all addresses that a service has. */
    private static List<Integer> ports(JsonNode scraped, String service) {
        List<Integer> ports = new ArrayList<>();
        scraped.at("/0/dns_sd_configs").forEach(asked -> {
            if (texts(asked.required("names")).equals(List.of(service))) {
                assertThat(asked.required("type").asText()).isEqualTo("A");
                ports.add(asked.required("port").asInt());
            }
        });
        return ports;
    }

    /** The services of docker-compose.yml. */
    static JsonNode services() throws IOException {
        return YAML.readTree(Path.of("docker-compose.yml").toFile()).required("services");
    }

    /** The configuration that the manifests mount. */
    static Map<String, String> configMap() throws IOException {
        Properties properties = new Properties();
        properties.load(new StringReader(
                manifest("ConfigMap").at("/data/verify.properties").asText()));
        Map<String, String> settings = new HashMap<>();
        properties.forEach((key, value) -> settings.put((String) key, (String) value));
        return settings;
    }

    static JsonNode manifest(String kind) throws IOException {
        return Objects.requireNonNull(manifests().get(kind), kind);
    }

    static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(one -> texts.add(one.asText()));
        return texts;
    }

    private static JsonNode pod() throws IOException {
        return manifest("Deployment").at("/spec/template/spec");
    }

    private static JsonNode container() throws IOException {
        assertThat(pod().required("containers")).hasSize(1);
        return pod().at("/containers/0");
    }

    @Test
    void theManifestsAreTwoReplicasTheirBudgetAndWhoWatchesThem() throws IOException {
        assertThat(manifests())
                .containsOnlyKeys("ConfigMap", "Deployment", "PodDisruptionBudget", "Service", "ServiceMonitor");
        assertThat(manifest("Deployment").at("/spec/replicas").asInt()).isEqualTo(2);
        assertThat(manifest("PodDisruptionBudget").at("/spec/minAvailable").asInt())
                .isEqualTo(1);
    }

    @Test
    void everySelectorFindsWhatItIsFor() throws IOException {
        String label = manifest("Deployment")
                .at("/spec/template/metadata/labels")
                .required(NAME)
                .asText();
        assertThat(label).isEqualTo("stormproof-verify");
        for (String kind : List.of("Deployment", "PodDisruptionBudget", "ServiceMonitor")) {
            assertThat(manifest(kind)
                            .at("/spec/selector/matchLabels")
                            .required(NAME)
                            .asText())
                    .as(kind)
                    .isEqualTo(label);
        }
        assertThat(manifest("Service").at("/spec/selector").required(NAME).asText())
                .isEqualTo(label);
        assertThat(manifest("Service").at("/metadata/labels").required(NAME).asText())
                .isEqualTo(label);
    }

    @Test
    void theConfigurationIsOneThatVerifyTakesAndItsPortIsAskedByEverybody() throws IOException {
        StormproofConfig config = new StormproofConfig(configMap());
        int port = config.metricsAddress().map(MetricsAddress::firstPort).orElseThrow();

        assertThat(configMap()).containsEntry("metrics.http.host", "0.0.0.0");
        assertThat(container().at("/ports/0/containerPort").asInt()).isEqualTo(port);
        String name = container().at("/ports/0/name").asText();
        assertThat(manifest("Service").at("/spec/ports/0/port").asInt()).isEqualTo(port);
        assertThat(manifest("Service").at("/spec/ports/0/targetPort").asText()).isEqualTo(name);
        assertThat(manifest("ServiceMonitor").at("/spec/endpoints/0/port").asText())
                .isEqualTo(manifest("Service").at("/spec/ports/0/name").asText());
        assertThat(manifest("ServiceMonitor").at("/spec/endpoints/0/path").asText())
                .isEqualTo("/metrics");
        assertThat(container().at("/readinessProbe/httpGet/path").asText()).isEqualTo("/ready");
        assertThat(container().at("/livenessProbe/httpGet/path").asText()).isEqualTo("/healthy");
        assertThat(container().at("/readinessProbe/httpGet/port").asText()).isEqualTo(name);
        assertThat(container().at("/livenessProbe/httpGet/port").asText()).isEqualTo(name);
    }

    @Test
    void everyCommandLineIsOneOfOurs() throws IOException {
        List<List<String>> lines = new ArrayList<>();
        lines.add(texts(container().required("args")));
        for (String service : List.of("verify", "dashboard", "canary")) {
            lines.add(texts(services().required(service).required("command")));
        }
        lines.add(texts(alerting("stormproof-canary").at("/spec/template/spec/containers/0/args")));
        Matcher command = Pattern.compile("(?m)^CMD (.*)$").matcher(Files.readString(Path.of("Dockerfile")));
        assertThat(command.find()).isTrue();
        lines.add(texts(YAML.readTree(command.group(1))));

        assertThat(lines)
                .allSatisfy(line -> assertThat(new Main()
                                .commands()
                                .parseArgs(line.toArray(String[]::new))
                                .errors())
                        .isEmpty());
    }

    @Test
    void everyFileThatIsMountedIsThereAndEverySettingIsKnown() throws IOException {
        JsonNode services = services();
        for (JsonNode service : services) {
            for (String volume : texts(service.path("volumes"))) {
                Path mounted = Path.of(volume.substring(0, volume.indexOf(':')));
                // The build makes this one.
                assertThat(mounted.endsWith("target") || Files.exists(mounted))
                        .as(volume)
                        .isTrue();
            }
        }
        Map<String, String> environment = new HashMap<>();
        services()
                .at("/verify/environment")
                .properties()
                .forEach(one -> environment.put(one.getKey(), one.getValue().asText()));
        Map<String, String> settings =
                StormproofConfig.properties(Path.of("scripts", "compose", "verify.properties"), environment);
        StormproofConfig config = new StormproofConfig(settings);

        assertThat(EnvironmentSettings.of(environment)).hasSize(2);
        assertThat(config.tasks.verifying())
                .isGreaterThan(services().at("/verify/deploy/replicas").asInt());
        String port = String.valueOf(
                config.metricsAddress().map(MetricsAddress::firstPort).orElseThrow());
        assertThat(texts(services().at("/verify/healthcheck/test")).get(3))
                .contains("/127.0.0.1/" + port, "GET /ready ");
        JsonNode scraped = YAML.readTree(Path.of("deploy", "prometheus", "prometheus-compose.yml")
                        .toFile())
                .required("scrape_configs");
        assertThat(ports(scraped, "verify")).containsExactly(Integer.valueOf(port));
        assertThat(texts(scraped.at("/1/static_configs/0/targets")))
                .containsExactly("canary:" + metricsPort(texts(services.at("/canary/command"))));
        MetricsAddress ofWorkers = new StormproofConfig(
                        StormproofConfig.properties(Path.of("scripts", "compose", "verify.properties"), Map.of()))
                .metricsAddress()
                .orElseThrow();
        assertThat(ofWorkers.lastPort() - ofWorkers.firstPort() + 1)
                .as("each worker finds a port, while another one ends")
                .isGreaterThan(config.tasks.workers());
        assertThat(ports(scraped, "supervisor"))
                .containsExactlyElementsOf(IntStream.rangeClosed(ofWorkers.firstPort(), ofWorkers.lastPort())
                        .boxed()
                        .toList());
        // Services of the same name would be taken for settings.
        assertThat(pod().required("enableServiceLinks").asBoolean()).isFalse();
    }

    @Test
    void theManifestsOfAlertingAreACanaryOfTheReplicasAndWhoWatchesIt() throws IOException {
        assertThat(alerting()).containsOnlyKeys("stormproof-canary", "stormproof-alerting");
        JsonNode monitor = alerting("stormproof-alerting");
        JsonNode spec = alerting("stormproof-canary").required("spec");
        JsonNode labels = spec.at("/template/metadata/labels");
        assertThat(labels.required(NAME).asText())
                .isEqualTo("stormproof-canary")
                .isEqualTo(spec.at("/selector/matchLabels").required(NAME).asText());
        monitor.at("/spec/selector/matchLabels")
                .properties()
                .forEach(label -> assertThat(labels.required(label.getKey())).isEqualTo(label.getValue()));
        JsonNode one = spec.at("/template/spec/containers/0");
        List<String> canary = texts(one.required("args"));
        assertThat(one.at("/ports/0/containerPort").asText()).isEqualTo(metricsPort(canary));
        assertThat(one.at("/ports/0/name").asText())
                .isEqualTo(monitor.at("/spec/podMetricsEndpoints/0/port").asText());
        assertThat(one.required("image")).isEqualTo(container().required("image"));
        assertThat(one.required("securityContext")).isEqualTo(container().required("securityContext"));
        assertThat(spec.at("/template/spec/securityContext")).isEqualTo(pod().required("securityContext"));
        assertThat(spec.at("/template/spec/enableServiceLinks").asBoolean(true)).isFalse();
        assertThat(one.required("volumeMounts").findValuesAsText("mountPath")).containsExactly("/tmp");
        assertThat(option(canary, "--topic")).isEqualTo(configMap().get(InputSettings.CANARY_TOPIC));
        assertThat(option(canary, "--group")).isEqualTo(configMap().get(StormproofConfig.GROUP_ID));
    }

    /** As docs say of commands beside the one that the container runs. */
    @Test
    void theCommandIsOnThePathOfItsImage() throws IOException {
        String last = Files.readString(Path.of("Dockerfile")).replaceFirst("(?s)^.*\\nFROM ", "");
        assertThat(last)
                .contains("\nENTRYPOINT [\"/opt/stormproof/bin/stormproof\"]")
                .contains("\nENV PATH=/opt/stormproof/bin:$PATH\n");
    }

    @Test
    void nothingRunsAsRootOrWritesToItsImage() throws IOException {
        String last = Files.readString(Path.of("Dockerfile")).replaceFirst("(?s)^.*\\nFROM ", "");
        assertThat(last).startsWith("eclipse-temurin:17-jre").containsPattern("(?m)^USER [1-9]\\d*:[1-9]\\d*$");
        for (String service : List.of("verify", "dashboard", "canary")) {
            assertThat(services().required(service).required("read_only").asBoolean())
                    .as(service)
                    .isTrue();
            // Docker makes it noexec otherwise, and no library can be loaded that is unpacked there.
            assertThat(texts(services().required(service).required("tmpfs"))).containsExactly("/tmp:exec");
        }
        assertThat(Files.readString(Path.of("Dockerfile"))).contains("--read-only --tmpfs /tmp:exec ");
        JsonNode security = container().required("securityContext");
        assertThat(security.required("readOnlyRootFilesystem").asBoolean()).isTrue();
        assertThat(security.required("allowPrivilegeEscalation").asBoolean(true))
                .isFalse();
        assertThat(pod().at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
        assertThat(container().required("volumeMounts").findValuesAsText("mountPath"))
                .contains("/tmp");
    }

    @Test
    void theImageHasTheBuildsVersion() throws IOException {
        Matcher version = Pattern.compile("<artifactId>stormproof</artifactId>\\s*<version>(.*?)</version>")
                .matcher(Files.readString(Path.of("pom.xml")));
        assertThat(version.find()).isTrue();
        String image = "stormproof:" + version.group(1);

        assertThat(container().required("image").asText()).isEqualTo(image);
        assertThat(services().at("/verify/image").asText()).isEqualTo(image);
        assertThat(services().at("/dashboard/image").asText()).isEqualTo(image);
        assertThat(Files.readString(Path.of("Dockerfile"))).contains("-t " + image + " .");
    }
}
