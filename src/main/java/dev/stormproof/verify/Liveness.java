package dev.stormproof.verify;

/**
 * The signs of life of one stream, and whether its next checkpoint is waited for.
 *
 * <pre>
 *   NEW      nothing came of the stream
 *   HEARD    a record came since the last tick
 *   QUIET    none did; since when is known
 *   GIVEN_UP its open end was reported: only a checkpoint brings it back
 *
 *   NEW      ──record──────► HEARD
 *   HEARD    ──record──────► HEARD
 *            ──tick────────► QUIET
 *   QUIET    ──record──────► HEARD
 *            ──tick────────► QUIET
 *   any      ──give up─────► GIVEN_UP
 *   GIVEN_UP ──event, tick─► GIVEN_UP
 *            ──checkpoint──► HEARD
 * </pre>
 *
 * <p>Owned by its stream.
 */
final class Liveness {
    private enum State {
        NEW,
        HEARD,
        QUIET,
        GIVEN_UP
    }

    private State state = State.NEW;
    private long quietSinceMillis;
    private boolean awaited;

    void hear() {
        if (state != State.GIVEN_UP) {
            state = State.HEARD;
        }
    }

    /** A checkpoint of the stream came: what waited for it is served. */
    void restart() {
        state = State.HEARD;
        awaited = false;
    }

    void tick(long nowMillis) {
        if (state == State.NEW || state == State.HEARD) {
            state = State.QUIET;
            quietSinceMillis = nowMillis;
        }
    }

    /** An earlier interval is final only with the next checkpoint; false if that is not waited for. */
    boolean await() {
        awaited = state != State.GIVEN_UP;
        return awaited;
    }

    /** The next checkpoint is not waited for, since nothing of the stream is open. */
    void stopAwaiting() {
        awaited = false;
    }

    /** The stream's open end was reported. */
    void giveUp() {
        if (state == State.GIVEN_UP) {
            throw new IllegalStateException("given up in state " + state);
        }
        state = State.GIVEN_UP;
        awaited = false;
    }

    boolean isNew() {
        return state == State.NEW;
    }

    boolean isGivenUp() {
        return state == State.GIVEN_UP;
    }

    /**
     * True if the stream was quiet for longer than it may be, while something waits for its next checkpoint.
     *
     * @param open true if events wait for a checkpoint, or one was promised
     */
    boolean isOverdue(boolean open, long nowMillis, long limitMillis) {
        return state == State.QUIET && (open || awaited) && nowMillis - quietSinceMillis > limitMillis;
    }
}
