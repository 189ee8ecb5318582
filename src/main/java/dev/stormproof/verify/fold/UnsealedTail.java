package dev.stormproof.verify.fold;

import dev.stormproof.proof.checkpoint.StreamId;

/**
 * The end of a stream that no checkpoint seals: its events behind the last checkpoint; or, without any, a stream that has
 * begun and of which nothing more came.
 *
 * @param emitterName the emitter's name for people, as the last checkpoint states it; empty if none is known
 * @param checkpoint the number of the last checkpoint; -1 if none is known, or in format 1, which has none
 * @param checkpointOffset where that lies; -1 if none is known
 * @param sinceOffset where the first of the events lies; without any, the checkpoint
 * @param events how many there are; a few too many where checkpoints between them turned out to seal nothing
 * @param overdue true if the next checkpoint was promised for an earlier time, and a finding says so
 */
public record UnsealedTail(
        StreamId stream,
        String emitterName,
        long checkpoint,
        long checkpointOffset,
        long sinceOffset,
        long events,
        boolean overdue) {}
