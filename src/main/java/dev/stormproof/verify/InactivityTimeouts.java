package dev.stormproof.verify;

/**
 * The times for which a stream may be inactive.
 *
 * @param graceMillis how much longer than its checkpoints promise
 * @param withoutPromiseMillis how long if they promise nothing
 */
public record InactivityTimeouts(long graceMillis, long withoutPromiseMillis) {
    /** Half a minute on top of a promise; five minutes without one. */
    public static final InactivityTimeouts DEFAULT = new InactivityTimeouts(30_000, 300_000);

    long limitMillis(long promiseMillis) {
        return promiseMillis > 0 ? promiseMillis + graceMillis : withoutPromiseMillis;
    }
}
