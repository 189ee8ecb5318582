package dev.stormproof.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

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
            "  stormproof run",
            "  stormproof run --input app.log --partitions 3",
            "  stormproof run --input app.log --inject lose=3,duplicate=2,swap=2,move=1,alter=2 --seed 7",
            "  journalctl | stormproof run --input - --transform log-json --alerts alerts.jsonl",
            "",
            ExitCode.HELP
        })
final class RunCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private RunOptions options = new RunOptions();

    @Override
    public Integer call() throws Exception {
        options.check();
        try (CloseStack resources = new CloseStack(spec.commandLine().getErr())) {
            return new RunSession(
                            options,
                            resources,
                            spec.commandLine().getOut(),
                            spec.commandLine().getErr())
                    .run();
        }
    }
}
