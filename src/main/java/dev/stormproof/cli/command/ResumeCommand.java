package dev.stormproof.cli.command;

import dev.stormproof.cli.local.CloseStack;
import dev.stormproof.cli.submit.ConfigSource;
import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.task.config.OutputSettings;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.run.Release;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code output resume} resumes the output of a partition that is halted at an event. */
@Command(
        name = "resume",
        description = {
            "Resumes the output of a partition that is halted at an event, because the transform failed "
                    + "on it or, with output.hold=verified, because its interval is not verified. The alert "
                    + "'output halted' has the place and the reason.",
            "",
            "The verifier with this configuration acts within seconds, or when it starts. If the "
                    + "transform fails again, the output halts again (--retry), or the event goes to "
                    + "diverted.topic and leaves a marker in the output (--divert).",
            "",
            "If the interval is not verified, all its events are written with the header "
                    + "stormproof-unverified (--retry), or left out (--divert)."
        },
        footer = {
            "",
            "Examples:",
            "  stormproof output resume --config verify.properties --topic events --partition 2 --offset 4711 --retry",
            "  stormproof output resume --config verify.properties --topic events --partition 2 --offset 4711 --divert"
        })
public final class ResumeCommand extends Subcommand {
    @Mixin
    private ConfigSource source = new ConfigSource();

    @Option(names = "--topic", paramLabel = "NAME", required = true, description = "The topic of the event.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String topic;

    @Option(names = "--partition", paramLabel = "N", required = true, description = "Its partition.")
    private int partition;

    @Option(names = "--offset", paramLabel = "OFFSET", required = true, description = "Its offset, from the alert.")
    private long offset;

    @ArgGroup(multiplicity = "1")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Action action;

    /** The two things to do, of which picocli demands one. */
    private static final class Action {
        @Option(names = "--retry", description = "Try the transform again, or write what is not verified.")
        private boolean retry;

        @Option(
                names = "--divert",
                description = "Divert the event if the transform fails on it again, or leave out what is not verified.")
        private boolean divert;
    }

    @Override
    int run(CloseStack resources) throws InterruptedException {
        StormproofConfig config = source.load();
        if (!config.input.names().contains(topic)) {
            throw Failure.usage("--topic " + topic + " is no input topic of " + source);
        }
        if (!config.output.isAny()) {
            throw Failure.usage(source + " names no " + OutputSettings.OUTPUT_TOPIC + ": there is nothing to release");
        }
        if (action.divert && config.output.divertedTopic().isEmpty() && !config.output.isHeld()) {
            throw Failure.usage("--divert needs " + OutputSettings.DIVERTED_TOPIC + " in " + source);
        }
        if (partition < 0 || offset < 0) {
            throw Failure.usage("--partition " + partition + " --offset " + offset + ": neither can be negative");
        }
        Release release = new Release(
                offset,
                action.retry ? Release.Action.RETRY : Release.Action.DIVERT,
                Instant.now(),
                System.getProperty("user.name"));
        TopicPartition place = new TopicPartition(topic, partition);
        String group = Release.group(config);
        try (Admin admin = Admin.create(config.kafkaAdmin())) {
            admin.alterConsumerGroupOffsets(group, Map.of(place, release.encode()))
                    .all()
                    .get();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw Failure.own(
                    "the release cannot be written to group " + group + " at " + config.bootstrapServers() + ": "
                            + cause.getMessage(),
                    cause);
        }
        if (action.divert && config.output.divertedTopic().isEmpty()) {
            err().println("stormproof: warning: there is no " + OutputSettings.DIVERTED_TOPIC
                    + ": if the output is halted because the transform failed, it stays halted");
        }
        String done = action.divert ? "divert" : "retry";
        out().println("released " + place + "@" + offset + " to " + done
                + ": the alerts topic and the output show what comes of it");
        return ExitCode.VERIFIED;
    }
}
