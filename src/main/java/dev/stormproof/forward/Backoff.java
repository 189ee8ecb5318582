package dev.stormproof.forward;

/**
 * The pauses between attempts: each is twice as long as the one before, up to the longest one.
 *
 * @param attempts how often it is tried in all; 0 without end
 */
record Backoff(int attempts, long firstMillis, long longestMillis) {
    /** True if it is tried again after so many failures. */
    boolean goesOn(int failures) {
        return attempts == 0 || failures < attempts;
    }

    /** The pause after so many failures, of which there is one at least. */
    long pauseMillis(int failures) {
        long doubled = firstMillis << Math.min(failures - 1, 30);
        return Math.min(longestMillis, doubled);
    }
}
