package dev.stormproof.consume;

import dev.stormproof.checkpoint.EventHeader;
import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.checkpoint.MalformedCheckpointException;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.checkpoint.TransformedHeader;
import java.util.Arrays;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/**
 * The reader of records' headers, which reads them where Kafka's client makes the record: there its bytes are in the processor's cache.
 *
 * <pre>
 *   client   makes a record ──► deserialize: what its headers say is noted, in the order of making
 *   fetch    records of the poll, by partition ──► find: the note with the same headers, nearly always the next one
 * </pre>
 *
 * <p>Values pass as they are. A record without one is not noted, since no deserializer sees it.
 *
 * <p>For the consumer's thread.
 */
final class FetchedHeaders implements Deserializer<byte[]> {
    /** What a header takes beside its name and value, about. */
    private static final int HEADER_OVERHEAD_BYTES = 40;

    private static final int FIRST_ROOM = 512;

    private final EventHeader.Fields fields = new EventHeader.Fields();
    private Headers[] noted = new Headers[FIRST_ROOM];
    /** {@link StreamId#NO_EMITTER} of what is no event, or bears a mark. */
    private long[] emitters = new long[FIRST_ROOM];

    private long[] sequences = new long[FIRST_ROOM];
    private int[] sizes = new int[FIRST_ROOM];
    private int count;
    /** The note that was found last. */
    private int at = -1;

    private byte @Nullable [] checkpoint;
    private byte @Nullable [] event;
    private boolean marked;
    private int sizeBytes;

    /** Forgets all notes: another poll begins. */
    void clear() {
        count = 0;
        at = -1;
    }

    @Override
    public byte[] deserialize(String topic, byte[] data) {
        return data;
    }

    @Override
    public byte[] deserialize(String topic, Headers headers, byte[] data) {
        read(headers);
        boolean plain = isEvent() && !marked;
        if (count == noted.length) {
            noted = Arrays.copyOf(noted, 2 * count);
            emitters = Arrays.copyOf(emitters, 2 * count);
            sequences = Arrays.copyOf(sequences, 2 * count);
            sizes = Arrays.copyOf(sizes, 2 * count);
        }
        noted[count] = headers;
        emitters[count] = plain ? fields.emitter() : StreamId.NO_EMITTER;
        sequences[count] = plain ? fields.sequence() : 0;
        sizes[count] = sizeBytes;
        count++;
        return data;
    }

    /** Finds the note of a record's headers; false if there is none, or if they are to be read. */
    @SuppressWarnings("ReferenceEquality") // Equal ones may be another record's.
    boolean find(Headers headers) {
        for (int tried = 0; tried < count; tried++) {
            at = at + 1 < count ? at + 1 : 0;
            boolean same = noted[at] == headers;
            if (same) {
                return emitters[at] != StreamId.NO_EMITTER;
            }
        }
        return false;
    }

    /** Of the note that was found. */
    long emitter() {
        return emitters[at];
    }

    /** Likewise. */
    long sequence() {
        return sequences[at];
    }

    /** Likewise, about. */
    int foundBytes() {
        return sizes[at];
    }

    /** Reads headers, each once: Kafka's client decodes a name and copies a value when they are asked for. */
    void read(Headers headers) {
        checkpoint = null;
        event = null;
        marked = false;
        sizeBytes = 0;
        for (Header one : headers) {
            String name = one.key();
            byte[] value = one.value();
            // The bytes of headers: those of a checkpoint hold its leaves, and a stranger's hold what he likes.
            sizeBytes += HEADER_OVERHEAD_BYTES + name.length() + (value == null ? 0 : value.length);
            switch (name) {
                case EventHeader.NAME -> event = value;
                case Format2Checkpoint.HEADER -> checkpoint = value;
                case TransformedHeader.UNVERIFIED -> marked = true;
                default -> {
                    // The application's own.
                }
            }
        }
    }

    /** What the headers say that were read. */
    Entry entry() {
        return Entry.of(checkpoint, event);
    }

    /** True if those bear the mark of what is not verified. */
    boolean isMarked() {
        return marked;
    }

    /** Their size, about. */
    int readBytes() {
        return sizeBytes;
    }

    private boolean isEvent() {
        byte[] header = event;
        if (checkpoint != null || header == null) {
            return false;
        }
        try {
            fields.read(header);
            return true;
        } catch (MalformedCheckpointException e) {
            return false;
        }
    }
}
