package dev.stormproof.cli.command;

import dev.stormproof.cli.local.CloseStack;
import dev.stormproof.cli.session.RunOptions;
import dev.stormproof.cli.session.RunSession;
import dev.stormproof.cli.text.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code run} runs the whole pipeline, from a file to alerts and a report. */
@Command(
        name = "run",
        description = {
            "Runs the whole pipeline in this process: emits the lines of a file as signed events with checkpoints, "
                    + "verifies them in a Storm topology, prints each alert as it comes and a report at the end.",
            "",
            "Needs nothing installed: Kafka and Storm run in this process unless --bootstrap-server names a Kafka."
        },
        footer = {
            "",
            "Examples:",
            "  ${COMMAND-FULL-NAME}",
            "  ${COMMAND-FULL-NAME} --input app.log --partitions 3",
            "  ${COMMAND-FULL-NAME} --input app.log --inject lose=3,duplicate=2,swap=2,move=1,alter=2 --seed 7",
            "  ${COMMAND-FULL-NAME} --transform log-json --output-topic orders-json",
            "  journalctl | ${COMMAND-FULL-NAME} --input - --transform log-json -o alerts.jsonl",
            "",
            ExitCode.VERDICT
        })
public final class RunCommand extends Subcommand {
    @Mixin
    private RunOptions options = new RunOptions();

    @Override
    int run(CloseStack resources) throws Exception {
        options.check();
        return new RunSession(options, resources, out(), err()).run();
    }
}
