package dev.stormproof.evidence.notary;

import dev.stormproof.proof.sign.ByteSlice;
import dev.stormproof.proof.sign.CheckpointKey;
import dev.stormproof.proof.tree.Hash;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A partition in memory, with records at offsets, and the notes and tiles that were taken of it. */
final class PaperPartition implements NotedLog {
    static final Origin ORIGIN = new Origin("notary-1", "cluster", "orders", "topic-id", 0);
    /** The key whose private bytes are 1 to 32. */
    static final CheckpointKey KEY = CheckpointKey.ofPkcs8(
            "notary-1",
            HexFormat.of()
                    .parseHex("302e020100300506032b657004220420"
                            + "0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20"));

    /** A record that is too large to be read. */
    static final String UNREAD = "unread";

    final TreeMap<Long, String> records = new TreeMap<>();
    final List<Note> notes = new ArrayList<>();
    final TreeMap<Long, byte[]> tiles = new TreeMap<>();
    long begin;
    /** How many offsets an open transaction has behind the end. */
    long heldBack;

    private @Nullable NoteTaking taking;

    /** The leaf of a record with a text; of one that was not read, if it is {@link #UNREAD}. */
    static RecordLeaf leaf(String text) {
        ByteSlice value = new ByteSlice();
        value.set(text.getBytes(StandardCharsets.UTF_8));
        RecordLeaf leaf = new RecordLeaf();
        leaf.set(1_700_000_000_000L, new ByteSlice(), value, 0);
        if (text.equals(UNREAD)) {
            leaf.setUnread();
        }
        return leaf;
    }

    /** Appends records behind the last one. */
    PaperPartition append(String... texts) {
        for (String text : texts) {
            records.put(end(), text);
        }
        return this;
    }

    PaperPartition append(int count) {
        for (int i = 0; i < count; i++) {
            append("record " + end());
        }
        return this;
    }

    /** Takes a note on all that was written. */
    PaperPartition note() {
        NoteTaking noting = taking();
        for (var record : records.tailMap(noting.next(), true).entrySet()) {
            noting.take(record.getKey(), 3, leaf(record.getValue()));
        }
        for (NoteTaking.Tile tile : noting.tiles()) {
            tiles.put(tile.index(), tile.hashes().toByteArray());
        }
        notes.add(noting.note(1_700_000_000_000L + notes.size(), NoteState.Place.NONE, KEY)
                .note());
        return this;
    }

    NoteTaking taking() {
        NoteTaking noting = taking;
        if (noting == null) {
            noting = NoteTaking.begin(ORIGIN, begin, true);
            taking = noting;
        }
        return noting;
    }

    byte[] tile(long index) {
        return Objects.requireNonNull(tiles.get(index));
    }

    KeptLeaves kept() {
        return (from, to) -> {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            tiles.values().forEach(all::writeBytes);
            byte[] hashes = all.toByteArray();
            return to * 32 > hashes.length ? null : Arrays.copyOfRange(hashes, (int) from * 32, (int) to * 32);
        };
    }

    /** The path of a record, made of the peaks of the first note and of what follows it. */
    List<Hash> path(long index) {
        long begin = notes.get(0).head().size();
        byte[] leaves =
                Objects.requireNonNull(kept().leaves(begin, last().head().size()));
        LeafPath path = new LeafPath(notes.get(0));
        for (int at = 0; at < leaves.length; at += NotedTree.HASH_BYTES) {
            if (begin + at / NotedTree.HASH_BYTES == index) {
                path.addOwn(leaves, at);
            } else {
                path.add(leaves, at);
            }
        }
        return path.hashes();
    }

    /** The proof that the tree of the last note begins with that of the first. */
    List<Hash> consistency() {
        GrowthAfter growth = new GrowthAfter(notes.get(0));
        boolean unused = growth.addKept(kept(), last().head().size());
        return GrowthAfter.consistency(notes.get(0), growth.to(last()).orElseThrow());
    }

    private Note last() {
        return notes.get(notes.size() - 1);
    }

    NotesCheck.Result named() {
        return new NotesCheck(notes, this, kept(), offset -> {}).ofSameLog();
    }

    NotesCheck.Result unnamed() {
        return new NotesCheck(notes, this, KeptLeaves.NONE, offset -> {}).ofSameLog();
    }

    /** Findings as text: kind, offsets, leaf and number of records. */
    static List<String> texts(NotesCheck.Result result) {
        return result.findings().stream()
                .map(one -> one.kind() + " [" + one.offset() + "," + one.endOffset() + ") leaf " + one.leaf() + " x"
                        + one.records())
                .toList();
    }

    @Override
    public long begin() {
        return begin;
    }

    @Override
    public long end() {
        return records.isEmpty() ? begin : records.lastKey() + 1;
    }

    @Override
    public long writtenEnd() {
        return end() + heldBack;
    }

    @Override
    public void read(long from, long to, LeafTaker taker) {
        byte[] hash = new byte[32];
        records.subMap(from, to).forEach((offset, text) -> {
            leaf(text).hashTo(hash, 0);
            taker.take(offset, hash, 0);
        });
    }
}
