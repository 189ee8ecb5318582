package dev.stormproof.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.Level;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;

/**
 * The command line parses the arguments, runs a command and returns its exit code.
 *
 * <p>Commands return an exit code and leave nothing running; only {@link #main} ends the JVM, because the threads of
 * Storm and Kafka would keep it.
 */
@Command(
        name = "stormproof",
        scope = ScopeType.INHERIT,
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        description = "Proves that every event of a Kafka stream arrived once, in order and unaltered.",
        subcommands = {
            RunCommand.class,
            BrokerCommand.class,
            EmitCommand.class,
            LocalCommand.class,
            AuditCommand.class,
            AlertsCommand.class,
            InspectCommand.class
        },
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Examples:",
            "  stormproof run                                  the whole pipeline on generated orders",
            "  stormproof run --input app.log --inject lose=2  the same on a file, with two events lost",
            "  stormproof COMMAND --help                       options and examples of a command",
            "",
            ExitCode.HELP
        })
public final class Main {
    @Option(
            names = {"-v", "--verbose"},
            scope = ScopeType.INHERIT,
            description = "Log what Kafka, Storm and we do, and show stack traces.")
    private boolean verbose;

    private Main() {}

    public static void main(String[] args) {
        System.exit(run(args));
    }

    /** Runs a command as if from the shell, writing to this JVM's standard streams, and returns its exit code. */
    static int run(String... args) {
        return run(args, new PrintWriter(System.out, true, UTF_8), new PrintWriter(System.err, true, UTF_8));
    }

    /** Runs a command with its results going to {@code out} and all else to {@code err}; returns its exit code. */
    public static int run(String[] args, PrintWriter out, PrintWriter err) {
        Main main = new Main();
        CommandLine commands = new CommandLine(main)
                .setOut(out)
                .setErr(err)
                .setUsageHelpWidth(100)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionStrategy(parsed -> {
                    setLogLevels(main.verbose);
                    return new CommandLine.RunLast().execute(parsed);
                })
                .setParameterExceptionHandler(Main::explainWrongUsage)
                .setExecutionExceptionHandler((e, command, parsed) -> main.explain(e, command));
        return commands.execute(args);
    }

    private static int explainWrongUsage(ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        command.getErr().println("stormproof: " + oneLine(e.getMessage()) + "; see '" + name + " --help'");
        return ExitCode.USAGE;
    }

    private int explain(Exception e, CommandLine command) {
        PrintWriter err = command.getErr();
        int exitCode;
        if (e instanceof Failure failure) {
            err.println("stormproof: " + oneLine(failure.getMessage()));
            exitCode = failure.exitCode();
        } else {
            err.println("stormproof: unexpected " + e.getClass().getSimpleName() + ": " + oneLine(e.getMessage())
                    + (verbose ? "" : "; --verbose shows where"));
            exitCode = ExitCode.FAILED;
        }
        if (verbose) {
            e.printStackTrace(err);
        }
        return exitCode;
    }

    private static String oneLine(@Nullable String message) {
        return message == null ? "no details" : message.strip().replaceAll("\\s*\\R\\s*", " ");
    }

    private static void setLogLevels(boolean verbose) {
        // Levels of single loggers are there to keep the quiet default quiet.
        if (verbose && LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME) instanceof ch.qos.logback.classic.Logger root) {
            root.getLoggerContext().getLoggerList().stream()
                    .filter(logger -> logger != root)
                    .forEach(logger -> logger.setLevel(null));
            root.setLevel(Level.INFO);
        }
    }

    /** The version that the build wrote down. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() throws IOException {
            Properties properties = new Properties();
            try (InputStream in = Main.class.getResourceAsStream("version.properties")) {
                if (in != null) {
                    properties.load(in);
                }
            }
            return new String[] {"stormproof " + properties.getProperty("version", "unknown")};
        }
    }
}
