package dev.stormproof.alert.http;

/**
 * The time that a client may take at most, and the time after which one that went away is noticed.
 *
 * @param headMillis to send the head of its request
 * @param answerMillis to take its answer, or a part of one that goes on
 * @param silenceMillis after which one is written to that follows and was told nothing
 */
record Timeouts(long headMillis, long answerMillis, long silenceMillis) {
    static final Timeouts USUAL = new Timeouts(5_000, 30_000, 5_000);
}
