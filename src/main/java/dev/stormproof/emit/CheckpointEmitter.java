package dev.stormproof.emit;

import dev.stormproof.merkle.Hash;
import java.util.Optional;

/**
 * The emitter of one stream decides, from its first event to its end, which record comes next and when.
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
 * <p>Any other transition throws an {@link IllegalStateException}. Format 1 is OPEN from the start: it has no checkpoint
 * 0, and no closing one that says so.
 *
 * <p>Pure: time is an argument, and nothing is sent. The sender calls {@link #eventSent} or {@link #checkpointSent} once
 * the record was appended, and makes no call if it was refused; the same sequence or number is then handed out again. An
 * instance is guarded by the lock of its partition's writer.
 *
 * <p>Times are milliseconds of one clock, which may jump: a jump forward seals early, after a jump backward the time that
 * has passed counts from the jump.
 */
interface CheckpointEmitter {
    /** The emitter id; 0 in format 1. */
    long emitter();

    /** How many events were sent; the next event's sequence. */
    long eventCount();

    /** The last checkpoint's number; -1 before the first. */
    long lastNumber();

    /** True if the stream begins with a checkpoint that was not sent yet. */
    boolean needsOpening();

    /** True if a failure that becomes known late ends the stream. */
    boolean endsWithFailure();

    /** The name of the header that each event carries. */
    String eventHeaderName();

    /** True if a checkpoint is a header of its record, false if it is the record's value. */
    boolean checkpointsInHeader();

    /** The header of the next event, whose value has this signature. */
    byte[] eventHeader(Hash signature);

    /** The next event was appended. */
    void eventSent(Hash signature, long nowMillis);

    /**
     * True if a checkpoint should be sent by now: it has as many events or bytes as the settings allow, or its time has
     * come, or the promise's.
     */
    boolean isDue(long nowMillis);

    /** True if events wait for a checkpoint, and the format has one over so few. */
    boolean hasUnsealed();

    /**
     * The next checkpoint, number 0 included, over the events since the previous one; empty if the format has none over so
     * few events.
     *
     * @param previousOffset where the previous checkpoint lies, if known; else -1
     */
    Optional<PendingCheckpoint> seal(long nowMillis, long previousOffset);

    /**
     * The closing checkpoint, which states the records in doubt as uncertain; empty if there is nothing to close. If one was
     * sent already, this is another statement of it, in case that it failed.
     */
    Optional<PendingCheckpoint> closing(long nowMillis, long previousOffset, InDoubt inDoubt);

    /** The checkpoint was appended. */
    void checkpointSent(PendingCheckpoint pending, long nowMillis);

    /** A copy of the present state, for {@link #restore}. */
    StreamState savedState();

    /** Returns to a saved state. */
    void restore(StreamState saved);
}
