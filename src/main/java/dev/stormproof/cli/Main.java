package dev.stormproof.cli;

import ch.qos.logback.classic.Level;
import dev.stormproof.cli.command.AlertsCommand;
import dev.stormproof.cli.command.AuditCommand;
import dev.stormproof.cli.command.BrokerCommand.TopicToCreate;
import dev.stormproof.cli.command.CanaryCommand;
import dev.stormproof.cli.command.CompareCommand;
import dev.stormproof.cli.command.CompletionCommand;
import dev.stormproof.cli.command.ConfigCommand;
import dev.stormproof.cli.command.DashboardCommand;
import dev.stormproof.cli.command.DemoCommand;
import dev.stormproof.cli.command.DevCommand;
import dev.stormproof.cli.command.KeyCommand;
import dev.stormproof.cli.command.NotaryCommand;
import dev.stormproof.cli.command.OutputCommand;
import dev.stormproof.cli.command.ProveCommand;
import dev.stormproof.cli.command.RunCommand;
import dev.stormproof.cli.command.Subcommand;
import dev.stormproof.cli.command.VerifyFileCommand;
import dev.stormproof.cli.command.WatchCommand;
import dev.stormproof.cli.session.Dashboard;
import dev.stormproof.cli.session.RunOptions;
import dev.stormproof.cli.session.RunOptions.Faults;
import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.cli.terminal.Terminal;
import dev.stormproof.cli.text.CompleteFrom;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.cli.text.ProgramVersion;
import dev.stormproof.cli.text.TimeText;
import dev.stormproof.task.config.DidYouMean;
import dev.stormproof.task.config.TrackerPlacement;
import java.io.Writer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.UnmatchedArgumentException;

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
        description = "Proves that every event of a Kafka stream arrived once, in order, with key and value unaltered.",
        subcommands = {
            DemoCommand.class,
            RunCommand.class,
            WatchCommand.class,
            AuditCommand.class,
            CompareCommand.class,
            ProveCommand.class,
            VerifyFileCommand.class,
            KeyCommand.class,
            NotaryCommand.class,
            AlertsCommand.class,
            DashboardCommand.class,
            ConfigCommand.class,
            OutputCommand.class,
            CanaryCommand.class,
            DevCommand.class,
            CompletionCommand.class,
            HelpCommand.class
        },
        commandListHeading = "",
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Examples:",
            "  stormproof run                                  the whole pipeline on generated orders",
            "  stormproof run --input app.log --inject lose=2  the same on a file, with two events lost",
            "  stormproof COMMAND --help                       options, examples and exit codes of a command",
            "",
            "Exit codes: 0 verified, 1 violated, 2 inconclusive, 64 wrong usage, 70 a failure."
        })
public final class Main {
    /** By this property the launcher distinguishes {@link ExitCode#VIOLATED} from a JVM that failed to start, which also exits with 1. */
    static final String VIOLATED_EXIT_CODE = "stormproof.exit.violated";

    /** The JVM's name for a missing class of Kafka or Storm. */
    private static final Pattern OF_DAEMONS = Pattern.compile("(?:org/apache/)?(?:kafka|storm)/");

    private static final String NO_DAEMONS =
            "this command runs Kafka or Storm in its own process, and this installation does not hold them;"
                    + " take the tar.gz without -slim in its name";

    @Option(
            names = {"-v", "--verbose"},
            scope = ScopeType.INHERIT,
            description = "Show the logs of Kafka, Storm and Stormproof, and stack traces.")
    private boolean verbose;

    Main() {}

    public static void main(String[] args) {
        Terminal.install();
        int exitCode = run(args, Terminal.ofStandardOutput(), Terminal.ofStandardError());
        System.exit(exitCode == ExitCode.VIOLATED ? Integer.getInteger(VIOLATED_EXIT_CODE, exitCode) : exitCode);
    }

    /** Runs a command with its results going to {@code outWriter} and all else to {@code errWriter}; returns its exit code. */
    public static int run(String[] args, Writer outWriter, Writer errWriter) {
        Main main = new Main();
        Terminal out = Terminal.over(outWriter);
        Terminal err = Terminal.over(errWriter);
        CommandLine commands = main.commands().setOut(out).setErr(err);
        int exitCode;
        try {
            exitCode = commands.execute(args);
        } catch (Throwable e) { // Errors, of which the JVM would make the exit code of a violation.
            exitCode = main.explain(e, commands);
        }
        if (exitCode != ExitCode.FAILED && out.checkError()) {
            // Its reader may have had enough, as head has.
            if (!out.hasClosedPipe()) {
                err.println("stormproof: " + Subcommand.NO_OUTPUT);
            }
            return ExitCode.FAILED;
        }
        return exitCode;
    }

    /** The parser of all commands. */
    CommandLine commands() {
        CommandLine commands = new CommandLine(this);
        shapeHelp(commands);
        // For the first look alone: 'dev' lists it.
        Objects.requireNonNull(commands.getSubcommands().get("run"))
                .getCommandSpec()
                .usageMessage()
                .hidden(true);
        commands.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, help -> HelpText.COMMANDS);
        return commands.setUsageHelpWidth(100)
                .setColorScheme(Help.defaultColorScheme(Help.Ansi.OFF))
                .registerConverter(TopicToCreate.class, TopicToCreate::of)
                .registerConverter(TrackerPlacement.class, RunOptions::placement)
                .registerConverter(Faults.class, Faults::of)
                .registerConverter(Instant.class, TimeText::of)
                .registerConverter(CompleteFrom.class, CompleteFrom::of)
                .registerConverter(Dashboard.Listen.class, Dashboard.Listen::of)
                .setExecutionStrategy(parsed -> {
                    setLogLevels(verbose);
                    return new CommandLine.RunLast().execute(parsed);
                })
                .setParameterExceptionHandler(Main::explainWrongUsage)
                .setExecutionExceptionHandler((e, command, parsed) -> explain(e, command));
    }

    /** Ends the help of each command with the exit codes, unless it states its own or does nothing but hold others. */
    private static void shapeHelp(CommandLine command) {
        UsageMessageSpec help = command.getCommandSpec().usageMessage();
        List<String> footer = new ArrayList<>(List.of(help.footer()));
        if (command.getCommand() instanceof Subcommand
                && footer.stream().noneMatch(line -> line.startsWith(ExitCode.BEGIN))) {
            Collections.addAll(footer, "", ExitCode.DONE);
            help.footer(footer.toArray(String[]::new));
        }
        command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_FOOTER, HelpText::footer);
        command.getSubcommands().values().forEach(Main::shapeHelp);
    }

    private static int explainWrongUsage(ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        List<String> unknown = e instanceof UnmatchedArgumentException unmatched
                ? unmatched.getUnmatched()
                : unknownOptions(command, args);
        Optional<String> removed = unknown.stream()
                .flatMap(typed -> Removed.of(command.getCommandName(), typed).stream())
                .findFirst();
        if (removed.isPresent()) {
            command.getErr().println("stormproof: " + removed.get());
            return ExitCode.USAGE;
        }
        String meant = e instanceof UnmatchedArgumentException unmatched ? suggestion(unmatched) : "";
        command.getErr().println("stormproof: " + Failure.oneLine(e) + meant + "; see '" + name + " --help'");
        return ExitCode.USAGE;
    }

    private static List<String> unknownOptions(CommandLine command, String[] args) {
        Set<String> known = command.getCommandSpec().optionsMap().keySet();
        return Stream.of(args)
                .filter(typed -> typed.startsWith("-") && !known.contains(typed.replaceFirst("=.*", "")))
                .toList();
    }

    private static String suggestion(UnmatchedArgumentException e) {
        CommandSpec command = e.getCommandLine().getCommandSpec();
        String typed = e.getUnmatched().get(0);
        Set<String> known = typed.startsWith("-")
                ? command.optionsMap().keySet()
                : command.subcommands().keySet();
        return DidYouMean.of(typed, known)
                .map(nearest -> "; did you mean " + nearest + "?")
                .orElse("");
    }

    private int explain(Throwable e, CommandLine command) {
        Terminal err = Terminal.over(command.getErr());
        Failure failure = failureOf(e);
        if (Terminal.over(command.getOut()).hasClosedPipe()) {
            return failure.exitCode();
        }
        String more = failure == e || verbose ? "" : "; --verbose shows where";
        err.println("stormproof: " + Failure.oneLine(failure) + more);
        if (verbose) {
            e.printStackTrace(err);
        }
        return failure.exitCode();
    }

    static Failure failureOf(Throwable e) {
        if (e instanceof NoClassDefFoundError missing
                && OF_DAEMONS.matcher(Failure.oneLine(missing)).lookingAt()) {
            return Failure.own(NO_DAEMONS, e);
        }
        return e instanceof Failure known ? known : Failure.unexpected(e);
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
        public String[] getVersion() {
            return new String[] {ProgramVersion.NAME};
        }
    }
}
