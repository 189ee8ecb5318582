package dev.stormproof.cli.command;

import picocli.CommandLine.Command;

/** {@code output} is about verified outputs. */
@Command(
        name = "output",
        description = "Resumes a halted output.",
        subcommands = ResumeCommand.class,
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Examples:",
            "  stormproof output resume --config verify.properties --topic events --partition 2 --offset 4711 --retry"
        })
public final class OutputCommand {}
