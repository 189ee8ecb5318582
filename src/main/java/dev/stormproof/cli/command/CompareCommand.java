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

/** {@code compare} reports what one topic holds and another one does not. */
@Command(
        name = "compare",
        description = {
            "Compares a topic with its copy, in another cluster or the same one, partition by partition: "
                    + "every record by key, value and headers, whatever its offset. It joins no consumer group and "
                    + "writes nothing, and needs no checkpoints. If a topic has some, both topics are audited too.",
            "",
            "Both logs are read up to where they ended at the start of the command: records that a "
                    + "running mirror has not copied by then count as missing.",
            "",
            "The answer is inconclusive if some records could not be compared, because they expired or "
                    + "an open transaction hides them, and if no record is the same."
        },
        footer = {
            "",
            "Examples:",
            "  stormproof compare --source dc1:9092 --source-topic orders --target dc2:9092 --target-topic dc1.orders",
            "  stormproof compare --source old:9092 --source-topic orders --target new:9093 --target-topic orders --target-config new.properties --partition 0,2 --json",
            "",
            "Exit codes: 0 all records are the same, 1 different, 2 inconclusive, whatever the audits "
                    + "find, 64 wrong usage, 70 a failure of our own or of what we need."
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
            description = "Settings and client properties for the source, in one file.")
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
            description = "Compare only what both logs still hold: expired records are reported, but do not cause exit "
                    + "code 2 in a partition with equal records.")
    private boolean held;

    @Option(
            names = "--json",
            description = "Print JSON lines instead of a table: each difference, then each partition, then the answer.")
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

    /** Configures the target as a mirror of the source, unless its configuration names an origin already. */
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
