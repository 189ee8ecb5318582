package dev.stormproof.chaos;

import dev.stormproof.log.PartitionReader.ExpiredRangeException;
import dev.stormproof.packaging.testing.ClusterScript;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;

/**
 * A chaos round injects one fault into a living cluster while events flow into it:
 *
 * <pre>
 *   emitters ──────────────────────────────────────────────────── end
 *      verification flows │ inject ── repair ─┐                     │ all judged, compare
 *                         │     └ log ends ── verified up to there ┘
 * </pre>
 */
public final class ChaosRound implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 300;
    private static final int MOST_DELAY_MILLIS = 3_000;
    private static final int LEAST_REST_MILLIS = 4_000;
    private static final int MOST_REST_MILLIS = 8_000;

    private final KafkaView view;
    private final ClusterFaultInjector injector;
    private final Scene scene;
    private final double eventsPerSecond;
    private final Consumer<String> out;
    private long alertsRead;
    private long verdictsRead;

    /** The scene of a round has one input topic and the topics of its findings. */
    public record Scene(
            String topic, int partitions, String alertsTopic, String verdictsTopic, Optional<OutputCheck> output) {
        /** A scene without output. */
        public Scene(String topic, int partitions, String alertsTopic, String verdictsTopic) {
            this(topic, partitions, alertsTopic, verdictsTopic, Optional.empty());
        }
    }

    /**
     * A round on a cluster that runs, with a topology that verifies the scene's topic.
     *
     * @param servers where the cluster's broker is
     * @param topology the topology's name, which is also that of its group
     * @param config the file that it is submitted with after it was killed
     * @param out takes a line for everything that is not as it should be
     */
    public ChaosRound(
            ClusterScript script,
            String servers,
            String topology,
            Path config,
            Scene scene,
            double eventsPerSecond,
            Consumer<String> out) {
        this.view = new KafkaView(servers, topology, scene.topic(), scene.partitions());
        this.injector = new ClusterFaultInjector(new LivingCluster(script, topology, config));
        this.scene = scene;
        this.eventsPerSecond = eventsPerSecond;
        this.out = out;
    }

    /** Injects one fault, and returns the result when everything that was emitted meanwhile is judged. */
    public Result play(ClusterFault fault, long seed)
            throws IOException, InterruptedException, ExecutionException, ExpiredRangeException {
        SplittableRandom random = new SplittableRandom(seed);
        Map<TopicPartition, Long> begins = view.awaitEnds(WaitLimit.inSeconds(PATIENCE_SECONDS));
        ClusterFaultInjector.Prepared prepared = injector.prepare(fault, random);
        try (Emitters emitters =
                Emitters.start(view.servers(), scene.topic(), scene.partitions(), eventsPerSecond, random.split())) {
            awaitFlow();
            TimeUnit.MILLISECONDS.sleep(random.nextInt(MOST_DELAY_MILLIS));
            Instant at = Instant.now();
            long injectedNanos = System.nanoTime();
            prepared.inject().run();
            CompletableFuture<Double> verified = CompletableFuture.supplyAsync(() -> awaitVerified(injectedNanos));
            prepared.repair().run();
            double servesSeconds = secondsSince(injectedNanos);
            double verifiedSeconds = get(verified);
            TimeUnit.MILLISECONDS.sleep(random.nextInt(LEAST_REST_MILLIS, MOST_REST_MILLIS));
            emitters.end();
            return compare(at, fault, seed, prepared.detail(), begins, emitters, servesSeconds, verifiedSeconds);
        }
    }

    /** Waits until something that was emitted now is verified. */
    private void awaitFlow() throws InterruptedException {
        WaitLimit limit = WaitLimit.inSeconds(PATIENCE_SECONDS);
        TimeUnit.SECONDS.sleep(1);
        view.awaitProgress(view.awaitEnds(limit), limit);
    }

    private double awaitVerified(long injectedNanos) {
        WaitLimit limit = WaitLimit.inSeconds(PATIENCE_SECONDS);
        try {
            view.awaitProgress(view.awaitEnds(limit), limit);
        } catch (InterruptedException e) {
            throw new CompletionException(e);
        }
        return secondsSince(injectedNanos);
    }

    private static double get(CompletableFuture<Double> verified) throws InterruptedException, ExecutionException {
        try {
            return verified.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof WaitLimit.NotInTimeException late) {
                throw late;
            }
            throw e;
        }
    }

    private static double secondsSince(long nanos) {
        return (System.nanoTime() - nanos) / (double) TimeUnit.SECONDS.toNanos(1);
    }

    private Result compare(
            Instant at,
            ClusterFault fault,
            long seed,
            String detail,
            Map<TopicPartition, Long> begins,
            Emitters emitters,
            double servesSeconds,
            double verifiedSeconds)
            throws IOException, InterruptedException, ExpiredRangeException {
        WaitLimit limit = WaitLimit.inSeconds(PATIENCE_SECONDS);
        Map<TopicPartition, Long> ends = view.awaitEnds(limit);
        view.awaitProgress(ends, limit);
        RoundLog log = RoundLog.read(view.servers(), begins, ends);
        Published alerts = new Published(scene.topic());
        Published verdicts = new Published(scene.topic());
        alertsRead = view.readPublished(scene.alertsTopic(), alertsRead, alerts);
        verdictsRead = view.readPublished(scene.verdictsTopic(), verdictsRead, verdicts);
        Comparison comparison = Comparison.of(emitters.injected(), log, alerts, verdicts);
        List<String> complaints = comparison.complaints();
        complaints.stream().limit(50).forEach(out);
        OutputCheck output = scene.output().orElse(null);
        if (output != null) {
            output.compare(ends);
            output.complaints().forEach(out);
        }
        return new Result(
                at,
                fault,
                seed,
                detail,
                log.events(),
                log.checkpoints().size(),
                emitters.failed(),
                comparison.expected(),
                comparison.reported(),
                comparison.missed().size(),
                comparison.falseAlerts().size(),
                comparison.unjudged().size(),
                comparison.publishedTwice().size(),
                verdicts.repeated().size(),
                servesSeconds,
                verifiedSeconds,
                output == null ? 0 : output.compared(),
                output == null ? 0 : output.faults(),
                "");
    }

    @Override
    public void close() {
        view.close();
    }
}
