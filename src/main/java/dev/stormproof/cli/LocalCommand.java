package dev.stormproof.cli;

import dev.stormproof.config.StormproofConfig;
import dev.stormproof.local.LocalRun;
import dev.stormproof.submit.RefusedException;
import dev.stormproof.submit.StartupCheck;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.kafka.common.config.ConfigException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

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
final class LocalCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

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
    public Integer call() throws Exception {
        StormproofConfig config = load();
        check(config);
        try (CloseStack resources = new CloseStack(spec.commandLine().getErr())) {
            resources.open(() -> LocalRun.start(name, config));
            spec.commandLine().getOut().println("topology " + name + " runs in this process; Ctrl-C ends it");
            resources.awaitEnd();
        }
        return ExitCode.VERIFIED;
    }

    private StormproofConfig load() {
        try {
            return StormproofConfig.load(configFile);
        } catch (ConfigException e) {
            throw Failure.usage("--config " + configFile + ": " + e.getMessage(), e);
        }
    }

    private void check(StormproofConfig config) {
        try {
            for (String warning : StartupCheck.check(config, Map.of())) {
                spec.commandLine().getErr().println("stormproof: warning: " + warning);
            }
        } catch (RefusedException e) {
            throw Failure.refused(e);
        }
    }
}
