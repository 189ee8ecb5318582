package dev.stormproof.verify.fold;

import dev.stormproof.proof.checkpoint.StreamId;

/**
 * The unsealed end of a stream: its events after the last checkpoint; without events, a stream that has begun and not continued.
 *
 * @param emitterName the emitter's name for people, as the last checkpoint states it; empty if none is known
 * @param checkpoint the number of the last checkpoint; -1 if none is known, or in format 1, which has none
 * @param checkpointOffset the offset of that; -1 if none is known
 * @param sinceOffset the offset of the first event; without events, that of the checkpoint
 * @param events how many there are; a few too many if checkpoints between them sealed nothing
 * @param overdue true if the next checkpoint is overdue by its promise, and a finding reports it
 */
public record UnsealedTail(
        StreamId stream,
        String emitterName,
        long checkpoint,
        long checkpointOffset,
        long sinceOffset,
        long events,
        boolean overdue) {}
