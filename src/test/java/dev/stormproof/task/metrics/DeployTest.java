package dev.stormproof.task.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What deploy/ has for Prometheus and Grafana speaks of metrics that there are; {@code scripts/check deploy} asks promtool as well. */
class DeployTest {
    private static final Path RULES = Path.of("deploy", "prometheus", "alerts.yml");
    private static final Path TESTS = Path.of("deploy", "prometheus", "alerts_test.yml");
    private static final Path DASHBOARD = Path.of("deploy", "grafana", "stormproof.json");
    private static final Pattern NAME = Pattern.compile("\\bstormproof_\\w+");
    private static final Pattern LABELS = Pattern.compile("(?:\\bby|\\bon) *\\(([^)]*)\\)|(\\w+)(?:=~?|!=|!~)\"");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

    private static List<JsonNode> rules() throws IOException {
        List<JsonNode> rules = new ArrayList<>();
        YAML.readTree(RULES.toFile())
                .get("groups")
                .forEach(group -> group.get("rules").forEach(rules::add));
        return rules;
    }

    private static List<String> expressions() throws IOException {
        return Stream.concat(
                        rules().stream().map(rule -> rule.get("expr").asText()),
                        JSON.readTree(DASHBOARD.toFile()).findValuesAsText("expr").stream())
                .toList();
    }

    @Test
    void everyMetricThatIsAskedForIsServedAndEveryOneIsAskedFor() throws IOException {
        Set<String> served = Stream.of(Metric.values())
                .map(metric -> metric == Metric.DETECTION_DELAY
                        ? metric.prometheusName() + "_bucket"
                        : metric.prometheusName())
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> asked = new TreeSet<>();
        for (String expression : expressions()) {
            NAME.matcher(expression).results().forEach(name -> asked.add(name.group()));
        }
        assertThat(asked).isEqualTo(served);
    }

    @Test
    void everyLabelThatIsAskedForIsServed() throws IOException {
        assertThat(expressions()).hasSizeGreaterThan(30).allSatisfy(expression -> {
            Set<String> served = new HashSet<>(Set.of("le"));
            NAME.matcher(expression)
                    .results()
                    .flatMap(name -> Stream.of(Metric.values())
                            .filter(metric -> name.group().startsWith(metric.prometheusName())))
                    .forEach(metric -> served.addAll(metric.labels()));
            LABELS.matcher(expression).results().forEach(found -> {
                String names = found.group(1) == null ? found.group(2) : found.group(1);
                assertThat(names.strip().split(" *, *", -1)).as(expression).isSubsetOf(served);
            });
        });
    }

    @Test
    void bracketsAndQuotesOfEveryExpressionClose() throws IOException {
        assertThat(expressions()).allSatisfy(expression -> {
            Deque<Character> open = new ArrayDeque<>();
            for (char c : expression.replaceAll("\"[^\"]*\"", "").toCharArray()) {
                switch (c) {
                    case '(' -> open.push(')');
                    case '[' -> open.push(']');
                    case '{' -> open.push('}');
                    case ')', ']', '}' -> assertThat(open.poll()).as(expression).isEqualTo(c);
                    default -> assertThat(c).as(expression).isNotEqualTo('"');
                }
            }
            assertThat(open).as(expression).isEmpty();
        });
    }

    @Test
    void everyRuleSaysHowUrgentItIsAndHasItsRunbook() throws IOException {
        List<String> headings = Files.readAllLines(Path.of("docs/runbook.md")).stream()
                .filter(line -> line.startsWith("### Stormproof"))
                .map(line -> line.substring("### ".length()))
                .toList();
        List<JsonNode> alerts =
                rules().stream().filter(rule -> rule.has("alert")).toList();
        assertThat(alerts).allSatisfy(rule -> {
            String name = rule.get("alert").asText();
            assertThat(rule.at("/labels/severity").asText()).isIn("critical", "warning");
            assertThat(rule.at("/annotations/summary").asText()).isNotEmpty();
            assertThat(rule.at("/annotations/runbook_url").asText())
                    .isEqualTo("{{ $externalLabels.stormproof_docs }}docs/runbook.md#" + name.toLowerCase(Locale.ROOT));
        });
        assertThat(alerts.stream().map(rule -> rule.get("alert").asText())).containsExactlyElementsOf(headings);
        String tests = Files.readString(TESTS);
        assertThat(headings)
                .as("each is tried")
                .allSatisfy(name -> assertThat(tests).contains(name));
    }

    /** Of what was found in five minutes a missed scrape takes nothing; of a state it would take the alert. */
    @Test
    void everyRuleOutlastsAScrapeThatIsMissed() throws IOException {
        assertThat(rules()).filteredOn(rule -> rule.has("alert")).allSatisfy(rule -> {
            boolean ofFiveMinutes = Pattern.matches(
                    "(?s)(sum|max) by \\([a-z, ]+\\) ?\\(\\s*(increase|max_over_time)\\(.*",
                    rule.get("expr").asText());
            assertThat(rule.path("keep_firing_for").asText())
                    .as(rule.get("alert").asText())
                    .isEqualTo(ofFiveMinutes ? "" : "5m");
        });
    }

    /** What is counted from its first value on shows no increase by that. */
    @Test
    void theFirstOfAKindIsShownToo() throws IOException {
        assertThat(expressions())
                .filteredOn(expression -> expression.matches("(?s).*(anomalies|stray_records)_total.*"))
                .hasSize(3)
                .allMatch(expression -> expression.matches("(?s).*increase\\(.* unless stormproof_\\w+ offset .*"));
    }

    /** In a pager a path is no link. */
    @Test
    void everyConfigurationOfPrometheusSaysWhereRunbooksAre() throws IOException {
        for (String configuration : List.of("prometheus.yml", "prometheus-compose.yml")) {
            assertThat(YAML.readTree(RULES.resolveSibling(configuration).toFile())
                            .at("/global/external_labels/stormproof_docs")
                            .asText())
                    .as(configuration)
                    .matches("https://.*/");
        }
    }

    @Test
    void everyPanelOfTheDashboardHasATitleItsOwnPlaceAndTheChosenSource() throws IOException {
        JsonNode dashboard = JSON.readTree(DASHBOARD.toFile());
        Set<Integer> ids = new HashSet<>();
        Set<String> places = new HashSet<>();
        for (JsonNode panel : dashboard.get("panels")) {
            assertThat(panel.get("title").asText()).isNotEmpty();
            assertThat(panel.at("/datasource/uid").asText()).isEqualTo("${datasource}");
            assertThat(ids.add(panel.get("id").asInt())).isTrue();
            JsonNode at = panel.get("gridPos");
            for (int x = at.get("x").asInt();
                    x < at.get("x").asInt() + at.get("w").asInt();
                    x++) {
                for (int y = at.get("y").asInt();
                        y < at.get("y").asInt() + at.get("h").asInt();
                        y++) {
                    assertThat(places.add(x + "," + y))
                            .as("%s at %s,%s", panel.get("title"), x, y)
                            .isTrue();
                    assertThat(x).isLessThan(24);
                }
            }
        }
    }
}
