package dev.stormproof.cli.submit;

import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.cli.terminal.Terminal;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.storm.VerificationTopology;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.kafka.common.config.ConfigException;
import org.apache.storm.Config;
import org.apache.storm.StormSubmitter;
import org.apache.storm.generated.AlreadyAliveException;
import org.apache.storm.generated.AuthorizationException;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.Utils;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code storm jar stormproof-uber.jar …}: checks a configuration and submits the topology to a Storm cluster. */
@Command(
        name = "storm jar stormproof-uber.jar dev.stormproof.cli.submit.SubmitCommand",
        description = "Checks a configuration and submits the verification topology to a Storm cluster.",
        sortOptions = false,
        footer = {
            "",
            "Exit codes: 0 submitted, 64 wrong usage or configuration, 70 Kafka or Storm failed.",
            "Settings of Storm can be added before the class name: storm jar JAR -c topology.workers=4 …"
        })
public final class SubmitCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it.
    private CommandSpec spec;

    @Mixin
    private ConfigSource source = new ConfigSource();

    @Option(names = "--name", paramLabel = "NAME", description = "The topology's name in Storm (${DEFAULT-VALUE}).")
    private String name = "stormproof";

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help and exit.")
    @SuppressWarnings("unused") // picocli reads it.
    private boolean help;

    @Option(
            names = {"-v", "--verbose"},
            description = "Show stack traces.")
    private boolean verbose;

    /** The entry for {@code storm jar}; see {@code --help}. */
    public static void main(String[] args) {
        Terminal.install();
        int exitCode = run(args);
        if (exitCode != 0) {
            System.exit(exitCode);
        }
    }

    /** Parses the arguments, runs, and returns the exit code; whatever goes wrong becomes one line. */
    static int run(String... args) {
        SubmitCommand command = new SubmitCommand();
        return new CommandLine(command)
                .setOut(Terminal.ofStandardOutput())
                .setErr(Terminal.ofStandardError())
                .setUsageHelpWidth(100)
                .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
                .setParameterExceptionHandler(SubmitCommand::explainUsage)
                .setExecutionExceptionHandler((e, line, parsed) -> command.explain(e))
                .execute(args);
    }

    @Override
    public Integer call() throws Exception {
        StormproofConfig config = source.load();
        Map<String, Object> overrides = new HashMap<>(Utils.readCommandLineOpts());
        for (String warning : StartupCheck.check(config, overrides)) {
            print("warning: " + warning);
        }
        Config storm = VerificationTopology.stormConfig(config);
        refuseNameInUse();
        try {
            StormSubmitter.submitTopology(name, storm, VerificationTopology.build(config));
        } catch (AlreadyAliveException e) {
            throw nameInUse(e);
        } catch (InvalidTopologyException e) {
            throw Failure.own("Storm refuses the topology: " + e.get_msg(), e);
        } catch (AuthorizationException e) {
            throw Failure.own("Storm does not let you submit topologies: " + e.get_msg(), e);
        }
        return 0;
    }

    /** StormSubmitter looks as well, and throws a RuntimeException that says neither what is wrong nor what to do. */
    private void refuseNameInUse() throws Exception {
        boolean[] running = new boolean[1];
        NimbusClient.withConfiguredClient(nimbus -> running[0] = nimbus.getTopologySummaries().stream()
                .anyMatch(topology -> topology.get_name().equals(name)));
        if (running[0]) {
            throw nameInUse(null);
        }
    }

    private Failure nameInUse(@Nullable AlreadyAliveException cause) {
        return Failure.usage(
                "a topology named '" + name + "' is running already: kill it first, or choose another --name", cause);
    }

    private static int explainUsage(ParameterException e, String[] args) {
        e.getCommandLine().getErr().println("stormproof: " + Failure.oneLine(e) + "; see --help");
        return Failure.USAGE;
    }

    private int explain(Exception e) {
        int exitCode = Failure.FAILED;
        String reason = Failure.oneLine(e);
        if (e instanceof Failure failure) {
            exitCode = failure.exitCode();
        } else if (e instanceof ConfigException) {
            exitCode = Failure.USAGE;
            reason = source + ": " + reason;
        } else {
            reason = "cannot submit: " + reason + " (" + e.getClass().getSimpleName() + ")";
        }
        print(reason);
        if (verbose) {
            e.printStackTrace(spec.commandLine().getErr());
        }
        return exitCode;
    }

    private void print(String line) {
        spec.commandLine().getErr().println("stormproof: " + line);
    }
}
