package dev.stormproof.consume;

import dev.stormproof.checkpoint.CheckpointCodec;
import dev.stormproof.checkpoint.EventHeader;
import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.checkpoint.MalformedCheckpointException;
import org.jspecify.annotations.Nullable;

/** What a record of the log says of itself. Nothing of it is believed: the verifier's word counts. */
sealed interface Entry {
    /** An event of format 2. */
    record OfEvent(long emitter, long sequence) implements Entry {}

    /** A checkpoint of format 2, over the sequences [firstSequence, nextSequence). */
    record OfCheckpoint(long emitter, long number, long firstSequence, long nextSequence) implements Entry {}

    /** A checkpoint that cannot be read here. */
    record OfUnreadableCheckpoint() implements Entry {}

    /** A record of no stream. */
    record OfStray(String why) implements Entry {}

    /**
     * Reads a record by its headers.
     *
     * @param checkpoint the last value of {@link Format2Checkpoint#HEADER}; null if there is none
     * @param event the last value of {@link EventHeader#NAME}; null if there is none
     */
    static Entry of(byte @Nullable [] checkpoint, byte @Nullable [] event) {
        if (checkpoint != null) {
            return ofCheckpoint(checkpoint);
        }
        if (event == null) {
            return new OfStray("it has no event header, so that no checkpoint states it");
        }
        try {
            EventHeader header = EventHeader.decode(event);
            return new OfEvent(header.emitter(), header.sequence());
        } catch (MalformedCheckpointException e) {
            return new OfStray("its event header cannot be read: " + e.getMessage());
        }
    }

    private static Entry ofCheckpoint(byte[] bytes) {
        try {
            Format2Checkpoint checkpoint = CheckpointCodec.decode(bytes);
            return new OfCheckpoint(
                    checkpoint.stream().emitter(),
                    checkpoint.number(),
                    checkpoint.firstSequence(),
                    checkpoint.nextSequence());
        } catch (MalformedCheckpointException e) {
            return new OfUnreadableCheckpoint();
        }
    }
}
