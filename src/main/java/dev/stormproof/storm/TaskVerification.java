package dev.stormproof.storm;

import dev.stormproof.audit.Auditor;
import dev.stormproof.audit.PartitionReader;
import dev.stormproof.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.checkpoint.LogRecord;
import dev.stormproof.checkpoint.LogRecordParser;
import dev.stormproof.verify.AuditTask;
import dev.stormproof.verify.Finding;
import dev.stormproof.verify.Link;
import dev.stormproof.verify.PartitionVerifier;
import dev.stormproof.verify.Patience;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The verification of all partitions of one task: deliveries go in, findings come out, the log is read where needed.
 *
 * <p>Audits run at once and on the caller's thread. One that the brokers cannot serve now waits for {@link #tick},
 * and with it the progress of its partition; when that has failed {@value #MAX_FAILURES} times in a row, the exception
 * goes up.
 *
 * <p>Not thread-safe: one task, one thread.
 */
final class TaskVerification {
    /** How many attempts in a row to read the log may fail. */
    static final int MAX_FAILURES = 10;

    private static final Logger LOG = LoggerFactory.getLogger(TaskVerification.class);

    private final LogRecordParser parser;
    private final Map<TopicPartition, Long> progressAtStart;
    private final Function<TopicPartition, PartitionReader> readers;
    private final Patience patience;
    private final Consumer<Finding> findings;
    private final Map<TopicPartition, PartitionVerifier> verifiers = new HashMap<>();
    private final Deque<Postponed> postponed = new ArrayDeque<>();
    private int failures;

    /** An audit that could not be made. */
    private record Postponed(TopicPartition partition, AuditTask task) {}

    /**
     * @param progressAtStart where the group's committed progress stood when this task began
     * @param readers gives the reader of a partition's log
     * @param patience how long streams may be silent
     * @param findings takes what is found, in order within a partition
     */
    TaskVerification(
            LogRecordParser parser,
            Map<TopicPartition, Long> progressAtStart,
            Function<TopicPartition, PartitionReader> readers,
            Patience patience,
            Consumer<Finding> findings) {
        this.parser = parser;
        this.progressAtStart = progressAtStart;
        this.readers = readers;
        this.patience = patience;
        this.findings = findings;
    }

    /** Takes the next delivery of a partition. */
    void take(Delivery delivery) {
        TopicPartition partition = new TopicPartition(delivery.topic(), delivery.partition());
        Custody custody = delivery.custody();
        PartitionVerifier verifier = verifiers.computeIfAbsent(partition, first -> newVerifier(first, delivery));
        LogRecord record = parser.parse(
                delivery.topic(),
                delivery.partition(),
                delivery.offset(),
                delivery.value(),
                delivery.headers()::last,
                delivery.observed());
        verifier.take(
                new Link(
                        delivery.offset(),
                        custody.previous(),
                        custody.start(),
                        custody.leaderEpoch(),
                        custody.incarnation()),
                record);
        auditAll(partition, verifier);
    }

    /** Notes the time, about once a second: tries audits again that could not be made, and looks after silent streams. */
    void tick(long nowMillis) {
        for (int left = postponed.size(); left > 0; left--) {
            Postponed audit = postponed.remove();
            PartitionVerifier verifier = verifiers.get(audit.partition());
            if (verifier != null) {
                audit(audit.partition(), verifier, audit.task());
            }
        }
        verifiers.forEach((partition, verifier) -> {
            verifier.tick(nowMillis);
            auditAll(partition, verifier);
        });
    }

    /** For each partition of which a record came: where a reader must begin again to miss nothing undecided. */
    Map<TopicPartition, Long> progress() {
        Map<TopicPartition, Long> progress = new HashMap<>();
        verifiers.forEach((partition, verifier) -> progress.put(partition, verifier.progressOffset()));
        return progress;
    }

    /**
     * A verifier that begins where the last one's verified progress ended. Without any, a spout's start says that
     * nothing came before; a record in mid-chain says that something did, and it is looked for from the log's beginning.
     */
    private PartitionVerifier newVerifier(TopicPartition partition, Delivery first) {
        Long resumeOffset = progressAtStart.get(partition);
        if (resumeOffset == null) {
            resumeOffset = first.custody().start()
                    ? first.offset()
                    : readers.apply(partition).beginOffset();
        }
        return new PartitionVerifier(partition.topic(), partition.partition(), resumeOffset, patience);
    }

    private void auditAll(TopicPartition partition, PartitionVerifier verifier) {
        for (Optional<AuditTask> next = verifier.nextAudit(); next.isPresent(); next = verifier.nextAudit()) {
            audit(partition, verifier, next.get());
        }
        verifier.drainFindings().forEach(findings);
    }

    private void audit(TopicPartition partition, PartitionVerifier verifier, AuditTask task) {
        try {
            Auditor auditor = new Auditor(readers.apply(partition));
            if (task instanceof AuditTask.OfInterval interval) {
                verifier.audited(interval, auditor.audit(interval));
            } else if (task instanceof AuditTask.OfHole hole) {
                verifier.audited(hole, auditor.audit(hole));
            } else if (task instanceof AuditTask.OfTail tail) {
                verifier.audited(tail, auditor.audit(tail));
            }
            failures = 0;
        } catch (ExpiredRangeException e) {
            // The log was cut just now: the next attempt begins where it begins now.
            postpone(partition, task);
        } catch (RetriableException e) {
            if (++failures >= MAX_FAILURES) {
                throw e;
            }
            LOG.warn("cannot read {} for {} now, will try again", partition, task, e);
            postpone(partition, task);
        }
    }

    private void postpone(TopicPartition partition, AuditTask task) {
        postponed.add(new Postponed(partition, task));
    }
}
