package dev.stormproof.verify;

import dev.stormproof.checkpoint.Checkpoint;
import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.Event;
import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.checkpoint.Interval;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.merkle.Hash;
import dev.stormproof.merkle.TreeHash;
import dev.stormproof.verify.Observation.Sight;
import dev.stormproof.verify.Verdict.Inconclusive;
import dev.stormproof.verify.Verdict.Inconclusive.Reason;
import org.jspecify.annotations.Nullable;

/**
 * The interval of one stream that no checkpoint has sealed yet.
 *
 * <pre>
 *   (first record is an event)       ──► UNKNOWN
 *   (first record is checkpoint 0)   ──► CLEAN
 *   UNKNOWN, CLEAN, HOLE, … ─seal──► CLEAN      a checkpoint starts afresh
 *   CLEAN ─taint(why)──────────────► why        the first reason stays
 *   any ─giveUp──────────────────► UNKNOWN    silent for too long; only a checkpoint starts afresh
 * </pre>
 *
 * Owned by its tracker's thread.
 */
final class OpenInterval {
    static final long NONE = -1;

    private final StreamId stream;
    private Sight sight = Sight.UNKNOWN;
    private @Nullable Interval leaves;
    private long firstOffset = NONE;
    private long checkpointOffset = NONE;
    private long number = NONE;
    private long nextSequence;
    private Hash chainHash = Hash.empty();
    private long promiseMillis;
    private long heardAtMillis;
    private boolean heard = true;
    private boolean closed;
    private boolean givenUp;

    OpenInterval(StreamId stream) {
        this.stream = stream;
    }

    /** An interval whose beginning is the beginning of the log, where nothing can lie before it. */
    static OpenInterval atLogBeginning(StreamId stream) {
        OpenInterval open = new OpenInterval(stream);
        open.sight = Sight.CLEAN;
        return open;
    }

    void add(Event event) {
        heard = true;
        if (firstOffset == NONE && !givenUp) {
            firstOffset = event.offset();
        }
        if (sight != Sight.CLEAN) {
            return;
        }
        if (!event.intact()) {
            sight = Sight.SUSPECT;
            return;
        }
        Interval interval = leaves;
        if (interval == null) {
            interval = new Interval(treeHashOf(event), nextSequence, false);
            leaves = interval;
        }
        long sequence = isFormat1() ? interval.count() : event.sequence();
        interval.add(sequence, event.observed());
    }

    void taint(Sight why) {
        if (sight == Sight.CLEAN) {
            sight = why;
        }
    }

    /** True if the stream already has a checkpoint of this number. */
    boolean has(Checkpoint checkpoint) {
        return checkpoint instanceof Format2Checkpoint sealed && number != NONE && sealed.number() <= number;
    }

    /** The offset from which a reader must begin again to see the interval whole; {@link #NONE} while it is empty. */
    long firstOffset() {
        return firstOffset;
    }

    /** Notes the time if the stream was heard of since the last call. */
    void tick(long nowMillis) {
        if (heard) {
            heard = false;
            heardAtMillis = nowMillis;
        }
    }

    /** True if a checkpoint should have come: events wait for one, or the last one promised it. */
    boolean overdue(long nowMillis, Patience patience) {
        boolean waiting = firstOffset != NONE || (promiseMillis > 0 && !closed);
        return waiting && !givenUp && !heard && nowMillis - heardAtMillis > patience.limitMillis(promiseMillis);
    }

    /**
     * Gives up waiting for a checkpoint: what was seen stays undecided, and holds nothing back any more. Should the
     * checkpoint come after all, the log decides.
     */
    Inconclusive giveUp(long nowMillis) {
        Interval seen = leaves;
        SealedInterval unsealed = new SealedInterval(
                stream,
                number == NONE ? NONE : number + 1,
                firstOffset == NONE ? checkpointOffset : firstOffset,
                nextSequence,
                seen == null ? 0 : seen.count());
        givenUp = true;
        sight = Sight.UNKNOWN;
        leaves = null;
        firstOffset = NONE;
        return new Inconclusive(
                unsealed, Reason.UNSEALED, "no checkpoint for " + (nowMillis - heardAtMillis) / 1_000 + " s");
    }

    /** Ends the interval with its checkpoint, starts the next one and returns what was seen. */
    Observation seal(CheckpointRecord record) {
        boolean first = number == NONE && firstOffset == NONE && !givenUp;
        boolean chained = true;
        Sight seen = sight;
        if (record.checkpoint() instanceof Format2Checkpoint sealed) {
            boolean beginning = first && sealed.number() == 0;
            seen = beginning ? Sight.CLEAN : sight;
            chained = continues(sealed, beginning);
        }
        Observation observation = observe(record, seen, chained);
        restart(record);
        return observation;
    }

    private Observation observe(CheckpointRecord record, Sight seen, boolean chained) {
        Interval seenLeaves = leaves;
        return new Observation(
                SealedIntervals.of(record),
                record,
                seen,
                chained,
                seenLeaves == null ? 0 : seenLeaves.count(),
                seenLeaves == null ? record.checkpoint().treeHash().emptyRoot() : seenLeaves.root(),
                firstOffset == NONE ? record.offset() : firstOffset,
                checkpointOffset);
    }

    private boolean continues(Format2Checkpoint sealed, boolean beginning) {
        if (beginning) {
            return sealed.firstSequence() == 0 && sealed.previousHash().equals(Hash.empty());
        }
        return sealed.number() == number + 1
                && sealed.firstSequence() == nextSequence
                && sealed.previousHash().equals(chainHash);
    }

    private void restart(CheckpointRecord record) {
        sight = Sight.CLEAN;
        leaves = null;
        firstOffset = NONE;
        heard = true;
        givenUp = false;
        checkpointOffset = record.offset();
        chainHash = record.chainHash();
        if (record.checkpoint() instanceof Format2Checkpoint sealed) {
            number = sealed.number();
            nextSequence = sealed.nextSequence();
            promiseMillis = sealed.promiseMillis();
            closed = sealed.closing();
        }
    }

    private TreeHash treeHashOf(Event event) {
        return isFormat1() ? TreeHash.XXH3 : event.treeHash();
    }

    private boolean isFormat1() {
        return stream.emitter() == StreamId.NO_EMITTER;
    }
}
