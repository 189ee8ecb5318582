package dev.stormproof.http;

/**
 * The time that a client may take at most.
 *
 * @param headMillis to send the head of its request
 * @param answerMillis to take its answer, or a part of one that goes on
 */
record Patience(long headMillis, long answerMillis) {
    static final Patience USUAL = new Patience(5_000, 30_000);
}
