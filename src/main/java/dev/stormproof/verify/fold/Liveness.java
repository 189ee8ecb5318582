package dev.stormproof.verify.fold;

/**
 * The wait of one stream for its next checkpoint. It begins with the last checkpoint, or with the first event for which none
 * was owed, and further events do not prolong it: they may come though checkpoints do not.
 *
 * <pre>
 *   BEGUN    since when is known with the next tick
 *   TIMED    it began at a known time
 *   GIVEN_UP the open end was reported: only a checkpoint brings the stream back
 *
 *   BEGUN    ──tick───────────────────────────────► TIMED
 *   TIMED    ──event while something is waited for► TIMED
 *            ──event while nothing is─────────────► BEGUN
 *            ──checkpoint that is accepted────────► BEGUN
 *            ──checkpoint that may seal nothing───► TIMED
 *   any      ──give up────────────────────────────► GIVEN_UP
 *   GIVEN_UP ──event, tick────────────────────────► GIVEN_UP
 *            ──checkpoint─────────────────────────► BEGUN
 * </pre>
 *
 * <p>Owned by its stream.
 */
final class Liveness {
    private enum State {
        BEGUN,
        TIMED,
        GIVEN_UP
    }

    private State state = State.BEGUN;
    private long sinceMillis;

    /**
     * Notes that an event came.
     *
     * @param waiting true if events waited for a checkpoint before this one, or one was owed
     */
    void event(boolean waiting) {
        if (state == State.TIMED && !waiting) {
            restart();
        }
    }

    /** @param accepted false if it may turn out to seal nothing */
    void checkpoint(boolean accepted) {
        if (accepted || state == State.GIVEN_UP) {
            restart();
        }
    }

    /** Begins the wait again. */
    void restart() {
        state = State.BEGUN;
    }

    void tick(long nowMillis) {
        if (state == State.BEGUN) {
            state = State.TIMED;
            sinceMillis = nowMillis;
        }
    }

    /** Notes that the stream's open end was reported. */
    void giveUp() {
        state = State.GIVEN_UP;
    }

    boolean isGivenUp() {
        return state == State.GIVEN_UP;
    }

    /**
     * True if the wait takes longer than it may.
     *
     * @param open true if events wait for a checkpoint, or one was promised
     */
    boolean isOverdue(boolean open, long nowMillis, long limitMillis) {
        return state == State.TIMED && open && nowMillis - sinceMillis > limitMillis;
    }
}
