package dev.stormproof.proof.checkpoint;

import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.tree.CompactRange;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.Leaves;
import dev.stormproof.proof.tree.TreeHash;
import org.jspecify.annotations.Nullable;

/**
 * The events between two checkpoints of a stream: their count, their root and, if wanted, their leaves.
 *
 * <pre>
 *   sequence ‖ signature  ──►  leaf  ──►  compact range  ──►  root
 *              signature  ──►  leaves (if kept)
 * </pre>
 *
 * <p>Emitter, tracker and auditor all use this class, so that they cannot disagree about what a leaf is. With {@link
 * TreeHash#ADLER32}, which is format 1, a leaf is the signature alone. Adding allocates nothing beyond the room for kept
 * leaves, which is reused after {@link #restart}. An instance belongs to one thread.
 */
public final class Interval {
    private final TreeHash treeHash;
    private final CompactRange range;
    private final Leaves.@Nullable Builder leaves;

    private long firstSequence;

    /** An interval without events so far, beginning at {@code firstSequence}. */
    public Interval(TreeHash treeHash, long firstSequence, boolean keepLeaves) {
        this(treeHash, firstSequence, CompactRange.of(treeHash), keepLeaves ? Leaves.builder() : null);
    }

    private Interval(TreeHash treeHash, long firstSequence, CompactRange range, Leaves.@Nullable Builder leaves) {
        this.treeHash = treeHash;
        this.firstSequence = firstSequence;
        this.range = range;
        this.leaves = leaves;
    }

    /**
     * Adds an event. Its sequence is not checked against the interval's bounds: the root shows whether it is right.
     *
     * @param sequence its place in the stream; of no effect in format 1
     * @param signature holds its signature, at most {@link EventSigners#MAX_SIZE_BYTES} bytes
     */
    public void add(long sequence, byte[] signature, int begin, int sizeBytes) {
        if (treeHash == TreeHash.ADLER32) {
            range.append(signature, begin, sizeBytes);
        } else {
            range.append(sequence, signature, begin, sizeBytes);
        }
        if (leaves != null) {
            leaves.append(signature, begin, sizeBytes);
        }
    }

    public void add(long sequence, Hash signature) {
        if (treeHash == TreeHash.ADLER32) {
            range.append(signature);
        } else {
            range.append(sequence, signature);
        }
        if (leaves != null) {
            leaves.append(signature);
        }
    }

    public TreeHash treeHash() {
        return treeHash;
    }

    public long firstSequence() {
        return firstSequence;
    }

    public long count() {
        return range.count();
    }

    public Hash root() {
        return range.root();
    }

    /** The kept signatures; throws {@link IllegalStateException} if none are kept. */
    public Leaves leaves() {
        if (leaves == null) {
            throw new IllegalStateException("this interval keeps no leaves");
        }
        return leaves.build();
    }

    /** The size of the kept signatures; 0 if none are kept. */
    public long packedSizeBytes() {
        return leaves == null ? 0 : leaves.packedSizeBytes();
    }

    public void restart(long newFirstSequence) {
        range.reset();
        if (leaves != null) {
            leaves.reset();
        }
        firstSequence = newFirstSequence;
    }

    /** An independent interval with the same events; another thread may use it. */
    public Interval copy() {
        return new Interval(treeHash, firstSequence, range.copy(), leaves == null ? null : leaves.copy());
    }
}
