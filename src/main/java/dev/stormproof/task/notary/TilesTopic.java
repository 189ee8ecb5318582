package dev.stormproof.task.notary;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.evidence.notary.NoteState;
import dev.stormproof.evidence.notary.Origin;
import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.log.kafka.KafkaLogReader;
import dev.stormproof.log.kafka.KafkaPartitionReader;
import dev.stormproof.log.kafka.WrittenEnd;
import dev.stormproof.proof.tree.Hash;
import java.util.Optional;
import java.util.function.ObjLongConsumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads the compacted topic of tiles: a record's key is {@code origin LF tile index}, its value the hashes of up to 256 leaves. A longer tile
 * of the same key replaces an unfinished one. For one thread.
 */
public final class TilesTopic {
    private final KafkaLogReader log;
    private final String topic;

    /** @param log a reader of stored records, which others may use in between; stays open */
    public TilesTopic(KafkaLogReader log, String topic) {
        this.log = log;
        this.topic = topic;
    }

    static byte[] key(Origin origin, long index) {
        return (origin.text() + "\n" + index).getBytes(UTF_8);
    }

    /**
     * The hashes of the record at a place; empty if it is not there.
     *
     * @throws LastNoteUnreadException if an open transaction hides what is there
     */
    Optional<Hash> at(NoteState.Place place, Admin admin) {
        TopicPartition partition = new TopicPartition(topic, place.partition());
        KafkaPartitionReader reader = log.of(partition);
        // Another task's transaction may be open before it.
        boolean readable = WrittenEnd.becomesReadable(reader, place.offset() + 1);
        if (!readable && WrittenEnd.of(admin, partition) > place.offset()) {
            throw new LastNoteUnreadException("the unfinished tile at " + partition + "@" + place.offset()
                    + " is hidden by an open transaction: waiting for its end");
        }
        if (!readable || place.offset() < reader.begin()) {
            return Optional.empty();
        }
        Hash[] found = {Hash.empty()};
        try {
            reader.scanStored(place.offset(), place.offset() + 1, record -> {
                byte[] value = record.value().toByteArray();
                found[0] = value == null ? Hash.empty() : Hash.copyOf(value);
                return true;
            });
        } catch (ExpiredRangeException e) {
            return Optional.empty();
        }
        return Optional.of(found[0]).filter(hashes -> hashes.sizeBytes() > 0);
    }

    /**
     * Reads all tiles of a tree, including unfinished ones.
     *
     * @param taker takes the hashes and the index of a tile
     */
    public void read(int partitions, Origin origin, ObjLongConsumer<Hash> taker) {
        String prefix = origin.text() + "\n";
        for (int partition = 0; partition < partitions; partition++) {
            KafkaPartitionReader reader = log.of(new TopicPartition(topic, partition));
            boolean read = false;
            while (!read) {
                try {
                    reader.scanStored(reader.begin(), reader.bounds().end(), record -> {
                        byte[] key = record.key().toByteArray();
                        byte[] value = record.value().toByteArray();
                        String text = key == null || value == null ? "" : new String(key, UTF_8);
                        if (value != null
                                && text.startsWith(prefix)
                                && text.substring(prefix.length()).matches("[0-9]{1,18}")) {
                            taker.accept(Hash.copyOf(value), Long.parseLong(text.substring(prefix.length())));
                        }
                        return true;
                    });
                    read = true;
                } catch (ExpiredRangeException e) {
                    read = false; // The remaining ones are read again.
                }
            }
        }
    }
}
