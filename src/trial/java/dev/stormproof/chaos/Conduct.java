package dev.stormproof.chaos;

import java.io.IOException;

/**
 * The conduct of a round's emitters: whether they err and give way to others, how many partitions they write to,
 * and whether they are silent just now.
 *
 * <p>Any thread may hush or widen them.
 */
final class Conduct {
    private final boolean steady;
    private final AcknowledgedEvents acknowledged = new AcknowledgedEvents();
    private volatile boolean hushed;
    private volatile int partitions;

    private Conduct(boolean steady, int partitions) {
        this.steady = steady;
        this.partitions = partitions;
    }

    /** Emitters live for seconds, one after the other, and some err. */
    static Conduct ofMany(int partitions) {
        return new Conduct(false, partitions);
    }

    /** Emitters without faults live until the end, so that a later checkpoint of each stream tells of the earlier ones. */
    static Conduct steady(int partitions) {
        return new Conduct(true, partitions);
    }

    /** How many partitions they write to. */
    int partitions() {
        return partitions;
    }

    /** Has them write to so many. */
    void widen(int wanted) {
        partitions = wanted;
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

    /** Has all emitters be silent while something is done. */
    void whileSilent(ClusterFaultInjector.Step step) throws IOException, InterruptedException {
        hushed = true;
        try {
            step.run();
        } finally {
            hushed = false;
        }
    }
}
