package dev.stormproof.verify;

/**
 * The times after which a stream is inactive.
 *
 * @param graceMillis what is added to the promise of its last checkpoint
 * @param withoutPromiseMillis the time if that promises nothing
 */
public record InactivityTimeouts(long graceMillis, long withoutPromiseMillis) {
    /** Half a minute on top of a promise; five minutes without one. */
    public static final InactivityTimeouts DEFAULT = new InactivityTimeouts(30_000, 300_000);

    long limitMillis(long promiseMillis) {
        return promiseMillis > 0 ? promiseMillis + graceMillis : withoutPromiseMillis;
    }
}
