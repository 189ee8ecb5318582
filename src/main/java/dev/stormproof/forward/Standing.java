package dev.stormproof.forward;

/**
 * An alert as it stands: its latest revision, and whether somebody accepted that.
 *
 * @param accepted true if somebody did; who and why is told once, and not kept
 */
record Standing(Told alert, boolean accepted) {
    /** What is to be done about an alert. */
    enum State {
        /** Somebody has to look. */
        OPEN,
        /** Somebody accepted it; it is as wrong as before. */
        ACCEPTED,
        /** Nothing: it turned out well, or is only told to be known. */
        SETTLED
    }

    State state() {
        if (alert.settled()) {
            return State.SETTLED;
        }
        return accepted ? State.ACCEPTED : State.OPEN;
    }
}
