package dev.stormproof.cli.submit;

import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.task.config.EnvironmentSettings;
import dev.stormproof.task.config.StormproofConfig;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that names a topology's configuration: a file, environment variables, or both. */
public final class ConfigSource {
    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "The verifier's configuration, a properties file. Environment variables "
                    + "(STORMPROOF_BOOTSTRAP_SERVERS for bootstrap.servers) override it, and suffice without it.")
    private @Nullable Path file;

    /** An option that was not given. */
    public ConfigSource() {}

    ConfigSource(Path file) {
        this.file = file;
    }

    /** Reads the configuration; throws {@link Failure} with the first mistake. */
    public StormproofConfig load() {
        if (file == null && EnvironmentSettings.of(System.getenv()).isEmpty()) {
            throw Failure.usage("no configuration: name a file with --config, or set environment variables such as "
                    + EnvironmentSettings.variable(StormproofConfig.BOOTSTRAP_SERVERS));
        }
        return Failure.configured(
                this + ": ", () -> new StormproofConfig(StormproofConfig.properties(file, System.getenv())));
    }

    /** As it stands in messages. */
    @Override
    public String toString() {
        return file == null ? "the environment" : "--config " + file;
    }
}
