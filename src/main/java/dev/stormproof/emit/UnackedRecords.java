package dev.stormproof.emit;

import dev.stormproof.proof.checkpoint.SequenceRange;
import java.util.List;
import java.util.Optional;

/**
 * The records in doubt are those of a stream that were sent and may or may not lie in the log.
 *
 * @param events sequences in order, neither overlapping nor touching
 * @param checkpoint the first checkpoint after which none is known to have arrived; empty if the last one did
 */
record UnackedRecords(List<SequenceRange> events, Optional<CheckpointPosition> checkpoint) {
    static final UnackedRecords NONE = new UnackedRecords(List.of(), Optional.empty());
}
