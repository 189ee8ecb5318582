package dev.stormproof.emit;

import dev.stormproof.proof.checkpoint.SequenceRange;
import java.util.List;
import java.util.Optional;

/**
 * The records of a stream that were sent and may or may not be in the log, or that the brokers refused.
 *
 * @param events sequences in order, neither overlapping nor touching
 * @param refused true if the brokers refused all these events
 * @param checkpoint the first checkpoint after the last acknowledged one; empty if there is none
 */
record UnackedRecords(List<SequenceRange> events, boolean refused, Optional<CheckpointPosition> checkpoint) {
    static final UnackedRecords NONE = new UnackedRecords(List.of(), false, Optional.empty());
}
