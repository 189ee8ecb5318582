package dev.stormproof.notary.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.kafka.KafkaLogReader;
import dev.stormproof.kafka.StoredRecord;
import dev.stormproof.kafka.StoredRecordReader;
import dev.stormproof.log.PartitionReader.Bounds;
import dev.stormproof.log.PartitionReader.ExpiredRangeException;
import dev.stormproof.merkle.Hash;
import dev.stormproof.notary.MalformedNoteException;
import dev.stormproof.notary.Note;
import dev.stormproof.notary.NoteKey;
import dev.stormproof.notary.NoteState;
import dev.stormproof.notary.Origin;
import dev.stormproof.notary.SignedNote;
import dev.stormproof.notary.TreeHead;
import dev.stormproof.sign.PublicKey;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The topic of notes as it is read: a record's key is the origin, its value the signed note, and a header its state. Records of the key
 * {@code origin LF cosigned} hold a note again, with a witness's signature.
 *
 * <p>Records that are no notes of the key are passed over: anybody may have written them. For one thread.
 */
public final class NotesTopic {
    private static final String COSIGNED = "\ncosigned";
    private static final long FIRST_BACK = 1_024;
    private static final long BACK_GROWTH = 16;

    private static final byte[] HEADER = NoteState.HEADER.getBytes(UTF_8);

    private final KafkaLogReader log;
    private final String topic;
    private final PublicKey key;

    /** @param log a reader of stored records, which others may use in between; stays open */
    public NotesTopic(KafkaLogReader log, String topic, PublicKey key) {
        this.log = log;
        this.topic = topic;
        this.key = key;
    }

    /** The note at a place; empty if there is none that the key signed. */
    Optional<Note> at(NoteState.Place place) {
        Found found = new Found(origin -> true, (note, refused) -> {});
        StoredRecordReader reader = log.of(new TopicPartition(topic, place.partition()));
        if (place.offset() < reader.bounds().begin()
                || place.offset() >= reader.bounds().end()) {
            return Optional.empty();
        }
        try {
            reader.scanStored(place.offset(), place.offset() + 1, found);
        } catch (ExpiredRangeException e) {
            return Optional.empty();
        }
        return Optional.ofNullable(found.last);
    }

    /**
     * Reads all notes.
     *
     * @param partitions how many partitions the topic has
     * @param wanted says of an origin's text whether its notes are wanted
     * @param taker takes each note, or why a record under a wanted origin is none, in the order of each partition
     */
    public void read(int partitions, Predicate<String> wanted, BiConsumer<@Nullable Note, String> taker) {
        for (int partition = 0; partition < partitions; partition++) {
            StoredRecordReader reader = log.of(new TopicPartition(topic, partition));
            boolean read = false;
            while (!read) {
                try {
                    reader.scanStored(reader.bounds().begin(), reader.bounds().end(), new Found(wanted, taker));
                    read = true;
                } catch (ExpiredRangeException e) {
                    // Notes expire while they are read: those that are left are read again.
                    taker.accept(null, topic + "-" + partition + ": notes expire here");
                }
            }
        }
    }

    /**
     * The last note of a tree that is of a size; looks for it from the end of the topic on, ever further back.
     *
     * @param partitions how many partitions the topic has
     * @return empty if there is none
     */
    Optional<Note> ofSize(int partitions, Origin origin, long size) {
        Note[] found = new Note[1];
        boolean whole = false;
        for (long back = FIRST_BACK; !whole && found[0] == null; back *= BACK_GROWTH) {
            whole = true;
            for (int partition = 0; partition < partitions; partition++) {
                StoredRecordReader reader = log.of(new TopicPartition(topic, partition));
                Bounds bounds = reader.bounds();
                long from = Math.max(bounds.begin(), bounds.end() - back);
                whole &= from == bounds.begin();
                try {
                    reader.scanStored(from, bounds.end(), new Found(origin.text()::equals, (note, refused) -> {
                        if (note != null && note.head().size() == size) {
                            found[0] = note;
                        }
                    }));
                } catch (ExpiredRangeException e) {
                    whole = false; // What is left is read again.
                }
            }
        }
        return Optional.ofNullable(found[0]);
    }

    /** The key of the records that hold cosignatures on the notes of a tree. */
    static byte[] cosignedKey(Origin origin) {
        return (origin.text() + COSIGNED).getBytes(UTF_8);
    }

    /**
     * Reads all notes that witnesses cosigned: the notary's signature is on each, the witnesses' are as they were written.
     *
     * @param partitions how many partitions the topic has
     * @param wanted says of an origin's text whether its notes are wanted
     */
    public void readCosigned(int partitions, Predicate<String> wanted, BiConsumer<TreeHead, SignedNote> taker) {
        for (int partition = 0; partition < partitions; partition++) {
            StoredRecordReader reader = log.of(new TopicPartition(topic, partition));
            boolean read = false;
            while (!read) {
                try {
                    reader.scanStored(reader.bounds().begin(), reader.bounds().end(), record -> {
                        takeCosigned(record, wanted, taker);
                        return true;
                    });
                    read = true;
                } catch (ExpiredRangeException e) {
                    read = false; // What is left is read again.
                }
            }
        }
    }

    private void takeCosigned(StoredRecord record, Predicate<String> wanted, BiConsumer<TreeHead, SignedNote> taker) {
        byte[] named = record.key().toByteArray();
        byte[] value = record.value().toByteArray();
        String text = named == null || value == null ? "" : new String(named, UTF_8);
        if (value == null || !text.endsWith(COSIGNED)) {
            return;
        }
        String origin = text.substring(0, text.length() - COSIGNED.length());
        if (!wanted.test(origin)) {
            return;
        }
        try {
            SignedNote note = SignedNote.parse(value);
            TreeHead head = TreeHead.parse(note.text());
            if (head.origin().equals(origin) && note.isSignedBy(NoteKey.of(origin, key))) {
                taker.accept(head, note);
            }
        } catch (MalformedNoteException e) {
            // Anybody may have written it: a note without it counts as one that nobody cosigned.
        }
    }

    /** Takes the records of the topic. */
    private final class Found implements Predicate<StoredRecord> {
        private final Predicate<String> wanted;
        private final BiConsumer<@Nullable Note, String> taker;
        private @Nullable Note last;

        Found(Predicate<String> wanted, BiConsumer<@Nullable Note, String> taker) {
            this.wanted = wanted;
            this.taker = taker;
        }

        @Override
        public boolean test(StoredRecord record) {
            byte[] origin = record.key().toByteArray();
            byte[] value = record.value().toByteArray();
            String named = origin == null ? COSIGNED : new String(origin, UTF_8);
            if (value == null || named.endsWith(COSIGNED) || !wanted.test(named)) {
                return true;
            }
            try {
                Note note = Note.read(value, header(record), key);
                if (note.origin().text().equals(named)) {
                    last = note;
                    taker.accept(note, "");
                    return true;
                }
                taker.accept(null, topic + "@" + record.offset() + ": a note of another origin than its key says");
            } catch (MalformedNoteException e) {
                taker.accept(null, topic + "@" + record.offset() + ": " + e.getMessage());
            }
            return true;
        }

        private byte[] header(StoredRecord record) {
            Hash[] found = {Hash.empty()};
            record.forEachHeader((array, nameBegin, nameBytes, valueBegin, valueBytes) -> {
                if (valueBytes > 0
                        && Arrays.equals(array, nameBegin, nameBegin + nameBytes, HEADER, 0, HEADER.length)) {
                    found[0] = Hash.copyOf(array, valueBegin, valueBytes);
                }
            });
            return found[0].toByteArray();
        }
    }
}
