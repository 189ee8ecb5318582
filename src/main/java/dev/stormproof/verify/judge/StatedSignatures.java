package dev.stormproof.verify.judge;

import dev.stormproof.proof.checkpoint.Checkpoint;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.Leaves;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The signatures that the checkpoints of one stream state for its sequences. */
final class StatedSignatures {
    private final Checkpoint target;
    private final List<Checkpoint> others;
    private final IdentityHashMap<Checkpoint, Boolean> leavesMatchRoot = new IdentityHashMap<>();

    /**
     * @param target the checkpoint to judge
     * @param others a few others, and maybe itself
     */
    StatedSignatures(Checkpoint target, List<Checkpoint> others) {
        this.target = target;
        this.others = others;
    }

    /**
     * The signature that a sequence should have; empty if none is stated. Of its own sequences only the target speaks: what another
     * checkpoint states of them is judged with the other's interval.
     */
    Hash of(long sequence) {
        return Stream.concat(Stream.of(target), others.stream())
                .filter(checkpoint -> checkpoint.firstSequence() <= sequence && sequence < checkpoint.nextSequence())
                .findFirst()
                .flatMap(checkpoint -> in(checkpoint, sequence))
                .orElse(Hash.empty());
    }

    /** True if a checkpoint states leaves that match its root. */
    boolean hasLeavesOf(Checkpoint checkpoint) {
        return leavesMatchRoot.computeIfAbsent(checkpoint, Checkpoint::leavesMatchRoot);
    }

    /** The first sequence from the given one on that a checkpoint does not call uncertain. */
    static long certainFrom(Checkpoint checkpoint, long sequence) {
        return checkpoint.uncertain().stream()
                .filter(range -> range.contains(sequence))
                .findFirst()
                .map(SequenceRange::end)
                .orElse(sequence);
    }

    private Optional<Hash> in(Checkpoint checkpoint, long sequence) {
        if (certainFrom(checkpoint, sequence) > sequence || !hasLeavesOf(checkpoint)) {
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
