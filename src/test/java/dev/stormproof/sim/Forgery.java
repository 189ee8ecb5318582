package dev.stormproof.sim;

import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.Interval;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.Leaves;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Checkpoints with a right checksum that no emitter wrote. */
final class Forgery {
    /** A partition that no topic has: copied into one that it names, with its events, a forgery without a key is perfect. */
    static final int NO_PARTITION = 1_000;

    private Forgery() {}

    static Optional<Format2Checkpoint> of(Mischief.Fault fault, Format2Checkpoint genuine, SplittableRandom random) {
        return switch (fault) {
            case FORGE_ROOT ->
                Optional.of(with(genuine, genuine.number(), random(genuine.root(), random), genuine.leaves()));
            case FORGE_LEAVES -> forgedLeaves(genuine, random);
            case FORGE_NUMBER, FORGE_EXTRA ->
                Optional.of(with(
                        genuine,
                        genuine.number() + (random.nextInt(4) > 0 ? random.nextInt(4) : 1_000_000),
                        genuine.number() == 0 || random.nextBoolean() ? random(genuine.root(), random) : genuine.root(),
                        genuine.leaves()));
            case MISPLACE_CHECKPOINT -> Optional.of(elsewhere(genuine));
            default -> throw new IllegalArgumentException(fault + " is no forgery");
        };
    }

    private static Optional<Format2Checkpoint> forgedLeaves(Format2Checkpoint genuine, SplittableRandom random) {
        if (genuine.leaves().isEmpty()
                || genuine.eventCount() == 0
                || !genuine.uncertain().isEmpty()) {
            return Optional.empty();
        }
        Leaves leaves = genuine.leaves().orElseThrow();
        int altered = random.nextInt(leaves.count());
        Interval forged = new Interval(genuine.treeHash(), genuine.firstSequence(), true);
        for (int i = 0; i < leaves.count(); i++) {
            Hash leaf = leaves.signature(i);
            forged.add(genuine.firstSequence() + i, i == altered ? random(leaf, random) : leaf);
        }
        return Optional.of(with(genuine, genuine.number(), forged.root(), Optional.of(forged.leaves())));
    }

    private static Hash random(Hash like, SplittableRandom random) {
        byte[] bytes = new byte[like.sizeBytes()];
        random.nextBytes(bytes);
        return Hash.copyOf(bytes);
    }

    private static Format2Checkpoint with(Format2Checkpoint genuine, long number, Hash root, Optional<Leaves> leaves) {
        Hash previous = number > 0 && genuine.previousHash().sizeBytes() == 0 ? genuine.root() : genuine.previousHash();
        return new Format2Checkpoint(
                genuine.stream(),
                genuine.emitterName(),
                number,
                genuine.firstSequence(),
                genuine.eventCount(),
                genuine.treeHash(),
                genuine.signatureAlgorithm(),
                genuine.signatureSizeBytes(),
                root,
                previous,
                genuine.createdAtMillis(),
                genuine.deadlineMillis(),
                genuine.closing(),
                genuine.uncertain(),
                genuine.refused(),
                genuine.previousOffsetHint(),
                leaves,
                genuine.keyId());
    }

    private static Format2Checkpoint elsewhere(Format2Checkpoint genuine) {
        StreamId other = new StreamId(
                genuine.stream().topic(), NO_PARTITION, genuine.stream().emitter());
        return new Format2Checkpoint(
                other,
                genuine.emitterName(),
                genuine.number(),
                genuine.firstSequence(),
                genuine.eventCount(),
                genuine.treeHash(),
                genuine.signatureAlgorithm(),
                genuine.signatureSizeBytes(),
                genuine.root(),
                genuine.previousHash(),
                genuine.createdAtMillis(),
                genuine.deadlineMillis(),
                genuine.closing(),
                List.copyOf(genuine.uncertain()),
                genuine.refused(),
                genuine.previousOffsetHint(),
                genuine.leaves(),
                genuine.keyId());
    }
}
