package dev.stormproof.cli;

import dev.stormproof.config.StormproofConfig;
import dev.stormproof.local.LocalRun;
import dev.stormproof.submit.Failure;
import dev.stormproof.submit.StartupCheck;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code local} runs the topology in this process, against an existing Kafka. */
@Command(
        name = "local",
        description = "Runs the verification topology in this process against an existing Kafka, until Ctrl-C.",
        footer = {
            "",
            "A configuration needs at least:",
            "  bootstrap.servers=localhost:9092",
            "  group.id=stormproof",
            "  input.topics=events",
            "  alerts.topic=stormproof-alerts",
            "",
            "Examples:",
            "  stormproof local --config verify.properties",
            "",
            ExitCode.HELP
        })
final class LocalCommand extends Subcommand {
    @Option(
            names = "--config",
            paramLabel = "FILE",
            required = true,
            description = "The topology's configuration, a properties file.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Path configFile;

    @Option(names = "--name", paramLabel = "NAME", description = "The topology's name (default: ${DEFAULT-VALUE}).")
    private String name = "stormproof";

    @Override
    int run(CloseStack resources) throws Exception {
        StormproofConfig config =
                Failure.configured("--config " + configFile + ": ", () -> StormproofConfig.load(configFile));
        for (String warning : StartupCheck.check(config, Map.of())) {
            err().println("stormproof: warning: " + warning);
        }
        resources.open(() -> LocalRun.start(name, config));
        out().println("topology " + name + " runs in this process; Ctrl-C ends it");
        resources.awaitEnd();
        return ExitCode.VERIFIED;
    }
}
