package dev.stormproof.proof.checkpoint;

import dev.stormproof.proof.checkpoint.UnattributedRecord.Kind;
import dev.stormproof.proof.sign.ByteSlice;
import dev.stormproof.proof.sign.EventSigner;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.sign.InPlaceSigner;
import dev.stormproof.proof.sign.Sha256Signer;
import dev.stormproof.proof.sign.Xxh3Signer;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Parses records into events, checkpoints and unattributed records, and computes an event's observed signature.
 *
 * <p>Nothing in a record is trusted: one that cannot be read becomes a {@link UnattributedRecord} with the reason. Holds digests;
 * one instance per thread.
 */
public final class LogRecordParser {
    private static final HeaderName CHECKPOINT = new HeaderName(Format2Checkpoint.HEADER);
    private static final HeaderName EVENT = new HeaderName(EventHeader.NAME);
    private static final ByteSlice NO_KEY = new ByteSlice();
    private static final int LAST_ASCII = 0x7f;
    /** How long a damaged header is at least that counts as text, if it is ASCII alone. */
    private static final int LEAST_TEXT = 16;
    /** How many bytes of a damaged header are looked at for that. */
    private static final int MOST_TEXT = 256;

    private final Origins origins;
    private final Format1Expected format1;
    private final CheckpointVerifier checkpoints;
    private final AllowedEmitters allowed;
    private final @Nullable EventSigner[] signers = new EventSigner[1 << Byte.SIZE];
    private final InPlaceSigner format1Signer = EventSigners.sha1();
    private final Sha256Signer contents = new Sha256Signer();
    private final Xxh3Signer fastContents = new Xxh3Signer();
    private final HeaderName format1Header;
    private final ByteSlice keyGiven = new ByteSlice();
    private final ByteSlice valueGiven = new ByteSlice();
    private final ByteSlice header = new ByteSlice();
    private final WireReader in = new WireReader(new byte[0], 0);
    private final byte[] signature = new byte[EventSigners.MAX_SIZE_BYTES];
    /** The time of the record that is being read. */
    private long written = LogRecord.NO_TIME;

    /** A record's headers: the last value of a name, or null. */
    @FunctionalInterface
    public interface Headers {
        byte @Nullable [] last(String name);

        /** Sets {@code value} to the last value of a name; false if it is null or there is none. */
        default boolean find(HeaderName name, ByteSlice value) {
            value.set(last(name.toString()));
            return !value.isNull();
        }
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
        this(origins, format1, applicationSigners, checkpoints, AllowedEmitters.ALL);
    }

    /** The same; it marks the checkpoints of emitters that are not allowed in their topic. */
    public LogRecordParser(
            Origins origins,
            Format1Expected format1,
            List<EventSigner> applicationSigners,
            CheckpointVerifier checkpoints,
            AllowedEmitters allowed) {
        this.allowed = allowed;
        this.origins = origins;
        this.format1 = format1;
        this.format1Header = new HeaderName(format1.header());
        this.checkpoints = checkpoints;
        for (EventSigner signer : applicationSigners) {
            signers[Byte.toUnsignedInt(signer.id())] = signer;
        }
    }

    /**
     * Reads one record of a partition.
     *
     * @param observed the signature that was observed when the record was read before, if it may have been transformed since;
     *     null to observe {@code key} and {@code value}
     */
    public LogRecord parse(
            String topic,
            int partition,
            long offset,
            long writtenMillis,
            byte @Nullable [] key,
            byte @Nullable [] value,
            Headers headers,
            @Nullable Hash observed) {
        keyGiven.set(key);
        valueGiven.set(value);
        return parseInPlace(topic, partition, offset, writtenMillis, keyGiven, valueGiven, headers, observed);
    }

    /** The same with key and value in place. */
    public LogRecord parseInPlace(
            String topic,
            int partition,
            long offset,
            long writtenMillis,
            ByteSlice key,
            ByteSlice value,
            Headers headers,
            @Nullable Hash observed) {
        written = writtenMillis;
        if (headers.find(CHECKPOINT, header)) {
            return checkpoint(topic, partition, offset, bytesOf(header), key.isNull() && value.isNull());
        }
        if (headers.find(EVENT, header)) {
            return event(topic, offset, key, value, headers, observed);
        }
        boolean signed = headers.find(format1Header, header);
        boolean checkpointOfFormat1 = !signed && Format1Codec.hasMagic(value);
        if ((signed || checkpointOfFormat1) && !format1.isExpectedIn(topic)) {
            return notExpected(offset, checkpointOfFormat1);
        }
        if (signed) {
            return format1Event(topic, offset, bytesOf(header), key, value, headers, observed);
        }
        if (checkpointOfFormat1) {
            return format1Checkpoint(topic, partition, offset, bytesOf(value));
        }
        return new UnattributedRecord(offset, Kind.UNSIGNED, "neither an event header nor a checkpoint", written);
    }

    /** True if a topic holds the output of a transform, whose statements about its events are read. */
    public boolean isTransformed(String topic) {
        return origins.isTransformed(topic);
    }

    /**
     * True if the record claims to be a checkpoint, readable or not: transforms copy it unaltered. One that consumers take for an event, because
     * it has a key or a value, is none.
     */
    public boolean isCheckpoint(byte @Nullable [] key, byte @Nullable [] value, Headers headers) {
        return headers.find(CHECKPOINT, header)
                ? key == null && value == null
                : value != null
                        && Format1Codec.hasMagic(value)
                        && headers.last(EventHeader.NAME) == null
                        && headers.last(format1.header()) == null;
    }

    private LogRecord event(
            String topic, long offset, ByteSlice key, ByteSlice value, Headers headers, @Nullable Hash observed) {
        try {
            in.read(header);
            Event stated = EventHeader.read(in, offset, written);
            byte[] transformed = transformedHeader(topic, headers);
            if (transformed == null) {
                Hash own = observed == null ? observed(stated, key, value) : observed;
                return stated.observedAs(own, Event.Content.UNTRANSFORMED);
            }
            Read read = read(transformed, key, value, headers);
            return stated.observedAs(read.observed(), read.content());
        } catch (MalformedCheckpointException malformed) {
            return unreadable(offset, Kind.MALFORMED_EVENT, malformed);
        }
    }

    private record Read(Hash observed, Event.Content content) {}

    private byte @Nullable [] transformedHeader(String topic, Headers headers) {
        return origins.isTransformed(topic) ? headers.last(TransformedHeader.NAME) : null;
    }

    private Read read(byte[] transformed, ByteSlice key, ByteSlice value, Headers headers)
            throws MalformedCheckpointException {
        TransformedHeader made = TransformedHeader.decode(transformed);
        InPlaceSigner signer = made.signatureAlgorithm() == EventSigners.SHA256_KEY_VALUE ? contents : fastContents;
        signer.sign(key, value, signature);
        if (!made.signature().isEqualTo(signature, 0, signer.sizeBytes())) {
            return new Read(Hash.empty(), Event.Content.ALTERED);
        }
        return headers.last(TransformedHeader.DIVERTED) == null
                ? new Read(made.read(), Event.Content.AS_MADE)
                : new Read(Hash.empty(), Event.Content.DIVERTED);
    }

    /**
     * The signature of an event by the algorithm that its header names; empty if that is unknown here. The very one that the
     * header states, if it is equal.
     */
    private Hash observed(Event event, ByteSlice key, ByteSlice value) {
        EventSigner signer = signer(event.signatureAlgorithm());
        if (signer == null) {
            return Hash.empty();
        }
        if (signer instanceof InPlaceSigner inPlace) {
            inPlace.sign(key, value, signature);
            return event.stated().isEqualTo(signature, 0, inPlace.sizeBytes())
                    ? event.stated()
                    : Hash.copyOf(signature, 0, inPlace.sizeBytes());
        }
        return signer.sign(key.toByteArray(), value.toByteArray());
    }

    private @Nullable EventSigner signer(int algorithm) {
        EventSigner known = signers[algorithm];
        if (known == null) {
            known = EventSigners.ofId(algorithm).orElse(null);
            signers[algorithm] = known;
        }
        return known;
    }

    private Hash format1Observed(ByteSlice value) {
        format1Signer.sign(NO_KEY, value, signature);
        String hex = HexFormat.of().formatHex(signature, 0, format1Signer.sizeBytes());
        return Hash.copyOf(hex.getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] bytesOf(ByteSlice slice) {
        return Objects.requireNonNull(slice.toByteArray());
    }

    private LogRecord notExpected(long offset, boolean checkpoint) {
        return checkpoint
                ? new UnattributedRecord(
                        offset,
                        Kind.UNTRUSTED_CHECKPOINT,
                        "a checkpoint of format 1, which nothing signs: format1.topics does not name this topic",
                        written)
                : new UnattributedRecord(
                        offset,
                        Kind.UNSIGNED,
                        "no event header; the header '" + format1.header()
                                + "' signs in format 1 only, and format1.topics does not name this topic",
                        written);
    }

    private LogRecord format1Event(
            String topic,
            long offset,
            byte[] stated,
            ByteSlice key,
            ByteSlice value,
            Headers headers,
            @Nullable Hash observed) {
        if (stated.length == 0 || stated.length > EventSigners.MAX_SIZE_BYTES) {
            return new UnattributedRecord(
                    offset, Kind.MALFORMED_EVENT, "a signature of " + stated.length + " bytes", written);
        }
        try {
            byte[] transformed = transformedHeader(topic, headers);
            Read read = transformed == null
                    ? new Read(observed == null ? format1Observed(value) : observed, Event.Content.UNTRANSFORMED)
                    : read(transformed, key, value, headers);
            return new Event(
                    offset,
                    StreamId.NO_EMITTER,
                    Event.NO_SEQUENCE,
                    TreeHash.ADLER32,
                    EventSigners.SHA1,
                    Hash.copyOf(stated),
                    read.observed(),
                    read.content(),
                    written);
        } catch (MalformedCheckpointException malformed) {
            return unattributed(offset, Kind.MALFORMED_EVENT, malformed);
        }
    }

    private LogRecord checkpoint(String topic, int partition, long offset, byte[] bytes, boolean bare) {
        try {
            Format2Checkpoint checkpoint = checkpoints.decode(bytes);
            StreamId origin = checkpoint.stream();
            if (!origin.topic().equals(origins.of(topic)) || origin.partition() != partition) {
                return new UnattributedRecord(offset, Kind.MISPLACED_CHECKPOINT, "a checkpoint of " + origin, written);
            }
            if (!bare) {
                return new UnattributedRecord(
                        offset,
                        Kind.FILLED_CHECKPOINT,
                        "a checkpoint of emitter " + origin.emitterHex() + " in a record with a key or a value",
                        written);
            }
            return record(offset, checkpoint.in(topic), CheckpointCodec.chainHash(checkpoint.treeHash(), bytes));
        } catch (MalformedCheckpointException malformed) {
            return unreadable(offset, Kind.MALFORMED_CHECKPOINT, malformed);
        }
    }

    private LogRecord format1Checkpoint(String topic, int partition, long offset, byte[] value) {
        try {
            return record(offset, Format1Codec.decode(topic, partition, value), Hash.empty());
        } catch (MalformedCheckpointException malformed) {
            return unattributed(offset, Kind.MALFORMED_CHECKPOINT, malformed);
        }
    }

    private CheckpointRecord record(long offset, Checkpoint checkpoint, Hash chainHash) {
        boolean unlisted = !allowed.allows(checkpoint.stream().topic(), checkpoint.emitterName());
        return new CheckpointRecord(offset, checkpoint, chainHash, written, unlisted);
    }

    /** What cannot be read of format 2; a tool that decodes headers makes text of all of them. */
    private UnattributedRecord unreadable(long offset, Kind damaged, MalformedCheckpointException malformed) {
        return isText(header)
                ? new UnattributedRecord(
                        offset,
                        Kind.REWRITTEN_HEADERS,
                        "headers were rewritten as text (UTF-8/Base64) on the way; a tool must pass them as bytes, Kafka Connect with"
                                + " header.converter=org.apache.kafka.connect.converters.ByteArrayConverter",
                        written)
                : unattributed(offset, damaged, malformed);
    }

    /** True if the first bytes of a header are UTF-8 with other characters than ASCII, or many and printable as Base64 is. */
    private static boolean isText(ByteSlice bytes) {
        int sizeBytes = Math.min(bytes.sizeBytes(), MOST_TEXT);
        CharBuffer text = CharBuffer.allocate(sizeBytes);
        ByteBuffer encoded = ByteBuffer.wrap(bytes.array(), bytes.begin(), sizeBytes);
        if (StandardCharsets.UTF_8.newDecoder().decode(encoded, text, false).isError()) {
            return false;
        }
        text.flip();
        return text.chars().anyMatch(one -> one > LAST_ASCII)
                || (sizeBytes >= LEAST_TEXT && text.chars().allMatch(one -> one > ' ' && one < LAST_ASCII));
    }

    private UnattributedRecord unattributed(long offset, Kind damaged, MalformedCheckpointException malformed) {
        Kind kind = switch (malformed.reason()) {
            case DAMAGED -> damaged;
            case UNSUPPORTED -> Kind.UNSUPPORTED;
            case UNTRUSTED -> Kind.UNTRUSTED_CHECKPOINT;
        };
        return new UnattributedRecord(
                offset, kind, Objects.requireNonNullElse(malformed.getMessage(), "unreadable"), written);
    }
}
