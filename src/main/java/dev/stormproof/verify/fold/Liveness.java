package dev.stormproof.verify.fold;

/**
 * The wait of one stream for its next checkpoint. It begins with the last checkpoint, or with the first event for which none
 * was owed, and further events do not prolong it: they may come though checkpoints do not.
 *
 * <pre>
 *   NEW      nothing came of the stream
 *   STARTED  the wait began; since when is known with the next tick
 *   TIMED    it began at a known time
 *   GIVEN_UP its open end was reported: only a checkpoint brings it back
 *
 *   NEW      ──record─────────────────────────────► STARTED
 *   STARTED  ──event──────────────────────────────► STARTED
 *            ──tick───────────────────────────────► TIMED
 *   TIMED    ──event while something is waited for► TIMED
 *            ──event while nothing is─────────────► STARTED
 *            ──tick───────────────────────────────► TIMED
 *            ──checkpoint that is known to seal───► STARTED
 *            ──checkpoint that may seal nothing───► TIMED
 *            ──the log confirms it, or cannot─────► STARTED
 *   any      ──give up────────────────────────────► GIVEN_UP
 *   GIVEN_UP ──event, tick────────────────────────► GIVEN_UP
 *            ──checkpoint─────────────────────────► STARTED
 * </pre>
 *
 * <p>Owned by its stream.
 */
public final class Liveness {
    private enum State {
        NEW,
        STARTED,
        TIMED,
        GIVEN_UP
    }

    private State state = State.NEW;
    private long sinceMillis;
    private boolean awaited;
    private boolean eventsCame;

    /**
     * Notes that an event came.
     *
     * @param waiting true if events waited for a checkpoint before this one, or one was owed
     */
    public void event(boolean waiting) {
        if (state == State.GIVEN_UP) {
            return;
        }
        eventsCame |= state == State.TIMED;
        if (state == State.NEW || !(waiting || awaited)) {
            state = State.STARTED;
            eventsCame = false;
        }
    }

    /** A checkpoint came; of one that may seal nothing the log tells whether what waited for it is {@linkplain #served() served}. */
    public void checkpoint(boolean seals) {
        awaited = false;
        if (seals || state == State.NEW || state == State.GIVEN_UP) {
            restart();
        }
    }

    /** What waited for a checkpoint has it, as far as can be known; an earlier interval may still await the next one. */
    void served() {
        if (state != State.GIVEN_UP) {
            state = State.STARTED;
            eventsCame = false;
        }
    }

    /** Restarts the wait. */
    public void restart() {
        state = State.STARTED;
        awaited = false;
        eventsCame = false;
    }

    public void tick(long nowMillis) {
        if (state == State.NEW || state == State.STARTED) {
            state = State.TIMED;
            sinceMillis = nowMillis;
        }
    }

    /** An earlier interval is final only with the next checkpoint; false if that is not waited for. */
    boolean await() {
        awaited = state != State.GIVEN_UP;
        return awaited;
    }

    /** Ends the wait for the next checkpoint, since nothing of the stream is open. */
    void stopAwaiting() {
        awaited = false;
    }

    /** Notes that the stream's open end was reported. */
    public void giveUp() {
        if (state == State.GIVEN_UP) {
            throw new IllegalStateException("given up in state " + state);
        }
        state = State.GIVEN_UP;
        awaited = false;
    }

    boolean isNew() {
        return state == State.NEW;
    }

    public boolean isGivenUp() {
        return state == State.GIVEN_UP;
    }

    /** True if events came during the whole wait: the stream is alive, but its checkpoints do not arrive. */
    public boolean eventsCame() {
        return eventsCame;
    }

    /**
     * True if the wait takes longer than it may.
     *
     * @param open true if events wait for a checkpoint, or one was promised
     */
    public boolean isOverdue(boolean open, long nowMillis, long limitMillis) {
        return state == State.TIMED && (open || awaited) && nowMillis - sinceMillis > limitMillis;
    }
}
