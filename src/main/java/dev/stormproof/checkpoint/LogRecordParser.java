package dev.stormproof.checkpoint;

import dev.stormproof.checkpoint.UnattributedRecord.Kind;
import dev.stormproof.merkle.Hash;
import dev.stormproof.merkle.TreeHash;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The parser tells events, checkpoints and unattributed records apart, and computes an event's observed signature.
 *
 * <p>Nothing in a record is believed: what cannot be read becomes a {@link UnattributedRecord} with the reason. Holds digests;
 * one instance per thread.
 */
public final class LogRecordParser {
    private final Origins origins;
    private final Format1Expected format1;
    private final CheckpointVerifier checkpoints;
    private final Map<Integer, EventSigner> signers = new HashMap<>();
    private final EventSigner format1Signer = EventSigners.sha1();
    private final ContentSigner contents = new ContentSigner();

    /** A record's headers: the last value of a name, or null. */
    @FunctionalInterface
    public interface Headers {
        byte @Nullable [] last(String name);
    }

    /**
     * @param origins the topics that hold the streams of others
     * @param format1 where records of format 1 are expected
     * @param applicationSigners the signature algorithms that the application supplies
     * @param checkpoints decides which checkpoints are believed
     */
    public LogRecordParser(
            Origins origins,
            Format1Expected format1,
            List<EventSigner> applicationSigners,
            CheckpointVerifier checkpoints) {
        this.origins = origins;
        this.format1 = format1;
        this.checkpoints = checkpoints;
        for (EventSigner signer : applicationSigners) {
            signers.put(Byte.toUnsignedInt(signer.id()), signer);
        }
    }

    /** Reads one record of a partition. */
    public LogRecord parse(
            String topic, int partition, long offset, byte @Nullable [] key, byte @Nullable [] value, Headers headers) {
        return parse(topic, partition, offset, key, value, headers, null);
    }

    /**
     * Reads one record that may have been transformed since {@link #observe} saw it.
     *
     * @param observed what that returned; null to observe {@code key} and {@code value}
     */
    public LogRecord parse(
            String topic,
            int partition,
            long offset,
            byte @Nullable [] key,
            byte @Nullable [] value,
            Headers headers,
            @Nullable Hash observed) {
        byte[] checkpoint = headers.last(Format2Checkpoint.HEADER);
        if (checkpoint != null) {
            return checkpoint(topic, partition, offset, checkpoint);
        }
        byte[] event = headers.last(EventHeader.NAME);
        if (event != null) {
            return event(topic, offset, event, key, value, headers, observed);
        }
        byte[] signature = headers.last(format1.header());
        boolean checkpointOfFormat1 = signature == null && value != null && Format1Codec.hasMagic(value);
        if ((signature != null || checkpointOfFormat1) && !format1.isExpectedIn(topic)) {
            return notExpected(offset, checkpointOfFormat1);
        }
        if (signature != null) {
            return format1Event(topic, offset, signature, key, value, headers, observed);
        }
        if (checkpointOfFormat1) {
            return format1Checkpoint(topic, partition, offset, Objects.requireNonNull(value));
        }
        return new UnattributedRecord(offset, Kind.UNSIGNED, "neither an event header nor a checkpoint");
    }

    /** True if a topic holds what a transform made, so that its events are read by what that states. */
    public boolean isTransformed(String topic) {
        return origins.isTransformed(topic);
    }

    /** True if the record says that it is a checkpoint, readable or not: it goes through every hop unaltered. */
    public boolean isCheckpoint(byte @Nullable [] value, Headers headers) {
        return headers.last(Format2Checkpoint.HEADER) != null
                || (value != null
                        && Format1Codec.hasMagic(value)
                        && headers.last(EventHeader.NAME) == null
                        && headers.last(format1.header()) == null);
    }

    /** The signature of an event, by the algorithm that its header names; empty if there is none or it is unknown. */
    public Hash observe(byte @Nullable [] key, byte @Nullable [] value, Headers headers) {
        byte[] event = headers.last(EventHeader.NAME);
        if (event == null) {
            return headers.last(format1.header()) == null ? Hash.empty() : format1Observed(value);
        }
        try {
            return observed(EventHeader.decode(event), key, value);
        } catch (MalformedCheckpointException malformed) {
            return Hash.empty();
        }
    }

    private LogRecord event(
            String topic,
            long offset,
            byte[] header,
            byte @Nullable [] key,
            byte @Nullable [] value,
            Headers headers,
            @Nullable Hash observed) {
        try {
            EventHeader stated = EventHeader.decode(header);
            Read read =
                    read(topic, key, value, headers, () -> observed == null ? observed(stated, key, value) : observed);
            return Event.of(offset, stated, read.observed(), read.content());
        } catch (MalformedCheckpointException malformed) {
            return unattributed(offset, Kind.MALFORMED_EVENT, malformed);
        }
    }

    /** The signature of the event that was read, the leaf of the tree, and what a transform states of the record. */
    private record Read(Hash observed, Event.Content content) {}

    /** @param own the signature of the record itself, which counts where no transform made it */
    private Read read(String topic, byte @Nullable [] key, byte @Nullable [] value, Headers headers, Supplier<Hash> own)
            throws MalformedCheckpointException {
        byte[] transformed = origins.isTransformed(topic) ? headers.last(TransformedHeader.NAME) : null;
        if (transformed == null) {
            return new Read(own.get(), Event.Content.UNTRANSFORMED);
        }
        TransformedHeader made = TransformedHeader.decode(transformed);
        if (!made.signature().equals(contents.sign(key, value))) {
            return new Read(Hash.empty(), Event.Content.ALTERED);
        }
        return headers.last(TransformedHeader.DIVERTED) == null
                ? new Read(made.read(), Event.Content.AS_MADE)
                : new Read(Hash.empty(), Event.Content.DIVERTED);
    }

    /** The signature of an event by the algorithm that its header names; empty if that is unknown here. */
    private Hash observed(EventHeader header, byte @Nullable [] key, byte @Nullable [] value) {
        EventSigner signer = signers.computeIfAbsent(
                header.signatureAlgorithm(), id -> EventSigners.ofId(id).orElse(null));
        return signer == null ? Hash.empty() : signer.sign(key, value);
    }

    /** The signature of format 1: the hexadecimal digits, as text. */
    private Hash format1Observed(byte @Nullable [] value) {
        String hex = EventSigners.signatureOf(format1Signer, value).toHex();
        return Hash.copyOf(hex.getBytes(StandardCharsets.US_ASCII));
    }

    private LogRecord notExpected(long offset, boolean checkpoint) {
        return checkpoint
                ? new UnattributedRecord(
                        offset,
                        Kind.UNTRUSTED_CHECKPOINT,
                        "a checkpoint of format 1, which nothing signs: format1.topics does not name this topic")
                : new UnattributedRecord(
                        offset,
                        Kind.UNSIGNED,
                        "no event header; the header '" + format1.header()
                                + "' signs in format 1 only, and format1.topics does not name this topic");
    }

    private LogRecord format1Event(
            String topic,
            long offset,
            byte[] signature,
            byte @Nullable [] key,
            byte @Nullable [] value,
            Headers headers,
            @Nullable Hash observed) {
        if (signature.length == 0 || signature.length > EventSigners.MAX_SIZE_BYTES) {
            return new UnattributedRecord(
                    offset, Kind.MALFORMED_EVENT, "a signature of " + signature.length + " bytes");
        }
        try {
            Read read = read(topic, key, value, headers, () -> observed == null ? format1Observed(value) : observed);
            return new Event(
                    offset,
                    StreamId.NO_EMITTER,
                    Event.NO_SEQUENCE,
                    TreeHash.ADLER32,
                    EventSigners.SHA1,
                    Hash.copyOf(signature),
                    read.observed(),
                    read.content());
        } catch (MalformedCheckpointException malformed) {
            return unattributed(offset, Kind.MALFORMED_EVENT, malformed);
        }
    }

    private LogRecord checkpoint(String topic, int partition, long offset, byte[] bytes) {
        try {
            Format2Checkpoint checkpoint = checkpoints.decode(bytes);
            StreamId origin = checkpoint.stream();
            if (!origin.topic().equals(origins.of(topic)) || origin.partition() != partition) {
                return new UnattributedRecord(offset, Kind.MISPLACED_CHECKPOINT, "a checkpoint of " + origin);
            }
            return new CheckpointRecord(
                    offset, checkpoint.in(topic), CheckpointCodec.chainHash(checkpoint.treeHash(), bytes));
        } catch (MalformedCheckpointException malformed) {
            return unattributed(offset, Kind.MALFORMED_CHECKPOINT, malformed);
        }
    }

    private static LogRecord format1Checkpoint(String topic, int partition, long offset, byte[] value) {
        try {
            return new CheckpointRecord(offset, Format1Codec.decode(topic, partition, value), Hash.empty());
        } catch (MalformedCheckpointException malformed) {
            return unattributed(offset, Kind.MALFORMED_CHECKPOINT, malformed);
        }
    }

    private static UnattributedRecord unattributed(long offset, Kind damaged, MalformedCheckpointException malformed) {
        Kind kind = switch (malformed.reason()) {
            case DAMAGED -> damaged;
            case UNSUPPORTED -> Kind.UNSUPPORTED;
            case UNTRUSTED -> Kind.UNTRUSTED_CHECKPOINT;
        };
        return new UnattributedRecord(offset, kind, Objects.requireNonNullElse(malformed.getMessage(), "unreadable"));
    }
}
