package dev.stormproof.alert.http;

/**
 * How long a client may take, and after how long its absence is noticed.
 *
 * @param headMillis to send the head of its request
 * @param answerMillis to read its answer, or a part of server-sent events
 * @param silenceMillis after which a following client without events gets a comment
 */
record Timeouts(long headMillis, long answerMillis, long silenceMillis) {
    static final Timeouts USUAL = new Timeouts(5_000, 30_000, 5_000);
}
