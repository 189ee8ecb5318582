package dev.stormproof.emit;

import dev.stormproof.proof.checkpoint.Interval;
import dev.stormproof.proof.checkpoint.StreamId;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.header.Header;

/**
 * Decides for one stream, from its first event to its end, which record comes next and when.
 *
 * <pre>
 *            checkpoint 0 sent              event sent, checkpoint sent
 *    NEW ──────────────────────▶ OPEN ◀────────────────────────────────┐
 *     ▲                           │ └──────────────────────────────────┘
 *     │ restore                   │
 *     └── (to the saved state) ◀──┤ ◀───────────────────────────────────────────┐
 *                                 │ closing checkpoint sent                     │
 *                                 ▼                                             │
 *                               ENDED ◀── it failed: the same, restated ──┐     │
 *                                   └─────────────────────────────────────┴─────┘
 * </pre>
 *
 * <p>Any other transition throws an {@link IllegalStateException}. Format 1 is OPEN from the start: it has no checkpoint 0, and no closing one
 * that says so.
 *
 * <p>Pure: time is an argument, and nothing is sent. The sender calls {@link #eventSent} or {@link #checkpointSent} once the record was
 * appended, and makes no call if it was refused; the same sequence or number is then handed out again. An instance is guarded by the lock of its
 * partition's writer.
 *
 * <p>Times are milliseconds of one clock, which may jump: a jump forward seals early, after a jump backward the time that has passed counts from
 * the jump.
 */
abstract class CheckpointEmitter {
    /** The emitter id; 0 in format 1. */
    final long id;

    final EmitterConfig config;

    final MaxMessageBytes limit;

    StreamState state;

    CheckpointEmitter(long id, EmitterConfig config, MaxMessageBytes limit, Interval interval) {
        this.id = id;
        this.config = config;
        this.limit = limit;
        this.state = new StreamState(interval);
    }

    /** True for format 2, in which a checkpoint is a header of its record; in format 1 it is the record's value. */
    final boolean isFormat2() {
        return id != StreamId.NO_EMITTER;
    }

    /** How many events were sent; the next event's sequence. */
    final long eventCount() {
        return state.eventCount();
    }

    /** The number of sent events that no sent checkpoint covers. */
    final long openEvents() {
        return state.ended ? 0 : state.interval.count();
    }

    /** True if verifiers wait for the stream's next checkpoint. */
    abstract boolean owesCheckpoint();

    /** The last checkpoint's number; -1 before the first. */
    final long lastNumber() {
        return state.lastNumber;
    }

    /** True if the checkpoint with which the stream begins was not sent yet. */
    boolean needsOpening() {
        return false;
    }

    abstract Header eventHeader(byte[] signature);

    /** The next event was appended, with these bytes as the value of its {@link #eventHeader}. */
    final void eventSent(byte[] header, long nowMillis) {
        addLeaf(header);
        if (state.interval.count() == 1) {
            state.firstEventMillis = nowMillis;
        }
    }

    /** Adds the next event, whose signature is in its header, to the open interval. */
    abstract void addLeaf(byte[] header);

    /** True if the settings allow no further event. */
    abstract boolean isFull();

    /**
     * True if a checkpoint should be sent by now: it has as many events or bytes as the settings allow, or its interval is over, or half of its
     * deadline.
     */
    boolean isDue(long nowMillis) {
        state.firstEventMillis = Math.min(state.firstEventMillis, nowMillis);
        return hasUnsealed() && (isFull() || nowMillis - state.firstEventMillis >= config.maxIntervalMillis);
    }

    /** True if events wait for a checkpoint, and are enough for one in this format. */
    abstract boolean hasUnsealed();

    /**
     * The next checkpoint, number 0 included, over the events since the previous one; empty if they are too few in this format.
     *
     * @param previousOffset the offset of the previous checkpoint; -1 if unknown
     */
    abstract Optional<PendingCheckpoint> seal(long nowMillis, long previousOffset);

    /**
     * The closing checkpoint, which states the records in doubt as uncertain; empty if there is nothing to close. If one was sent already, this
     * restates it, in case it failed.
     */
    abstract Optional<PendingCheckpoint> closing(long nowMillis, long previousOffset, UnackedRecords inDoubt);

    abstract void checkpointSent(PendingCheckpoint pending, long nowMillis);

    /**
     * The last checkpoints were refused, and not appended: their events return to the open interval, and the next checkpoint takes
     * the place of the first of them. It is due at once.
     */
    void takeBack(List<PendingCheckpoint> refused) {
        throw new IllegalStateException("cannot restate " + refused.size() + " checkpoints in this format");
    }

    /** A copy of the present state, for {@link #restore}. */
    final StreamState savedState() {
        return state.copy();
    }

    final void restore(StreamState saved) {
        state = saved.copy();
    }
}
