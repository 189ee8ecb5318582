package dev.stormproof.cli.command;

import dev.stormproof.cli.local.CloseStack;
import dev.stormproof.cli.submit.ConfigReview;
import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.task.config.EnvironmentSettings;
import dev.stormproof.task.config.StormproofConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code config} looks at configurations. */
@Command(
        name = "config",
        description = "Checks a verifier's configuration.",
        subcommands = ConfigCommand.Check.class,
        synopsisSubcommandLabel = "COMMAND",
        footer = {"", "Examples:", "  stormproof config check verify.properties"})
public final class ConfigCommand {
    @Command(
            name = "check",
            description = {
                "Lists every mistake in a configuration at once: unknown keys, invalid values, settings that "
                        + "contradict each other, missing classes.",
                "",
                "It does not contact Kafka; the start of a verifier does. Environment variables "
                        + "(STORMPROOF_BOOTSTRAP_SERVERS for bootstrap.servers) override the file."
            },
            footer = {
                "",
                "Examples:",
                "  stormproof config check verify.properties",
                "",
                ExitCode.BEGIN
                        + "0 no mistake, 64 a mistake, or wrong usage, 70 a failure of our own or of what we need."
            })
    static final class Check extends Subcommand {
        @Parameters(paramLabel = "FILE", description = "The topology's configuration, a properties file.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private Path file;

        @Override
        int run(CloseStack resources) {
            Map<String, String> environment = EnvironmentSettings.of(System.getenv());
            ConfigReview review =
                    ConfigReview.of(Failure.configured("", () -> StormproofConfig.properties(file, System.getenv())));
            List<String> mistakes = review.mistakes();
            out().println(file + ": "
                    + (mistakes.isEmpty()
                            ? "no mistake"
                            : mistakes.size() == 1 ? "1 mistake" : mistakes.size() + " mistakes"));
            mistakes.forEach(mistake -> out().println("  " + mistake));
            review.warnings().forEach(warning -> out().println("  warning: " + warning));
            if (!environment.isEmpty()) {
                out().println("  from the environment: "
                        + String.join(
                                ", ",
                                environment.keySet().stream()
                                        .map(EnvironmentSettings::variable)
                                        .toList()));
            }
            return mistakes.isEmpty() ? ExitCode.VERIFIED : ExitCode.USAGE;
        }
    }
}
