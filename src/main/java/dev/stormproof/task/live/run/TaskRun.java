package dev.stormproof.task.live.run;

import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.RecordContent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One task at work: takes records, and writes output, findings and progress with the ticks.
 *
 * <pre>
 *   RUNNING ──take, poll, tick────────────────────► RUNNING
 *           ──output is refused───────────────────► RUNNING   its partition's output halts, or diverts; the rest is written again
 *           ──a topic counts as deleted───────────► RUNNING   what was made of it since the last commit is not written
 *           ──its offsets hold up the transaction─► RUNNING   the same
 *           ──a transaction fails otherwise───────► PAUSED
 *   PAUSED  ──take, poll──────────────────────────► PAUSED    nothing: missed records are counted, and read from the log later
 *           ──tick: it is written after all───────► RUNNING
 *   any     ──anything is thrown──────────────────► FAILED
 *   FAILED  ──take, poll, tick────────────────────► exception; nothing is written any more
 * </pre>
 *
 * <p>In FAILED it is unknown how far the last step came: a commit would let progress pass what that step did not write.
 *
 * <p>For one thread at a time.
 */
public final class TaskRun {
    private static final Logger LOG = LoggerFactory.getLogger(TaskRun.class);

    /**
     * After how long of failures a partition that does not answer is blamed, even if no other one answers.
     */
    public static final long BLAMED_MILLIS = 60_000;

    private static final long TICK_MILLIS = 1_000;

    /** How often alerts are written between two ticks, so that many alerts share a transaction. */
    public static final long ALERTS_MILLIS = 20;

    private static final long NEVER = -1;

    private final TaskVerification verification;
    private final FindingsOutbox outbox;
    private final TaskTransaction transaction;
    private final @Nullable OutputTopics output;
    private final Function<Map<TopicPartition, Long>, Map<TopicPartition, Release>> releases;
    private final boolean mayDivert;
    private final int flushMaxFindings;
    private final Consumer<Throwable> errors;
    private final LongSupplier elapsedMillis;
    private final Map<TopicPartition, Missed> missed = new HashMap<>();

    private long tickedMillis = -TICK_MILLIS;
    private long flushedMillis = -ALERTS_MILLIS;
    /** The beginning of the first flush since the last successful one; {@link #NEVER} if the last one succeeded. */
    private volatile long unwrittenSinceMillis = NEVER;

    /** True from the beginning of a step until it has ended well. */
    private boolean failed;

    /** Records of a partition that were delivered before an offset and not taken. */
    private record Missed(long topicId, long endOffset) {}

    /**
     * @param releases the new releases of records at which outputs are halted
     * @param mayDivert whether a release may divert a record
     * @param flushMaxFindings how many findings may wait
     * @param elapsedMillis a monotonic clock
     */
    public TaskRun(
            TaskVerification verification,
            FindingsOutbox outbox,
            TaskTransaction transaction,
            @Nullable OutputTopics output,
            Function<Map<TopicPartition, Long>, Map<TopicPartition, Release>> releases,
            boolean mayDivert,
            int flushMaxFindings,
            Consumer<Throwable> errors,
            LongSupplier elapsedMillis) {
        this.verification = verification;
        this.outbox = outbox;
        this.transaction = transaction;
        this.output = output;
        this.releases = releases;
        this.mayDivert = mayDivert;
        this.flushMaxFindings = flushMaxFindings;
        this.errors = errors;
        this.elapsedMillis = elapsedMillis;
    }

    /** Takes the next record of a partition. */
    public void take(
            TopicPartition partition,
            long topicId,
            DeliveryLink link,
            LogRecord record,
            @Nullable RecordContent content) {
        begin();
        if (canWrite()) {
            verification.take(partition, topicId, link, record, content);
        } else {
            missed.put(partition, new Missed(topicId, link.offset() + 1));
        }
        failed = false;
    }

    /** Hands on the findings of a batch of records, and takes what was read from the log; alerts do not wait for a tick. */
    public void poll() {
        begin();
        if (canWrite()) {
            verification.poll();
            takeOutDropped();
            if (outbox.size() >= flushMaxFindings || isAlertDue() || transaction.isFull()) {
                flush();
            }
        }
        failed = false;
    }

    /** Writes what waits; about once a second also notices deadlines, releases and changed topics. */
    public void tick() {
        begin();
        long nowMillis = elapsedMillis.getAsLong();
        boolean second = nowMillis - tickedMillis >= TICK_MILLIS;
        if (second) {
            tickedMillis = nowMillis;
        }
        if (!canWrite()) {
            if (second) {
                verification.count(partition -> endOf(missed.get(partition)));
            }
        } else {
            missed.forEach((partition, one) -> verification.readOn(partition, one.topicId()));
            missed.clear();
            if (second) {
                verification.tick(nowMillis);
                takeOutDropped();
                release();
                if (output != null) {
                    output.tick(errors);
                }
            } else {
                verification.poll();
                takeOutDropped();
            }
        }
        if (second || outbox.size() > 0 || transaction.appended() > 0 || outbox.isFailing()) {
            flush();
        }
        failed = false;
    }

    private static long endOf(@Nullable Missed missed) {
        return missed == null ? 0 : missed.endOffset();
    }

    private boolean isAlertDue() {
        return outbox.hasAlerts() && elapsedMillis.getAsLong() - flushedMillis >= ALERTS_MILLIS;
    }

    private void begin() {
        if (failed) {
            throw new IllegalStateException("the task has failed, and does nothing more");
        }
        failed = true;
    }

    private boolean canWrite() {
        if (!outbox.isFailing() && transaction.isFull()) {
            flush();
        }
        return !outbox.isFailing();
    }

    private void flush() {
        flushedMillis = elapsedMillis.getAsLong();
        if (unwrittenSinceMillis == NEVER) {
            unwrittenSinceMillis = flushedMillis;
        }
        if (writes()) {
            unwrittenSinceMillis = NEVER;
            verification.askOn();
        }
    }

    /** Writes what waits; false if that failed, and no record, partition or topic is known to be at fault. */
    private boolean writes() {
        OutputTopics topics = output;
        Set<TopicPartition> places = topics != null && topics.hasOutages() ? transaction.places() : Set.of();
        boolean written = outbox.flush(verification.progress(), verification.saved(), flushedMillis);
        if (!written && dropsUnknown()) {
            outbox.mended();
            return true;
        }
        if (topics == null) {
            return written;
        }
        if (written) {
            topics.took(places);
            return true;
        }
        boolean mended = takesOutRefused(topics, outbox.failingMillis(elapsedMillis.getAsLong()) >= BLAMED_MILLIS);
        if (mended) {
            outbox.mended();
        }
        return mended;
    }

    /** For how long nothing could be written; 0 if the last flush succeeded. Any thread may ask. */
    public long unwrittenMillis() {
        long since = unwrittenSinceMillis;
        return since == NEVER ? 0 : elapsedMillis.getAsLong() - since;
    }

    /** Removes refused records, and all later ones of their partitions, from the next transaction; false if there are none. */
    private boolean takesOutRefused(OutputTopics topics, boolean reachable) {
        List<ProduceErrorKind> refusals = new ArrayList<>(transaction.unavailable(topics::unavailable));
        for (ProduceErrorKind refusal : transaction.refusals(reachable)) {
            if (refusal.cause() == ProduceErrorKind.Cause.PARTITION) {
                topics.refused(refusal.place(), refusal.why());
            }
            refusals.add(refusal);
        }
        // Earlier records for a partition that just turned out to take nothing go as well.
        refusals.addAll(transaction.unavailable(topics::unavailable));
        Map<TopicPartition, ProduceErrorKind> first = new HashMap<>();
        for (ProduceErrorKind refusal : refusals) {
            first.merge(refusal.input(), refusal, (one, other) -> other.offset() < one.offset() ? other : one);
        }
        first.values().forEach(refusal -> {
            LOG.warn(
                    "{}: the output is halted before the record at {}: {}",
                    refusal.input(),
                    refusal.offset(),
                    refusal.why());
            transaction.takeOut(refusal.input(), refusal.offset());
            outbox.takeOut(refusal.input(), refusal.offset());
            verification.refused(refusal);
        });
        return !first.isEmpty();
    }

    private boolean dropsUnknown() {
        Set<String> unknown = transaction.drainUnknown();
        unknown.forEach(verification::drop);
        takeOutDropped();
        return !unknown.isEmpty();
    }

    /**
     * Removes what was made of topics that count as deleted, because their progress cannot be committed with it. A topic that exists after all
     * is read again from its last progress.
     */
    private void takeOutDropped() {
        Set<TopicPartition> dropped = verification.drainDropped();
        if (dropped.isEmpty()) {
            return;
        }
        transaction.abort();
        for (TopicPartition partition : dropped) {
            transaction.takeOut(partition, 0);
            outbox.takeOut(partition, 0);
        }
    }

    private void release() {
        Map<TopicPartition, Long> halted = verification.halted();
        if (halted.isEmpty()) {
            return;
        }
        releases.apply(halted).forEach((partition, release) -> {
            LOG.info("{}: {}", partition, release);
            boolean without = release.action() == Release.Action.DIVERT;
            verification.release(partition, without, without && mayDivert);
        });
    }
}
