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
     * @param target the checkpoint whose statement comes first
     * @param others a few others
     */
    StatedSignatures(Checkpoint target, List<Checkpoint> others) {
        this.target = target;
        this.others = others;
    }

    /**
     * The signature that a sequence should have; empty if no checkpoint states it. Of a sequence that the target calls
     * uncertain it states no signature; a signature that another checkpoint states is judged with the other's interval.
     */
    Hash of(long sequence) {
        if (target.firstSequence() <= sequence && certainFrom(target, sequence) > sequence) {
            return Hash.empty();
        }
        return Stream.concat(Stream.of(target), others.stream())
                .flatMap(checkpoint -> in(checkpoint, sequence).stream())
                .findFirst()
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
