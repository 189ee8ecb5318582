package dev.stormproof.verify.fold;

/**
 * The times after which a checkpoint is overdue.
 *
 * @param graceMillis the time after the promise of the last checkpoint
 * @param withoutPromiseMillis the time if that promises none
 * @param mostPromisedMillis the longest promise that counts: without a bound a promise could block the progress forever
 */
public record InactivityTimeouts(long graceMillis, long withoutPromiseMillis, long mostPromisedMillis) {
    /** Half a minute after a promise of at most an hour; five minutes without a promise. */
    public static final InactivityTimeouts DEFAULT = new InactivityTimeouts(30_000, 300_000, 3_600_000);

    public long limitMillis(long promiseMillis) {
        return promiseMillis > 0 ? Math.min(promiseMillis, mostPromisedMillis) + graceMillis : withoutPromiseMillis;
    }
}
