package dev.stormproof.cli.command;

import dev.stormproof.cli.local.CloseStack;
import dev.stormproof.cli.local.LocalRun;
import dev.stormproof.cli.submit.ConfigSource;
import dev.stormproof.cli.submit.StartupCheck;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.cli.text.ProgressDisplay;
import dev.stormproof.cli.text.StatusText;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.metrics.WorkerMetrics;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code local} runs the topology in this process, against an existing Kafka. */
@Command(
        name = "local",
        description = {
            "Runs the verification topology in this process against an existing Kafka, until Ctrl-C.",
            "What is verified stands on one line of a terminal, and elsewhere as a line a minute on standard error."
        },
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
public final class LocalCommand extends Subcommand {
    private static final long STATUS_MILLIS = 1_000;

    @Mixin
    private ConfigSource source = new ConfigSource();

    @Option(names = "--name", paramLabel = "NAME", description = "The topology's name (default: ${DEFAULT-VALUE}).")
    private String name = "stormproof";

    @Override
    int run(CloseStack resources) throws Exception {
        StormproofConfig config = source.load();
        for (String warning : StartupCheck.check(config, Map.of())) {
            err().println("stormproof: warning: " + warning);
        }
        resources.open(() -> LocalRun.start(name, config));
        out().println("topology " + name + " runs in this process; Ctrl-C ends it");
        err().println("stormproof: verifying "
                + config.input
                        .pattern()
                        .map(pattern -> "topics that match " + pattern)
                        .orElseGet(() -> String.join(", ", config.input.topics()))
                + " at " + config.bootstrapServers() + " as group " + config.groupId()
                + "; alerts go to topic " + config.alerts.topic());
        ProgressDisplay display = ProgressDisplay.on(err());
        while (!resources.awaitEnd(STATUS_MILLIS)) {
            display.status(
                    StatusText.of(WorkerMetrics.ofThisProcess().status()),
                    TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
        }
        display.clear();
        return ExitCode.VERIFIED;
    }
}
