package dev.stormproof.verify.fold;

/**
 * The times after which a checkpoint is overdue.
 *
 * @param graceMillis what is added to the promise of its last checkpoint
 * @param withoutPromiseMillis the time if that promises nothing
 * @param mostPromisedMillis the longest promise that counts: one without a bound would hold the progress for as long
 */
public record InactivityTimeouts(long graceMillis, long withoutPromiseMillis, long mostPromisedMillis) {
    /** Half a minute on top of a promise, of an hour at most; five minutes without one. */
    public static final InactivityTimeouts DEFAULT = new InactivityTimeouts(30_000, 300_000, 3_600_000);

    long limitMillis(long promiseMillis) {
        return promiseMillis > 0 ? Math.min(promiseMillis, mostPromisedMillis) + graceMillis : withoutPromiseMillis;
    }
}
