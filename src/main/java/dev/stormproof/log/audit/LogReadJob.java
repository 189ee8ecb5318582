package dev.stormproof.log.audit;

import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.verify.feed.LogPiece;
import dev.stormproof.verify.fold.LogQuery;
import dev.stormproof.verify.fold.PartitionVerifier;
import dev.stormproof.verify.judge.Evidence;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Audits of one partition, which read the records that several of them ask for {@linkplain SearchedLog once}. A job without
 * audits finds out whether the log exists.
 *
 * @param searched the records that earlier jobs read, and those of this one; used by no other job at the same time
 * @param budget bounds how far they search back; used by no other job at the same time
 */
public record LogReadJob(TopicPartition partition, List<LogQuery> tasks, SearchedLog searched, SearchBudget budget) {
    /** How much one job gathers before the next one takes over: in events, or in hundreds of bytes of leaves. */
    public static final int MAX_GATHERED = 20_000;

    private static final int LEAVES_BYTES_PER_EVENT = 100;

    public LogReadJob {
        tasks = List.copyOf(tasks);
    }

    /**
     * The outcome of a job.
     *
     * @param answers the answers, each to be handed to the verifier that asked
     * @param left the queries that were not answered, in the order in which to try them again
     * @param expired true if records expired while they were read, so that some of the rest has to wait a little
     * @param failure why reading ended early; empty if the brokers answered
     */
    public record Outcome(
            LogReadJob job,
            List<Consumer<PartitionVerifier>> answers,
            List<LogQuery> left,
            boolean expired,
            Optional<Throwable> failure) {
        public Outcome {
            answers = List.copyOf(answers);
            left = List.copyOf(left);
        }
    }

    /**
     * Reads the log, from low to high offsets. Queries after the bound on gathered records, or after the first failure of the
     * brokers, are left.
     */
    Outcome run(LogReader log) {
        List<LogQuery> todo = new ArrayList<>(tasks);
        todo.sort(Comparator.comparingLong(LogReadJob::place));
        List<LogQuery> expired = new ArrayList<>();
        List<Consumer<PartitionVerifier>> answers = new ArrayList<>();
        int done = 0;
        long gathered = 0;
        Optional<Throwable> failure = Optional.empty();
        try {
            PartitionReader reader = log.of(partition);
            Auditor auditor = new Auditor(searched.on(reader), budget);
            for (; done < todo.size() && gathered < MAX_GATHERED; done++) {
                try {
                    Answer answer = found(auditor, OriginAudit.NONE, reader, todo.get(done));
                    answers.add(answer.taker());
                    gathered += answer.gathered();
                } catch (ExpiredRangeException e) {
                    // Records expired just now: the next attempt begins where the log begins now.
                    expired.add(todo.get(done));
                    auditor.forget();
                }
            }
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            failure = Optional.of(e);
        }
        List<LogQuery> left = new ArrayList<>(todo.subList(done, todo.size()));
        left.addAll(expired);
        if (failure.isPresent()) {
            // The one that failed goes last, so that it delays no other one.
            Collections.rotate(left, -1);
        }
        return new Outcome(this, answers, left, !expired.isEmpty(), failure);
    }

    /** Reads what a query asks for. The returned answer is to be handed to the verifier that asked. */
    public static Consumer<PartitionVerifier> answer(
            Auditor auditor, OriginAudit origin, PartitionReader log, LogQuery task) throws ExpiredRangeException {
        return found(auditor, origin, log, task).taker();
    }

    private static Answer found(Auditor auditor, OriginAudit origin, PartitionReader log, LogQuery task)
            throws ExpiredRangeException {
        if (task instanceof LogQuery.OfRecords records) {
            Evidence evidence = origin.added(records, auditor.audit(records));
            long leavesBytes = Stream.concat(evidence.checkpoints().stream(), evidence.homes().checkpoints().stream())
                    .mapToLong(RecordSizes::ofLeaves)
                    .sum();
            return new Answer(
                    verifier -> verifier.audited(records, evidence),
                    evidence.events().size() + leavesBytes / LEAVES_BYTES_PER_EVENT);
        }
        if (task instanceof LogQuery.OfPiece piece) {
            LogPiece.Found found = PieceReading.read(log, piece.piece());
            return new Answer(
                    verifier -> verifier.audited(piece, found), found.records().size());
        }
        if (task instanceof LogQuery.OfPromises promises) {
            List<CheckpointRecord> found = auditor.audit(promises);
            return new Answer(verifier -> verifier.audited(promises, found), found.size());
        }
        LogQuery.OfLastCheckpoints last = (LogQuery.OfLastCheckpoints) task;
        List<CheckpointRecord> found = auditor.audit(last);
        return new Answer(verifier -> verifier.audited(last, found), found.size());
    }

    private record Answer(Consumer<PartitionVerifier> taker, long gathered) {}

    private static long place(LogQuery task) {
        if (task instanceof LogQuery.OfInterval interval) {
            return interval.interval().checkpointOffset();
        }
        if (task instanceof LogQuery.OfTail tail) {
            return tail.lastOffset();
        }
        if (task instanceof LogQuery.OfPromises promises) {
            return promises.offsets().stream().findFirst().orElse(promises.beginOffset());
        }
        return task instanceof LogQuery.OfPiece piece ? piece.piece().beginOffset() : Long.MAX_VALUE;
    }
}
