package dev.stormproof.verify;

/** Something to be read again from the log. */
public sealed interface AuditTask {
    /**
     * Read the interval of an observation, the one before it, and what follows up to {@code endOffset}.
     *
     * @param observation what the tracker saw
     * @param endOffset the offset after the last one to read: behind the interval's own checkpoint, or behind the next
     */
    record OfInterval(Observation observation, long endOffset) implements AuditTask {}

    /** Read the records [beginOffset, endOffset), which never arrived, for checkpoints and strays. */
    record OfHole(long beginOffset, long endOffset) implements AuditTask {}
}
