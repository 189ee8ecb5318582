package dev.stormproof.judge;

import dev.stormproof.checkpoint.Checkpoint;
import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.SequenceRange;
import dev.stormproof.merkle.Hash;
import dev.stormproof.merkle.Leaves;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;

/** The signatures that the checkpoints of one stream state for its sequences. */
final class StatedSignatures {
    private final Checkpoint target;
    private final List<CheckpointRecord> checkpoints;
    private final IdentityHashMap<Checkpoint, Boolean> leavesMatchRoot = new IdentityHashMap<>();

    /** @param target the checkpoint whose statement comes first */
    StatedSignatures(Checkpoint target, List<CheckpointRecord> checkpoints) {
        this.target = target;
        this.checkpoints = checkpoints;
    }

    /**
     * The signature that a sequence should have; empty if no checkpoint states it. Of a sequence that the target calls
     * uncertain it states no signature; a signature that another checkpoint states is judged with the other's interval.
     */
    Hash of(long sequence) {
        if (target.firstSequence() <= sequence && certainFrom(target, sequence) > sequence) {
            return Hash.empty();
        }
        return in(target, sequence)
                .or(() -> checkpoints.stream()
                        .map(CheckpointRecord::checkpoint)
                        .flatMap(checkpoint -> in(checkpoint, sequence).stream())
                        .findFirst())
                .orElse(Hash.empty());
    }

    /** True if a checkpoint states leaves, and they are the ones that its root is over. */
    boolean hasLeavesOf(Checkpoint checkpoint) {
        return leavesMatchRoot.computeIfAbsent(checkpoint, Checkpoint::leavesMatchRoot);
    }

    /** The first sequence, not below the given one, whose fate a checkpoint does not call uncertain. */
    static long certainFrom(Checkpoint checkpoint, long sequence) {
        return checkpoint.uncertain().stream()
                .filter(range -> range.contains(sequence))
                .findFirst()
                .map(SequenceRange::end)
                .orElse(sequence);
    }

    private Optional<Hash> in(Checkpoint checkpoint, long sequence) {
        boolean inside = checkpoint.firstSequence() <= sequence && sequence < checkpoint.nextSequence();
        if (!inside || certainFrom(checkpoint, sequence) > sequence || !hasLeavesOf(checkpoint)) {
            return Optional.empty();
        }
        long index = sequence - checkpoint.firstSequence();
        for (SequenceRange range : checkpoint.uncertain()) {
            index -= range.end() <= sequence ? range.count() : 0;
        }
        Leaves leaves = checkpoint.leaves().orElseThrow();
        return Optional.of(leaves.signature((int) index));
    }
}
