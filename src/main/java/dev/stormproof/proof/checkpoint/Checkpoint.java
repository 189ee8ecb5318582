package dev.stormproof.proof.checkpoint;

import dev.stormproof.proof.sign.EventSigner;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.Leaves;
import dev.stormproof.proof.tree.TreeHash;
import java.util.List;
import java.util.Optional;

/**
 * Upstream's statement about the events of one interval, in either wire format.
 *
 * <p>Format 1 states only leaves and root; for everything else the default methods are right.
 */
public sealed interface Checkpoint permits Format1Checkpoint, Format2Checkpoint {
    /** The number of every checkpoint of format 1, less than every number of format 2. */
    long NO_NUMBER = -1;

    StreamId stream();

    /** The emitter's name for people; empty if the checkpoint states none. */
    default String emitterName() {
        return "";
    }

    long eventCount();

    TreeHash treeHash();

    /** The id of the {@link EventSigner} of every event; format 1 has one alone. */
    default int signatureAlgorithm() {
        return EventSigners.SHA1;
    }

    Hash root();

    /** The signatures that the root covers, in order; empty if the checkpoint states the root alone. */
    Optional<Leaves> leaves();

    boolean leavesMatchRoot();

    /** The checkpoint's number in its stream, from 0. */
    default long number() {
        return NO_NUMBER;
    }

    /** The sequence of the interval's first event; in format 1 no event has a sequence. */
    default long firstSequence() {
        return 0;
    }

    /** The sequence after the interval's last; the next checkpoint's first one. */
    default long nextSequence() {
        return 0;
    }

    /** The chain hash of the previous checkpoint; empty in number 0. */
    default Hash previousHash() {
        return Hash.empty();
    }

    /** The time within which the next checkpoint follows; 0 if there is no deadline. */
    default long deadlineMillis() {
        return 0;
    }

    /** The key whose signature on it was verified; empty if none was. */
    default Optional<String> keyId() {
        return Optional.empty();
    }

    default boolean closing() {
        return false;
    }

    /** The sequences whose events may or may not be in the log, in ascending order. */
    default List<SequenceRange> uncertain() {
        return List.of();
    }

    /** True if brokers refused the uncertain events, so that none of them should be in the log. */
    default boolean refused() {
        return false;
    }
}
