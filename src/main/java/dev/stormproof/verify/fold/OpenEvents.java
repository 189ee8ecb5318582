package dev.stormproof.verify.fold;

import dev.stormproof.proof.checkpoint.Checkpoint;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.Interval;
import dev.stormproof.proof.tree.CompactRange;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.verify.judge.Judge;
import org.jspecify.annotations.Nullable;

/**
 * The events of a stream after its head, in the order of the log: a tree over exactly these, or the knowledge that there is none.
 *
 * <pre>
 *   TREE  every event was read, each is intact and has the next sequence; the tree is over all of them
 *   READ  every event was read, but there is no tree
 *   PARTLY  some records were not read here, each of which may be an event of the stream
 *
 *   TREE ───────► READ     an event is not intact or has another sequence; the tree makes room for others
 *   TREE, READ ─► PARTLY   a record was not read
 * </pre>
 *
 * <p>{@link #matches} is the only comparison of what the log holds with what a checkpoint states, for records as they come and for
 * those that were read again. Adding allocates nothing but the tree, with the first event. Owned by one thread.
 */
final class OpenEvents {
    static final long NONE = -1;

    private enum Known {
        TREE,
        READ,
        PARTLY
    }

    private static final long NO_SEQUENCES = -1;

    private final long firstSequence;
    private Known known;
    private @Nullable Interval tree;
    private int signatureAlgorithm;
    private long count;
    private long firstOffset = NONE;
    private long sinceOffset = NONE;
    private boolean contradicted;
    private long lastOffset = NONE;

    /**
     * No events so far.
     *
     * @param firstSequence the sequence of the first one, as the head states it
     * @param whole true if every record after the head is still to come
     */
    OpenEvents(long firstSequence, boolean whole) {
        this.firstSequence = firstSequence;
        this.known = whole ? Known.TREE : Known.PARTLY;
    }

    /** No events of format 1 so far, of which only their order counts. */
    static OpenEvents withoutSequences(boolean whole) {
        return new OpenEvents(NO_SEQUENCES, whole);
    }

    void add(Event event) {
        count++;
        lastOffset = event.offset();
        if (firstOffset == NONE) {
            firstOffset = event.offset();
        }
        if (sinceOffset == NONE) {
            sinceOffset = event.offset();
        }
        contradicted |= event.contradictsItsHeader();
        if (known == Known.TREE) {
            addToTree(event);
        }
    }

    private void addToTree(Event event) {
        boolean sequences = firstSequence != NO_SEQUENCES;
        Interval of = tree;
        if (of == null) {
            of = new Interval(sequences ? event.treeHash() : TreeHash.XXH3, Math.max(firstSequence, 0), false);
            signatureAlgorithm = event.signatureAlgorithm();
        }
        long place = sequences ? firstSequence + of.count() : of.count();
        boolean next = !sequences || (event.sequence() == place && event.treeHash() == of.treeHash());
        boolean alike = event.signatureAlgorithm() == signatureAlgorithm;
        if (next && alike && event.intact() && of.count() < CompactRange.MAX_LEAVES) {
            of.add(place, event.observed());
            tree = of;
        } else {
            dropTree();
        }
    }

    /** Notes that a record was not read that may be an event of the stream. */
    void passUnread() {
        known = Known.PARTLY;
        tree = null;
    }

    /** The log is left to show what a checkpoint is compared with. */
    void dropTree() {
        known = known == Known.TREE ? Known.READ : known;
        tree = null;
    }

    /** Forgets where the events are, which were reported as unsealed: progress may pass them. */
    void giveUp() {
        passUnread();
        firstOffset = NONE;
    }

    /** True if these are exactly the events that a checkpoint states. */
    boolean matches(CheckpointRecord record) {
        Checkpoint checkpoint = record.checkpoint();
        boolean alike = tree == null || checkpoint.signatureAlgorithm() == signatureAlgorithm;
        return known == Known.TREE && alike && Judge.matches(record, tree);
    }

    boolean hasTree() {
        return tree != null;
    }

    /** True if every record after the head was read here. */
    boolean isWhole() {
        return known != Known.PARTLY;
    }

    boolean isEmpty() {
        return firstOffset == NONE;
    }

    long count() {
        return count;
    }

    /** The offset of the first event that progress may not pass; {@link #NONE} if there is none. */
    long firstOffset() {
        return firstOffset;
    }

    /** The offset of the last event; {@link #NONE} if there is none. */
    long lastOffset() {
        return lastOffset;
    }

    /** The offset of the first event, whether or not progress may pass it; {@link #NONE} if there is none. */
    long sinceOffset() {
        return sinceOffset;
    }

    /** True if an event differs from its own header. */
    boolean isContradicted() {
        return contradicted;
    }

    /** The events after a head that was accepted among them, of which the log alone can show which they are. */
    OpenEvents after(long offset, long newFirstSequence) {
        OpenEvents rest = new OpenEvents(newFirstSequence, false);
        if (lastOffset > offset) {
            rest.count = count;
            rest.firstOffset = firstOffset == NONE ? NONE : Math.max(firstOffset, offset + 1);
            rest.lastOffset = lastOffset;
            rest.sinceOffset = Math.max(sinceOffset, offset + 1);
            rest.contradicted = contradicted;
        }
        return rest;
    }
}
