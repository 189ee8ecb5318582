package dev.stormproof.cli.command;

import dev.stormproof.cli.local.CloseStack;
import dev.stormproof.cli.local.LocalRun;
import dev.stormproof.cli.submit.StartupCheck;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.cli.text.ProgressDisplay;
import dev.stormproof.task.config.StormproofConfig;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code dev local} runs the topology in this process, against an existing Kafka. */
@Command(
        name = "local",
        description = {
            "Runs the verification topology in this process against an existing Kafka, until Ctrl-C.",
            "It shows its progress as one line in a terminal, and otherwise as a line a minute on " + "standard error."
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
            "  stormproof dev local --config verify.properties"
        })
public final class LocalCommand extends VerifyingCommand {
    @Option(names = "--name", paramLabel = "NAME", description = "The topology's name (default: ${DEFAULT-VALUE}).")
    private String name = "stormproof";

    @Override
    int run(CloseStack resources) throws Exception {
        StormproofConfig config = load();
        warn(StartupCheck.check(config, Map.of()));
        resources.open(() -> LocalRun.start(name, config));
        out().println("topology " + name + " runs in this process; Ctrl-C ends it");
        printWhatIsVerified(config);
        ProgressDisplay display = ProgressDisplay.on(err());
        while (!resources.awaitEnd(STATUS_MILLIS)) {
            showStatus(display);
        }
        end(display);
        return ExitCode.VERIFIED;
    }
}
