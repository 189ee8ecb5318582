package dev.stormproof.task.live.run;

import dev.stormproof.log.audit.LogReadJob;
import dev.stormproof.log.audit.LogReadJob.Outcome;
import dev.stormproof.log.audit.LogReadPool;
import dev.stormproof.task.live.progress.TopicIds;
import dev.stormproof.task.output.VerifiedOutput;
import dev.stormproof.verify.fold.ChainVerifier;
import dev.stormproof.verify.fold.LogQuery;
import dev.stormproof.verify.fold.PieceQuery;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The schedule of a task's audits: which partition reads the log next, and when a failed one is tried again.
 *
 * <pre>
 *   IDLE ──audits wait, the pool has room──► RUNNING    a job of at most {@value #MAX_TASKS} audits
 *   RUNNING ──all were made, or enough─────► IDLE
 *   RUNNING ──records expired meanwhile────► BACKING_OFF until the next tick
 *   RUNNING ──no answer from the brokers───► BACKING_OFF for 1, 2, 4 … 60 s
 *   BACKING_OFF ──its time has come────────► IDLE
 *   RUNNING ──no such topic, {@value #GONE_AFTER} times in a row──► dropped, with all partitions of the topic
 *   RUNNING ──another topic of that name───► the same
 *   IDLE ──its topic was not read for {@value #LOOK_MILLIS} ms──► RUNNING    a job without audits, which finds a deleted topic
 * </pre>
 *
 * <p>No failure of an audit is final: until the brokers answer, its partition's progress stands still and its intervals have no verdict.
 * Every {@value #ESCALATE_EVERY} failures of a partition in a row are reported. Any failure but the brokers' is thrown to the owner.
 *
 * <p>Only one partition at a time tries again after a failure, which leaves the other threads to partitions that can be read. A broker
 * that has just started may not know a topic yet, so a topic counts as deleted only after several attempts.
 *
 * <p>A partition has at most one job, so audits that come meanwhile share the next scan. If there is no room, partitions take turns, and
 * their audits wait in their verifiers, which bound them.
 *
 * <p>Not thread-safe: one task, one thread.
 */
public final class TaskAudits {
    /** How many audits a job has at most. */
    static final int MAX_TASKS = 32;

    static final Backoff BACKOFF = new Backoff(1_000, 60_000);

    /** How many failures in a row make a report. */
    static final int ESCALATE_EVERY = 5;

    /** How many times in a row a topic must be unknown to the brokers to count as deleted. */
    static final int GONE_AFTER = 3;

    /** After how long without a read a topic is looked for, so that a deleted one does not stay in the progress. */
    public static final long LOOK_MILLIS = 60_000;

    private static final Logger LOG = LoggerFactory.getLogger(TaskAudits.class);

    private final LogReadPool pool;
    private final Consumer<Throwable> escalation;
    private final Map<TopicPartition, PartitionAudits> byPartition = new HashMap<>();
    private final Deque<PartitionAudits> turns = new ArrayDeque<>();
    private final AtomicInteger failing = new AtomicInteger();
    private final Set<String> goneTopics = new HashSet<>();
    private final Map<String, Long> readMillis = new HashMap<>();
    private @Nullable PartitionAudits retrying;
    private long nowMillis;

    private static final class PartitionAudits {
        private final TopicPartition partition;
        private final ChainVerifier verifier;
        private final LongPredicate ofTopic;
        private final Optional<VerifiedOutput> beside;
        private final Deque<LogQuery> again = new ArrayDeque<>();
        private @Nullable LogReadJob running;
        private int failures;
        private int unknown;
        private long pauseMillis;
        private long notBeforeMillis = Long.MIN_VALUE;
        private boolean looks;

        PartitionAudits(
                TopicPartition partition,
                ChainVerifier verifier,
                LongPredicate ofTopic,
                Optional<VerifiedOutput> beside) {
            this.partition = partition;
            this.verifier = verifier;
            this.ofTopic = ofTopic;
            this.beside = beside;
        }

        /** The next audits: those that failed before, those of the verifier, and those of the output beside it. */
        List<LogQuery> tasks() {
            Optional<LogQuery> first = next();
            if (first.isEmpty()) {
                return List.of(); // After nearly every record.
            }
            List<LogQuery> tasks = new ArrayList<>();
            for (Optional<LogQuery> task = first; task.isPresent(); ) {
                tasks.add(task.get());
                task = tasks.size() < MAX_TASKS ? next() : Optional.empty();
            }
            return tasks;
        }

        private Optional<LogQuery> next() {
            return again.isEmpty() ? verifier.nextQuery().or(this::besideIt) : Optional.of(again.remove());
        }

        private Optional<LogQuery> besideIt() {
            return beside.flatMap(output -> output.ask().map(piece -> new PieceQuery(output, piece)));
        }
    }

    public TaskAudits(LogReadPool pool, Consumer<Throwable> escalation) {
        this.pool = pool;
        this.escalation = escalation;
    }

    /**
     * Adds a partition; the result of a job for an earlier verifier of it is ignored.
     *
     * @param ofTopic accepts the {@linkplain TopicIds id} of the topic that it verifies
     * @param beside reads the same log beside the verifier, which goes first
     */
    public void add(
            TopicPartition partition, ChainVerifier verifier, LongPredicate ofTopic, Optional<VerifiedOutput> beside) {
        PartitionAudits audits = new PartitionAudits(partition, verifier, ofTopic, beside);
        PartitionAudits before = byPartition.put(partition, audits);
        turns.add(audits);
        if (before != null) {
            turns.remove(before);
            reset(before);
        }
    }

    /** Drops a partition; the result of its job is ignored. */
    void remove(TopicPartition partition) {
        PartitionAudits audits = byPartition.remove(partition);
        if (audits != null) {
            turns.remove(audits);
            reset(audits);
            readMillis.remove(partition.topic());
        }
    }

    /** The topics that were found deleted since the last call, whose partitions are to be removed. */
    Set<String> drainGone() {
        Set<String> gone = Set.copyOf(goneTopics);
        goneTopics.clear();
        return gone;
    }

    /** Takes the time: a partition whose backoff has ended may read again, and one of each topic that was not read looks for it. */
    public void tick(long now) {
        nowMillis = now;
        for (PartitionAudits audits : byPartition.values()) {
            String topic = audits.partition.topic();
            Long read = readMillis.putIfAbsent(topic, now);
            if (read != null && now - read >= LOOK_MILLIS) {
                audits.looks = true;
                readMillis.put(topic, now);
            }
        }
    }

    /** Submits a partition's audits, if there is room. */
    void ask(TopicPartition partition) {
        PartitionAudits audits = byPartition.get(partition);
        if (audits != null && pool.hasRoom()) {
            submit(audits);
        }
    }

    /** Submits the audits of all partitions, in turns. */
    public void askAll() {
        for (int left = turns.size(); left > 0 && pool.hasRoom(); left--) {
            PartitionAudits audits = turns.remove();
            turns.add(audits);
            submit(audits);
        }
    }

    /** Hands the answers to the verifiers, and returns their partitions; usually none. */
    public List<TopicPartition> drain() {
        Optional<Outcome> next = pool.poll();
        if (next.isEmpty()) {
            return List.of();
        }
        List<TopicPartition> concerned = new ArrayList<>();
        for (; next.isPresent(); next = pool.poll()) {
            Outcome outcome = next.get();
            TopicPartition partition = outcome.job().partition();
            PartitionAudits audits = byPartition.get(partition);
            if (retrying != null && isOf(retrying, outcome.job())) {
                retrying = null;
            }
            if (audits != null && isOf(audits, outcome.job())) {
                audits.running = null;
                audits.again.addAll(outcome.left());
                outcome.answers().forEach(answer -> hand(audits, answer));
                outcome.failure()
                        .ifPresentOrElse(
                                failure -> failed(audits, failure), () -> succeeded(audits, outcome.expired()));
                concerned.add(partition);
            }
        }
        return concerned;
    }

    /** Hands on an answer of the same topic; another one of its name was created after that was deleted. */
    private void hand(PartitionAudits audits, LogReadJob.Answer answer) {
        if (audits.ofTopic.test(TopicIds.idOf(answer.topicId()))) {
            answer.hand().accept(audits.verifier);
        } else {
            goneTopics.add(audits.partition.topic());
        }
    }

    /** Reports trouble with a partition that is not a failure of an audit. */
    void report(Throwable trouble) {
        LOG.warn(trouble.getMessage());
        escalation.accept(trouble);
    }

    /** The number of partitions whose last attempt failed; any thread may ask. */
    public int failing() {
        return failing.get();
    }

    boolean isFailing(TopicPartition partition) {
        PartitionAudits audits = byPartition.get(partition);
        return audits != null && audits.failures > 0;
    }

    @SuppressWarnings("ReferenceEquality") // An equal job may belong to an earlier verifier.
    private static boolean isOf(PartitionAudits audits, LogReadJob job) {
        return audits.running == job;
    }

    private void submit(PartitionAudits audits) {
        boolean again = audits.failures > 0;
        boolean anotherRetries = again && retrying != null;
        if (audits.running != null || nowMillis < audits.notBeforeMillis || anotherRetries) {
            return;
        }
        List<LogQuery> tasks = audits.tasks();
        if (!tasks.isEmpty() || audits.looks) {
            LogReadJob job = new LogReadJob(audits.partition, tasks);
            pool.submit(job);
            audits.running = job;
            if (again) {
                retrying = audits;
            }
        }
    }

    private void succeeded(PartitionAudits audits, boolean expired) {
        if (audits.failures > 0) {
            LOG.info("{} can be read again", audits.partition);
        }
        reset(audits);
        audits.looks = false;
        readMillis.put(audits.partition.topic(), nowMillis);
        audits.notBeforeMillis = expired ? nowMillis + 1 : Long.MIN_VALUE;
    }

    private void reset(PartitionAudits audits) {
        if (audits.failures > 0) {
            failing.decrementAndGet();
        }
        audits.failures = 0;
        audits.unknown = 0;
    }

    private void failed(PartitionAudits audits, Throwable failure) {
        if (!(failure instanceof KafkaException)) {
            throw new IllegalStateException("an audit of " + audits.partition + " failed", failure);
        }
        audits.unknown = failure instanceof UnknownTopicOrPartitionException ? audits.unknown + 1 : 0;
        if (audits.unknown == GONE_AFTER) {
            goneTopics.add(audits.partition.topic());
        }
        if (audits.failures++ == 0) {
            failing.incrementAndGet();
        }
        audits.pauseMillis = BACKOFF.after(audits.failures == 1 ? 0 : audits.pauseMillis);
        audits.notBeforeMillis = nowMillis + audits.pauseMillis;
        String trouble = audits.partition + " could not be read " + audits.failures
                + " times in a row; its verdicts wait, and the next attempt is in " + audits.pauseMillis + " ms";
        LOG.warn(trouble, failure);
        if (audits.failures % ESCALATE_EVERY == 0) {
            escalation.accept(new IllegalStateException(trouble, failure));
        }
    }
}
