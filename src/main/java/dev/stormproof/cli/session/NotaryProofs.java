package dev.stormproof.cli.session;

import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.cli.terminal.Terminal;
import dev.stormproof.evidence.notary.ConsistencyHashes;
import dev.stormproof.evidence.notary.Extension;
import dev.stormproof.evidence.notary.GrowthAfter;
import dev.stormproof.evidence.notary.KeptLeaves;
import dev.stormproof.evidence.notary.LeafPath;
import dev.stormproof.evidence.notary.Note;
import dev.stormproof.evidence.notary.NotedTree;
import dev.stormproof.evidence.notary.Origin;
import dev.stormproof.evidence.notary.RecordLeaf;
import dev.stormproof.evidence.notary.TilePath;
import dev.stormproof.evidence.notary.TlogProof;
import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.log.kafka.KafkaLogReader;
import dev.stormproof.log.kafka.KafkaPartitionReader;
import dev.stormproof.log.kafka.StoredRecord;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.task.notary.StoredLeaves;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Proofs and tiles of one partition, made of its notes, and of its log or the hashes that were kept. */
public final class NotaryProofs implements AutoCloseable {
    private static final int HASH_BYTES = NotedTree.HASH_BYTES;

    private final TopicPartition partition;
    private final List<Note> notes;
    private final KeptLeaves kept;
    private final KafkaLogReader log;

    private NotaryProofs(TopicPartition partition, List<Note> notes, KeptLeaves kept, KafkaLogReader log) {
        this.partition = partition;
        this.notes = notes;
        this.kept = kept;
        this.log = log;
    }

    /** Opens those of a partition; the failure says that there are no notes on it. */
    public static NotaryProofs open(Connection connection, NotesSource source, TopicPartition partition, Terminal err)
            throws InterruptedException {
        String topicId = connection.topicId(partition.topic());
        String clusterId = connection.clusterId();
        source.heldBack()
                .forEach(notes -> err.println(
                        "stormproof: " + notes + ": a transaction is open there: notes after it are not read"));
        Map<Origin, List<Note>> all = source.read(
                origin -> origin.topic().equals(partition.topic())
                        && origin.partition() == partition.partition()
                        && origin.topicId().equals(topicId)
                        && origin.clusterId().equals(clusterId),
                err);
        if (all.isEmpty()) {
            throw Failure.usage("topic " + source.request().topic() + " holds no note of '"
                    + source.request().notary() + "' on " + partition);
        }
        Origin origin = all.keySet().iterator().next();
        List<Note> notes = List.copyOf(all.get(origin));
        return new NotaryProofs(partition, notes, source.kept(notes, 0), NotesSource.newLog(connection));
    }

    public List<Note> notes() {
        return notes;
    }

    public Note last() {
        return notes.get(notes.size() - 1);
    }

    /**
     * A proof that the record at an offset is in the first note after it.
     *
     * @param content true if the proof is to hold the record
     */
    public TlogProof inclusion(long offset, boolean content) {
        Note note = notes.stream()
                .filter(one ->
                        one.state().from() <= offset && offset < one.state().next())
                .reduce((one, other) -> other)
                .orElseThrow(() -> Failure.usage("--offset " + offset + ": no note is of that offset; the last one on "
                        + partition + " is of " + last().state().next() + " as its end"));
        Note before = note(note.state().number() - 1);
        if (before == null && note.state().number() > 0) {
            throw Failure.usage("note " + (note.state().number() - 1) + " on " + partition
                    + " is gone, and with it what a proof begins with");
        }
        LeafPath path = new LeafPath(before);
        Wanted wanted = new Wanted(offset);
        scan(note.state().from(), note.state().next(), (record, leaf) -> wanted.add(record, leaf, path));
        if (!path.leadsTo(note)) {
            throw altered(note);
        }
        if (wanted.isUnread) {
            throw Failure.usage(partition + "@" + offset
                    + " holds a record that is too large to be read: its place was noted, and nothing of it");
        }
        if (wanted.found == null) {
            throw Failure.usage(partition + "@" + offset + " holds no record: the end of a transaction, perhaps");
        }
        return new TlogProof(content ? wanted.found : null, path.index(), path.hashes(), note.signed());
    }

    /** The record that is to be proven, looked for while its path is made: any number of records may follow. */
    private static final class Wanted {
        private final byte[] hash = new byte[HASH_BYTES];
        private final long offset;
        private @Nullable Hash found;
        private boolean isUnread;

        Wanted(long offset) {
            this.offset = offset;
        }

        void add(StoredRecord record, RecordLeaf leaf, LeafPath path) {
            leaf.hashTo(hash, 0);
            if (record.offset() == offset && record.unreadCount() == 0) {
                found = Hash.copyOf(leaf.toByteArray());
                path.addOwn(hash, 0);
                return;
            }
            isUnread |= offset <= record.offset() && offset > record.offset() - record.unreadCount();
            for (long i = Math.max(1, record.unreadCount()); i > 0; i--) {
                path.add(hash, 0);
            }
        }
    }

    /** A proof that one note's tree begins with that of another one. */
    public Extension consistency(long from, long to) {
        Note earlier = numbered(from);
        Note later = numbered(to);
        if (earlier.head().size() > later.head().size()) {
            throw Failure.usage("note " + from + " is of more records than note " + to);
        }
        GrowthAfter growth = new GrowthAfter(earlier);
        boolean isKept = growth.addKept(kept, later.head().size());
        ConsistencyHashes grown = (isKept ? growth.to(later) : Optional.<ConsistencyHashes>empty())
                .or(() -> grown(earlier, later))
                .orElseThrow(() -> altered(later));
        return new Extension(earlier.head().size(), GrowthAfter.consistency(earlier, grown), later.signed());
    }

    /** The growth between two notes as the log has it, of which no leaf is kept: there may be any number. */
    private Optional<ConsistencyHashes> grown(Note earlier, Note later) {
        GrowthAfter growth = new GrowthAfter(earlier);
        byte[] hash = new byte[HASH_BYTES];
        scan(earlier.state().next(), later.state().next(), (record, leaf) -> {
            leaf.hashTo(hash, 0);
            for (long i = Math.max(1, record.unreadCount()); i > 0; i--) {
                growth.add(hash, 0);
            }
        });
        return growth.to(later);
    }

    private Note numbered(long number) {
        Note note = note(number);
        if (note == null) {
            throw Failure.usage("there is no note " + number + " on " + partition + "; the last one is "
                    + last().state().number());
        }
        return note;
    }

    private @Nullable Note note(long number) {
        return notes.stream()
                .filter(one -> one.state().number() == number)
                .findFirst()
                .orElse(null);
    }

    private Failure altered(Note note) {
        return Failure.usage("the log no longer holds what note " + note.state().number() + " on " + partition
                + " is of: 'notary audit' shows what is different");
    }

    private void scan(long from, long to, BiConsumer<StoredRecord, RecordLeaf> taker) {
        StoredLeaves leaves = new StoredLeaves();
        KafkaPartitionReader reader = log.of(partition);
        if (from < reader.begin()) {
            throw Failure.usage("the log of " + partition + " no longer holds offset " + from
                    + ", where the interval of the note begins");
        }
        try {
            reader.scanStored(from, Math.min(to, reader.bounds().end()), record -> {
                taker.accept(record, leaves.of(record));
                return true;
            });
        } catch (ExpiredRangeException | KafkaException e) {
            throw Failure.own(partition + " cannot be read from " + from + " on: " + e.getMessage(), e);
        }
    }

    /**
     * Writes the tiles of the last note's tree and its checkpoint under a directory, as c2sp.org/tlog-tiles serves them. Nothing is
     * written before the tiles make the note's root. Tiles that are there already are left as they are; those of another tree are refused.
     *
     * @return how many files were written
     */
    public int export(Path dir) throws IOException {
        long size = last().head().size();
        byte[] probe = kept.leaves(0, size == 0 ? 0 : 1);
        if (probe == null) {
            throw Failure.usage("there are no tiles of " + last().origin() + " in --tiles");
        }
        NotedTree tree = new NotedTree();
        for (long begin = 0; begin < size; begin += TilePath.FULL) {
            byte[] tile = tile(begin, size);
            for (int at = 0; at < tile.length; at += HASH_BYTES) {
                tree.append(tile, at);
            }
        }
        if (!tree.root().equals(last().root())) {
            throw Failure.usage("the tiles of " + last().origin() + " are not those of its last note");
        }
        TileFiles files = new TileFiles(dir, last().origin().text());
        int written = 0;
        ByteArrayOutputStream above = new ByteArrayOutputStream();
        for (long begin = 0; begin < size; begin += TilePath.FULL) {
            written += write(files, 0, begin / TilePath.FULL, tile(begin, size), above);
        }
        for (int level = 1; above.size() > 0; level++) {
            byte[] hashes = above.toByteArray();
            above.reset();
            int tileBytes = TilePath.FULL * HASH_BYTES;
            for (int at = 0; at < hashes.length; at += tileBytes) {
                byte[] tile = Arrays.copyOfRange(hashes, at, Math.min(hashes.length, at + tileBytes));
                written += write(files, level, at / tileBytes, tile, above);
            }
        }
        files.writeCheckpoint(last().signed());
        return written + 1;
    }

    private byte[] tile(long begin, long size) {
        byte[] tile = kept.leaves(begin, Math.min(size, begin + TilePath.FULL));
        if (tile == null) {
            throw Failure.usage("tile " + begin / TilePath.FULL + " of " + last().origin() + " is missing");
        }
        return tile;
    }

    private static int write(TileFiles files, int level, long index, byte[] tile, ByteArrayOutputStream above)
            throws IOException {
        if (tile.length == TilePath.FULL * HASH_BYTES) {
            above.writeBytes(TilePath.root(tile).toByteArray());
        }
        return files.writeTile(level, index, tile) ? 1 : 0;
    }

    @Override
    public void close() {
        log.close();
        kept.close();
    }
}
