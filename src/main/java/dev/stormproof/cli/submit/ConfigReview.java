package dev.stormproof.cli.submit;

import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.task.config.ConfigErrors;
import dev.stormproof.task.config.NamedClasses;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.run.RecordParsers;
import dev.stormproof.task.transform.EventTransforms;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.provider.ConfigProvider;

/**
 * A review finds all that is wrong with a configuration, without asking Kafka.
 *
 * @param mistakes what a topology would be refused for, one line each
 * @param warnings what it would start with all the same, or what this machine cannot know
 */
public record ConfigReview(List<String> mistakes, List<String> warnings) {
    private static final Pattern PROVIDER_CLASS =
            Pattern.compile(Pattern.quote(AbstractConfig.CONFIG_PROVIDERS_CONFIG) + "\\.[^.]+\\.class");

    public ConfigReview {
        mistakes = List.copyOf(mistakes);
        warnings = List.copyOf(warnings);
    }

    /** Reviews the settings and the classes that they name. */
    public static ConfigReview of(Map<String, String> properties) {
        // Checks that use the same setting find the same mistake.
        Set<String> found = new LinkedHashSet<>();
        ConfigErrors mistakes = mistake -> found.add(Failure.oneLine(mistake));
        StormproofConfig config = StormproofConfig.reviewed(properties, mistakes);
        mistakes.check(() -> EventTransforms.named(config.output.transform()));
        RecordParsers.review(config, mistakes);
        int others = found.size();
        new TreeMap<>(properties).forEach((key, value) -> {
            if (PROVIDER_CLASS.matcher(key).matches()) {
                mistakes.check(() -> NamedClasses.newInstance(key, value, ConfigProvider.class));
            }
        });
        List<String> warnings = new ArrayList<>(StartupCheck.taskWarnings(config));
        if (found.size() == others) {
            // Providers that cannot be loaded were reported, and cannot be asked.
            ConfigErrors here = mistake -> warnings.add("on this machine: " + Failure.oneLine(mistake));
            here.check(() -> config.unresolvedReferences()
                    .forEach(reference -> warnings.add("on this machine: " + reference + " cannot be resolved")));
        }
        return new ConfigReview(new ArrayList<>(found), warnings);
    }
}
