package dev.stormproof.task.notary;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.evidence.notary.MalformedNoteException;
import dev.stormproof.evidence.notary.Note;
import dev.stormproof.evidence.notary.NoteState;
import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.log.kafka.KafkaLogReader;
import dev.stormproof.log.kafka.KafkaPartitionReader;
import dev.stormproof.log.kafka.StoredRecord;
import dev.stormproof.proof.sign.PublicKey;
import dev.stormproof.proof.tree.Hash;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Reads the topic of notes: a record's key is the origin, its value the signed note, and a header its state.
 *
 * <p>Records without a note of the key are ignored: any producer may have written them. For one thread.
 */
public final class NotesTopic {
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

    /** The note at a place; empty if the key signed none there. */
    Optional<Note> at(NoteState.Place place) {
        Found found = new Found(origin -> true, (note, refused) -> {});
        KafkaPartitionReader reader = log.of(new TopicPartition(topic, place.partition()));
        if (place.offset() < reader.begin() || place.offset() >= reader.bounds().end()) {
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
     * @param wanted accepts the texts of wanted origins
     * @param taker takes each note, or why a record of a wanted origin is none, in the order of each partition
     */
    public void read(int partitions, Predicate<String> wanted, BiConsumer<@Nullable Note, String> taker) {
        for (int partition = 0; partition < partitions; partition++) {
            KafkaPartitionReader reader = log.of(new TopicPartition(topic, partition));
            boolean read = false;
            while (!read) {
                try {
                    reader.scanStored(reader.begin(), reader.bounds().end(), new Found(wanted, taker));
                    read = true;
                } catch (ExpiredRangeException e) {
                    // Notes expired while they were read: the remaining ones are read again.
                    taker.accept(null, topic + "-" + partition + ": notes expire here");
                }
            }
        }
    }

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
            if (origin == null || value == null) {
                return true;
            }
            String named = new String(origin, UTF_8);
            if (!wanted.test(named)) {
                return true;
            }
            try {
                Note note = Note.read(value, header(record), key);
                if (note.origin().text().equals(named)) {
                    last = note;
                    taker.accept(note, "");
                    return true;
                }
                taker.accept(null, topic + "@" + record.offset() + ": a note whose origin is not that of its key");
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
