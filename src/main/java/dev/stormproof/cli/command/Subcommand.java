package dev.stormproof.cli.command;

import dev.stormproof.cli.local.CloseStack;
import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.cli.terminal.Terminal;
import dev.stormproof.cli.text.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command writes to the streams of its command line, and closes everything that it opened when it ends. */
public abstract class Subcommand implements Callable<Integer> {
    /** Why a command fails whose output goes nowhere. */
    public static final String NO_OUTPUT = "standard output cannot be written, or was closed";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public final Integer call() throws Exception {
        CloseStack resources = new CloseStack(err());
        int exitCode;
        try (resources) {
            exitCode = run(resources);
        } catch (Throwable e) {
            if (resources.isEnding()) { // What fails then fails because of that.
                throw Failure.own("interrupted", e);
            }
            throw e;
        }
        return resources.hasFailed() ? ExitCode.FAILED : exitCode;
    }

    /** Does the work and returns the exit code; {@code resources} closes what it opens. */
    abstract int run(CloseStack resources) throws Exception;

    /** The parser of all commands. */
    final CommandLine root() {
        return spec.root().commandLine();
    }

    final Terminal out() {
        return Terminal.over(spec.commandLine().getOut());
    }

    final Terminal err() {
        return Terminal.over(spec.commandLine().getErr());
    }
}
