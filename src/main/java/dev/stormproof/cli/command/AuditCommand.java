package dev.stormproof.cli.command;

import dev.stormproof.alert.Acceptance;
import dev.stormproof.cli.command.TopicNames.Topics;
import dev.stormproof.cli.local.CloseStack;
import dev.stormproof.cli.session.AcceptSession;
import dev.stormproof.cli.session.AuditSession;
import dev.stormproof.cli.session.Connection;
import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.cli.text.AuditReport;
import dev.stormproof.cli.text.AuditScope;
import dev.stormproof.cli.text.AuditSum;
import dev.stormproof.cli.text.Circumstances;
import dev.stormproof.cli.text.CompleteFrom;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.log.kafka.WrittenEnd;
import dev.stormproof.task.config.CheckingSettings;
import dev.stormproof.task.config.InputSettings;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.progress.TopicIds;
import dev.stormproof.task.live.run.RecordParsers;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code audit} verifies any range of the log again. */
@Command(
        name = "audit",
        description = {
            "Verifies a topic, or a range of it, again from the log alone, with the code of the live "
                    + "verifier. It joins no consumer group and writes nothing.",
            "",
            "An interval belongs to the range that holds its checkpoint. Events that no checkpoint seals "
                    + "yet make the result inconclusive; for a log that is still written, use "
                    + "--up-to-last-checkpoint. The report also lists what was not judged, and where the log "
                    + "begins.",
            "",
            "--config may be a topology's configuration: signature.header, checkpoint.keys, "
                    + "require.protection, event.signers, unsigned.events, emitters.allowed and silence.… count here too."
        },
        footer = {
            "",
            "Examples:",
            "  stormproof audit --bootstrap-server localhost:9092 --topic events",
            "  stormproof audit --bootstrap-server localhost:9092 --topic events --partition 0,2 --json",
            "  stormproof audit --bootstrap-server localhost:9092 --topic-pattern 'orders\\..*' --up-to-last-checkpoint",
            "  stormproof audit --bootstrap-server localhost:9092 --topic events --partition 1 --from 5000 --to 9000",
            "  stormproof audit --bootstrap-server localhost:9092 --topic events --since 1h",
            "  stormproof audit --bootstrap-server localhost:9092 --topic events --up-to-last-checkpoint",
            "  stormproof audit --bootstrap-server localhost:9092 --topic events --complete-from 0",
            "  stormproof audit --bootstrap-server localhost:9092 --topic events --html events.html",
            "  stormproof audit --bootstrap-server localhost:9092 --topic events --emitter-allowed 'shop-*' --unsigned ignore",
            "  stormproof audit --bootstrap-server localhost:9092 --topic dc1.events --mirror-of events",
            "  stormproof audit --bootstrap-server b:9092 --topic events-json --origin events --origin-bootstrap-server a:9092",
            "",
            ExitCode.VERDICT_OR_ACCEPTED
        })
public final class AuditCommand extends Subcommand {
    @Mixin
    private ServerOptions server = new ServerOptions();

    @Mixin
    private TopicNames topicNames = new TopicNames();

    @Option(
            names = "--origin",
            paramLabel = "NAME",
            description = "The topic that the checkpoints name, if the topic holds the output of a transform of its "
                    + "events, or a mirror of such an output.")
    private @Nullable String origin;

    @Option(
            names = "--mirror-of",
            paramLabel = "NAME",
            description = "The topic that the checkpoints name, if the topic holds unaltered copies of its records.")
    private @Nullable String mirrorOf;

    @Option(
            names = "--origin-bootstrap-server",
            paramLabel = "HOST:PORT",
            description = "The Kafka brokers of the origin, which may be the same. Each anomaly is looked up there, to "
                    + "show on which hop it happened.")
    private @Nullable String originServer;

    @Option(names = "--origin-command-config", paramLabel = "FILE", description = "Client properties for these.")
    private @Nullable Path originConfig;

    @Option(
            names = "--require-protection",
            paramLabel = "KIND",
            description = "What streams must be protected against: accidents or tampering. Checkpoints with less "
                    + "protection count as untrusted. tampering needs checkpoint.keys in --config.")
    private @Nullable String requiredProtection;

    @Option(
            names = "--emitter-allowed",
            paramLabel = "NAME",
            description = "An emitter that may write to the topic, by the name in its checkpoints; * matches anything. "
                    + "May be repeated. Checkpoints of other emitters are reported, and the exit code is 1; their "
                    + "intervals are still judged. Overrides emitters.allowed in --config.")
    private List<String> allowedEmitters = List.of();

    @Option(
            names = "--unsigned",
            paramLabel = "ignore|alert",
            description = "What to do about records without a signature: alert (the default) reports them, and the "
                    + "exit code is 1; ignore only counts them. Overrides unsigned.events in --config.")
    private @Nullable String unsigned;

    @Mixin
    private Partitions partitions = new Partitions();

    @Mixin
    private OffsetRange offsets = new OffsetRange();

    @Mixin
    private TimeRange times = new TimeRange();

    @Option(
            names = "--up-to-last-checkpoint",
            description = "Judge only what is sealed: events after the last checkpoint of their stream are counted, "
                    + "but do not make the result inconclusive.")
    private boolean upToLastCheckpoint;

    @Option(
            names = "--complete-from",
            paramLabel = "OFFSET|TIME",
            description = "Require that each partition's log still holds this offset or time (as for --since); "
                    + "otherwise the result is inconclusive. Without it, the report only states where the log "
                    + "begins.")
    private @Nullable CompleteFrom completeFrom;

    @Option(
            names = "--json",
            description = "Print JSON lines instead of a table: each finding, with the same bytes as the data of the "
                    + "live alerts and verdicts (without their basis), then each partition with its open streams, "
                    + "then the verdict.")
    private boolean json;

    @Option(
            names = "--all",
            description = "Print every anomaly of an interval, not only the first 1,000; with --json in further lines "
                    + "of the same alertId and revision. The interval is read once more for that.")
    private boolean all;

    @Option(
            names = "--alerts-topic",
            paramLabel = "NAME",
            description = "The topic with the acceptances of 'stormproof alerts accept'. If all that is not verified "
                    + "was accepted, the exit code is 3 instead of 1 or 2. Every finding is still printed.")
    private @Nullable String alertsTopic;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Also write the findings to this file, as a page that needs no server and fetches nothing.")
    private @Nullable Path html;

    @Option(
            names = "--show-content",
            description =
                    "With --html: the page also holds key, headers, time and the first 2 KB of the value of records at "
                            + "each finding's first 20 places. Everyone who gets the file can read them.")
    private boolean showContent;

    @Option(
            names = "--show-keys",
            description = "Print the keys of the events on both sides of a lost one, which are read once more. --json "
                    + "does not hold them.")
    private boolean showKeys;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "How many partitions are verified at once; by default, one for each processor and at most 4. "
                    + "The report is always in the order of partitions and offsets.")
    private int threads = AuditSession.DEFAULT_THREADS;

    @Override
    int run(CloseStack resources) throws Exception {
        topicNames.check();
        offsets.check(times);
        if (times.begin() != null && completeFrom != null) {
            throw Failure.usage("--since and --complete-from exclude each other: nothing before --since is read");
        }
        if (origin != null && mirrorOf != null) {
            throw Failure.usage("--origin and --mirror-of: a topic holds either what a transform made, or copies");
        }
        if (offsets.from() != null && completeFrom != null) {
            throw Failure.usage("--from and --complete-from exclude each other: nothing before --from is read");
        }
        if (originConfig != null && originServer == null) {
            throw Failure.usage("--origin-command-config needs --origin-bootstrap-server");
        }
        if (threads < 1) {
            throw Failure.usage("--threads " + threads + ": at least 1");
        }
        if (showContent && html == null) {
            throw Failure.usage("--show-content is about the page: give --html FILE as well");
        }
        if (showKeys && json) {
            throw Failure.usage("--show-keys is about the text: leave out --json, which holds no keys");
        }
        Connection connection = resources.open(server::connect);
        Topics topics = topicNames.of(connection);
        if (topics.several()) {
            refuseForSeveral();
        }
        List<Acceptance> accepted =
                alertsTopic == null ? List.of() : new AcceptSession(connection, alertsTopic).acceptances();
        if (!topics.several()) {
            return session(connection, topics.audited().get(0), accepted, resources)
                    .run();
        }
        AuditSum sum = new AuditSum(topics.text(), topics.leftOut());
        for (String topic : topics.audited()) {
            AuditSession session = session(connection, topic, accepted, resources);
            if (!json) {
                sum.begin(topic, out());
            }
            var unused = session.run();
            sum.add(session.report());
        }
        if (json) {
            sum.printJson(out());
            AuditSession.conclude(sum.conclusion(), out(), err());
        } else {
            sum.print(out());
        }
        return sum.exitCode();
    }

    private void refuseForSeveral() {
        Map<String, Boolean> given = new TreeMap<>(Map.of(
                "--partition", partitions.count() > 0,
                "--from", offsets.from() != null,
                "--to", offsets.to() != null,
                "--origin", origin != null,
                "--mirror-of", mirrorOf != null,
                "--html", html != null));
        given.forEach((option, isGiven) -> {
            if (isGiven) {
                throw Failure.usage(option + " is of one topic: give it with one --topic alone");
            }
        });
    }

    private AuditSession session(Connection connection, String topic, List<Acceptance> accepted, CloseStack resources)
            throws Exception {
        int count = connection.partitionsOf(topic);
        SortedSet<Integer> chosen = partitions.of(topic, count);
        offsets.checkPartitions(chosen);
        connection.refuseCompacted(topic);
        StormproofConfig config = config(connection, topic);
        Circumstances circumstances = connection.circumstances(topic, config);
        OutputStream page = html == null ? null : resources.open(this::openPage);
        Connection there = originCluster(config, topic, resources);
        AuditSession session = new AuditSession(
                        config,
                        new AuditSession.Request(
                                topic, chosen, scope(count - chosen.size()), json, all, threads, page, circumstances),
                        resources,
                        out(),
                        err())
                .askingOriginAt(there == null ? null : there.config(there.clientProperties(), topic))
                .showingContent(showContent ? connection : null)
                .showingKeys(showKeys ? connection : null)
                .accepting(accepted, TopicIds.idOf(Uuid.fromString(circumstances.topicId())));
        String source = RecordParsers.originsOf(config).mirrored().get(topic);
        if (source != null && partitions.count() == 0) {
            sayWhatLacks(session.report(), topic, count, source, there);
        }
        return session;
    }

    /** A mirror proves nothing of a partition that it has not. */
    private static void sayWhatLacks(
            AuditReport report, String mirror, int count, String source, @Nullable Connection there) throws Exception {
        if (there == null) {
            report.addUnjudged("whether " + source + " has partitions that this mirror lacks was not judged");
            return;
        }
        int ofSource = there.partitionsOf(source);
        for (int partition = count; partition < ofSource; partition++) {
            long end = WrittenEnd.of(there.admin(), new TopicPartition(source, partition));
            if (end > 0) {
                report.addDoubt("partition " + partition + " of " + source + ", which ends at offset " + end
                        + ", is not in " + mirror);
            }
        }
    }

    private StormproofConfig config(Connection connection, String topic) {
        Map<String, String> properties = connection.clientProperties();
        if (origin != null || mirrorOf != null) {
            properties.remove(InputSettings.ORIGINS);
            properties.remove(InputSettings.MIRRORS);
            properties.put(
                    origin == null ? InputSettings.MIRRORS : InputSettings.ORIGINS,
                    topic + ":" + (origin == null ? mirrorOf : origin));
        }
        if (requiredProtection != null) {
            properties.put(CheckingSettings.REQUIRE_PROTECTION, requiredProtection);
        }
        if (!allowedEmitters.isEmpty()) {
            properties.put(CheckingSettings.EMITTERS_ALLOWED, allowedEmitters(topic));
        }
        if (unsigned != null) {
            properties.put(CheckingSettings.UNSIGNED_EVENTS, unsignedEvents(unsigned));
        }
        if (originServer != null) {
            if (!properties.containsKey(InputSettings.ORIGINS) && !properties.containsKey(InputSettings.MIRRORS)) {
                throw Failure.usage(
                        "--origin-bootstrap-server needs --origin or --mirror-of, the name of the topic there");
            }
            properties.put(InputSettings.ORIGIN_BOOTSTRAP_SERVERS, originServer);
        }
        return connection.config(properties, topic);
    }

    private String allowedEmitters(String ofTopic) {
        for (String name : allowedEmitters) {
            if (name.isBlank() || name.indexOf(',') >= 0) {
                throw Failure.usage("--emitter-allowed '" + name
                        + "': repeat the option for each name, and write * for a " + "comma in one");
            }
        }
        return allowedEmitters.stream().map(name -> ofTopic + ":" + name).collect(Collectors.joining(","));
    }

    private static String unsignedEvents(String what) {
        if (!what.equals("ignore") && !what.equals("alert")) {
            throw Failure.usage("--unsigned " + what + ": use ignore or alert");
        }
        return what;
    }

    private AuditScope scope(int otherPartitions) {
        return new AuditScope(
                offsets.from(),
                offsets.to(),
                times.begin(),
                times.end(),
                upToLastCheckpoint,
                completeFrom,
                otherPartitions);
    }

    private OutputStream openPage() {
        Path file = Objects.requireNonNull(html);
        try {
            return Files.newOutputStream(file);
        } catch (IOException e) {
            throw Failure.usage("--html " + file + " cannot be written: " + e, e);
        }
    }

    /** The origin's brokers, asked at once, so that a wrong address is not found out only by the first violation; null: none. */
    private @Nullable Connection originCluster(StormproofConfig config, String topic, CloseStack resources)
            throws Exception {
        String servers = originServer;
        if (servers == null) {
            return null;
        }
        Connection there = resources.open(() -> Connection.open(
                "--origin-bootstrap-server",
                servers,
                "--origin-command-config",
                originConfig == null
                        ? Map.of()
                        : Settings.clientProperties("--origin-command-config", "--config", originConfig)));
        String name = RecordParsers.originsOf(config).byTopic().get(topic);
        if (name != null) {
            there.partitionsOf(name);
        }
        return there;
    }
}
