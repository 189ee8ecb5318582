package dev.stormproof.cli.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.cli.local.CloseStack;
import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.cli.text.ProgramVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code man} prints manual pages. */
@Command(
        name = "man",
        description = {
            "Prints the manual page of a command, or writes those of all, for man: the words of --help.",
            "",
            "COMMAND may be two words, such as 'key create'. Without one it is the page of all of them."
        },
        footer = {
            "",
            "Examples:",
            "  stormproof man audit | man -l -",
            "  stormproof man --output-dir /usr/local/share/man/man1",
            "",
            ExitCode.HELP
        })
public final class ManCommand extends Subcommand {
    @Parameters(paramLabel = "COMMAND", arity = "0..*", description = "Whose page to print.")
    private List<String> names = List.of();

    @Option(
            names = "--output-dir",
            paramLabel = "DIR",
            description =
                    "Write the page of each command to a file of this directory, which is made if it is not there.")
    private @Nullable Path directory;

    @Override
    int run(CloseStack resources) {
        Path into = directory;
        if (into == null) {
            ManPage.of(named(), ProgramVersion.NAME).forEach(out()::println);
            return ExitCode.VERIFIED;
        }
        if (!names.isEmpty()) {
            throw Failure.usage("--output-dir writes the pages of all commands: name none");
        }
        try {
            Files.createDirectories(into);
            int written = write(root(), into, new HashSet<>());
            out().println(written + " pages written to " + into);
        } catch (IOException e) {
            throw Failure.usage("--output-dir " + into + " cannot be written: " + e, e);
        }
        return ExitCode.VERIFIED;
    }

    private CommandLine named() {
        CommandLine command = root();
        for (String name : names) {
            CommandLine next = command.getSubcommands().get(name);
            if (next == null) {
                throw Failure.usage("there is no command " + String.join(" ", names) + "; see 'stormproof --help'");
            }
            command = next;
        }
        return command;
    }

    private static int write(CommandLine command, Path directory, Set<String> written) throws IOException {
        String name = ManPage.name(command);
        if (written.add(name)) {
            Files.write(directory.resolve(name + ".1"), ManPage.of(command, ProgramVersion.NAME), UTF_8);
        }
        for (CommandLine sub : command.getSubcommands().values()) {
            write(sub, directory, written);
        }
        return written.size();
    }
}
