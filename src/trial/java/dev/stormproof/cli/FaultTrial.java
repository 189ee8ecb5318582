package dev.stormproof.cli;

import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertJson;
import dev.stormproof.cli.session.FindingFeed;
import dev.stormproof.cli.testing.TrialEmitter;
import dev.stormproof.cli.testing.TrialLog;
import dev.stormproof.cli.text.FaultComparison;
import dev.stormproof.cli.text.Tally;
import dev.stormproof.config.StormproofConfig;
import dev.stormproof.config.TrackerPlacement;
import dev.stormproof.fault.InjectedFault;
import dev.stormproof.judge.Anomaly;
import dev.stormproof.judge.Verdict.Violated;
import dev.stormproof.local.EmbeddedKafka;
import dev.stormproof.local.LocalRun;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * A trial compares a real run with the injector's own record: emitters that start, stop and crash, half of them transactional, write
 * faulty events to a real broker, and the topology's verdicts are compared with what was injected.
 *
 * <pre>
 *   TrialEmitter × 16 ──► topic, 4 partitions ──► topology ──► verdicts ──┐
 *          │                     └──► TrialLog: what was committed, sealed │
 *          └── injected faults ─────────────┴──► expected anomalies ───────┴──► precision, recall
 * </pre>
 *
 * <p>{@code FaultTrial EVENTS SEED PLACEMENT}: how many events each life of an emitter sends to each partition, what
 * decides everything random, and where it is verified. Ends with 1 unless exactly what was injected was named.
 */
final class FaultTrial {
    private static final int EMITTERS = 16;
    private static final int LIVES = 3;
    private static final int PARTITIONS = 4;
    private static final int AT_ONCE = 8;
    private static final long PROMISE_MILLIS = 8_000;
    private static final Duration POLL = Duration.ofMillis(200);
    private static final long MAX_SILENCE_SECONDS = 120;

    private final EmbeddedKafka kafka;
    private final String topic;
    private final int events;
    private final SplittableRandom random;
    private final TrackerPlacement placement;
    private final Tally tally = new Tally(Long.MAX_VALUE, Tally.MOST_REMEMBERED);
    /** The violations of what no checkpoint seals, by their ids. */
    private final Map<String, Violated> open = new HashMap<>();

    private final TrialLog log;

    /** A trial with topics of its own, whose names begin with {@code topic}. */
    FaultTrial(EmbeddedKafka kafka, String topic, int events, long seed, TrackerPlacement placement) {
        this.kafka = kafka;
        this.topic = topic;
        this.events = events;
        this.placement = placement;
        this.random = new SplittableRandom(seed);
        this.log = new TrialLog();
    }

    /**
     * A score counts the faults and the anomalies of a trial.
     *
     * @param expected how many faults lie in sealed and committed intervals
     * @param named how many of them were named
     * @param anomalies how many anomalies were named
     * @param others how many of these were not injected
     */
    record Score(int expected, int named, int anomalies, int others) {
        double precision() {
            return anomalies == 0 ? 1 : (double) (anomalies - others) / anomalies;
        }

        double recall() {
            return expected == 0 ? 1 : (double) named / expected;
        }
    }

    public static void main(String[] args) throws Exception {
        int events = Integer.parseInt(args[0]);
        long seed = Long.parseLong(args[1]);
        TrackerPlacement placement = TrackerPlacement.of(args[2]);
        Score score;
        try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
            score = new FaultTrial(kafka, "trial", events, seed, placement).run(System.out);
        }
        System.exit(score.precision() == 1 && score.recall() == 1 && score.expected() > 0 ? 0 : 1);
    }

    Score run(PrintStream out) throws Exception {
        kafka.createTopic(topic, PARTITIONS, Map.of());
        kafka.createTopic(topic + "-alerts", 1, Map.of());
        kafka.createTopic(topic + "-verdicts", 1, Map.of());
        long begunNanos = System.nanoTime();
        List<InjectedFault> injected;
        LocalRun run = LocalRun.start(topic, config());
        try {
            injected = emit();
            log.read(kafka.bootstrapServers(), topic, PARTITIONS);
            awaitVerdicts();
        } finally {
            run.close();
        }
        return report(injected, Duration.ofNanos(System.nanoTime() - begunNanos), out);
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
                        PROMISE_MILLIS,
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

    /** Until each committed checkpoint has its final verdict, and each stream that crashed is known to be unsealed. */
    private void awaitVerdicts() throws Exception {
        List<TopicPartition> partitions = List.of(new TopicPartition(topic + "-verdicts", 0));
        long lastNanos = System.nanoTime();
        try (FindingFeed feed =
                new FindingFeed(Map.of("bootstrap.servers", kafka.bootstrapServers()), partitions, true)) {
            while (tally.total().decided() < log.checkpoints()
                    || tally.total().inconclusive() + open.size() < log.unclosedStreams()) {
                for (ConsumerRecord<byte[], byte[]> record : feed.poll(POLL)) {
                    take(AlertJson.read(record.value()));
                    lastNanos = System.nanoTime();
                }
                if (System.nanoTime() - lastNanos > TimeUnit.SECONDS.toNanos(MAX_SILENCE_SECONDS)) {
                    throw new IllegalStateException(tally.total() + ", expected " + log.checkpoints() + " decided and "
                            + log.unclosedStreams() + " unsealed");
                }
            }
        }
    }

    /** What contradicts its own header in a stream that crashed is no fault of a sealed interval. */
    private void take(Alert alert) {
        if (alert.finding() instanceof Violated violated && violated.standing() == Violated.Standing.UNSEALED) {
            open.put(violated.id(), violated);
        } else {
            tally.add(alert);
        }
    }

    private Score report(List<InjectedFault> injected, Duration took, PrintStream out) {
        List<InjectedFault> expected = log.expected(injected);
        List<Anomaly> anomalies = tally.anomalies();
        FaultComparison comparison = FaultComparison.of(expected, anomalies);
        List<Anomaly> ofOpenStreams =
                open.values().stream().flatMap(one -> one.anomalies().stream()).toList();
        int strange = FaultComparison.of(injected, ofOpenStreams).others().size();
        Score score = new Score(
                expected.size(),
                comparison.named().size(),
                anomalies.size(),
                comparison.others().size() + strange);
        out.printf(
                Locale.ROOT,
                "%,d events, %,d checkpoints in %d partitions of %,d streams, %,d of them crashed; %d s%n",
                log.events(),
                log.checkpoints(),
                PARTITIONS,
                log.streams(),
                log.unclosedStreams(),
                took.toSeconds());
        out.printf(
                Locale.ROOT,
                "injected %,d, of these sealed and committed %,d, of these named %,d; anomalies named %,d, others %,d%n",
                injected.size(),
                score.expected(),
                score.named(),
                score.anomalies(),
                score.others());
        comparison.missed().forEach(fault -> out.println("NOT NAMED: " + fault));
        comparison.others().forEach(anomaly -> out.println("NOT INJECTED: " + anomaly));
        out.println("precision " + score.precision() + "  recall " + score.recall());
        return score;
    }
}
