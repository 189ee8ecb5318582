package dev.stormproof.forward;

import java.io.IOException;
import java.util.List;

/** The place that alerts are forwarded to. */
interface Receiver {
    /** How many alerts one request takes at most. */
    int mostAtOnce();

    /** Whether open alerts have to be told again and again, or else count as over. */
    boolean forgets();

    /**
     * Hands alerts over; returns when the receiver has answered that it has them.
     *
     * @throws IOException if it did not, with the reason
     */
    void send(List<Change> alerts) throws IOException, InterruptedException;
}
