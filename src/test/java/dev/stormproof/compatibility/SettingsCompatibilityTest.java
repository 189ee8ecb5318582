package dev.stormproof.compatibility;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.Stages;
import dev.stormproof.emit.EmitterConfig;
import dev.stormproof.task.config.StormproofConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.config.ConfigDef;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Each setting of release 0.1.0 has its name, type and default still; others may come. Before the release
 * {@code -Dcompatibility.write=true} writes them.
 */
@Tag(Stages.RELEASED)
class SettingsCompatibilityTest {
    private static final Path FILE = Path.of("src", "test", "resources", "compatibility", "settings.txt");

    @Test
    void eachSettingOfTheReleaseMeansTheSame() throws IOException {
        Map<String, String> now = new TreeMap<>();
        addTo(now, "topology", StormproofConfig.definition());
        addTo(now, "emitter", EmitterConfig.definition());
        if (Boolean.getBoolean("compatibility.write")) {
            Files.writeString(FILE, now.values().stream().collect(joining("\n", "", "\n")));
        }

        List<String> released = Files.readAllLines(FILE);

        assertThat(released).hasSizeGreaterThan(40);
        assertThat(now.values()).containsAll(released);
    }

    private static void addTo(Map<String, String> settings, String owner, ConfigDef definition) {
        definition
                .configKeys()
                .values()
                .forEach(key -> settings.put(owner + " " + key.name, owner + " " + key.name + " " + valuesOf(key)));
    }

    private static String valuesOf(ConfigDef.ConfigKey key) {
        return key.type + " " + (key.hasDefault() ? "'" + key.defaultValue + "'" : "required");
    }
}
