package dev.stormproof.task.live.run;

/**
 * The pauses before further attempts: each is twice as long as the last, up to a bound.
 *
 * @param firstMillis the pause after the first failure
 * @param mostMillis the longest pause
 */
public record Backoff(long firstMillis, long mostMillis) {
    /** The pause after another one; after 0, the first. */
    public long after(long pauseMillis) {
        return Math.max(firstMillis, Math.min(mostMillis, 2 * pauseMillis));
    }
}
