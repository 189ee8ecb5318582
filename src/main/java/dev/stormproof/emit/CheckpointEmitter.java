package dev.stormproof.emit;

import dev.stormproof.merkle.Hash;
import java.util.Optional;

/**
 * One stream at its emitter, from its first event to its end: what to write next and when.
 *
 * <pre>
 *            checkpoint 0 sent              event sent, checkpoint sent
 *    NEW ──────────────────────▶ OPEN ◀────────────────────────────────┐
 *     ▲                           │ └──────────────────────────────────┘
 *     │ rollback                  │
 *     └────── (to the mark) ◀─────┤
 *                                 │ closing checkpoint sent
 *                                 ▼
 *                               ENDED ◀── it failed: the same, stated again ──┐
 *                                   └─────────────────────────────────────────┘
 * </pre>
 *
 * <p>Format 1 is OPEN from the start: it has no checkpoint 0, and no closing one that says so.
 *
 * <p>Pure: time is an argument, and nothing is sent. Whoever sends calls {@link #eventSent} or {@link #checkpointSent}
 * when the record was appended, and nothing when it was not; the same sequence or number is then drafted again. An
 * instance is guarded by the lock of its partition's lane.
 *
 * <p>Times are milliseconds of one clock, which may jump: a jump forward seals early, after a jump backward the time that
 * has passed counts from the jump.
 */
sealed interface CheckpointEmitter permits Format1Emitter, Format2Emitter {
    /** The emitter id; 0 in format 1. */
    long emitter();

    /** How many events were sent; the next event's sequence. */
    long eventCount();

    /** How many checkpoints were sent. */
    long checkpointCount();

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

    /** True if events wait for a checkpoint that can be drafted. */
    boolean hasUnsealed();

    /**
     * The next checkpoint, number 0 included, over the events since the previous one; empty if the format has none over so
     * few events.
     *
     * @param previousOffset where the previous checkpoint lies, if known; else -1
     */
    Optional<Draft> seal(long nowMillis, long previousOffset);

    /**
     * The last checkpoint; empty if there is nothing to close. What is in doubt is stated as uncertain. If one was sent
     * already, this is another statement of it, in case that it failed.
     */
    Optional<Draft> closing(long nowMillis, long previousOffset, Doubt doubt);

    /** The checkpoint was appended. */
    void checkpointSent(Draft draft, long nowMillis);

    /** Remembers this state, for {@link #rollback()} or {@link #restatement()}. */
    void mark();

    /** Returns to the state that was marked; throws {@link IllegalStateException} if none was. */
    void rollback();

    /** The checkpoint that comes next in the state that was marked. */
    Restatement restatement();
}
