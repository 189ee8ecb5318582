package dev.stormproof.proof.checkpoint;

/**
 * Consecutive records, at least one, that were not read because they are too large: events, checkpoints or others.
 *
 * @param firstOffset where the first one is
 * @param offset where the last one is
 * @param count how many there are
 * @param detail what is too large, for a person
 */
public record OversizedRecords(long firstOffset, long offset, long count, String detail, long writtenMillis)
        implements LogRecord {}
