package dev.stormproof.cli.command;

import dev.stormproof.cli.submit.ConfigSource;
import dev.stormproof.cli.text.ProgressDisplay;
import dev.stormproof.cli.text.StatusText;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.metrics.WorkerMetrics;
import java.util.List;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Mixin;

/** A command that verifies in this process until Ctrl-C, and shows up to when everything is verified. */
abstract class VerifyingCommand extends Subcommand {
    static final long STATUS_MILLIS = 1_000;

    @Mixin
    private ConfigSource source = new ConfigSource();

    final StormproofConfig load() {
        return source.load();
    }

    final void warn(List<String> warnings) {
        warnings.forEach(warning -> err().println("stormproof: warning: " + warning));
    }

    final void printWhatIsVerified(StormproofConfig config) {
        err().println("stormproof: verifying "
                + config.input
                        .pattern()
                        .map(pattern -> "topics that match " + pattern)
                        .orElseGet(() -> String.join(", ", config.input.topics()))
                + " at " + config.bootstrapServers() + " as group " + config.groupId()
                + "; alerts go to topic " + config.alerts.topic());
    }

    static void showStatus(ProgressDisplay display) {
        display.status(status(), TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
    }

    /** Says in one line what was done, as the last thing. */
    static void end(ProgressDisplay display) {
        display.stage("ended; " + status());
    }

    private static String status() {
        return StatusText.of(WorkerMetrics.ofThisProcess().status());
    }
}
