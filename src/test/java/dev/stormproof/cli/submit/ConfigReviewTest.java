package dev.stormproof.cli.submit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.task.config.StormproofConfig;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;

class ConfigReviewTest {
    private final Map<String, String> properties =
            new HashMap<>(Map.of("bootstrap.servers", "k:9092", "group.id", "g", "input.topics", "orders"));

    @Test
    void everyMistakeIsToldAtOnce() {
        properties.remove("bootstrap.servers");
        properties.putAll(Map.of(
                "bootstrap.severs", "k:9092",
                "workers", "two",
                "tracker.placement", "source",
                "transform", "no.such.Transform",
                "event.signers", "no.such.Signer, java.lang.String",
                "alerts.topic", "orders",
                "checkpoint.keys", "first:nonsense",
                "ssl.key.password", "literal",
                "isolation.level", "read_uncommitted"));
        properties.put("consumer.fetch.max.bytes", "many");
        properties.put("origin.bootstrap.servers", "a:1");
        properties.put("config.providers", "vault");
        properties.put("config.providers.vault.class", "no.such.Provider");

        List<String> mistakes = ConfigReview.of(properties).mistakes();

        assertThat(mistakes)
                .doesNotHaveDuplicates()
                .anySatisfy(line -> assertThat(line).contains("Missing", "bootstrap.servers"))
                .anySatisfy(line -> assertThat(line).contains("unknown key bootstrap.severs", "bootstrap.servers?"))
                .anySatisfy(line -> assertThat(line).contains("two", "workers"))
                .anySatisfy(line -> assertThat(line).contains("tracker.placement=source", "would never run"))
                .anySatisfy(line -> assertThat(line).contains("transform=no.such.Transform"))
                .anySatisfy(line -> assertThat(line).contains("event.signers=no.such.Signer"))
                .anySatisfy(line -> assertThat(line).contains("event.signers=java.lang.String"))
                .anySatisfy(line -> assertThat(line).contains("alerts.topic", "also an input topic"))
                .anySatisfy(line -> assertThat(line).contains("checkpoint.keys", "first"))
                .anySatisfy(line -> assertThat(line).contains("ssl.key.password", "literal secret"))
                .anySatisfy(line -> assertThat(line).contains("isolation.level cannot be set"))
                .anySatisfy(line -> assertThat(line).contains("consumer.fetch.max.bytes"))
                .anySatisfy(line -> assertThat(line).contains("origin.bootstrap.servers needs"))
                .anySatisfy(line -> assertThat(line).contains("config.providers.vault.class=no.such.Provider"))
                .hasSize(14);
    }

    @Test
    void aProviderThatCannotBeLoadedIsToldOnce() {
        properties.put("config.providers", "vault");
        properties.put("config.providers.vault.class", "no.such.Provider");
        properties.put("ssl.key.password", "${vault:key}");

        ConfigReview review = ConfigReview.of(properties);

        assertThat(review.mistakes())
                .singleElement()
                .asString()
                .contains("config.providers.vault.class=no.such.Provider");
        assertThat(review.warnings()).isEmpty();
    }

    @Test
    void theOrderOfTheSettingsIsNotThatOfTheMistakes() {
        List<String> keys = List.of("e", "c", "a", "d", "b");
        Map<String, String> forwards = new LinkedHashMap<>(properties);
        Map<String, String> backwards = new LinkedHashMap<>();
        forwards.put("config.providers", "z,y,x");
        backwards.put("config.providers", "x,y,z");
        for (int i = 0; i < keys.size(); i++) {
            put(forwards, keys.get(i));
            put(backwards, keys.get(keys.size() - 1 - i));
        }
        backwards.putAll(properties);

        assertThat(ConfigReview.of(forwards).mistakes())
                .hasSizeGreaterThan(keys.size())
                .isEqualTo(ConfigReview.of(backwards).mistakes());
    }

    private static void put(Map<String, String> settings, String key) {
        settings.put("config.providers." + key + ".class", "no.such." + key);
        settings.put("config.providers." + key + ".password", "literal");
    }

    @Test
    void aMistakeThatSeveralChecksMeetIsToldOnce() {
        properties.remove("input.topics");
        properties.put("input.topics.pattern", "(");

        assertThat(ConfigReview.of(properties).mistakes())
                .singleElement()
                .asString()
                .contains("input.topics.pattern is no regular expression");
    }

    @Test
    void whatOnlyWarnsIsNoMistake() {
        properties.putAll(Map.of(
                "tracker.placement", "source",
                "checkpoint.tasks", "4",
                "config.providers", "file",
                "config.providers.file.class", "org.apache.kafka.common.config.provider.FileConfigProvider",
                "ssl.key.password", "${file:/no/such/file:key}"));

        ConfigReview review = ConfigReview.of(properties);

        assertThat(review.mistakes()).isEmpty();
        assertThat(review.warnings())
                .hasSize(2)
                .anySatisfy(line -> assertThat(line).contains("checkpoint.tasks does nothing"))
                .anySatisfy(
                        line -> assertThat(line).startsWith("on this machine: ").contains("/no/such/file"));
    }

    /** What the review finds in a configuration with one mistake is what a topology is refused for. */
    @Test
    void aSingleMistakeIsToldInTheSameWords() {
        Map<String, String> each = Map.of(
                "workers", "0",
                "no.such.key", "x",
                "verdicts.topic", "stormproof-alerts",
                "transform.on.error", "divert",
                "output.topic", "orders",
                "require.protection", "tampering",
                "mirrors", "orders",
                "input.topics.pattern", "o.*",
                "group.id", "${file:/x:y}");
        each.forEach((key, value) -> {
            Map<String, String> one = new HashMap<>(properties);
            one.put(key, value);

            List<String> mistakes = ConfigReview.of(one).mistakes();

            assertThat(refusal(one)).as(key + "=" + value).isIn(mistakes);
        });
    }

    private static String refusal(Map<String, String> properties) {
        try {
            new StormproofConfig(properties);
            return "taken";
        } catch (ConfigException e) {
            return Failure.oneLine(e);
        }
    }
}
