package dev.stormproof.cli.command;

import dev.stormproof.cli.session.Connection;
import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.cli.text.NextCommands;
import dev.stormproof.task.config.StormproofConfig;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name files of settings: ours in one, the Kafka clients' in either. */
final class Settings {
    /** Ours, which clients have as well. */
    private static final Set<String> SHARED = Set.of(StormproofConfig.BOOTSTRAP_SERVERS, StormproofConfig.GROUP_ID);

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Stormproof's settings, such as checkpoint.keys and alerts.topic; may be a verifier's "
                    + "configuration, whose servers and client properties count too.")
    private @Nullable Path config;

    @Option(
            names = "--command-config",
            paramLabel = "FILE",
            description = "Client properties, as for Kafka's own tools: TLS, SASL and the like.")
    private @Nullable Path commandConfig;

    /** All of them; client properties in their own file win. */
    Map<String, String> read() {
        Map<String, String> settings = config == null ? new HashMap<>() : Connection.load(config);
        if (commandConfig != null) {
            settings.putAll(clientProperties("--command-config", "--config", commandConfig));
        }
        return settings;
    }

    /** The options as they were given, each after a blank. */
    String text() {
        return text(" --config ", config) + text(" --command-config ", commandConfig);
    }

    private static String text(String option, @Nullable Path file) {
        return file == null ? "" : option + NextCommands.quoted(file.toString());
    }

    /** How mistakes in them are named. */
    String option() {
        return config == null && commandConfig != null ? "--command-config" : "--config";
    }

    /** Reads a file of client properties; refuses settings of ours, with the option for them. */
    static Map<String, String> clientProperties(String option, String forOurs, Path file) {
        Map<String, String> properties = Connection.load(file);
        Set<String> ours = StormproofConfig.definition().names();
        for (String key : new TreeMap<>(properties).keySet()) {
            if (key.startsWith("stormproof.") || (ours.contains(key) && !SHARED.contains(key))) {
                throw Failure.usage(
                        option + " " + file + ": " + key + " is a setting of ours; name the file with " + forOurs);
            }
        }
        return properties;
    }
}
