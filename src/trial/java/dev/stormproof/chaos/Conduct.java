package dev.stormproof.chaos;

import java.util.concurrent.TimeUnit;

/**
 * The conduct of a round's emitters: whether they err and give way to others, and whether they are silent just now.
 *
 * <p>Any thread may hush them.
 */
final class Conduct {
    private final boolean steady;
    private final AcknowledgedEvents acknowledged = new AcknowledgedEvents();
    private volatile boolean hushed;

    private Conduct(boolean steady) {
        this.steady = steady;
    }

    /** Emitters live for seconds, one after the other, and some err. */
    static Conduct ofMany() {
        return new Conduct(false);
    }

    /** Emitters without faults live until the end, so that a later checkpoint of each stream tells of the earlier ones. */
    static Conduct steady() {
        return new Conduct(true);
    }

    boolean isSteady() {
        return steady;
    }

    boolean isHushed() {
        return hushed;
    }

    AcknowledgedEvents acknowledged() {
        return acknowledged;
    }

    /** Has all emitters be silent for a time. */
    void hush(int millis) throws InterruptedException {
        hushed = true;
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } finally {
            hushed = false;
        }
    }
}
