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
import org.jspecify.annotations.Nullable;

/**
 * The interval of one stream that no checkpoint has sealed yet.
 *
 * <pre>
 *   (first record is an event)       ──► UNKNOWN
 *   (first record is checkpoint 0)   ──► CLEAN
 *   UNKNOWN, CLEAN, HOLE, … ─seal──► CLEAN      a checkpoint starts afresh
 *   CLEAN ─taint(why)──────────────► why        the first reason stays
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
        if (firstOffset == NONE) {
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

    /** Ends the interval with its checkpoint, starts the next one and returns what was seen. */
    Observation seal(CheckpointRecord record) {
        boolean first = number == NONE && firstOffset == NONE;
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
        checkpointOffset = record.offset();
        chainHash = record.chainHash();
        if (record.checkpoint() instanceof Format2Checkpoint sealed) {
            number = sealed.number();
            nextSequence = sealed.nextSequence();
        }
    }

    private TreeHash treeHashOf(Event event) {
        return isFormat1() ? TreeHash.XXH3 : event.treeHash();
    }

    private boolean isFormat1() {
        return stream.emitter() == StreamId.NO_EMITTER;
    }
}
