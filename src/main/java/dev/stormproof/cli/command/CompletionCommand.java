package dev.stormproof.cli.command;

import dev.stormproof.cli.local.CloseStack;
import dev.stormproof.cli.text.ExitCode;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code completion} prints what has a shell complete commands and options. */
@Command(
        name = "completion",
        description = "Prints a script with which bash or zsh completes commands and options.",
        footer = {
            "",
            "Examples:",
            "  source <(stormproof completion)",
            "  stormproof completion > /etc/bash_completion.d/stormproof"
        })
public final class CompletionCommand extends Subcommand {
    @Override
    int run(CloseStack resources) {
        CommandLine commands = root();
        AutoComplete.bash(commands.getCommandName(), commands).lines().forEach(out()::println);
        return ExitCode.VERIFIED;
    }
}
