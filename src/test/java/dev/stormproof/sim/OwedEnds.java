package dev.stormproof.sim;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.verify.fold.InactivityTimeouts;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What is owed once everybody is silent: of each stream whose last checkpoint promised another, an alert says that none came, of the right
 * number.
 */
final class OwedEnds {
    /** How far back a last checkpoint is looked for; of an earlier one the number is unknown, and after a cut that of all. */
    private static final long FAR = 65_536;

    private final HistoricLog log;
    private final Committed committed;
    private final Oracle oracle;
    private final InactivityTimeouts timeouts;
    private final Outcome outcome;

    OwedEnds(HistoricLog log, Committed committed, Oracle oracle, InactivityTimeouts timeouts, Outcome outcome) {
        this.log = log;
        this.committed = committed;
        this.oracle = oracle;
        this.timeouts = timeouts;
        this.outcome = outcome;
    }

    /**
     * Throws if a stream that owes another checkpoint was told of by nobody, some time after its promise is over.
     */
    void check(SentStream sent) {
        StreamHistory history = oracle.history(log.branches().get(0), sent.id.emitter());
        Optional<CheckpointRecord> last = lastOf(history).filter(one -> isLastWhereverReadingBegan(history, one));
        boolean owes = sent.promiseMillis > 0
                && !sent.isFormat1()
                && last.filter(this::isWatched).isPresent();
        if (!owes) {
            return;
        }
        long next = last.get().checkpoint().number() + 1;
        boolean told = committed.findings.stream()
                .flatMap(OwedEnds::unsealed)
                .filter(interval -> interval.stream().equals(sent.id))
                .anyMatch(interval -> interval.number() == next
                        || (interval.number() < 0 && isFar(last.get()))
                        // Of what was committed before a cut only one that is not too old is known.
                        || (interval.number() < next && log.branches().size() > 1));
        World.require(
                told,
                "checkpoint " + next + " of " + sent.id + " is owed since " + last.get() + ", and told by nobody");
        outcome.count("owed ends told");
    }

    /** The last checkpoint of a stream that lies there as its emitter made it, whole and in order; empty of any other. */
    private static Optional<CheckpointRecord> lastOf(StreamHistory history) {
        List<CheckpointRecord> sealing = history.checkpoints.stream()
                .filter(record -> history.isGenuine(record) && history.seals(record))
                .toList();
        boolean plain = history.checkpoints.stream().allMatch(history::isGenuine)
                && sealing.stream()
                        .noneMatch(record -> record.checkpoint().closing()
                                || history.isBehindAnother(record)
                                || history.isSecond(record));
        return sealing.stream().filter(record -> plain).max(Comparator.comparingLong(CheckpointRecord::offset));
    }

    /** What expired unread may have shown that it is another one, or that something was wrong with the stream. */
    private boolean isLastWhereverReadingBegan(StreamHistory history, CheckpointRecord last) {
        return log.begins().stream()
                .filter(begin -> begin <= last.offset())
                .allMatch(begin -> lastOf(Oracle.since(history, begin))
                        .filter(one -> one.offset() == last.offset())
                        .isPresent());
    }

    private boolean isWatched(CheckpointRecord last) {
        return last.offset() >= log.beginOffset()
                && last.offset() >= committed.scopeBegin()
                && (log.branches().size() == 1 || !isFar(last))
                && last.checkpoint().deadlineMillis() <= timeouts.mostPromisedMillis();
    }

    private boolean isFar(CheckpointRecord last) {
        return log.rawEndOffset() - last.offset() > FAR;
    }

    private static Stream<IntervalId> unsealed(Finding finding) {
        if (finding instanceof Inconclusive one && one.reason() == Inconclusive.Reason.UNSEALED) {
            return Stream.of(one.interval());
        }
        return finding instanceof Violated violated && violated.isOpen()
                ? Stream.of(violated.interval())
                : Stream.empty();
    }
}
