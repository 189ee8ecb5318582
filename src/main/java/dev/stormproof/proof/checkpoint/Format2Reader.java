package dev.stormproof.proof.checkpoint;

import static dev.stormproof.proof.checkpoint.CheckpointCodec.MAX_SIZE_BYTES;
import static dev.stormproof.proof.checkpoint.Format2Layout.CHECKSUM_BYTES;
import static dev.stormproof.proof.checkpoint.Format2Layout.RANGE_BYTES;
import static dev.stormproof.proof.checkpoint.MalformedCheckpointException.damaged;
import static dev.stormproof.proof.checkpoint.MalformedCheckpointException.unsupported;

import dev.stormproof.proof.tree.CompactRange;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.Leaves;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.proof.tree.Xxh3;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads one untrusted checkpoint of format 2.
 *
 * <p>Fields are read before the checksum is compared, so that a damage is reported where it is if its field shows it, and
 * at the checksum if none does. Nothing is allocated before its size is known to be there.
 */
final class Format2Reader {
    private final byte[] bytes;
    private final boolean intact;
    private final WireReader in;

    Format2Reader(byte[] bytes) throws MalformedCheckpointException {
        if (bytes.length > MAX_SIZE_BYTES) {
            throw damaged(MAX_SIZE_BYTES, "end", bytes.length + " bytes", "at most " + MAX_SIZE_BYTES);
        }
        int checksumAt = bytes.length - CHECKSUM_BYTES;
        this.bytes = bytes;
        this.intact = checksumAt >= 0
                && Xxh3.hash(bytes, 0, checksumAt) == ByteBuffer.wrap(bytes).getLong(checksumAt);
        this.in = new WireReader(bytes, Math.max(0, checksumAt));
    }

    Format2Checkpoint read() throws MalformedCheckpointException {
        Format2Checkpoint checkpoint;
        try {
            checkpoint = readFields();
        } catch (MalformedCheckpointException e) {
            throw e.unsupported() && !intact ? e.asDamaged() : e;
        }
        if (!intact) {
            throw damaged(bytes.length - CHECKSUM_BYTES, "checksum", "another", "that of all bytes before it");
        }
        return checkpoint;
    }

    boolean isIntact() {
        return intact;
    }

    /** The places of signature and key id; empty if the flags say that the checkpoint is unsigned. */
    Optional<SignedTrailer> trailer() throws MalformedCheckpointException {
        return trailer(readMagicVersionAndFlags(new WireReader(bytes, Math.max(0, bytes.length - CHECKSUM_BYTES))));
    }

    private Optional<SignedTrailer> trailer(int flags) throws MalformedCheckpointException {
        return (flags & Format2Layout.SIGNED) == 0 ? Optional.empty() : Optional.of(SignedTrailer.of(bytes));
    }

    private Format2Checkpoint readFields() throws MalformedCheckpointException {
        int flags = readMagicVersionAndFlags(in);
        Optional<SignedTrailer> trailer = trailer(flags);
        trailer.ifPresent(signed -> in.endAt(signed.begin()));
        TreeHash treeHash = Format2Rules.readTreeHash(in);
        int algorithm = Format2Rules.readAlgorithm(in);
        int sizePosition = in.position();
        int signatureBytes = in.uint8("size of signature");
        Format2Rules.checkSignatureRead(sizePosition, algorithm, signatureBytes);
        long emitter = Format2Rules.readEmitter(in);
        int partition = in.int32("partition", 0, Integer.MAX_VALUE);
        long number = in.int64("number", 0);
        long firstSequence = readFirstSequence(number);
        int eventCount = in.int32("event count", 0, (int) CompactRange.MAX_LEAVES);
        long createdAtMillis = in.int64("created at", 0);
        long deadlineMillis = in.int64("deadline", 0);
        long previousOffsetHint = in.int64("previous offset hint", -1);
        int uncertainCount = in.uint16("count of uncertain ranges", 0, Format2Checkpoint.MAX_UNCERTAIN);
        int topicBytes = in.uint8("size of topic", 1, Format2Rules.MAX_TOPIC_BYTES);
        int nameBytes = in.uint8("size of emitter's name");
        String topic = readTopic(topicBytes);
        String name = readName(nameBytes);
        boolean refused = (flags & Format2Layout.REFUSED) != 0;
        List<SequenceRange> uncertain = readUncertain(uncertainCount, firstSequence, eventCount, refused);
        Hash root = in.hash("root", treeHash.sizeBytes());
        Hash previousHash = in.hash("previous hash", number == 0 ? 0 : treeHash.sizeBytes());
        Optional<Leaves> leaves = (flags & Format2Layout.WITH_LEAVES) == 0
                ? Optional.empty()
                : Optional.of(readLeaves(eventCount, signatureBytes));
        in.end();
        return new Format2Checkpoint(
                new StreamId(topic, partition, emitter),
                name,
                number,
                firstSequence,
                eventCount,
                treeHash,
                algorithm,
                signatureBytes,
                root,
                previousHash,
                createdAtMillis,
                deadlineMillis,
                (flags & Format2Layout.CLOSING) != 0,
                uncertain,
                refused,
                previousOffsetHint,
                leaves,
                trailer.map(SignedTrailer::keyId));
    }

    private static int readMagicVersionAndFlags(WireReader in) throws MalformedCheckpointException {
        int magic = in.int32("magic");
        if (magic != Format2Layout.MAGIC) {
            throw damaged(0, "magic", Integer.toHexString(magic), Integer.toHexString(Format2Layout.MAGIC));
        }
        int position = in.position();
        int version = in.uint8("version");
        if (version != Format2Layout.VERSION) {
            throw unsupported(position, "version", Integer.toString(version), "1");
        }
        return in.uint8("flags", 0, Format2Layout.ALL_FLAGS);
    }

    private long readFirstSequence(long number) throws MalformedCheckpointException {
        int position = in.position();
        long firstSequence = in.int64("first sequence", 0);
        if (number == 0 && firstSequence != 0) {
            throw damaged(position, "first sequence", Long.toString(firstSequence), "0 in number 0");
        }
        return firstSequence;
    }

    private String readTopic(int sizeBytes) throws MalformedCheckpointException {
        int position = in.position();
        String topic = in.utf8("topic", sizeBytes);
        if (!Format2Rules.isTopic(topic)) {
            throw damaged(position, "topic", "a name that Kafka refuses", "letters, digits, '.', '_' and '-'");
        }
        return topic;
    }

    private String readName(int sizeBytes) throws MalformedCheckpointException {
        int position = in.position();
        String name = in.utf8("emitter's name", sizeBytes);
        if (!Format2Rules.isName(name)) {
            throw damaged(position, "emitter's name", "control characters", "none");
        }
        return name;
    }

    private List<SequenceRange> readUncertain(int count, long firstSequence, int eventCount, boolean refused)
            throws MalformedCheckpointException {
        int position = in.position();
        in.demand("uncertain ranges", (long) RANGE_BYTES * count);
        List<SequenceRange> uncertain = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            long begin = in.int64("begin of uncertain range", firstSequence);
            int endPosition = in.position();
            long end = in.int64("end of uncertain range");
            if (end <= begin) {
                throw damaged(endPosition, "end of uncertain range", Long.toString(end), "more than " + begin);
            }
            uncertain.add(new SequenceRange(begin, end));
        }
        String fault = Format2Rules.faultOfUncertain(firstSequence, eventCount, uncertain, refused);
        if (!fault.isEmpty()) {
            throw damaged(position, "uncertain ranges", fault, "disjoint ranges in order, in the interval");
        }
        return uncertain;
    }

    private Leaves readLeaves(int count, int signatureBytes) throws MalformedCheckpointException {
        long sizeBytes = (long) count * signatureBytes;
        int begin = in.skip("leaves", sizeBytes);
        return Leaves.within(bytes, begin, count, signatureBytes);
    }
}
