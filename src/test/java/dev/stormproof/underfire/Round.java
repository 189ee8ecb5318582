package dev.stormproof.underfire;

import dev.stormproof.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.packaging.ClusterScript;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Blows, one at a time, dealt to a living cluster while events flow into it:
 *
 * <pre>
 *   emitters ──────────────────────────────────────────────────── end
 *      verification flows │ strike ── mend ──┐                     │ all decided, compare
 *                         │     └ log ends ── verified up to there ┘
 * </pre>
 */
public final class Round implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 300;
    private static final int MOST_DELAY_MILLIS = 3_000;
    private static final int LEAST_REST_MILLIS = 4_000;
    private static final int MOST_REST_MILLIS = 8_000;

    private final KafkaView view;
    private final Dealer dealer;
    private final Scene scene;
    private final double eventsPerSecond;
    private final Consumer<String> out;
    private long alertsRead;
    private long verdictsRead;

    /** Where it takes place. */
    public record Scene(String topic, int partitions, String alertsTopic, String verdictsTopic) {}

    /**
     * A round on a cluster that runs, with a topology that verifies the scene's topic.
     *
     * @param servers where the cluster's broker is
     * @param topology the topology's name, which is also that of its group
     * @param config what it is submitted with when it was killed
     * @param out hears of everything that is not as it should be
     */
    public Round(
            ClusterScript script,
            String servers,
            String topology,
            Path config,
            Scene scene,
            double eventsPerSecond,
            Consumer<String> out) {
        this.view = new KafkaView(servers, topology, scene.topic(), scene.partitions());
        this.dealer = new Dealer(new LivingCluster(script, topology, config));
        this.scene = scene;
        this.eventsPerSecond = eventsPerSecond;
        this.out = out;
    }

    /** Deals one blow, and returns what came of it when everything that was emitted meanwhile is decided. */
    public Result play(Blow blow, long seed)
            throws IOException, InterruptedException, ExecutionException, ExpiredRangeException {
        SplittableRandom random = new SplittableRandom(seed);
        Map<TopicPartition, Long> begins = view.awaitEnds(Deadline.inSeconds(PATIENCE_SECONDS));
        Dealer.Prepared prepared = dealer.prepare(blow, random);
        try (Emission emission =
                Emission.start(view.servers(), scene.topic(), scene.partitions(), eventsPerSecond, random.split())) {
            awaitFlow();
            TimeUnit.MILLISECONDS.sleep(random.nextInt(MOST_DELAY_MILLIS));
            Instant at = Instant.now();
            long struckNanos = System.nanoTime();
            prepared.strike().run();
            CompletableFuture<Double> verified = CompletableFuture.supplyAsync(() -> awaitVerified(struckNanos));
            prepared.mend().run();
            double servesSeconds = secondsSince(struckNanos);
            double verifiedSeconds = get(verified);
            TimeUnit.MILLISECONDS.sleep(random.nextInt(LEAST_REST_MILLIS, MOST_REST_MILLIS));
            emission.end();
            return compare(at, blow, seed, prepared.detail(), begins, emission, servesSeconds, verifiedSeconds);
        }
    }

    /** Waits until something that was emitted now is verified. */
    private void awaitFlow() throws InterruptedException {
        Deadline deadline = Deadline.inSeconds(PATIENCE_SECONDS);
        TimeUnit.SECONDS.sleep(1);
        view.awaitProgress(view.awaitEnds(deadline), deadline);
    }

    private double awaitVerified(long struckNanos) {
        Deadline deadline = Deadline.inSeconds(PATIENCE_SECONDS);
        try {
            view.awaitProgress(view.awaitEnds(deadline), deadline);
        } catch (InterruptedException e) {
            throw new CompletionException(e);
        }
        return secondsSince(struckNanos);
    }

    private static double get(CompletableFuture<Double> verified) throws InterruptedException, ExecutionException {
        try {
            return verified.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Deadline.NotInTimeException late) {
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
            Blow blow,
            long seed,
            String detail,
            Map<TopicPartition, Long> begins,
            Emission emission,
            double servesSeconds,
            double verifiedSeconds)
            throws IOException, InterruptedException, ExpiredRangeException {
        Deadline deadline = Deadline.inSeconds(PATIENCE_SECONDS);
        Map<TopicPartition, Long> ends = view.awaitEnds(deadline);
        view.awaitProgress(ends, deadline);
        RoundLog log = RoundLog.read(view.servers(), begins, ends);
        Told alerts = new Told(scene.topic());
        Told verdicts = new Told(scene.topic());
        alertsRead = view.readTold(scene.alertsTopic(), alertsRead, alerts);
        verdictsRead = view.readTold(scene.verdictsTopic(), verdictsRead, verdicts);
        Comparison comparison = Comparison.of(emission.injected(), log, alerts, verdicts);
        List<String> complaints = comparison.complaints();
        complaints.stream().limit(50).forEach(out);
        return new Result(
                at,
                blow,
                seed,
                detail,
                log.events(),
                log.checkpoints().size(),
                emission.failed(),
                comparison.expected(),
                comparison.reported(),
                comparison.missed().size(),
                comparison.falseAlerts().size(),
                comparison.undecided().size(),
                comparison.toldTwice().size(),
                verdicts.again().size(),
                servesSeconds,
                verifiedSeconds,
                "");
    }

    @Override
    public void close() {
        view.close();
    }
}
