package dev.stormproof.task.process;

import dev.stormproof.alert.http.Answer;
import dev.stormproof.proof.sign.CheckpointKey;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.watch.WatchedInputs;
import dev.stormproof.task.metrics.TaskMetrics;
import dev.stormproof.task.metrics.WorkerMetrics;
import dev.stormproof.task.notary.NotaryTask;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The verification of a group's inputs in this process, or in several that share its tasks.
 *
 * <pre>
 *   WatchedInputs ──► does Kafka answer? which partitions are there?
 *   Replica ── the group of replicas ──► ProcessTask, one for each task that is ours ──► DurableVerification
 *   GET /metrics, /ready, /healthy
 * </pre>
 *
 * <p>It waits while Kafka does not answer. Only a failure of our own ends it; the owner asks for {@link #failure}.
 */
public final class VerifyProcess implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(VerifyProcess.class);

    /** After how long without a write it is not ready: by then, a partition that lost its leader has another. */
    private static final long UNWRITTEN_MILLIS = 5_000;

    private final StormproofConfig config;
    private final TaskMetrics metrics;
    private final WatchedInputs inputs;
    private final Replica replica;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private boolean silenceLogged;
    private volatile boolean joins;
    private volatile boolean closed;

    private VerifyProcess(StormproofConfig config) {
        this.config = config;
        this.metrics = WorkerMetrics.ofThisProcess().task(config.metricsAddress(), config.groupId());
        this.inputs = WatchedInputs.of(config, found -> {}, "stormproof-inputs");
        String process = "verify-" + UUID.randomUUID();
        Thread.UncaughtExceptionHandler failed = (thread, thrown) -> fail(thread.getName(), thrown);
        CheckpointKey notary = config.notarizes() ? NotaryTask.key(config) : null;
        this.replica = new Replica(config, index -> task(process, index, notary, failed), failed);
    }

    private ProcessTask task(
            String process, int index, @Nullable CheckpointKey notary, Thread.UncaughtExceptionHandler failed) {
        if (notary == null) {
            return ProcessTask.of(config, index, new VerificationWork(config, process, index), failed);
        }
        TaskWork notarizing = new NotaryWork(config, index, notary);
        return config.verifies()
                ? ProcessTask.of(config, index, new VerificationWork(config, process, index), failed)
                        .with(notarizing, failed)
                : ProcessTask.of(config, index, notarizing, failed);
    }

    /** Serves its pages; nothing is verified before it joins. */
    public static VerifyProcess open(StormproofConfig config) {
        VerifyProcess process = new VerifyProcess(config);
        process.metrics.show(
                new TaskMetrics.Topology(config.verifies() ? config.tasks.verifying() : 0, false),
                Map.of(
                        "input-partitions",
                        () -> process.inputs.expected(),
                        "kafka-silent-seconds",
                        () -> process.inputs.silentMillis() / 1_000,
                        TaskMetrics.OTHER_SETTINGS,
                        () -> process.replica.fits() ? 0 : 1),
                partition -> true);
        WorkerMetrics.ofThisProcess().page("/ready", process::ready);
        WorkerMetrics.ofThisProcess().page("/healthy", process::healthy);
        return process;
    }

    public static String replicasGroup(StormproofConfig config) {
        return Replica.group(config);
    }

    public void join() {
        joins = true;
        replica.start();
    }

    /** Logs once that Kafka does not answer, and once that it does again; to be called about once a second. */
    public void tick() {
        metrics.tick();
        long silentMillis = inputs.silentMillis();
        if (silentMillis > 0 && !silenceLogged) {
            LOG.warn(
                    "Kafka at {} does not answer; waiting for it. What is written meanwhile is verified then",
                    config.bootstrapServers());
        } else if (silentMillis == 0 && silenceLogged) {
            LOG.warn("Kafka at {} answers again; going on", config.bootstrapServers());
        }
        silenceLogged = silentMillis > 0;
    }

    /** The failure of our own, if there was one. */
    public Optional<Throwable> failure() {
        return Optional.ofNullable(failure.get());
    }

    /** Why it is not ready; empty if it is. A standby without a task is ready. */
    public Optional<String> unready() {
        if (closed) {
            return Optional.of("it ends");
        } else if (inputs.silentMillis() > 0) {
            return Optional.of("Kafka has not answered for " + inputs.silentMillis() / 1_000 + " s");
        } else if (!joins || !replica.hasJoined()) {
            return Optional.of("it has not joined the other replicas yet");
        } else if (!replica.isReady()) {
            return Optional.of("its tasks " + replica.assigned() + " begin");
        } else if (replica.unwrittenMillis() >= UNWRITTEN_MILLIS) {
            return Optional.of(
                    "its alerts and progress cannot be written for " + replica.unwrittenMillis() / 1_000 + " s");
        }
        return Optional.empty();
    }

    List<Integer> tasks() {
        return replica.verifying();
    }

    long covered() {
        return replica.covered();
    }

    /** Hands its tasks over to the other replicas, and ends. */
    @Override
    public void close() {
        closed = true;
        replica.close();
        inputs.close();
        metrics.close();
    }

    private Answer ready() {
        return unready()
                .map(why -> Answer.of(HttpURLConnection.HTTP_UNAVAILABLE, "not ready: " + why))
                .orElseGet(() -> Answer.of(HttpURLConnection.HTTP_OK, readiness()));
    }

    private String readiness() {
        if (!replica.fits()) {
            return "ready, as a standby: others have the tasks, with other settings than this one's";
        }
        return replica.assigned().isEmpty()
                ? "ready, as a standby: others have the tasks"
                : "ready: " + work() + ", as tasks " + tasks() + " of " + config.tasks.verifying();
    }

    private String work() {
        return config.verifies()
                ? "verifies " + covered() + " of the " + inputs.partitions().size() + " partitions"
                : "notarizes";
    }

    private Answer healthy() {
        return failure()
                .map(thrown -> Answer.of(HttpURLConnection.HTTP_INTERNAL_ERROR, "failed: " + thrown))
                .orElseGet(() -> Answer.of(HttpURLConnection.HTTP_OK, "healthy"));
    }

    private void fail(String where, Throwable thrown) {
        LOG.error("{} has failed", where, thrown);
        failure.compareAndSet(null, thrown);
    }
}
