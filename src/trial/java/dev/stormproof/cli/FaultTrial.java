package dev.stormproof.cli;

import static java.util.stream.Collectors.toMap;

import dev.stormproof.chaos.Comparison;
import dev.stormproof.chaos.Published;
import dev.stormproof.chaos.RoundLog;
import dev.stormproof.cli.fault.InjectedFault;
import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.LocalRun;
import dev.stormproof.cli.session.FindingFeed;
import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.config.TrackerPlacement;
import dev.stormproof.trial.Arguments;
import dev.stormproof.verify.judge.Finding;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * A trial compares a real run with the injector's own record: emitters that start, stop and crash, half of them transactional, write
 * faulty events to a real broker, and the topology's verdicts are compared with what was injected.
 *
 * <pre>
 *   TrialEmitter × 16 ──► topic, 4 partitions ──► topology ──► verdicts ──┐
 *          │                     └──► RoundLog: what was committed, sealed │
 *          └── injected faults ─────────────┴──► expected anomalies ───────┴──► precision, recall
 * </pre>
 *
 * <p>{@code FaultTrial EVENTS SEED PLACEMENT}: how many events each life of an emitter sends to each partition, what
 * decides everything random, and where it is verified. Ends with 1 unless exactly what was injected was named.
 */
final class FaultTrial {
    private static final String USAGE = """
            A real run against the fault injector's own record: 16 emitters over 4 partitions start, stop and crash, half of them
            with transactions of which some are aborted; prints precision and recall of what the topology named. Exits with 1 if one of
            them is not 1.

              scripts/trial fault [EVENTS [SEED [PLACEMENT]]]

            EVENTS is how many events each of an emitter's three lives sends at most to each partition: 1000 if not given, which takes
            about two minutes. PLACEMENT is where the topology verifies, bolt or source; bolt if not given. Needs a JDK 17 or newer
            (JAVA_HOME, or java in PATH), and the network for the first build.
            """;

    private static final int EMITTERS = 16;
    private static final int LIVES = 3;
    private static final int PARTITIONS = 4;
    private static final int AT_ONCE = 8;
    private static final long DEADLINE_MILLIS = 8_000;
    private static final Duration POLL = Duration.ofMillis(200);
    private static final long MAX_SILENCE_SECONDS = 120;

    private final EmbeddedKafka kafka;
    private final String topic;
    private final int events;
    private final SplittableRandom random;
    private final TrackerPlacement placement;
    private final Published published;

    /** A trial with topics of its own, whose names begin with {@code topic}. */
    FaultTrial(EmbeddedKafka kafka, String topic, int events, long seed, TrackerPlacement placement) {
        this.kafka = kafka;
        this.topic = topic;
        this.events = events;
        this.placement = placement;
        this.random = new SplittableRandom(seed);
        this.published = new Published(topic);
    }

    /**
     * A score counts the faults and the anomalies of a trial.
     *
     * @param expected how many faults lie in sealed and committed intervals
     * @param reported how many of them were named
     * @param named how many events were named
     * @param others how many of these were not injected
     * @param complaints what contradicts the log
     */
    record Score(int expected, int reported, int named, int others, List<String> complaints) {
        double precision() {
            return named == 0 ? 1 : (double) (named - others) / named;
        }

        double recall() {
            return expected == 0 ? 1 : (double) reported / expected;
        }

        boolean isExact() {
            return expected > 0 && precision() == 1 && recall() == 1 && complaints.isEmpty();
        }
    }

    public static void main(String[] args) throws Exception {
        Arguments arguments = Arguments.of(USAGE, 3, args);
        int events = Math.toIntExact(arguments.number(0, 1_000));
        long seed = arguments.number(1, 1);
        TrackerPlacement placement = TrackerPlacement.of(arguments.word(2, "bolt", "source"));
        Score score;
        try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
            score = new FaultTrial(kafka, "trial", events, seed, placement).run(System.out);
        }
        System.exit(score.isExact() ? 0 : 1);
    }

    Score run(PrintStream out) throws Exception {
        kafka.createTopic(topic, PARTITIONS, Map.of());
        kafka.createTopic(topic + "-alerts", 1, Map.of());
        kafka.createTopic(topic + "-verdicts", 1, Map.of());
        long begunNanos = System.nanoTime();
        List<InjectedFault> injected;
        RoundLog log;
        LocalRun run = LocalRun.start(topic, config());
        try {
            injected = emit();
            log = read();
            awaitVerdicts(log);
        } finally {
            run.close();
        }
        return report(injected, log, Duration.ofNanos(System.nanoTime() - begunNanos), out);
    }

    private StormproofConfig config() {
        return new StormproofConfig(Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                "input.topics",
                topic,
                "group.id",
                topic + "-group",
                "alerts.topic",
                topic + "-alerts",
                "verdicts.topic",
                topic + "-verdicts",
                "tracker.placement",
                placement.label(),
                "spout.tasks",
                "2",
                "checkpoint.tasks",
                "2",
                "silence.grace.ms",
                "2000"));
    }

    private List<InjectedFault> emit() throws Exception {
        List<TrialEmitter> emitters = IntStream.range(0, EMITTERS)
                .mapToObj(i -> new TrialEmitter(
                        kafka.bootstrapServers(),
                        topic,
                        PARTITIONS,
                        i % 2 == 0 ? "" : topic + "-" + i,
                        DEADLINE_MILLIS,
                        random.split()))
                .toList();
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (TrialEmitter emitter : emitters) {
                running.add(threads.submit(() -> {
                    emitter.live(LIVES, events);
                    return null;
                }));
            }
            for (Future<?> one : running) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
        return emitters.stream().flatMap(emitter -> emitter.injected().stream()).toList();
    }

    private RoundLog read() throws ExecutionException, InterruptedException, ExpiredRangeException {
        Map<TopicPartition, OffsetSpec> latest = IntStream.range(0, PARTITIONS)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .collect(toMap(partition -> partition, partition -> OffsetSpec.latest()));
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            Map<TopicPartition, Long> ends = admin.listOffsets(latest).all().get().entrySet().stream()
                    .collect(toMap(Map.Entry::getKey, end -> end.getValue().offset()));
            return RoundLog.read(kafka.bootstrapServers(), Map.of(), ends);
        }
    }

    /** Until each committed checkpoint has its final verdict, and each stream that crashed is known to be unsealed. */
    private void awaitVerdicts(RoundLog log) throws IOException {
        List<TopicPartition> partitions = List.of(new TopicPartition(topic + "-verdicts", 0));
        long lastNanos = System.nanoTime();
        try (FindingFeed feed =
                new FindingFeed(Map.of("bootstrap.servers", kafka.bootstrapServers()), partitions, true)) {
            while (unsealed() < log.unclosed()
                    || !Comparison.unjudged(log, published).isEmpty()) {
                for (ConsumerRecord<byte[], byte[]> record : feed.poll(POLL)) {
                    published.add(FindingFeed.alert(record));
                    lastNanos = System.nanoTime();
                }
                if (System.nanoTime() - lastNanos > TimeUnit.SECONDS.toNanos(MAX_SILENCE_SECONDS)) {
                    throw new IllegalStateException(unsealed() + " of " + log.unclosed() + " unsealed, not judged "
                            + Comparison.unjudged(log, published));
                }
            }
        }
    }

    private long unsealed() {
        return published.last().stream()
                .filter(alert -> alert.finding().revision() == Finding.OPEN_REVISION)
                .count();
    }

    private Score report(List<InjectedFault> injected, RoundLog log, Duration took, PrintStream out) {
        out.printf(
                Locale.ROOT,
                "%,d events, %,d checkpoints in %d partitions of %,d streams, %,d of them crashed; %d s%n",
                log.events(),
                log.checkpoints().size(),
                PARTITIONS,
                log.streams().size(),
                log.unclosed(),
                took.toSeconds());
        Comparison comparison = Comparison.of(injected, log, published, published);
        out.printf(
                Locale.ROOT,
                "injected %,d, of these sealed and committed %,d, of these named %,d; events named %,d, others %,d%n",
                injected.size(),
                comparison.expected(),
                comparison.reported(),
                comparison.named(),
                comparison.notInjected().size());
        comparison.notInjected().forEach(name -> out.println("NOT INJECTED: " + name));
        comparison.complaints().forEach(out::println);
        Score score = new Score(
                comparison.expected(),
                comparison.reported(),
                comparison.named(),
                comparison.notInjected().size(),
                comparison.complaints());
        out.println("precision " + score.precision() + "  recall " + score.recall());
        return score;
    }
}
