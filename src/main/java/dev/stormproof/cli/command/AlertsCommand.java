package dev.stormproof.cli.command;

import dev.stormproof.alert.Acceptance;
import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertJson;
import dev.stormproof.alert.AlertText;
import dev.stormproof.alert.AlertsRecord;
import dev.stormproof.alert.Guidance;
import dev.stormproof.alert.NeighbourKeys;
import dev.stormproof.alert.RecordUrls;
import dev.stormproof.cli.local.CloseStack;
import dev.stormproof.cli.session.Connection;
import dev.stormproof.cli.session.FindingFeed;
import dev.stormproof.cli.session.OutputReader;
import dev.stormproof.cli.session.ReadKeys;
import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.cli.text.AlertPrinter;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.cli.text.NextCommands;
import dev.stormproof.cli.text.Tally;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code alerts} tails an alerts topic. */
@Command(
        name = "alerts",
        subcommands = {FindCommand.class, AcceptCommand.class},
        description = "Prints alerts as they come, until Ctrl-C, each with its meaning and what to do. An alert "
                + "that was written twice is printed once. The exit code shows what was printed.",
        footer = {
            "",
            "Examples:",
            "  stormproof alerts --bootstrap-server localhost:9092",
            "  stormproof alerts --bootstrap-server localhost:9092 --from-beginning --max-messages 10 --json",
            "  stormproof alerts --bootstrap-server localhost:9092 --since 1h --topic orders",
            "  stormproof alerts --bootstrap-server localhost:9092 --show-keys",
            "",
            ExitCode.VERDICT_OR_ACCEPTED
        })
public final class AlertsCommand extends Subcommand {
    private static final String PROGRAM = System.getProperty("stormproof.program", "stormproof");
    private static final int MOST_SORTED = 10_000;
    private static final Duration POLL = Duration.ofMillis(200);

    /** After this long without an alert, one line reports what the command waits for. */
    private static final Duration QUIET = Duration.ofSeconds(1);

    @Mixin
    private ServerOptions server = new ServerOptions();

    @Option(
            names = "--alerts-topic",
            paramLabel = "NAME",
            description = "The alerts topic, or a verdicts topic (default: ${DEFAULT-VALUE}).")
    private String alertsTopic = "stormproof-alerts";

    @Option(names = "--topic", paramLabel = "NAME", description = "Print only alerts on this topic.")
    private @Nullable String topic;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "Also print earlier alerts, since 2026-01-31T08:00:00Z, 2026-01-31 or 1h ago: violations "
                    + "first, the newest of them first.")
    private @Nullable Instant since;

    @Option(names = "--from-beginning", description = "Also print all earlier alerts.")
    private boolean fromBeginning;

    @Option(names = "--max-messages", paramLabel = "N", description = "End after this many alerts.")
    private long maxMessages = Long.MAX_VALUE;

    @Option(
            names = "--idle-timeout",
            paramLabel = "SECONDS",
            description = "End after this long without an alert; by default, never.")
    private long idleTimeoutSeconds = Long.MAX_VALUE / 1_000_000_000;

    @Option(names = "--json", description = "Print the records as they are, one JSON object a line.")
    private boolean json;

    @Option(
            names = "--show-keys",
            description = "Print the keys of the events on both sides of a lost one. Alerts do not hold them: they are "
                    + "read from the topic, which needs Read on it.")
    private boolean showKeys;

    private @Nullable ReadKeys keys;
    private final Tally tally = new Tally();
    private AlertPrinter printer = new AlertPrinter(AlertText::line);
    private long printed;

    @Override
    int run(CloseStack resources) throws Exception {
        if (showKeys && json) {
            throw Failure.usage("--show-keys does not apply to --json: the records hold no keys");
        }
        Connection connection = resources.open(server::connect);
        RecordUrls urls = connection.recordUrls();
        keys = showKeys ? ReadKeys.of(connection) : null;
        printer = new AlertPrinter(
                AlertText.linesWith(urls, keys == null ? NeighbourKeys.NONE : keys),
                urls,
                new NextCommands(PROGRAM, server.text(), alertsTopic));
        List<TopicPartition> partitions = connection.partitions(alertsTopic);
        OutputReader reader = resources.open(OutputReader::watch);
        // Closed by this thread alone, since a consumer refuses any other: the hook only sets isEnding.
        try (FindingFeed feed = new FindingFeed(connection.clientProperties(), partitions, fromBeginning)) {
            if (since != null) {
                feed.since(since);
                printWhatIsThere(feed, resources);
            }
            tail(feed, reader, resources);
        }
        if (reader.hasEnded()) {
            return ExitCode.FAILED; // Quietly: the reader has had enough.
        }
        if (tally.isEmpty()) {
            err().println("stormproof: no alert came, which proves nothing: a verifier that does not run sends none "
                    + "either. 'stormproof audit' proves");
        }
        return tally.exitCode();
    }

    /** Prints what is there, the urgent ones first and the newest of these first: of each urgency so many. */
    private void printWhatIsThere(FindingFeed feed, CloseStack resources) {
        Map<Guidance.Severity, Deque<ConsumerRecord<byte[], byte[]>>> there = new EnumMap<>(Guidance.Severity.class);
        long left = 0;
        while (!feed.isAtFirstEnd() && !resources.isEnding()) {
            for (ConsumerRecord<byte[], byte[]> record : feed.poll(POLL)) {
                Deque<ConsumerRecord<byte[], byte[]>> alike =
                        there.computeIfAbsent(urgency(record), first -> new ArrayDeque<>());
                alike.addFirst(record);
                if (alike.size() > MOST_SORTED) {
                    alike.removeLast();
                    left++;
                }
            }
        }
        for (Deque<ConsumerRecord<byte[], byte[]>> alike : there.values()) {
            for (ConsumerRecord<byte[], byte[]> record : alike) {
                if (printed < maxMessages && print(record)) {
                    printed++;
                }
            }
        }
        if (left > 0) {
            err().println("stormproof: " + left + " older alerts are left out; --from-beginning prints all of them");
        }
    }

    private static Guidance.Severity urgency(ConsumerRecord<byte[], byte[]> record) {
        try {
            return Guidance.severity(FindingFeed.alert(record).finding());
        } catch (IOException e) {
            return Guidance.Severity.INFO;
        }
    }

    private void tail(FindingFeed feed, OutputReader reader, CloseStack resources) {
        long lastNanos = System.nanoTime();
        boolean saidWhatFor = false;
        while (printed < maxMessages && !resources.isEnding() && !reader.hasEnded() && !out().checkError()) {
            for (ConsumerRecord<byte[], byte[]> record : feed.poll(POLL)) {
                if (printed == maxMessages) {
                    return;
                }
                if (print(record)) {
                    printed++;
                    lastNanos = System.nanoTime();
                }
            }
            if (printed == 0 && !saidWhatFor && System.nanoTime() - lastNanos > QUIET.toNanos()) {
                saidWhatFor = true;
                err().println("stormproof: no alert " + (fromBeginning || since != null ? "" : "since the start ")
                        + "in topic " + alertsTopic + "; printing them as they come, until Ctrl-C");
            }
            if (System.nanoTime() - lastNanos
                    > Duration.ofSeconds(idleTimeoutSeconds).toNanos()) {
                return;
            }
        }
    }

    private static String topicOf(AlertsRecord reported) {
        return reported instanceof Alert alert
                ? alert.finding().partition().topic()
                : ((Acceptance) reported).partition().topic();
    }

    private void printLine(String line) {
        if (!json) {
            out().printVerdict(line);
        }
    }

    /** Prints a record, or what is wrong with it; false if it is none of what is asked for. */
    private boolean print(ConsumerRecord<byte[], byte[]> record) {
        try {
            AlertsRecord reported = FindingFeed.reported(record);
            if (topic != null && !topic.equals(topicOf(reported))) {
                return false;
            }
            if (reported instanceof Alert alert && alert.canary()) {
                return false; // No trouble of a stream: stormproof canary listens for it.
            }
            if (reported instanceof Alert alert) {
                tally.add(alert);
                if (keys != null && alert.finding() instanceof Violated violated) {
                    keys.read(violated.anomalies());
                }
                printer.lines(alert).forEach(this::printLine);
            } else if (reported instanceof Acceptance acceptance) {
                tally.accept(acceptance);
                printer.lines(acceptance).forEach(this::printLine);
            }
            if (json) {
                out().println(AlertJson.line(record.value()));
            }
        } catch (IOException e) {
            err().println("stormproof: " + e.getMessage());
        }
        return true;
    }
}
