package dev.stormproof.cli.command;

import dev.stormproof.cli.local.CloseStack;
import dev.stormproof.cli.submit.StartupCheck;
import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.cli.text.ProgressDisplay;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.process.VerifyProcess;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.TimeoutException;
import picocli.CommandLine.Command;

/** {@code watch} verifies without Storm, alone or with other processes that share the work. */
@Command(
        name = "watch",
        description = {
            "Verifies topics in this process, without Storm, until Ctrl-C.",
            "If you start it twice with one configuration, the second process takes over when the first "
                    + "one ends; with several tasks (checkpoint.tasks) they share the partitions. It waits while "
                    + "Kafka does not answer.",
            "It shows its progress as one line in a terminal, and otherwise as a line a minute on " + "standard error."
        },
        footer = {
            "",
            "A configuration needs at least:",
            "  bootstrap.servers=localhost:9092",
            "  group.id=stormproof",
            "  input.topics=events",
            "  alerts.topic=stormproof-alerts",
            "With metrics.http.port=9404 it answers to GET /metrics, /ready and /healthy.",
            "With notary.topics, notary.key and notes.topic it notarizes topics, too, or alone: without input.topics.",
            "",
            "Examples:",
            "  stormproof watch --config verify.properties"
        })
public final class WatchCommand extends VerifyingCommand {
    @Override
    int run(CloseStack resources) throws Exception {
        StormproofConfig config = load();
        VerifyProcess process = resources.open(() -> VerifyProcess.open(config));
        if (!awaitKafka(config, process, resources)) {
            return ExitCode.VERIFIED;
        }
        process.join();
        if (config.verifies()) {
            printWhatIsVerified(config);
        }
        if (config.notarizes()) {
            err().println("stormproof: notarizing "
                    + String.join(", ", config.notary.topics()) + " at "
                    + config.bootstrapServers() + " as '" + config.notary.keyId() + "'; notes go to topic "
                    + config.notary.notesTopic());
        }
        ProgressDisplay display = ProgressDisplay.on(err());
        do {
            process.tick();
            if (config.verifies()) {
                showStatus(display);
            }
            if (process.failure().isPresent()) {
                display.clear();
                throw Failure.own(
                        "the verification failed; --verbose shows why",
                        process.failure().get());
            }
        } while (!resources.awaitEnd(STATUS_MILLIS));
        if (config.verifies()) {
            end(display);
        }
        return ExitCode.VERIFIED;
    }

    /** Checks what the start demands, as soon as Kafka answers; false if it is to end before that. */
    private boolean awaitKafka(StormproofConfig config, VerifyProcess process, CloseStack resources)
            throws InterruptedException {
        boolean reported = false;
        while (true) {
            try {
                warn(StartupCheck.checkProcess(config, VerifyProcess.replicasGroup(config)));
                return true;
            } catch (Failure e) {
                boolean unresolved = isUnresolved(e);
                if (!unresolved && !(e.getCause() instanceof TimeoutException)) {
                    throw e;
                }
                if (unresolved && !reported) {
                    err().println("stormproof: no name in bootstrap.servers=" + config.bootstrapServers()
                            + " can be resolved; waiting for one");
                    reported = true;
                }
            }
            process.tick();
            if (resources.awaitEnd(STATUS_MILLIS)) {
                return false;
            }
        }
    }

    /** True if no broker has a name that is known, as of a headless service in Kubernetes none of whose brokers is ready. */
    private static boolean isUnresolved(Failure e) {
        for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof ConfigException && Failure.oneLine(cause).startsWith("No resolvable bootstrap urls")) {
                return true;
            }
        }
        return false;
    }
}
