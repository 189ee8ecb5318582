package dev.stormproof.cli.session;

import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertText;
import dev.stormproof.cli.fault.FaultInjector;
import dev.stormproof.cli.fault.FaultPlan;
import dev.stormproof.cli.fault.InjectedFault;
import dev.stormproof.cli.input.EventSource;
import dev.stormproof.cli.input.GeneratedOrders;
import dev.stormproof.cli.input.LineFile;
import dev.stormproof.cli.local.CloseStack;
import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.LocalRun;
import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.cli.terminal.Terminal;
import dev.stormproof.cli.text.AlertPrinter;
import dev.stormproof.cli.text.AuditScope;
import dev.stormproof.cli.text.ProgressDisplay;
import dev.stormproof.cli.text.ReportText;
import dev.stormproof.cli.text.RunReport;
import dev.stormproof.cli.text.Tally;
import dev.stormproof.emit.CheckpointingProducer;
import dev.stormproof.emit.EmitterConfig;
import dev.stormproof.task.config.AlertSettings;
import dev.stormproof.task.config.InputSettings;
import dev.stormproof.task.config.OutputSettings;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.config.TaskSettings;
import dev.stormproof.verify.judge.Anomaly;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * A session makes one run, from the start of the embedded broker to the report.
 *
 * <pre>
 *   source ──► SourceEmitter (a thread) ──► FaultInjector ──► events topic ──► topology (LocalRun)
 *                                                                                 │
 *   report ◄── Tally ◄── FindingFeed (this thread) ◄── alerts and verdicts ◄──────┘
 * </pre>
 *
 * <p>It is over when every checkpoint that the emitter wrote has its verdict.
 */
public final class RunSession {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final long NO_SEALING_BY_TIME_MILLIS = Duration.ofHours(24).toMillis();

    private final RunOptions options;
    private final CloseStack resources;
    /** Takes the text for people. */
    private final Terminal out;

    /** Takes the lines for programs. */
    private final Terminal lines;

    private final Terminal err;
    private final ProgressDisplay progress;
    private final String topic;
    private final String alertsTopic;
    private final String verdictsTopic;
    /** Keeps everything, for a comparison with what was injected, which bounds it. */
    private final Tally tally = new Tally(Long.MAX_VALUE, Tally.MOST_REMEMBERED);

    private final Function<Anomaly, String> line;
    private final AlertPrinter printer;
    private @Nullable FaultInjector injector;
    private @Nullable Dashboard dashboard;

    public RunSession(RunOptions options, CloseStack resources, Terminal out, Terminal err) {
        this.options = options;
        this.resources = resources;
        this.out = options.json ? err : out;
        this.lines = out;
        this.err = err;
        this.progress = ProgressDisplay.on(err);
        // With an output there are two logs, and one fault may be reported in both.
        this.line = options.outputTopic == null ? AlertText::line : AlertText::lineWithHop;
        this.printer = new AlertPrinter(line);
        if (options.topic == null && options.bootstrapServer == null) {
            this.topic = "stormproof-events";
            this.alertsTopic = "stormproof-alerts";
            this.verdictsTopic = "stormproof-verdicts";
        } else {
            int random = ThreadLocalRandom.current().nextInt();
            this.topic = options.topic != null ? options.topic : String.format("stormproof-events-%08x", random);
            this.alertsTopic = topic + "-alerts";
            this.verdictsTopic = topic + "-verdicts";
        }
    }

    /** Runs, prints the report and returns the exit code. */
    public int run() throws Exception {
        EventSource.Counted source = openSource();
        FaultPlan plan =
                options.inject.plan(topic, options.partitions, source.count(), options.checkpointEvery, options.seed);
        OutputStream alertsFile = resources.open(this::openAlertsFile);
        Connection connection = resources.open(this::connect);
        StormproofConfig topology = topologySettings(connection);
        createTopics(connection);
        openDashboard(connection);
        SourceEmitter emitter = resources.open(() -> startEmitter(source, connection, plan));
        progress.stage("starting Storm in this process");
        resources.open(() -> LocalRun.start("stormproof-run", topology));
        progress.stage(ReportText.text("verifying %,d events: %s", source.count(), source.title()));
        List<TopicPartition> findings =
                List.of(new TopicPartition(alertsTopic, 0), new TopicPartition(verdictsTopic, 0));
        try (FindingFeed feed = new FindingFeed(connection.clientProperties(), findings, true)) {
            awaitVerdicts(emitter, feed, source.count(), alertsFile);
        } finally {
            progress.clear();
        }
        List<InjectedFault> injected = Objects.requireNonNull(injector).injected();
        RunReport report = new RunReport(tally, emitter.stats(), injected, options.partitions, source.unit(), line);
        int verdict = report.print(out);
        if (options.outputTopic != null) {
            verdict = ReportText.worse(verdict, auditOutput(connection, options.outputTopic));
        }
        if (options.json) {
            lines.println(report.json(verdict).toString());
        }
        awaitVisitors();
        return verdict;
    }

    private void openDashboard(Connection connection) throws Exception {
        if (options.dashboard) {
            Dashboard.Listen listen = Objects.requireNonNullElse(options.listen, new Dashboard.Listen("127.0.0.1", 0));
            String about = "A run on " + topic + ", as group " + topic;
            Dashboard opened = resources.open(() -> Dashboard.start(listen, connection, topic, about, false));
            dashboard = opened;
            out.println("the dashboard is at " + opened.uri());
        }
    }

    /** Serves the page until Ctrl-C. */
    private void awaitVisitors() throws InterruptedException {
        if (dashboard != null) {
            progress.stage("the dashboard stays at " + dashboard.uri() + " ; Ctrl-C ends it");
            do {
                dashboard.tick();
            } while (!resources.awaitEnd(POLL.toMillis()));
        }
    }

    /**
     * Audits the output topic by the checkpoints of its origin, whose log shows whether an anomaly arose before the transform.
     */
    private int auditOutput(Connection connection, String output) {
        Map<String, String> settings = connection.clientProperties();
        settings.put(InputSettings.ORIGINS, output + ":" + topic);
        StormproofConfig config = StormproofConfig.ofReader(settings, connection.bootstrapServers(), output);
        SortedSet<Integer> partitions = new TreeSet<>();
        for (int partition = 0; partition < options.partitions; partition++) {
            partitions.add(partition);
        }
        out.println();
        out.println("output " + output + ":");
        return new AuditSession(
                        config,
                        new AuditSession.Request(output, partitions, AuditScope.WHOLE, AuditSession.DEFAULT_THREADS),
                        resources,
                        out,
                        err)
                .askingOriginAt(
                        StormproofConfig.ofReader(connection.clientProperties(), connection.bootstrapServers(), topic))
                .run();
    }

    private SourceEmitter startEmitter(EventSource source, Connection connection, FaultPlan plan) {
        CheckpointingProducer<byte[], byte[]> producer = new CheckpointingProducer<>(
                emitterSettings(connection), new ByteArraySerializer(), new ByteArraySerializer(), settings -> {
                    injector = new FaultInjector(new KafkaProducer<>(settings), plan);
                    return injector;
                });
        return new SourceEmitter(source, producer, topic, options.partitions).started();
    }

    private EventSource.Counted openSource() throws Exception {
        return options.input == null
                ? new GeneratedOrders(options.events, options.seed)
                : LineFile.open(options.input, resources);
    }

    private OutputStream openAlertsFile() {
        Path file = options.alerts;
        try {
            return file == null ? OutputStream.nullOutputStream() : Files.newOutputStream(file);
        } catch (IOException e) {
            throw Failure.usage("--output " + file + " cannot be written: " + e, e);
        }
    }

    private Connection connect() throws Exception {
        String server = options.bootstrapServer;
        if (server != null) {
            return Connection.open(server, options.commandConfig);
        }
        progress.stage("starting Kafka in this process");
        EmbeddedKafka kafka = resources.open(() -> LocalBroker.start(0, null));
        return Connection.open(kafka.bootstrapServers(), null);
    }

    private void createTopics(Connection connection) throws InterruptedException {
        connection.createTopic(topic, options.partitions);
        connection.createTopic(alertsTopic, 1);
        connection.createTopic(verdictsTopic, 1);
        if (options.outputTopic != null) {
            connection.createTopic(options.outputTopic, options.partitions);
        }
        if (options.bootstrapServer != null) {
            progress.stage("created topics " + topic + ", " + alertsTopic + " and " + verdictsTopic
                    + ", which stay when the run is over");
        }
    }

    private Map<String, Object> emitterSettings(Connection connection) {
        Map<String, Object> settings = new HashMap<>(connection.clientProperties());
        settings.put(EmitterConfig.EMITTER_NAME, "stormproof run");
        settings.put(EmitterConfig.MAX_EVENTS, options.checkpointEvery);
        // The same input gives the same checkpoints, however fast this machine is.
        settings.put(EmitterConfig.MAX_INTERVAL_MS, NO_SEALING_BY_TIME_MILLIS);
        return settings;
    }

    private StormproofConfig topologySettings(Connection connection) {
        Map<String, String> settings = connection.clientProperties();
        settings.put(InputSettings.INPUT_TOPICS, topic);
        settings.put(StormproofConfig.GROUP_ID, topic);
        settings.put(AlertSettings.ALERTS_TOPIC, alertsTopic);
        settings.put(OutputSettings.TRANSFORM, options.transform);
        settings.put(TaskSettings.TRACKER_PLACEMENT, options.trackerPlacement.label());
        if (options.outputTopic != null) {
            settings.put(OutputSettings.OUTPUT_TOPIC, options.outputTopic);
        }
        return Failure.configured("--command-config: ", () -> new StormproofConfig(settings));
    }

    private void awaitVerdicts(SourceEmitter emitter, FindingFeed feed, long events, OutputStream alertsFile)
            throws IOException {
        long timeoutMillis = Duration.ofSeconds(options.timeoutSeconds).toMillis();
        long lastNewsMillis = nowMillis();
        long lastSent = -1;
        while (!resources.isEnding()) {
            boolean complete = emitter.isComplete();
            boolean news = emitter.sent() != lastSent;
            lastSent = emitter.sent();
            for (ConsumerRecord<byte[], byte[]> record : feed.poll(POLL)) {
                news |= take(record, alertsFile);
            }
            if (complete && tally.decides(emitter.stats()) && feed.isAtEnd()) {
                return;
            }
            long nowMillis = nowMillis();
            if (news) {
                lastNewsMillis = nowMillis;
            } else if (nowMillis - lastNewsMillis > timeoutMillis) {
                throw gaveUp(emitter, complete);
            }
            if (dashboard != null) {
                dashboard.tick();
            }
            show(emitter, complete, events, nowMillis);
        }
        throw Failure.own("interrupted");
    }

    private boolean take(ConsumerRecord<byte[], byte[]> record, OutputStream alertsFile) throws IOException {
        Alert alert = FindingFeed.alert(record);
        if (record.topic().equals(alertsTopic)) {
            alertsFile.write(record.value());
            alertsFile.write('\n');
            progress.clear();
            printer.lines(alert).forEach(out::println);
            if (options.json) {
                lines.println(new String(record.value(), StandardCharsets.UTF_8));
            }
        }
        if (dashboard != null) {
            dashboard.take(alert, record.value(), true);
        }
        return tally.add(alert);
    }

    private void show(SourceEmitter emitter, boolean complete, long events, long nowMillis) {
        // Until everything is sent, a guess: one at the start and one at the end of each partition, and those between.
        long guess = complete ? 0 : events / options.checkpointEvery + 2L * options.partitions;
        long expected = Math.max(emitter.checkpointsSent(), guess);
        Tally.Counts total = tally.total();
        String text = ReportText.text(
                "%,d/%,d sent, %,d/%,d checkpoints, %,d violated",
                emitter.sent(), events, total.decided(), expected, total.violated());
        progress.update(total.decided(), expected, text, nowMillis);
    }

    private Failure gaveUp(SourceEmitter emitter, boolean complete) {
        progress.clear();
        String where = complete
                ? tally.total().decided() + " of " + emitter.checkpointsSent() + " checkpoints have a final verdict"
                : "only " + emitter.sent() + " events could be sent";
        return Failure.own("nothing happened for " + options.timeoutSeconds + " s, and " + where
                + "; --verbose shows what Kafka and Storm do, --timeout allows more time");
    }

    private static long nowMillis() {
        return System.nanoTime() / 1_000_000;
    }
}
