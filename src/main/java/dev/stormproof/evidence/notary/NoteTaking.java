package dev.stormproof.evidence.notary;

import dev.stormproof.proof.sign.CheckpointKey;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.verify.feed.EpochEnd;
import dev.stormproof.verify.feed.Leaders;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The notary's work on one partition: takes records in order, and makes notes, each of which continues the last one.
 *
 * <pre>
 *   begin(origin, offset) ──take, take, … ──► note ──take, … ──► note …
 *   after(last note)      ──┘        │
 *                              cut(offset)      the log ends before what was noted, and was written on from there: the leaves stay
 *                              expired(offset)  records were deleted before they were noted: they have no leaves
 * </pre>
 *
 * <p>A note that was not committed does not count: a restarted notary begins after the last committed one. Belongs to one thread.
 */
public final class NoteTaking {
    /** The number of hashes in a full tile. */
    public static final int TILE = 256;

    private static final int HASH_BYTES = NotedTree.HASH_BYTES;
    private static final long NO_TILES = Long.MAX_VALUE;

    private final Origin origin;
    /** The first leaf whose hash is in a tile. */
    private final long tilesFrom;

    private final NotedTree tree;
    private final long begin;
    private final byte[] hash = new byte[HASH_BYTES];
    /** The hashes of the leaves after the last full tile. */
    private final ByteArrayOutputStream leaves = new ByteArrayOutputStream();

    private long number;
    private long from;
    private long next;
    /** Up to here only ends of transactions and aborted records follow. Not noted. */
    private long passed;

    /** The leaders of the noted records. */
    private Leaders leaders;

    private boolean news;

    /** The current ends of the leader epochs of a log (KIP-320). */
    public interface EpochEnds {
        /** The end of an epoch, at most {@code offset}. */
        EpochEnd endOfEpoch(long offset, int leaderEpoch);
    }

    /** The state of the log at the next offset. */
    public enum Found {
        /** It continues. */
        GOES_ON,
        /** Noted records were cut off. */
        CUT,
        /** Records expired before they were noted. */
        EXPIRED
    }

    /** A level-0 tile: its index, and its hashes, fewer than {@value #TILE} if it is unfinished. */
    public record Tile(long index, Hash hashes) {
        public boolean isFull() {
            return hashes.sizeBytes() == TILE * HASH_BYTES;
        }
    }

    private NoteTaking(
            Origin origin, long tilesFrom, NotedTree tree, long begin, long number, long next, Leaders leaders) {
        this.origin = origin;
        this.tilesFrom = tilesFrom;
        this.tree = tree;
        this.begin = begin;
        this.number = number;
        this.from = next;
        this.next = next;
        this.passed = next;
        this.leaders = leaders;
    }

    /**
     * The beginning of a tree.
     *
     * @param offset of the first record
     * @param tiles whether to make tiles
     */
    public static NoteTaking begin(Origin origin, long offset, boolean tiles) {
        return new NoteTaking(origin, tiles ? 0 : NO_TILES, new NotedTree(), offset, 0, offset, Leaders.NONE);
    }

    /** Continues a note, without tiles. */
    public static NoteTaking after(Note last) {
        return after(last, NO_TILES);
    }

    /** Continues a note whose last, unfinished tile is missing: with tiles from the next one. */
    public static NoteTaking afterLostTile(Note last) {
        return after(last, (last.state().size() + TILE - 1) / TILE * TILE);
    }

    /**
     * Continues a note, with tiles.
     *
     * @param unfinished the hashes of the last tile, if the note's size is no multiple of {@value #TILE}
     * @throws MalformedNoteException if the note was made of others
     */
    public static NoteTaking after(Note last, Hash unfinished) throws MalformedNoteException {
        long size = last.state().size();
        long full = size / TILE * TILE;
        NotedTree tree =
                NotedTree.of(full, Arrays.copyOf(last.state().peaks().toByteArray(), NotedTree.peaksBytes(full)));
        byte[] hashes = unfinished.toByteArray();
        if (hashes.length != (size - full) * HASH_BYTES) {
            throw new MalformedNoteException(
                    "an unfinished tile of " + hashes.length + " bytes for a tree of " + size + " leaves");
        }
        for (int at = 0; at < hashes.length; at += HASH_BYTES) {
            tree.append(hashes, at);
        }
        if (!tree.root().equals(last.root())) {
            throw new MalformedNoteException("an unfinished tile that is not of the tree of the last note");
        }
        NoteTaking taking = after(last, full);
        taking.leaves.writeBytes(hashes);
        return taking;
    }

    private static NoteTaking after(Note last, long tilesFrom) {
        NoteState state = last.state();
        return new NoteTaking(
                last.origin(),
                tilesFrom,
                state.tree(),
                state.begin(),
                state.number() + 1,
                state.next(),
                state.leaders());
    }

    public Origin origin() {
        return origin;
    }

    /** The next offset to read. */
    public long next() {
        return passed;
    }

    /** The leader epoch of the last record; -1 if unknown. */
    public int leaderEpoch() {
        return leaders.last();
    }

    /** The number of leaves. */
    public long size() {
        return tree.size();
    }

    /** True if there is anything for another note. */
    public boolean hasNews() {
        return news;
    }

    /**
     * Finds out where the log continues before it is read, and whether it was cut or has expired.
     *
     * @param begin the first offset that the log still has
     * @param end the offset after the last one that can be read
     */
    public Found findOn(long begin, long end, EpochEnds epochs) {
        if (begin > passed) {
            expired(begin);
            return Found.EXPIRED;
        }
        long known = leaderEpoch() != Leaders.NO_EPOCH ? knownEnd(epochs) : Math.min(next, end);
        if (known < next && begin < next) {
            cut(Math.max(known, begin));
            return Found.CUT;
        }
        // Another leader wrote after this, perhaps the end of a transaction: no noted record is gone.
        long goesOn = Math.max(known, next);
        if (begin > goesOn) {
            expired(begin);
            return Found.EXPIRED;
        }
        passed = goesOn;
        return Found.GOES_ON;
    }

    /** The end of the part of the log that was noted: asks for one leader after the other, from the last, until the log has it. */
    private long knownEnd(EpochEnds epochs) {
        long known = passed;
        Leaders own = leaders;
        boolean held = false;
        while (!held && own.last() != Leaders.NO_EPOCH) {
            EpochEnd end = epochs.endOfEpoch(known, own.last());
            held = end.leaderEpoch() >= own.last();
            known = Math.min(end.offset(), own.beginBehind(end.leaderEpoch()));
            own = own.beforeLast();
        }
        return known;
    }

    /** The log was cut, and continues at an offset before the last note's end. */
    public void cut(long offset) {
        if (offset >= next || news) {
            throw new IllegalArgumentException("cut to " + offset + " before " + next + ", or amid what is not noted");
        }
        leaders = leaders.before(offset);
        move(offset);
    }

    /** Records expired unread: the log begins at an offset after the last note's end. */
    public void expired(long offset) {
        if (offset <= next || news) {
            throw new IllegalArgumentException(
                    "expired up to " + offset + " after " + next + ", or amid what is not noted");
        }
        leaders = Leaders.NONE; // The leader of an expired record says nothing about what follows.
        move(offset);
    }

    private void move(long offset) {
        from = offset;
        next = offset;
        passed = offset;
        news = true;
    }

    public void take(long offset, int epoch, RecordLeaf leaf) {
        append(offset, leaf);
        passed(offset, epoch);
    }

    /** Takes consecutive records that are too large to be read, the last of them at an offset: only their places count. */
    public void takeUnread(long lastOffset, long count, int epoch, RecordLeaf leaf) {
        leaf.setUnread();
        for (long i = 0; i < count; i++) {
            append(lastOffset, leaf);
        }
        passed(lastOffset, epoch);
    }

    private void append(long offset, RecordLeaf leaf) {
        if (offset < next) {
            throw new IllegalArgumentException("a record at " + offset + " after " + next);
        }
        leaf.hashTo(hash, 0);
        tree.append(hash, 0);
        if (tree.size() > tilesFrom) {
            leaves.write(hash, 0, HASH_BYTES);
        }
    }

    private void passed(long offset, int epoch) {
        if (epoch != leaders.last()) {
            leaders = leaders.followedBy(Leaders.of(next, epoch));
        }
        next = offset + 1;
        passed = next;
        news = true;
    }

    /** The log has no further record before an offset, as ends of transactions have no leaves. Notes do not store that. */
    public void passedUpTo(long offset) {
        passed = Math.max(passed, offset);
    }

    /** The tiles that are new or longer since the last note; the last one may be unfinished. */
    public List<Tile> tiles() {
        List<Tile> made = new ArrayList<>();
        byte[] all = leaves.toByteArray();
        long index = (tree.size() - all.length / HASH_BYTES) / TILE;
        for (int at = 0; at < all.length; at += TILE * HASH_BYTES) {
            int bytes = Math.min(TILE * HASH_BYTES, all.length - at);
            made.add(new Tile(index++, Hash.copyOf(all, at, bytes)));
        }
        return made;
    }

    /**
     * The next note, over everything so far.
     *
     * @param tile the place of the unfinished tile; {@link NoteState.Place#NONE} if there is none
     */
    public Note.Written note(long timeMillis, NoteState.Place tile, CheckpointKey key) {
        NoteState state = new NoteState(
                number, tree.size(), begin, from, next, leaders, timeMillis, tile, Hash.copyOf(tree.peaks()));
        Note.Written written = Note.write(origin, tree, state, key);
        number++;
        from = next;
        news = false;
        byte[] all = leaves.toByteArray();
        leaves.reset();
        int unfinished = all.length % (TILE * HASH_BYTES);
        leaves.write(all, all.length - unfinished, unfinished);
        return written;
    }
}
