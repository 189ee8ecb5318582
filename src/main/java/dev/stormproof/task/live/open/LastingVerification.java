package dev.stormproof.task.live.open;

import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.run.ProducerFailure;
import dev.stormproof.task.live.run.TransactionalIds;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.RecordContent;
import dev.stormproof.verify.judge.Finding;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The verification of a task that outlives its transactional id: brokers delete an id without a commit after
 * {@code transactional.id.expiration.ms}.
 *
 * <pre>
 *   VERIFIES ── the brokers know the id no more ──► starts again, from the committed progress ──► VERIFIES
 *            ── another producer has it ──────────► exception: the task is another's
 *            ── anything else is thrown ──────────► exception
 * </pre>
 *
 * <p>What was not written is dropped and read from the log again: another task may have had the id in between, and written it.
 *
 * <p>Belongs to one task and its thread, like {@link DurableVerification}.
 */
public final class LastingVerification implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LastingVerification.class);

    private final StormproofConfig config;
    private final DurableVerification.Task task;
    private final Consumer<Finding.Type> counted;
    private final Consumer<Throwable> errors;
    private final boolean takesContent;
    private volatile DurableVerification verification;
    private volatile Map<String, Supplier<Number>> gauges;
    private volatile boolean closed;

    /** Begins for a task; waits for Kafka. */
    public LastingVerification(
            StormproofConfig config,
            DurableVerification.Task task,
            Consumer<Finding.Type> counted,
            Consumer<Throwable> errors) {
        this.config = config;
        this.task = task;
        this.counted = counted;
        this.errors = errors;
        this.verification = begin();
        this.gauges = verification.gauges();
        this.takesContent = verification.takesContent();
    }

    private DurableVerification begin() {
        return new DurableVerification(config, task, counted, errors);
    }

    /** As {@link DurableVerification#take(TopicPartition, long, DeliveryLink, LogRecord, RecordContent)}. */
    public void take(
            TopicPartition partition,
            long topicId,
            DeliveryLink link,
            LogRecord record,
            @Nullable RecordContent content) {
        try {
            verification.take(partition, topicId, link, record, content);
        } catch (RuntimeException e) {
            beginAnewAfter(e);
        }
    }

    /** As {@link DurableVerification#poll}. */
    public void poll() {
        try {
            verification.poll();
        } catch (RuntimeException e) {
            beginAnewAfter(e);
        }
    }

    /** As {@link DurableVerification#tick}. */
    public void tick() {
        try {
            verification.tick();
        } catch (RuntimeException e) {
            beginAnewAfter(e);
        }
    }

    /** True if records need their content. */
    public boolean takesContent() {
        return takesContent;
    }

    /** The metrics by their names in Storm; each asks the current verification. */
    public Map<String, Supplier<Number>> gauges() {
        Map<String, Supplier<Number>> lasting = new HashMap<>();
        for (String name : gauges.keySet()) {
            lasting.put(name, () -> Objects.requireNonNull(gauges.get(name)).get());
        }
        return lasting;
    }

    private void beginAnewAfter(RuntimeException failure) {
        if (closed || !isForgotten(failure)) {
            throw failure;
        }
        LOG.warn(
                "the brokers have forgotten the transactional id of task {}, which starts again from its "
                        + "progress; keep transactional.id.expiration.ms above a day",
                task.index(),
                failure);
        verification.close();
        DurableVerification anew = begin();
        gauges = anew.gauges();
        verification = anew;
        // Records that the last one took are not delivered again.
        anew.readOn();
        if (closed) {
            anew.close();
        }
    }

    /** Asks the brokers, whose answers to a transaction with a forgotten id have many types, some without a class of their own. */
    private boolean isForgotten(RuntimeException failure) {
        boolean ofKafka = failure instanceof KafkaException && !(failure instanceof InterruptException);
        if (!ofKafka || ProducerFailure.isFenced(failure)) {
            return false;
        }
        try {
            return !TransactionalIds.isKnown(config, task.index());
        } catch (KafkaException e) {
            failure.addSuppressed(e);
            return false;
        }
    }

    @Override
    public void close() {
        closed = true;
        verification.close();
    }
}
