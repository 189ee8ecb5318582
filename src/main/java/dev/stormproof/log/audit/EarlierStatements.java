package dev.stormproof.log.audit;

import dev.stormproof.log.audit.Beginnings.Beginning;
import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.log.audit.Reach.OutOfReachException;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.verify.fold.LogQuery.OfInterval;
import dev.stormproof.verify.judge.Succession;
import java.util.List;
import java.util.Optional;

/**
 * The search for an earlier statement of a checkpoint, at any distance: a stream or a part of it may lie in the log once more.
 *
 * <pre>
 *   offsets  ──P──R──S── … ──K── … ──P──target──►
 *              │  │              └ a checkpoint that is known to seal: the chain leads back from it
 *              │  └ the earlier statement, R: the same, or another of the same number
 *              └ the predecessor, where the target's own hint says: R follows it
 * </pre>
 *
 * <p>Where neither is known, R is looked for at the time at which the target says that it was made. If R has expired, what followed it
 * may lie where the log begins now: a later checkpoint there shows that the target is a copy. Hints and times are never believed:
 * only a checkpoint that is found counts.
 */
final class EarlierStatements {
    /**
     * How far a producer's clock may be before the broker's, where that dates the records (LogAppendTime). A longer time
     * would have more of a busy log searched.
     */
    private static final long CLOCK_SKEW_MILLIS = 10_000;

    private static final int MAX_CHAIN_STEPS = 64;

    private final SearchedLog reader;
    private final Reach reach;
    /** True once the search for another statement of an empty first checkpoint ended before it was done. */
    private boolean cutShort;

    EarlierStatements(SearchedLog reader, Reach reach) {
        this.reader = reader;
        this.reach = reach;
    }

    /** The beginning behind the first statement of a checkpoint: a copy of it opens no interval. */
    Beginning firstOf(Beginning begin, long sealedOffset) throws ExpiredRangeException, OutOfReachException {
        if (begin.checkpoint().isEmpty()) {
            return begin;
        }
        CheckpointRecord copy = begin.checkpoint().get();
        // Another statement of a predecessor, unlike one of the target, may lie where everything was read.
        List<CheckpointRecord> earlier = of(copy, -1, sealedOffset, Long.MAX_VALUE);
        if (earlier.isEmpty() || Succession.same(earlier.get(0), copy)) {
            return earlier.isEmpty() ? begin : Beginning.at(earlier.get(0));
        }
        // What shows that it is a copy is another checkpoint, which anybody may have written: where its first statement
        // lies,
        // if anywhere, is still open.
        StreamId stream = copy.checkpoint().stream();
        return reach.first(stream, reader.beginOffset(), copy.offset(), record -> Succession.same(record, copy))
                .map(Beginning::at)
                .orElse(begin);
    }

    /** The earlier statement, with the successor that shows that it counts, if that is known; empty if there is none. */
    List<CheckpointRecord> of(CheckpointRecord target, OfInterval task)
            throws ExpiredRangeException, OutOfReachException {
        List<CheckpointRecord> found = of(
                target,
                task.previousOffset(),
                task.earlier().sealedOffset(),
                task.earlier().readSince());
        boolean takesTheirPlace = Succession.endsInDoubt(target)
                && !found.isEmpty()
                && !Succession.same(found.get(0), target)
                && found.stream().allMatch(other -> Succession.takesBack(target, other));
        return takesTheirPlace ? sameBehind(found.get(0), target) : found;
    }

    /** The same end, if it lies behind what it takes back, further up than the target. */
    private List<CheckpointRecord> sameBehind(CheckpointRecord takenBack, CheckpointRecord target)
            throws ExpiredRangeException, OutOfReachException {
        return reach.first(
                        target.checkpoint().stream(),
                        takenBack.offset() + 1,
                        target.offset(),
                        record -> Succession.same(record, target))
                .map(List::of)
                .orElse(List.of());
    }

    private List<CheckpointRecord> of(CheckpointRecord target, long previousOffset, long sealedOffset, long readSince)
            throws ExpiredRangeException, OutOfReachException {
        if (!(target.checkpoint() instanceof Format2Checkpoint sealed)) {
            return List.of();
        }
        Optional<CheckpointRecord> later = laterOne(target, sealedOffset);
        boolean followed = later.isPresent() || previousOffset >= 0;
        long until = followed ? target.offset() : Math.min(target.offset(), readSince);
        if (later.isPresent()) {
            List<CheckpointRecord> found = alongTheChain(target, later.get());
            if (!found.isEmpty()) {
                return found;
            }
        }
        Optional<CheckpointRecord> hinted =
                at(target, sealed.previousOffsetHint()).filter(predecessor -> Succession.names(target, predecessor));
        if (hinted.isPresent() && hinted.get().offset() == previousOffset) {
            return List.of();
        }
        if (hinted.isPresent()) {
            if (previousOffset < 0) {
                reach.own(hinted.get().offset());
            }
            return behind(hinted.get(), target);
        }
        try {
            return atItsTime(target, sealed, until);
        } catch (OutOfReachException e) {
            if (sealed.number() == 0 && sealed.eventCount() == 0) {
                // It vouches for nothing; what a copy of it begins, its successor's hint tells, so that nothing is
                // taken to continue it.
                cutShort = true;
                return List.of();
            }
            throw e;
        }
    }

    /** True if an empty first checkpoint may have been stated before, farther up than was searched. */
    boolean wasCutShort() {
        return cutShort;
    }

    /** A checkpoint of the stream, of the same number or a greater one, that lies further up and is known to seal. */
    Optional<CheckpointRecord> laterOne(CheckpointRecord target, long sealedOffset) throws ExpiredRangeException {
        return at(target, sealedOffset)
                .filter(known -> known.checkpoint() instanceof Format2Checkpoint)
                .filter(known ->
                        known.checkpoint().number() >= target.checkpoint().number());
    }

    private List<CheckpointRecord> alongTheChain(CheckpointRecord target, CheckpointRecord known)
            throws ExpiredRangeException {
        if (Succession.same(known, target)) {
            return List.of(known);
        }
        CheckpointRecord later = known;
        boolean rival = known.checkpoint().number() == target.checkpoint().number();
        for (int steps = 0; !rival && steps < MAX_CHAIN_STEPS; steps++) {
            CheckpointRecord successor = later;
            Optional<CheckpointRecord> earlier =
                    at(target, hintOf(later)).filter(predecessor -> Succession.names(successor, predecessor));
            if (earlier.isEmpty()) {
                return List.of();
            }
            if (earlier.get().checkpoint().number() == target.checkpoint().number()) {
                return List.of(earlier.get(), successor);
            }
            later = earlier.get();
        }
        return List.of();
    }

    /** The same checkpoint behind the predecessor, or another one that was continued since. */
    private List<CheckpointRecord> behind(CheckpointRecord predecessor, CheckpointRecord target)
            throws ExpiredRangeException, OutOfReachException {
        StreamId stream = target.checkpoint().stream();
        Optional<CheckpointRecord> other = reach.first(
                stream, predecessor.offset() + 1, target.offset(), record -> Succession.names(record, predecessor));
        if (other.isEmpty() || Succession.same(other.get(), target)) {
            return other.map(List::of).orElse(List.of());
        }
        return reach.first(
                        stream,
                        other.get().offset() + 1,
                        target.offset(),
                        record -> Succession.names(record, other.get()))
                .map(successor -> List.of(other.get(), successor))
                .orElse(List.of());
    }

    /** What lies there; if the log has lost its head, and what was looked for with it, what was written right behind that. */
    private List<CheckpointRecord> atItsTime(CheckpointRecord target, Format2Checkpoint sealed, long until)
            throws ExpiredRangeException, OutOfReachException {
        StreamId stream = target.checkpoint().stream();
        long begin = reader.beginOffset();
        if (begin > 0) {
            long end = Math.min(target.offset(), begin + Beginnings.MAX_SCAN_FOR_NEIGHBOUR);
            Optional<CheckpointRecord> later =
                    reach.unbounded().first(stream, begin, end, record -> isLater(record, target));
            if (later.isPresent()) {
                return List.of(later.get());
            }
        }
        long since = reader.offsetForTime(Math.max(0, sealed.createdAtMillis() - CLOCK_SKEW_MILLIS));
        return reach.first(
                        stream,
                        Math.max(since, begin),
                        until,
                        record -> Succession.same(record, target) || Succession.names(record, target))
                .map(List::of)
                .orElse(List.of());
    }

    /** True if a checkpoint of a stream bears a greater number than another. */
    static boolean isLater(CheckpointRecord record, CheckpointRecord target) {
        return record.checkpoint() instanceof Format2Checkpoint
                && record.checkpoint().number() > target.checkpoint().number();
    }

    private static long hintOf(CheckpointRecord record) {
        return ((Format2Checkpoint) record.checkpoint()).previousOffsetHint();
    }

    private Optional<CheckpointRecord> at(CheckpointRecord target, long offset) throws ExpiredRangeException {
        if (offset < reader.beginOffset() || offset >= target.offset()) {
            return Optional.empty();
        }
        return reach.at(target.checkpoint().stream(), offset);
    }
}
