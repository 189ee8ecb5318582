package dev.stormproof.task.config;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef.LambdaValidator;
import org.apache.kafka.common.config.ConfigException;

/**
 * The topics that are verified.
 *
 * @param topics in the configured order; empty if a pattern is configured
 * @param canary the topic in which faults are planted
 * @param origins the origins of topics that hold what a transform made of another topic's events
 * @param originServers the brokers that have the origins' logs; empty if not configured
 * @param names the names of all of them, including the canary's
 */
public record InputSettings(
        Set<String> topics,
        Optional<Pattern> pattern,
        Optional<String> canary,
        Map<String, String> origins,
        Map<String, String> mirrors,
        String originServers,
        InputTopics names) {
    public static final String INPUT_TOPICS = "input.topics";
    public static final String INPUT_TOPICS_PATTERN = "input.topics.pattern";
    public static final String ORIGINS = "origins";
    public static final String MIRRORS = "mirrors";
    public static final String ORIGIN_BOOTSTRAP_SERVERS = "origin.bootstrap.servers";
    public static final String CANARY_TOPIC = "canary.topic";

    /** A pattern that no name matches. */
    static final String NO_NAME = "(?!)";

    private static final Pairs WITH_ORIGIN = new Pairs("topic:origin", "two origins of the topic");

    static void define(Settings to) {
        to.list(INPUT_TOPICS, List.of(), null)
                .means("The topics to verify; required without " + INPUT_TOPICS_PATTERN + ".");
        to.text(INPUT_TOPICS_PATTERN, "", LambdaValidator.with((key, text) -> parse((String) text), () -> ""))
                .means("A regular expression: every topic whose whole name matches is verified, also later ones.");
        to.list(ORIGINS, List.of(), WITH_ORIGIN)
                .means("Input topics that a transform made from another topic, as topic:origin "
                        + "(orders-enriched:orders). The transform is trusted.");
        to.list(MIRRORS, List.of(), WITH_ORIGIN)
                .means("Input topics that hold unaltered copies of another topic, as topic:origin "
                        + "(dc1.orders:orders).");
        to.text(ORIGIN_BOOTSTRAP_SERVERS, "", null)
                .means("The brokers of the origins, for the audit command in alerts.");
        to.text(CANARY_TOPIC, "", null)
                .means("The topic in which stormproof canary plants faults. It has no output, and its findings "
                        + "are not counted.");
    }

    /** @param output the name of each input's output, with {@value InputTopics#NAME} for its own */
    static InputSettings of(AbstractConfig values, String output) {
        Set<String> topics = Settings.names(values, INPUT_TOPICS);
        Optional<Pattern> pattern = Settings.text(values, INPUT_TOPICS_PATTERN).map(InputSettings::parse);
        Optional<String> canary = Settings.text(values, CANARY_TOPIC);
        Set<String> named = new LinkedHashSet<>(topics);
        canary.ifPresent(named::add);
        return new InputSettings(
                topics,
                pattern,
                canary,
                Pairs.of(values, ORIGINS),
                Pairs.of(values, MIRRORS),
                values.getString(ORIGIN_BOOTSTRAP_SERVERS).replaceAll("\\s", ""),
                pattern.map(names -> InputTopics.matching(names, output))
                        .orElseGet(() -> InputTopics.named(named, output)));
    }

    private static Pattern parse(String pattern) {
        try {
            return Pattern.compile(pattern);
        } catch (PatternSyntaxException e) {
            throw new ConfigException(INPUT_TOPICS_PATTERN + " is no regular expression: " + e.getDescription());
        }
    }

    public boolean isAny() {
        return !topics.isEmpty() || pattern.isPresent();
    }

    public boolean isCanary(String topic) {
        return canary.equals(Optional.of(topic));
    }

    /** The further options of an audit, for each topic with an origin; each begins with a space. */
    public Map<String, String> originOptions() {
        String servers = originServers.isEmpty() ? "" : " --origin-bootstrap-server " + originServers;
        Map<String, String> options = new HashMap<>();
        origins.forEach((topic, origin) -> options.put(topic, " --origin " + origin + servers));
        mirrors.forEach((topic, origin) -> options.put(topic, " --mirror-of " + origin + servers));
        return options;
    }

    void check(boolean mayBeNone, ConfigErrors mistakes) {
        boolean both = !topics.isEmpty() && pattern.isPresent();
        mistakes.takeIf(
                both || (!isAny() && !mayBeNone),
                "set exactly one of " + INPUT_TOPICS + " and " + INPUT_TOPICS_PATTERN);
        mistakes.takeIf(
                !originServers.isEmpty() && origins.isEmpty() && mirrors.isEmpty(),
                ORIGIN_BOOTSTRAP_SERVERS + " needs " + ORIGINS + " or " + MIRRORS
                        + ", which name the topic that an input topic is a copy of");
        for (String topic : mirrors.keySet()) {
            mistakes.takeIf(
                    origins.containsKey(topic),
                    MIRRORS + ": " + topic + " is in " + ORIGINS
                            + " as well: name a mirror of a transform's output there, any other mirror here");
        }
        canary.ifPresent(topic -> checkCanary(topic, mistakes));
    }

    private void checkCanary(String topic, ConfigErrors mistakes) {
        mistakes.takeIf(
                topics.contains(topic),
                CANARY_TOPIC + " is '" + topic + "', which is in " + INPUT_TOPICS
                        + " as well: planted faults need a topic of their own");
        mistakes.takeIf(
                pattern.isPresent() && !names.matches(topic),
                CANARY_TOPIC + " is '" + topic + "', which " + INPUT_TOPICS_PATTERN + "=" + names.text()
                        + " has to match as well");
    }
}
