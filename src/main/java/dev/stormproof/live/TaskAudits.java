package dev.stormproof.live;

import dev.stormproof.audit.AuditJob;
import dev.stormproof.audit.AuditJob.Outcome;
import dev.stormproof.audit.AuditPool;
import dev.stormproof.verify.AuditTask;
import dev.stormproof.verify.PartitionVerifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who of a task's partitions reads the log next, and when one that could not be read is tried again.
 *
 * <pre>
 *   IDLE ──audits wait, the pool has room──► RUNNING    a job of at most {@value #MAX_TASKS} audits
 *   RUNNING ──all were made, or enough─────► IDLE
 *   RUNNING ──the log was cut meanwhile────► BACKING_OFF until the next tick
 *   RUNNING ──no answer from the brokers───► BACKING_OFF for 1, 2, 4 … {@value #MAX_BACKOFF_MILLIS} ms
 *   BACKING_OFF ──its time has come────────► IDLE
 * </pre>
 *
 * <p>Audits never fail for good: until the brokers answer, their partition's progress stands still and nothing is said of
 * their intervals. Every {@value #ESCALATE_EVERY} failures of a partition in a row, somebody is told. A failure that is
 * not the brokers' is thrown at the owner.
 *
 * <p>A partition has one job at most, so that what comes meanwhile shares the next one's scan. When there is no room,
 * partitions take turns, and their audits wait in their verifiers, which bound them.
 *
 * <p>Not thread-safe: one task, one thread.
 */
final class TaskAudits {
    /** How many audits a job has at most. */
    static final int MAX_TASKS = 32;

    static final long MAX_BACKOFF_MILLIS = 60_000;

    /** After how many failures in a row somebody is told, again and again. */
    static final int ESCALATE_EVERY = 5;

    private static final Logger LOG = LoggerFactory.getLogger(TaskAudits.class);
    private static final long FIRST_BACKOFF_MILLIS = 1_000;

    private final AuditPool pool;
    private final Consumer<Throwable> escalation;
    private final Map<TopicPartition, Lane> lanes = new HashMap<>();
    private final Deque<Lane> turns = new ArrayDeque<>();
    private final AtomicInteger failing = new AtomicInteger();
    private long nowMillis;

    /** The audits of one partition. */
    private static final class Lane {
        private final TopicPartition partition;
        private final PartitionVerifier verifier;
        private final Deque<AuditTask> again = new ArrayDeque<>();
        private @Nullable AuditJob running;
        private int failures;
        private long notBeforeMillis = Long.MIN_VALUE;

        Lane(TopicPartition partition, PartitionVerifier verifier) {
            this.partition = partition;
            this.verifier = verifier;
        }

        /** What to read next: what could not be read before, then what the verifier asks for. */
        List<AuditTask> tasks() {
            List<AuditTask> tasks = new ArrayList<>();
            while (tasks.size() < MAX_TASKS && !again.isEmpty()) {
                tasks.add(again.remove());
            }
            while (tasks.size() < MAX_TASKS) {
                Optional<AuditTask> next = verifier.nextAudit();
                if (next.isEmpty()) {
                    break;
                }
                tasks.add(next.get());
            }
            return tasks;
        }
    }

    /** @param escalation is told of trouble that lasts */
    TaskAudits(AuditPool pool, Consumer<Throwable> escalation) {
        this.pool = pool;
        this.escalation = escalation;
    }

    /** Takes on a partition; whatever is under way for another verifier of it does not count any more. */
    void add(TopicPartition partition, PartitionVerifier verifier) {
        Lane lane = new Lane(partition, verifier);
        Lane before = lanes.put(partition, lane);
        turns.add(lane);
        if (before != null) {
            turns.remove(before);
            succeeded(before, false);
        }
    }

    /** Notes the time: partitions whose backoff has ended may read again. */
    void tick(long now) {
        nowMillis = now;
    }

    /** Has the audits made that a partition's verifier asks for now, if it is its turn. */
    void ask(TopicPartition partition) {
        Lane lane = lanes.get(partition);
        if (lane != null && pool.hasRoom()) {
            submit(lane);
        }
    }

    /** The same for all partitions, in turns. */
    void askAll() {
        for (int left = turns.size(); left > 0 && pool.hasRoom(); left--) {
            Lane lane = turns.remove();
            turns.add(lane);
            submit(lane);
        }
    }

    /** Hands what was found to the verifiers, and returns the partitions concerned; usually none. */
    List<TopicPartition> drain() {
        Optional<Outcome> next = pool.poll();
        if (next.isEmpty()) {
            return List.of();
        }
        List<TopicPartition> concerned = new ArrayList<>();
        for (; next.isPresent(); next = pool.poll()) {
            Outcome outcome = next.get();
            TopicPartition partition = outcome.job().partition();
            Lane lane = Objects.requireNonNull(lanes.get(partition));
            if (isOf(lane, outcome.job())) {
                lane.running = null;
                lane.again.addAll(outcome.left());
                outcome.answers().forEach(answer -> answer.accept(lane.verifier));
                outcome.failure()
                        .ifPresentOrElse(failure -> failed(lane, failure), () -> succeeded(lane, outcome.cut()));
                concerned.add(partition);
            }
        }
        return concerned;
    }

    /** How many partitions could not be read at the last attempt. Any thread may ask. */
    int failing() {
        return failing.get();
    }

    @SuppressWarnings("ReferenceEquality") // An equal job may have been another verifier's.
    private static boolean isOf(Lane lane, AuditJob job) {
        return lane.running == job;
    }

    private void submit(Lane lane) {
        if (lane.running != null || nowMillis < lane.notBeforeMillis) {
            return;
        }
        List<AuditTask> tasks = lane.tasks();
        if (!tasks.isEmpty()) {
            AuditJob job = new AuditJob(lane.partition, tasks);
            pool.submit(job);
            lane.running = job;
        }
    }

    private void succeeded(Lane lane, boolean cut) {
        if (lane.failures > 0) {
            LOG.info("{} can be read again", lane.partition);
            failing.decrementAndGet();
        }
        lane.failures = 0;
        lane.notBeforeMillis = cut ? nowMillis + 1 : Long.MIN_VALUE;
    }

    private void failed(Lane lane, Throwable failure) {
        if (!(failure instanceof KafkaException)) {
            throw new IllegalStateException("an audit of " + lane.partition + " failed", failure);
        }
        if (lane.failures++ == 0) {
            failing.incrementAndGet();
        }
        long backoffMillis =
                Math.min(MAX_BACKOFF_MILLIS, FIRST_BACKOFF_MILLIS << Math.min(lane.failures - 1, Integer.SIZE - 1));
        lane.notBeforeMillis = nowMillis + backoffMillis;
        String trouble = lane.partition + " could not be read " + lane.failures + " times in a row; what waits there is"
                + " undecided, and is tried again in " + backoffMillis + " ms";
        LOG.warn(trouble, failure);
        if (lane.failures % ESCALATE_EVERY == 0) {
            escalation.accept(new IllegalStateException(trouble, failure));
        }
    }
}
