package dev.stormproof.checkpoint;

import dev.stormproof.merkle.Hash;
import dev.stormproof.merkle.Leaves;
import dev.stormproof.merkle.TreeHash;
import java.util.List;
import java.util.Optional;

/**
 * A statement of upstream about the events of one interval, in either wire format.
 *
 * <p>Format 1 states leaves and root alone. For everything else it has constants:
 *
 * <pre>
 *   number                          {@link #NO_NUMBER}, less than every number of format 2
 *   first sequence, next sequence   0, and no event has a sequence
 *   previous hash                   empty: no checkpoint names its predecessor
 *   promise                         0: no next checkpoint is promised
 *   closing                         false
 *   uncertain                       no ranges
 *   leaves                          always there, and checked against the root when they were read
 * </pre>
 */
public sealed interface Checkpoint permits Format1Checkpoint, Format2Checkpoint {
    /** The number of every checkpoint of format 1. */
    long NO_NUMBER = -1;

    StreamId stream();

    /** The checkpoint's number in its stream, from 0; {@link #NO_NUMBER} in format 1. */
    long number();

    /** The sequence of the interval's first event; 0 in format 1. */
    long firstSequence();

    /** The sequence after the interval's last, the next checkpoint's first; 0 in format 1. */
    long nextSequence();

    /** How many events the root covers. */
    long eventCount();

    TreeHash treeHash();

    /** The root of the tree over the events' leaves. */
    Hash root();

    /** The chain hash of the previous checkpoint; empty in number 0 and in format 1. */
    Hash previousHash();

    /** The time within which the next checkpoint comes; 0 promises nothing, as format 1 does. */
    long promiseMillis();

    /** True if the stream ends here; never in format 1. */
    boolean closing();

    /** The sequences that may or may not lie in the log, in order; none in format 1. */
    List<SequenceRange> uncertain();

    /** The signatures that the root covers, in order; empty if the checkpoint states the root alone. */
    Optional<Leaves> leaves();

    /** True if there are leaves and the root is theirs. */
    boolean leavesMatchRoot();
}
