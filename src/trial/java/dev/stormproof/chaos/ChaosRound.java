package dev.stormproof.chaos;

import dev.stormproof.chaos.testing.TopicControl;
import dev.stormproof.chaos.testing.WaitLimit;
import dev.stormproof.cli.fault.InjectedFault;
import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.packaging.testing.ClusterScript;
import dev.stormproof.proof.checkpoint.StreamId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
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
    /** Lower than Storm's defaults, so that more rounds fit into an hour. */
    public static final List<String> STORM = List.of(
            "supervisor.worker.timeout.secs=12",
            "nimbus.task.timeout.secs=15",
            "nimbus.supervisor.timeout.secs=20",
            "blacklist.scheduler.tolerance.time.secs=60",
            "blacklist.scheduler.resume.time.secs=60",
            "storm.zookeeper.session.timeout=8000",
            "storm.zookeeper.connection.timeout=8000");

    private static final long PATIENCE_SECONDS = 300;
    private static final int MOST_DELAY_MILLIS = 3_000;
    private static final int LEAST_REST_MILLIS = 4_000;
    private static final int MOST_REST_MILLIS = 8_000;
    /** As many records as show that each emitter has sealed an interval in a partition. */
    private static final int BEGUN = 6 * ChaosEmitter.INTERVAL_EVENTS;

    /** Longer than verification lags when nothing happens. */
    private static final String RETENTION_MILLIS = "15000";

    private static final String SEGMENT_MILLIS = "1000";
    private static final int EXPIRY_PAUSE_MILLIS = 500;
    private static final int DELETIONS = 4;
    private static final int DELETION_PAUSE_MILLIS = 1_500;

    private static final int MOST_COMPLAINTS = 50;

    private final KafkaView view;
    private final TopicControl control;
    private final ClusterFaultInjector injector;
    private final Scene scene;
    private final double eventsPerSecond;
    private final Consumer<String> out;
    private long alertsRead;
    private long verdictsRead;
    private int provedAgain;
    private Published verdicts;

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
     * @param replicas the processes that verify in its place, if any do
     * @param out takes a line for everything that is not as it should be
     */
    ChaosRound(
            ClusterScript script,
            String servers,
            String topology,
            Path config,
            Optional<Replicas> replicas,
            Scene scene,
            double eventsPerSecond,
            Consumer<String> out) {
        this.view = new KafkaView(servers, topology, scene.topic(), scene.partitions());
        this.control = new TopicControl(servers);
        LivingCluster cluster = new LivingCluster(script, topology, config, replicas);
        this.injector = new ClusterFaultInjector(
                cluster,
                new BrokerFaults(cluster, control, scene.topic(), scene.output().map(OutputCheck::topic)),
                new TopicFaults(control, topology, scene));
        this.scene = scene;
        this.verdicts = new Published(scene.topic());
        this.eventsPerSecond = eventsPerSecond;
        this.out = out;
    }

    /** Injects one fault, and returns the result when everything that was emitted meanwhile is judged. */
    public Result play(ClusterFault fault, long seed)
            throws IOException, InterruptedException, ExecutionException, ExpiredRangeException {
        SplittableRandom random = new SplittableRandom(seed);
        control.awaitInSync();
        Conduct conduct =
                fault.rewritesTheLog() ? Conduct.steady(view.partitions()) : Conduct.ofMany(view.partitions());
        Reading reading = new Reading(view.awaitEnds(WaitLimit.inSeconds(PATIENCE_SECONDS)));
        ClusterFaultInjector.Prepared prepared =
                injector.prepare(fault, conduct, new OfRound(reading, conduct), random);
        try (Emitters emitters =
                Emitters.start(view.servers(), scene.topic(), eventsPerSecond, conduct, random.split())) {
            awaitFlow(reading.begins, fault.rewritesTheLog() ? BEGUN : 1);
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
            WaitLimit limit = WaitLimit.inSeconds(PATIENCE_SECONDS);
            Map<TopicPartition, Long> ends = view.awaitEnds(limit);
            view.awaitProgress(ends, limit);
            reading.upTo(ends);
            List<InjectedFault> injected = new ArrayList<>(emitters.injected());
            long unseen = fault.rewritesTheLog() ? addLost(conduct, reading.log, injected) : 0;
            Comparison comparison = compared(injected, reading.log, fault.rewritesTheLog());
            comparison.complaints().stream().limit(MOST_COMPLAINTS).forEach(out);
            return result(
                    at,
                    fault,
                    seed,
                    prepared.detail(),
                    ends,
                    reading.log,
                    comparison,
                    unseen,
                    emitters,
                    servesSeconds,
                    verifiedSeconds);
        }
    }

    /** The log of the round, and up to where it was read: what is about to be deleted is read before. */
    private final class Reading {
        private final RoundLog log = new RoundLog();
        private Map<TopicPartition, Long> begins;

        Reading(Map<TopicPartition, Long> begins) {
            this.begins = begins;
        }

        void upTo(Map<TopicPartition, Long> ends) throws ExpiredRangeException {
            log.readOn(view.servers(), begins, ends);
            begins = ends;
        }
    }

    /** The faults that change what this round reads. */
    private final class OfRound implements ClusterFaultInjector.OwnFaults {
        private final Reading reading;
        private final Conduct conduct;

        OfRound(Reading reading, Conduct conduct) {
            this.reading = reading;
            this.conduct = conduct;
        }

        @Override
        public void deleteVerified() throws IOException, InterruptedException {
            ChaosRound.this.deleteVerified(reading);
        }

        @Override
        public void expire() throws IOException, InterruptedException {
            ChaosRound.this.expire(reading);
        }

        @Override
        public void addPartition() throws IOException, InterruptedException {
            ChaosRound.this.addPartition(conduct);
        }
    }

    /** Reads what is verified, which may be deleted then. */
    private Map<TopicPartition, Long> readVerified(Reading reading, WaitLimit limit)
            throws IOException, InterruptedException {
        Map<TopicPartition, Long> verified = view.awaitProgressKnown(limit);
        try {
            reading.upTo(verified);
        } catch (ExpiredRangeException e) {
            throw new IOException("what is verified expired before it was read here", e);
        }
        scene.output().ifPresent(output -> output.hold(verified));
        return verified;
    }

    /** Has the broker delete what is older than a few seconds, for longer than that. */
    private void expire(Reading reading) throws IOException, InterruptedException {
        WaitLimit limit = WaitLimit.inSeconds(PATIENCE_SECONDS);
        long beganAt = view.awaitBegin(limit);
        control.set(
                scene.topic(),
                Map.of("retention.ms", Optional.of(RETENTION_MILLIS), "segment.ms", Optional.of(SEGMENT_MILLIS)));
        while (view.awaitBegin(limit) <= beganAt) {
            Map<TopicPartition, Long> unused = readVerified(reading, limit);
            limit.check(() -> "nothing expires");
            TimeUnit.MILLISECONDS.sleep(EXPIRY_PAUSE_MILLIS);
        }
        control.set(scene.topic(), Map.of("retention.ms", Optional.empty(), "segment.ms", Optional.empty()));
    }

    private void deleteVerified(Reading reading) throws IOException, InterruptedException {
        WaitLimit limit = WaitLimit.inSeconds(PATIENCE_SECONDS);
        for (int time = 0; time < DELETIONS; time++) {
            Map<TopicPartition, Long> verified = readVerified(reading, limit);
            control.deleteRecords(verified);
            TimeUnit.MILLISECONDS.sleep(DELETION_PAUSE_MILLIS);
        }
    }

    /** One more partition, of the output first: what is made of the input's has its place. */
    private void addPartition(Conduct conduct) throws IOException, InterruptedException {
        int wanted = view.partitions() + 1;
        if (scene.output().isPresent()) {
            control.widen(scene.output().get().topic(), wanted);
            scene.output().get().widen(wanted);
        }
        control.widen(scene.topic(), wanted);
        view.widen(wanted);
        conduct.widen(wanted);
    }

    /**
     * Adds what was acknowledged and is not in the log to the faults that have to be named; returns how many of these no
     * statement in the log tells of.
     */
    private long addLost(Conduct conduct, RoundLog log, List<InjectedFault> injected) {
        List<InjectedFault> lost = conduct.acknowledged().missingIn(log);
        injected.addAll(lost);
        lost.stream()
                .collect(Collectors.groupingBy(
                        one -> new StreamId(one.topic(), one.partition(), one.emitter()),
                        Collectors.summarizingLong(InjectedFault::sequence)))
                .forEach((stream, sequences) -> out.accept("acknowledged and lost: " + stream + ", "
                        + sequences.getCount() + " events from " + sequences.getMin() + " to " + sequences.getMax()));
        return lost.stream()
                .filter(one -> !log.of(new StreamId(one.topic(), one.partition(), one.emitter()))
                        .isLost(one.sequence()))
                .count();
    }

    /** Waits until so many records that were emitted now are in every partition, and verified. */
    private void awaitFlow(Map<TopicPartition, Long> begins, int records) throws InterruptedException {
        WaitLimit limit = WaitLimit.inSeconds(PATIENCE_SECONDS);
        TimeUnit.SECONDS.sleep(1);
        while (true) {
            Map<TopicPartition, Long> ends = view.awaitEnds(limit);
            if (begins.entrySet().stream()
                    .allMatch(begin -> ends.getOrDefault(begin.getKey(), 0L) >= begin.getValue() + records)) {
                view.awaitProgress(ends, limit);
                return;
            }
            limit.check(() -> "no events flow: " + begins + " to " + ends);
            limit.pause();
        }
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

    /** Compares when everything was verified; where the log was rewritten, progress alone does not tell. */
    private Comparison compared(List<InjectedFault> injected, RoundLog log, boolean rewritten)
            throws IOException, InterruptedException {
        Published alerts = new Published(scene.topic());
        verdicts = new Published(scene.topic());
        WaitLimit limit = WaitLimit.inSeconds(PATIENCE_SECONDS);
        while (true) {
            alertsRead = view.readPublished(scene.alertsTopic(), alertsRead, alerts);
            verdictsRead = view.readPublished(scene.verdictsTopic(), verdictsRead, verdicts);
            provedAgain = verdicts.repeated().size();
            Comparison comparison = Comparison.of(injected, log, alerts, verdicts);
            if (!rewritten || comparison.isExact() || limit.isOver()) {
                return comparison;
            }
            limit.pause();
        }
    }

    private Result result(
            Instant at,
            ClusterFault fault,
            long seed,
            String detail,
            Map<TopicPartition, Long> ends,
            RoundLog log,
            Comparison comparison,
            long unseen,
            Emitters emitters,
            double servesSeconds,
            double verifiedSeconds) {
        OutputCheck output = scene.output().orElse(null);
        if (output != null) {
            output.compare(ends);
            if (output.held()) {
                output.compareMarks(new VerifiedPlaces(log, verdicts));
            }
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
                comparison.expected() + unseen,
                comparison.reported(),
                comparison.missed().size() + unseen,
                comparison.falseAlerts().size(),
                comparison.unjudged().size(),
                comparison.publishedTwice().size(),
                provedAgain,
                servesSeconds,
                verifiedSeconds,
                output == null ? 0 : output.compared(),
                output == null ? 0 : output.faults(),
                "");
    }

    @Override
    public void close() {
        view.close();
        control.close();
    }
}
