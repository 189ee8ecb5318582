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
 * The notary's work on one partition: records go in, in order, and notes come out, each of which continues the one before.
 *
 * <pre>
 *   begin(origin, offset) ──take, take, … ──► note ──take, … ──► note …
 *   after(last note)      ──┘        │
 *                              cut(offset)      the log ends before what was noted, and was written on from there: the leaves stay
 *                              expired(offset)  records were deleted before they were noted: they have no leaves
 * </pre>
 *
 * <p>A note that was not written to the end counts for nothing: whoever begins again begins after the last one that was. Belongs to one
 * thread.
 */
public final class NoteTaking {
    /** The hashes of a full tile. */
    public static final int TILE = 256;

    private static final int HASH_BYTES = NotedTree.HASH_BYTES;
    private static final long NO_TILES = Long.MAX_VALUE;

    private final Origin origin;
    /** The first leaf whose hash is given out. */
    private final long tilesFrom;

    private final NotedTree tree;
    private final long begin;
    private final byte[] hash = new byte[HASH_BYTES];
    /** The hashes of the leaves behind the last full tile that was given out. */
    private final ByteArrayOutputStream leaves = new ByteArrayOutputStream();

    private long number;
    private long from;
    private long next;
    /** Up to here nothing follows that readers see: ends of transactions, and what was aborted. Not noted. */
    private long passed;

    /** Those that wrote what was noted. */
    private Leaders leaders;

    private boolean news;

    /** Where the leader epochs of a log end, as it is now (KIP-320). */
    public interface EpochEnds {
        /** The end of an epoch, at most {@code offset}. */
        EpochEnd endOfEpoch(long offset, int leaderEpoch);
    }

    /** What became of the log where it is to be read on. */
    public enum Found {
        /** It goes on. */
        GOES_ON,
        /** It was cut before what was noted. */
        CUT,
        /** Records expired before they were noted. */
        EXPIRED
    }

    /** A level-0 tile: its index, and its hashes, fewer than {@value #TILE} if it is unfinished. */
    public record Tile(long index, Hash hashes) {
        /** True if nothing is to be added. */
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
     * @param offset of the first record that is to be noted
     * @param tiles true if the hashes of leaves are wanted
     */
    public static NoteTaking begin(Origin origin, long offset, boolean tiles) {
        return new NoteTaking(origin, tiles ? 0 : NO_TILES, new NotedTree(), offset, 0, offset, Leaders.NONE);
    }

    /** The continuation of a note, without tiles. */
    public static NoteTaking after(Note last) {
        return after(last, NO_TILES);
    }

    /** The continuation of a note whose last tile is unfinished and not there: with tiles from the next one on. */
    public static NoteTaking afterLostTile(Note last) {
        return after(last, (last.state().size() + TILE - 1) / TILE * TILE);
    }

    /**
     * The continuation of a note, with tiles.
     *
     * @param unfinished the hashes of the last tile, if the note's size is no multiple of {@value #TILE}
     * @throws MalformedNoteException if they are not those that the note was made of
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

    /** Where to read on. */
    public long next() {
        return passed;
    }

    /** The leader epoch of the last record; -1 if unknown. */
    public int leaderEpoch() {
        return leaders.last();
    }

    /** How many leaves the tree has. */
    public long size() {
        return tree.size();
    }

    /** True if anything happened since the last note. */
    public boolean hasNews() {
        return news;
    }

    /**
     * Finds where the log goes on that is about to be read, and notes whether it was cut or has expired.
     *
     * @param begin the first offset that it still holds
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
        // Another leader wrote behind this, the end of a transaction maybe: no record that was noted is gone.
        long goesOn = Math.max(known, next);
        if (begin > goesOn) {
            expired(begin);
            return Found.EXPIRED;
        }
        passed = goesOn;
        return Found.GOES_ON;
    }

    /** Up to where the log is the one that was noted: it is asked for one leader after the other, the last first, until it has one. */
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

    /** Notes that the log was cut, and goes on from an offset before what was noted. */
    public void cut(long offset) {
        if (offset >= next || news) {
            throw new IllegalArgumentException("cut to " + offset + " before " + next + ", or amid what is not noted");
        }
        leaders = leaders.before(offset);
        move(offset);
    }

    /** Notes that records expired before they were read: the log begins at an offset behind what was noted. */
    public void expired(long offset) {
        if (offset <= next || news) {
            throw new IllegalArgumentException(
                    "expired up to " + offset + " behind " + next + ", or amid what is not noted");
        }
        leaders = Leaders.NONE; // That of a record that is gone says nothing of what follows.
        move(offset);
    }

    private void move(long offset) {
        from = offset;
        next = offset;
        passed = offset;
        news = true;
    }

    /** Takes the next record. */
    public void take(long offset, int epoch, RecordLeaf leaf) {
        append(offset, leaf);
        passed(offset, epoch);
    }

    /** Takes records in a row that are too large to be read, the last of which lies at an offset: of each its place counts alone. */
    public void takeUnread(long lastOffset, long count, int epoch, RecordLeaf leaf) {
        leaf.setUnread();
        for (long i = 0; i < count; i++) {
            append(lastOffset, leaf);
        }
        passed(lastOffset, epoch);
    }

    private void append(long offset, RecordLeaf leaf) {
        if (offset < next) {
            throw new IllegalArgumentException("a record at " + offset + " behind " + next);
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

    /** Remembers that the log holds no further record before an offset: ends of transactions have no leaves. No note tells it. */
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
     * The next note, over all that was taken.
     *
     * @param tile where the unfinished tile stands; {@link NoteState.Place#NONE} if there is none
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
