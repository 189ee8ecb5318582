package dev.stormproof.cli.command;

import picocli.CommandLine.Command;

/** {@code dev} holds what is for trying and developing. */
@Command(
        name = "dev",
        description = "Runs the whole pipeline, or a part of it, for trying and developing.",
        subcommands = {
            RunCommand.class,
            LocalCommand.class,
            BrokerCommand.class,
            EmitCommand.class,
            InspectCommand.class,
            ConformanceCommand.class
        },
        synopsisSubcommandLabel = "COMMAND",
        footer = {"", "Examples:", "  stormproof dev broker --topic events:3", "  stormproof dev inspect checkpoint.bin"
        })
public final class DevCommand {}
