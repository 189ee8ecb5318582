package dev.stormproof.task.live.run;

/**
 * The pauses before further attempts: each is twice as long as the one before, up to a bound.
 *
 * @param firstMillis the pause after the first failure
 * @param mostMillis the longest pause
 */
public record Backoff(long firstMillis, long mostMillis) {
    /** The pause after a failure that follows another pause; 0 if it follows none. */
    public long after(long pauseMillis) {
        return Math.max(firstMillis, Math.min(mostMillis, 2 * pauseMillis));
    }
}
