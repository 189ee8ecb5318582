package dev.stormproof.log.audit;

import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.verify.feed.LogPiece;
import dev.stormproof.verify.fold.ChainVerifier;
import dev.stormproof.verify.fold.LogQuery;
import dev.stormproof.verify.fold.LogRange;
import dev.stormproof.verify.fold.PieceQuery;
import dev.stormproof.verify.fold.RangeQuery;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.InterruptException;

/** Queries of one partition's verifier. A job without queries finds out whether the log exists. */
public record LogReadJob(TopicPartition partition, List<LogQuery> tasks) {
    /** How many records one job reads before the next one takes over, about. */
    static final int MOST_KEPT = 20_000;

    public LogReadJob {
        tasks = List.copyOf(tasks);
    }

    /**
     * The answer to a query.
     *
     * @param topicId see {@link PartitionReader#topicId}: an answer of another topic than was asked about decides nothing
     * @param hand hands it to the verifier that asked
     */
    public record Answer(Uuid topicId, Consumer<ChainVerifier> hand) {}

    /**
     * The outcome of a job.
     *
     * @param answers the answers
     * @param left the queries that were not answered, in the order in which to try them again
     * @param expired true if records expired while they were read, so that some of the rest has to wait a little
     * @param failure why reading ended early; empty if the brokers answered
     */
    public record Outcome(
            LogReadJob job, List<Answer> answers, List<LogQuery> left, boolean expired, Optional<Throwable> failure) {
        public Outcome {
            answers = List.copyOf(answers);
            left = List.copyOf(left);
        }
    }

    /**
     * Reads the log, from low to high offsets. Queries after the bound on kept records, or after the first failure of the brokers,
     * are left.
     */
    Outcome run(LogReader log) {
        List<LogQuery> todo = new ArrayList<>(tasks);
        todo.sort(Comparator.comparingLong(LogQuery::beginOffset));
        List<LogQuery> expired = new ArrayList<>();
        List<Answer> answers = new ArrayList<>();
        int kept = 0;
        Optional<Throwable> failure = Optional.empty();
        try {
            PartitionReader reader = log.of(partition);
            while (!todo.isEmpty() && kept < MOST_KEPT) {
                List<LogQuery> together = nearTheFirst(todo);
                try {
                    kept += read(reader, together, answers);
                } catch (ExpiredRangeException e) {
                    // Records expired just now: the next attempt begins where the log begins now.
                    expired.addAll(together);
                }
                todo.subList(0, together.size()).clear();
            }
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            failure = Optional.of(e);
        }
        List<LogQuery> left = new ArrayList<>(todo);
        left.addAll(expired);
        if (failure.isPresent()) {
            // The one that failed goes last, so that it delays no other one.
            Collections.rotate(left, -1);
        }
        return new Outcome(this, answers, left, !expired.isEmpty(), failure);
    }

    private static List<LogQuery> nearTheFirst(List<LogQuery> sorted) {
        if (sorted.get(0) instanceof PieceQuery piece) {
            return List.of(piece);
        }
        List<RangeQuery> ranges = sorted.stream()
                .takeWhile(RangeQuery.class::isInstance)
                .map(RangeQuery.class::cast)
                .toList();
        return List.copyOf(RangeReading.nearTheFirst(ranges));
    }

    private static int read(PartitionReader log, List<LogQuery> queries, List<Answer> answers)
            throws ExpiredRangeException {
        if (queries.get(0) instanceof PieceQuery piece) {
            LogPiece.Found found = PieceReading.read(log, piece.piece());
            answers.add(new Answer(log.topicId(), verifier -> verifier.answer(piece, found)));
            return found.records().size();
        }
        int kept = 0;
        List<RangeQuery> ranges = queries.stream().map(RangeQuery.class::cast).toList();
        List<LogRange> read = RangeReading.read(log, ranges);
        Uuid topicId = log.topicId();
        for (LogRange range : read) {
            answers.add(new Answer(topicId, verifier -> verifier.answer(range.query(), range)));
            kept += range.events().size();
        }
        return kept;
    }
}
