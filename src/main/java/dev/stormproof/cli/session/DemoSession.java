package dev.stormproof.cli.session;

import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertText;
import dev.stormproof.cli.fault.FaultInjector;
import dev.stormproof.cli.fault.FaultKind;
import dev.stormproof.cli.fault.FaultPlan;
import dev.stormproof.cli.fault.InjectedFault;
import dev.stormproof.cli.input.GeneratedOrders;
import dev.stormproof.cli.input.PacedEvents;
import dev.stormproof.cli.local.CloseStack;
import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.cli.terminal.Terminal;
import dev.stormproof.cli.text.FaultComparison;
import dev.stormproof.cli.text.ProgressDisplay;
import dev.stormproof.cli.text.ReportText;
import dev.stormproof.cli.text.RunReport;
import dev.stormproof.cli.text.Tally;
import dev.stormproof.emit.CheckpointingProducer;
import dev.stormproof.emit.EmitterConfig;
import dev.stormproof.task.config.AlertSettings;
import dev.stormproof.task.config.InputSettings;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.process.VerifyProcess;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * A session shows some faults: what is broken, how the verification reports it, and when.
 *
 * <pre>
 *   orders, at a rate ──► FaultInjector, one fault now and then ──► events topic ──► VerifyProcess
 *                                 │                                                      │
 *   "12 s  BROKEN  …"  ◄──────────┘        "13 s  NAMED  …, after 0.9 s"  ◄── alerts ◄───┘
 * </pre>
 */
public final class DemoSession {
    private static final Duration POLL = Duration.ofMillis(50);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String TOPIC = "orders";
    private static final String ALERTS = "stormproof-alerts";
    private static final String VERDICTS = "stormproof-verdicts";
    private static final String UNIT = "order";
    private static final int PARTITIONS = 3;

    /** How many events a moved one is late. */
    private static final int DISTANCE = 20;

    /** The sentence on each kind of fault, in the order of the story. */
    private static final Map<FaultKind, String> STORY = story();

    private final int seconds;
    private final int every;
    private final int rate;
    private final boolean browser;
    private final CloseStack resources;
    private final Terminal out;
    private final ProgressDisplay progress;
    private final Tally tally = new Tally(Long.MAX_VALUE, Tally.MOST_REMEMBERED);
    /** When each fault that happened was reported, until it is named. */
    private final Map<InjectedFault, Long> waiting = new LinkedHashMap<>();

    private final List<InjectedFault> reported = new ArrayList<>();
    private @Nullable FaultInjector injector;
    private long beganMillis;

    public DemoSession(
            int seconds, int every, int rate, boolean browser, CloseStack resources, Terminal out, Terminal err) {
        this.seconds = seconds;
        this.every = every;
        this.rate = rate;
        this.browser = browser;
        this.resources = resources;
        this.out = out;
        this.progress = ProgressDisplay.on(err);
    }

    private static Map<FaultKind, String> story() {
        Map<FaultKind, String> story = new LinkedHashMap<>();
        story.put(FaultKind.LOSE, "an order is lost: acknowledged to its sender, and never written");
        story.put(FaultKind.DUPLICATE, "an order is written twice");
        story.put(FaultKind.ALTER, "an order is altered on its way, its headers are not");
        story.put(FaultKind.SWAP, "two orders change places");
        story.put(FaultKind.MOVE, "an order is late: " + DISTANCE + " others overtake it");
        return story;
    }

    /** Tells the story; true if each fault was named, and nothing else. */
    public boolean run() throws Exception {
        progress.stage("starting Kafka in this process");
        EmbeddedKafka kafka = resources.open(() -> LocalBroker.start(0, null));
        Connection connection = resources.open(() -> Connection.open(kafka.bootstrapServers(), null));
        connection.createTopic(TOPIC, PARTITIONS);
        connection.createTopic(ALERTS, 1);
        connection.createTopic(VERDICTS, 1);
        Dashboard dashboard = resources.open(() ->
                Dashboard.start(new Dashboard.Listen("127.0.0.1", 0), connection, TOPIC, "A demonstration", false));
        VerifyProcess verifier = resources.open(() -> VerifyProcess.open(settings(connection)));
        verifier.join();
        out.println("Orders flow into " + PARTITIONS + " partitions, " + rate
                + " a second. Each is signed, and each second" + " a checkpoint seals what came.");
        out.println("A verifier reads along. As long as it reports nothing, every event is proven to be as it "
                + "was sent.");
        show(dashboard.uri());
        out.println();
        beganMillis = nowMillis();
        SourceEmitter emitter = resources.open(() -> startEmitter(connection));
        List<TopicPartition> findings = List.of(new TopicPartition(ALERTS, 0), new TopicPartition(VERDICTS, 0));
        try (FindingFeed feed = new FindingFeed(connection.clientProperties(), findings, true)) {
            follow(emitter, feed, dashboard, verifier);
        } finally {
            progress.clear();
        }
        return report(emitter);
    }

    private void show(URI page) {
        boolean opens = browser && DesktopBrowser.open(page);
        out.println((opens ? "The page that draws it opens: " : "Open the page that draws it: ") + page);
    }

    private StormproofConfig settings(Connection connection) {
        Map<String, String> settings = connection.clientProperties();
        settings.put(InputSettings.INPUT_TOPICS, TOPIC);
        settings.put(StormproofConfig.GROUP_ID, TOPIC);
        settings.put(AlertSettings.ALERTS_TOPIC, ALERTS);
        return new StormproofConfig(settings);
    }

    private SourceEmitter startEmitter(Connection connection) {
        Map<String, Object> settings = new HashMap<>(connection.clientProperties());
        settings.put(EmitterConfig.EMITTER_NAME, "stormproof demo");
        CheckpointingProducer<byte[], byte[]> producer =
                new CheckpointingProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer(), inner -> {
                    injector = new FaultInjector(new KafkaProducer<>(inner), plan());
                    return injector;
                });
        PacedEvents orders = new PacedEvents(new GeneratedOrders((long) rate * seconds, 1), rate);
        return new SourceEmitter(orders, producer, TOPIC, PARTITIONS).started();
    }

    /** One fault each time, of each kind in turn, in each partition in turn; none in the last seconds. */
    private FaultPlan plan() {
        List<FaultKind> kinds = List.copyOf(STORY.keySet());
        List<FaultPlan.Place> places = new ArrayList<>();
        for (int i = 0; (i + 1) * every < seconds; i++) {
            long ordinal = (long) rate * (i + 1) * every / PARTITIONS;
            places.add(new FaultPlan.Place(
                    kinds.get(i % kinds.size()), new TopicPartition(TOPIC, i % PARTITIONS), ordinal, DISTANCE));
        }
        return FaultPlan.at(places, 1);
    }

    private void follow(SourceEmitter emitter, FindingFeed feed, Dashboard dashboard, VerifyProcess verifier)
            throws IOException {
        long lastNewsMillis = nowMillis();
        while (!resources.isEnding()) {
            boolean complete = emitter.isComplete();
            verifier.tick();
            if (verifier.failure().isPresent()) {
                throw Failure.own(
                        "the verification failed; --verbose shows why",
                        verifier.failure().get());
            }
            tellFaults();
            for (ConsumerRecord<byte[], byte[]> record : feed.poll(POLL)) {
                Alert alert = FindingFeed.alert(record);
                tally.add(alert);
                dashboard.take(alert, record.value(), true);
                tellNamed(alert);
                lastNewsMillis = nowMillis();
            }
            dashboard.tick();
            if (complete && tally.decides(emitter.stats()) && feed.isAtEnd()) {
                return;
            }
            if (nowMillis() - lastNewsMillis > PATIENCE.toMillis()) {
                throw Failure.own(
                        "nothing happened for " + PATIENCE.toSeconds() + " s; --verbose shows what Kafka does");
            }
            Tally.Counts total = tally.total();
            progress.update(
                    emitter.sent(),
                    (long) rate * seconds,
                    ReportText.text("%,d orders, %,d of them proven", emitter.sent(), total.proven()),
                    nowMillis());
        }
        throw Failure.own("interrupted");
    }

    private void tellFaults() {
        for (InjectedFault fault : Objects.requireNonNull(injector).injected()) {
            if (!reported.contains(fault)) {
                reported.add(fault);
                waiting.put(fault, nowMillis());
                show(
                        "BROKEN",
                        Objects.requireNonNull(STORY.get(fault.kind())) + " (" + TOPIC + "-" + fault.partition()
                                + ", sequence " + fault.sequence() + ")");
            }
        }
    }

    private void tellNamed(Alert alert) {
        if (!(alert.finding() instanceof Violated violated)) {
            return;
        }
        tellFaults();
        FaultComparison.of(List.copyOf(waiting.keySet()), violated.anomalies())
                .named()
                .forEach(fault -> {
                    double tookSeconds = (nowMillis() - Objects.requireNonNull(waiting.remove(fault))) / 1_000.0;
                    String names = violated.anomalies().stream()
                            .map(AlertText::line)
                            .reduce((one, other) -> one + "; " + other)
                            .orElse("");
                    show("NAMED", ReportText.text("%s, after %.1f s", names, tookSeconds));
                });
    }

    private void show(String what, String text) {
        progress.clear();
        out.println(ReportText.text("%4d s  %-6s  %s", (nowMillis() - beganMillis) / 1_000, what, text));
    }

    private boolean report(SourceEmitter emitter) {
        List<InjectedFault> injected = Objects.requireNonNull(injector).injected();
        new RunReport(tally, emitter.stats(), injected, PARTITIONS, UNIT, AlertText::line).print(out);
        FaultComparison comparison = FaultComparison.of(injected, tally.anomalies());
        boolean named = comparison.missed().isEmpty() && comparison.others().isEmpty();
        if (named) {
            out.println("Each of the " + injected.size() + " faults was named, and nothing else. With your own lines:"
                    + " stormproof run --input FILE");
        }
        return named;
    }

    private static long nowMillis() {
        return System.nanoTime() / 1_000_000;
    }
}
