package dev.stormproof.task.heads;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.verify.fold.Head;
import dev.stormproof.verify.fold.SavedStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.apache.kafka.common.TopicPartition;

/**
 * The record of one stream in the topic of heads. All integers are big endian.
 *
 * <pre>
 *   key    at  size  field
 *           0     1  version, 1
 *           1     4  partition of the input
 *           5     8  emitter id; 0 of the stream of format 1
 *          13        topic of the input
 *
 *   value  at  size  field
 *           0     1  version, 1
 *           1     1  flags: 1 anchored, 2 passed, 4 given up, 8 flawed; the others 0
 *           2     8  topic id; 0 if unknown
 *          10     1  count of heads, 1 to 8
 *          11     1  count of dropped checkpoints, 0 to 16
 *          12        heads
 *                    dropped checkpoints, each its offset, 8 bytes, the size of its hash, 1 byte, and the hash
 *                 4  checksum: CRC32C over the key and everything before it
 *
 *   head   at  size  field
 *           0     8  offset, or -1
 *           8     8  number; -1 of the stream's beginning
 *          16     8  next sequence
 *          24     8  promise, milliseconds; 0 if none
 *          32     8  written at, milliseconds
 *          40     8  first offset, or -1
 *          48     1  flags: 1 closing, 2 whole, 4 anchored; the others 0
 *          49     1  h, the size of its hash, 0 to 32
 *          50     1  n, the size of the emitter's name
 *          51     h  hash
 *                 n  emitter's name
 * </pre>
 *
 * <p>There is one form of each: what is read is written again as the same bytes.
 */
final class HeadsCodec {
    static final int VERSION = 1;
    static final int KEY_FIXED_BYTES = 13;
    static final int VALUE_FIXED_BYTES = 12;
    static final int HEAD_FIXED_BYTES = 51;
    private static final int DROPPED_FIXED_BYTES = 9;
    static final int CHECKSUM_BYTES = Integer.BYTES;

    private static final int LARGEST_HASH = 32;

    /** The largest value that is read: eight heads of the largest name and sixteen dropped ones. */
    static final int MAX_BYTES = 3_376;

    private static final int ANCHORED = 1;
    private static final int PASSED = 2;
    private static final int GIVEN_UP = 4;
    private static final int FLAWED = 8;

    private static final int HEAD_CLOSING = 1;
    private static final int HEAD_WHOLE = 2;
    private static final int HEAD_ANCHORED = 4;

    private static final Pattern TOPIC = Pattern.compile("[A-Za-z0-9._-]{1,249}");

    private HeadsCodec() {}

    /** Which stream a record is of. */
    record Key(TopicPartition partition, long emitter) {}

    /**
     * What a record says of its stream.
     *
     * @param topicId distinguishes the topic of the input from others that had its name; 0 if unknown
     */
    record Value(long topicId, SavedStream stream) {}

    static byte[] key(TopicPartition partition, long emitter) {
        byte[] topic = partition.topic().getBytes(US_ASCII);
        return ByteBuffer.allocate(KEY_FIXED_BYTES + topic.length)
                .put((byte) VERSION)
                .putInt(partition.partition())
                .putLong(emitter)
                .put(topic)
                .array();
    }

    static Key readKey(byte[] bytes) throws MalformedHeadsException {
        Fields in = new Fields(bytes, bytes.length);
        in.version();
        int partition = in.int32("partition", 0);
        long emitter = in.int64("emitter id", Long.MIN_VALUE);
        int position = in.position();
        String topic = new String(in.bytes("topic", in.remaining()), US_ASCII);
        if (!TOPIC.matcher(topic).matches()) {
            throw new MalformedHeadsException(position, "topic", topic.length() + " bytes", "the name of a topic");
        }
        return new Key(new TopicPartition(topic, partition), emitter);
    }

    /** @throws IllegalArgumentException if a field is out of its bounds, so that it could not be read */
    static byte[] value(byte[] key, Value value) {
        SavedStream stream = value.stream();
        List<byte[]> names = stream.heads().stream()
                .map(head -> head.emitterName().getBytes(UTF_8))
                .toList();
        int sizeBytes = VALUE_FIXED_BYTES + CHECKSUM_BYTES;
        for (int i = 0; i < names.size(); i++) {
            sizeBytes += HEAD_FIXED_BYTES + stream.heads().get(i).hash().sizeBytes() + names.get(i).length;
        }
        for (SavedStream.Dropped dropped : stream.dropped()) {
            sizeBytes += DROPPED_FIXED_BYTES + dropped.hash().sizeBytes();
        }
        ByteBuffer out = ByteBuffer.allocate(sizeBytes);
        out.put((byte) VERSION)
                .put((byte) (flag(stream.anchored(), ANCHORED)
                        | flag(stream.passed(), PASSED)
                        | flag(stream.givenUp(), GIVEN_UP)
                        | flag(stream.flawed(), FLAWED)))
                .putLong(value.topicId())
                .put((byte) stream.heads().size())
                .put((byte) stream.dropped().size());
        for (int i = 0; i < names.size(); i++) {
            put(out, stream.heads().get(i), names.get(i));
        }
        for (SavedStream.Dropped dropped : stream.dropped()) {
            out.putLong(dropped.offset())
                    .put((byte) dropped.hash().sizeBytes())
                    .put(dropped.hash().toByteArray());
        }
        out.putInt(checksum(key, out.array(), out.position()));
        demandReadable(key, value, out.array());
        return out.array();
    }

    static Value readValue(byte[] key, byte[] bytes) throws MalformedHeadsException {
        if (bytes.length > MAX_BYTES) {
            throw new MalformedHeadsException(MAX_BYTES, "end", bytes.length + " bytes", "at most " + MAX_BYTES);
        }
        int checksumAt = bytes.length - CHECKSUM_BYTES;
        if (checksumAt < 0 || ByteBuffer.wrap(bytes).getInt(checksumAt) != checksum(key, bytes, checksumAt)) {
            throw new MalformedHeadsException(
                    Math.max(0, checksumAt), "checksum", "another", "that of the key and all bytes before it");
        }
        Fields in = new Fields(bytes, checksumAt);
        in.version();
        int flags = in.uint8("flags", 0, ANCHORED | PASSED | GIVEN_UP | FLAWED);
        long topicId = in.int64("topic id", Long.MIN_VALUE);
        int headCount = in.uint8("count of heads", 1, SavedStream.MOST_HEADS);
        int droppedCount = in.uint8("count of dropped checkpoints", 0, SavedStream.MOST_DROPPED);
        List<Head> heads = new ArrayList<>(headCount);
        for (int i = 0; i < headCount; i++) {
            heads.add(head(in));
        }
        List<SavedStream.Dropped> dropped = new ArrayList<>(droppedCount);
        for (int i = 0; i < droppedCount; i++) {
            long offset = in.int64("offset of a dropped checkpoint", 0);
            int sizeBytes = in.uint8("size of hash", 0, LARGEST_HASH);
            dropped.add(new SavedStream.Dropped(offset, Hash.copyOf(in.bytes("hash", sizeBytes))));
        }
        in.end();
        return new Value(
                topicId,
                new SavedStream(
                        readKey(key).emitter(),
                        heads,
                        (flags & ANCHORED) != 0,
                        (flags & PASSED) != 0,
                        (flags & GIVEN_UP) != 0,
                        (flags & FLAWED) != 0,
                        dropped));
    }

    private static void put(ByteBuffer out, Head head, byte[] name) {
        out.putLong(head.offset())
                .putLong(head.number())
                .putLong(head.nextSequence())
                .putLong(head.deadlineMillis())
                .putLong(head.writtenMillis())
                .putLong(head.firstOffset())
                .put((byte) (flag(head.closing(), HEAD_CLOSING)
                        | flag(head.whole(), HEAD_WHOLE)
                        | flag(head.anchored(), HEAD_ANCHORED)))
                .put((byte) head.hash().sizeBytes())
                .put((byte) name.length)
                .put(head.hash().toByteArray())
                .put(name);
    }

    private static Head head(Fields in) throws MalformedHeadsException {
        long offset = in.int64("offset", -1);
        long number = in.int64("number", Head.BEGINNING);
        long nextSequence = in.int64("next sequence", 0);
        long deadlineMillis = in.int64("promise", 0);
        long writtenMillis = in.int64("written at", Long.MIN_VALUE);
        long firstOffset = in.int64("first offset", -1);
        int flags = in.uint8("flags of head", 0, HEAD_CLOSING | HEAD_WHOLE | HEAD_ANCHORED);
        int hashBytes = in.uint8("size of hash", 0, LARGEST_HASH);
        int nameBytes = in.uint8("size of emitter's name", 0, Format2Checkpoint.MAX_NAME_BYTES);
        Hash hash = Hash.copyOf(in.bytes("hash", hashBytes));
        return new Head(
                offset,
                number,
                nextSequence,
                hash,
                deadlineMillis,
                (flags & HEAD_CLOSING) != 0,
                in.utf8("emitter's name", nameBytes),
                writtenMillis,
                firstOffset,
                (flags & HEAD_WHOLE) != 0,
                (flags & HEAD_ANCHORED) != 0);
    }

    /** What could not be read would be lost at the next start. */
    private static void demandReadable(byte[] key, Value value, byte[] bytes) {
        try {
            if (!readValue(key, bytes).equals(value)) {
                throw new IllegalArgumentException("it would be read as another: " + value);
            }
        } catch (MalformedHeadsException e) {
            throw new IllegalArgumentException(e.getMessage() + ": " + value, e);
        }
    }

    private static int flag(boolean is, int flag) {
        return is ? flag : 0;
    }

    private static int checksum(byte[] key, byte[] bytes, int end) {
        CRC32C crc = new CRC32C();
        crc.update(key);
        crc.update(bytes, 0, end);
        return (int) crc.getValue();
    }

    /** Reads fields one after the other, each within its bounds and with no more bytes than there are. */
    private static final class Fields {
        private final ByteBuffer in;

        Fields(byte[] bytes, int end) {
            this.in = ByteBuffer.wrap(bytes, 0, end);
        }

        int position() {
            return in.position();
        }

        int remaining() {
            return in.remaining();
        }

        void version() throws MalformedHeadsException {
            uint8("version", VERSION, VERSION);
        }

        int uint8(String field, int least, int most) throws MalformedHeadsException {
            demand(field, 1);
            int value = Byte.toUnsignedInt(in.get());
            if (value < least || value > most) {
                throw new MalformedHeadsException(
                        position() - 1,
                        field,
                        Integer.toString(value),
                        least == most ? "" + least : least + " to " + most);
            }
            return value;
        }

        int int32(String field, int least) throws MalformedHeadsException {
            demand(field, Integer.BYTES);
            return (int) atLeast(least, position(), field, in.getInt());
        }

        long int64(String field, long least) throws MalformedHeadsException {
            demand(field, Long.BYTES);
            return atLeast(least, position(), field, in.getLong());
        }

        byte[] bytes(String field, int sizeBytes) throws MalformedHeadsException {
            demand(field, sizeBytes);
            byte[] bytes = new byte[sizeBytes];
            in.get(bytes);
            return bytes;
        }

        String utf8(String field, int sizeBytes) throws MalformedHeadsException {
            int position = position();
            try {
                return UTF_8.newDecoder()
                        .decode(ByteBuffer.wrap(bytes(field, sizeBytes)))
                        .toString();
            } catch (CharacterCodingException e) {
                throw new MalformedHeadsException(position, field, "bytes that are no UTF-8", "UTF-8");
            }
        }

        void end() throws MalformedHeadsException {
            if (in.hasRemaining()) {
                throw new MalformedHeadsException(position(), "end", remaining() + " more bytes", "the end");
            }
        }

        private static long atLeast(long least, int position, String field, long value) throws MalformedHeadsException {
            if (value < least) {
                throw new MalformedHeadsException(position, field, Long.toString(value), "at least " + least);
            }
            return value;
        }

        private void demand(String field, int sizeBytes) throws MalformedHeadsException {
            if (sizeBytes > in.remaining()) {
                throw new MalformedHeadsException(
                        position(), field, "the end after " + in.remaining() + " bytes", sizeBytes + " bytes");
            }
        }
    }
}
