package dev.stormproof.cli.command;

import dev.stormproof.cli.local.CloseStack;
import dev.stormproof.cli.session.CompareSession;
import dev.stormproof.cli.session.Connection;
import dev.stormproof.task.config.InputSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code compare} says what one topic holds and another one does not. */
@Command(
        name = "compare",
        description = {
            "Compares a topic with its copy, in another cluster or the same one, partition by partition: every record by key, "
                    + "value and headers, whatever its offset. It joins no consumer group and writes nothing, and needs no "
                    + "checkpoints. Where a topic carries some, both are audited too.",
            "",
            "Both logs are read up to where they end at the beginning: what a running mirror has not copied by then is missing.",
            "",
            "The answer is inconclusive if anything was not compared: what expired in one of the logs, or what an open "
                    + "transaction keeps back; and if no record is the same."
        },
        footer = {
            "",
            "Examples:",
            "  stormproof compare --source dc1:9092 --source-topic orders --target dc2:9092 --target-topic dc1.orders",
            "  stormproof compare --source old:9092 --source-topic orders --target new:9093 --target-topic orders --target-config new.properties --partition 0,2 --json",
            "",
            "Exit codes: 0 all verified to be the same, 1 different, 2 inconclusive, each whatever the audits say, 64 wrong "
                    + "usage, 70 a failure of our own or of what we need."
        })
public final class CompareCommand extends Subcommand {
    @Option(
            names = "--source",
            paramLabel = "HOST:PORT",
            required = true,
            description = "The Kafka brokers of the original to begin with, separated by commas.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String source;

    @Option(names = "--source-topic", paramLabel = "NAME", required = true, description = "The original.")
    @SuppressWarnings("NullAway.Init")
    private String sourceTopic;

    @Option(
            names = "--source-config",
            paramLabel = "FILE",
            description = "What --config and --command-config are elsewhere, in one file, for the source.")
    private @Nullable Path sourceConfig;

    @Option(
            names = "--target",
            paramLabel = "HOST:PORT",
            required = true,
            description = "The Kafka brokers of the copy.")
    @SuppressWarnings("NullAway.Init")
    private String target;

    @Option(names = "--target-topic", paramLabel = "NAME", required = true, description = "The copy.")
    @SuppressWarnings("NullAway.Init")
    private String targetTopic;

    @Option(names = "--target-config", paramLabel = "FILE", description = "The same for the target.")
    private @Nullable Path targetConfig;

    @Mixin
    private Partitions partitions = new Partitions();

    @Option(
            names = "--ignore-header",
            paramLabel = "NAME",
            description = "A header that is not compared, such as one that a mirror adds. May be repeated.")
    private List<String> ignored = List.of();

    @Option(
            names = "--held",
            description =
                    "Compare what both logs still hold: what expired in one of them is reported, and no reason for exit "
                            + "code 2 in a partition where anything is the same.")
    private boolean held;

    @Option(
            names = "--json",
            description =
                    "Print each difference, then each partition, and at the end the answer, as a JSON object on a line of its own, "
                            + "and no table.")
    private boolean json;

    @Override
    int run(CloseStack resources) throws Exception {
        Connection from = resources.open(() -> open("--source", source, "--source-config", sourceConfig));
        Connection to = resources.open(() -> open("--target", target, "--target-config", targetConfig));
        int ofSource = from.partitionsOf(sourceTopic);
        int ofTarget = to.partitionsOf(targetTopic);
        SortedSet<Integer> chosen = choose(ofSource, ofTarget);
        Map<String, String> copy = to.clientProperties();
        if (!sourceTopic.equals(targetTopic)) {
            addMirror(copy);
        }
        return new CompareSession(
                        new CompareSession.Side(
                                sourceTopic, ofSource, from.config(from.clientProperties(), sourceTopic), from.admin()),
                        new CompareSession.Side(targetTopic, ofTarget, to.config(copy, targetTopic), to.admin()),
                        new CompareSession.Request(
                                chosen, Math.max(ofSource, ofTarget) - chosen.size(), ignored, held, json),
                        resources,
                        out(),
                        err())
                .run();
    }

    private static Connection open(String option, String servers, String configOption, @Nullable Path config) {
        return Connection.open(option, servers, configOption, config == null ? Map.of() : Connection.load(config));
    }

    /** Says that the copy is one, unless its configuration says of which topic it is a mirror, or made. */
    private void addMirror(Map<String, String> copy) {
        String mirrors = copy.getOrDefault(InputSettings.MIRRORS, "");
        boolean known = Stream.of(mirrors, copy.getOrDefault(InputSettings.ORIGINS, ""))
                .flatMap(pairs -> Stream.of(pairs.split(",")))
                .anyMatch(pair -> pair.strip().startsWith(targetTopic + ":"));
        if (!known) {
            String pair = targetTopic + ":" + sourceTopic;
            copy.put(InputSettings.MIRRORS, mirrors.isBlank() ? pair : mirrors + "," + pair);
        }
    }

    private SortedSet<Integer> choose(int ofSource, int ofTarget) {
        return partitions.of(ofSource > ofTarget ? sourceTopic : targetTopic, Math.max(ofSource, ofTarget));
    }
}
