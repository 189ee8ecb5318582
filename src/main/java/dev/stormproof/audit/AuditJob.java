package dev.stormproof.audit;

import dev.stormproof.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.verify.AuditTask;
import dev.stormproof.verify.Evidence;
import dev.stormproof.verify.PartitionVerifier;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Audits of one partition that are made together, in one {@linkplain SharedScan scan} as far as they lie near each other.
 *
 * @param partition the partition
 * @param tasks what to read
 */
public record AuditJob(TopicPartition partition, List<AuditTask> tasks) {
    public AuditJob {
        tasks = List.copyOf(tasks);
    }

    /**
     * What became of a job.
     *
     * @param job the job
     * @param answers what was found, each to be handed to the verifier that asked
     * @param left what could not be read, in the order in which to try it again
     * @param failure why not; empty if the log was merely cut while it was read
     */
    public record Outcome(
            AuditJob job,
            List<Consumer<PartitionVerifier>> answers,
            List<AuditTask> left,
            Optional<Throwable> failure) {
        public Outcome {
            answers = List.copyOf(answers);
            left = List.copyOf(left);
        }
    }

    /** Reads the log, from low to high offsets; at the first trouble with the brokers the rest is left. */
    Outcome run(LogReader log) {
        List<AuditTask> todo = new ArrayList<>(tasks);
        todo.sort(Comparator.comparingLong(AuditJob::place));
        List<AuditTask> cut = new ArrayList<>();
        List<Consumer<PartitionVerifier>> answers = new ArrayList<>();
        int done = 0;
        try {
            SharedScan scan = new SharedScan(log.of(partition));
            Auditor auditor = new Auditor(scan);
            for (; done < todo.size(); done++) {
                try {
                    answers.add(answer(auditor, todo.get(done)));
                } catch (ExpiredRangeException e) {
                    // The log was cut just now: the next attempt begins where it begins now.
                    cut.add(todo.get(done));
                    scan.forget();
                }
            }
            return new Outcome(this, answers, cut, Optional.empty());
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            // The one that failed goes last, so that it stands in no other's way.
            List<AuditTask> left = new ArrayList<>(todo.subList(done + 1, todo.size()));
            left.addAll(cut);
            left.add(todo.get(done));
            return new Outcome(this, answers, left, Optional.of(e));
        }
    }

    /** Reads what a task asks for, and returns the answer, to be handed to the verifier that asked. */
    static Consumer<PartitionVerifier> answer(Auditor auditor, AuditTask task) throws ExpiredRangeException {
        if (task instanceof AuditTask.OfInterval interval) {
            Evidence evidence = auditor.audit(interval);
            return verifier -> verifier.audited(interval, evidence);
        }
        if (task instanceof AuditTask.OfHole hole) {
            AuditTask.OfHole.Found found = auditor.audit(hole);
            return verifier -> verifier.audited(hole, found);
        }
        if (task instanceof AuditTask.OfPromises promises) {
            AuditTask.OfPromises.Found found = auditor.audit(promises);
            return verifier -> verifier.audited(promises, found);
        }
        AuditTask.OfTail tail = (AuditTask.OfTail) task;
        AuditTask.OfTail.Found found = auditor.audit(tail);
        return verifier -> verifier.audited(tail, found);
    }

    private static long place(AuditTask task) {
        if (task instanceof AuditTask.OfInterval interval) {
            return interval.interval().checkpointOffset();
        }
        if (task instanceof AuditTask.OfPromises promises) {
            return promises.offsets().get(0);
        }
        return task instanceof AuditTask.OfHole hole ? hole.beginOffset() : Long.MAX_VALUE;
    }
}
