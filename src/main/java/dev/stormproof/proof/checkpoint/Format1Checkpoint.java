package dev.stormproof.proof.checkpoint;

import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.Leaves;
import dev.stormproof.proof.tree.TreeHash;
import java.util.Optional;

/**
 * A checkpoint of format 1: a serialized Merkle tree with all leaves. Its root, an Adler-32, proves nothing; compare the leaves.
 *
 * @param stream its partition, with {@link StreamId#NO_EMITTER}
 * @param signatures the signatures of the events since the previous checkpoint, at least 2
 */
public record Format1Checkpoint(StreamId stream, Leaves signatures, Hash root) implements Checkpoint {
    @Override
    public long eventCount() {
        return signatures.count();
    }

    @Override
    public TreeHash treeHash() {
        return TreeHash.ADLER32;
    }

    @Override
    public Optional<Leaves> leaves() {
        return Optional.of(signatures);
    }

    @Override
    public boolean leavesMatchRoot() {
        return true;
    }
}
