package dev.stormproof.proof.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.proof.sign.CheckpointKey;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.Leaves;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.proof.tree.Xxh3;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes checkpoints of format 2, version 1.
 *
 * <p>{@link Format2Layout} draws the bytes. See docs/FORMAT.md.
 */
public final class CheckpointCodec {
    /** The largest size that is read or written. */
    public static final int MAX_SIZE_BYTES = 64 << 20;

    private CheckpointCodec() {}

    /** True if the bytes begin as a checkpoint of format 2 does. */
    public static boolean hasMagic(byte[] bytes) {
        return bytes.length >= Integer.BYTES && ByteBuffer.wrap(bytes).getInt() == Format2Layout.MAGIC;
    }

    public static byte[] encode(Format2Checkpoint checkpoint) {
        if (checkpoint.keyId().isPresent()) {
            throw new IllegalArgumentException(
                    "a checkpoint signed by " + checkpoint.keyId().get() + " needs that key to be written");
        }
        return encode(checkpoint, encodedSizeBytes(checkpoint), null);
    }

    /** The bytes of a checkpoint signed with {@code key}; {@link Format2Checkpoint#keyId} is ignored. */
    public static byte[] encode(Format2Checkpoint checkpoint, CheckpointKey key) {
        long unsignedBytes = encodedSizeBytes(checkpoint);
        return encode(checkpoint, checkedSize(unsignedBytes + SignedTrailer.sizeBytes(key.id())), key);
    }

    /** The size of the checkpoint without a signature; throws if that is more than {@link #MAX_SIZE_BYTES}. */
    public static int encodedSizeBytes(Format2Checkpoint checkpoint) {
        return checkedSize(Format2Layout.FIXED_BYTES
                + checkpoint.stream().topic().length()
                + checkpoint.emitterName().getBytes(UTF_8).length
                + (long) Format2Layout.RANGE_BYTES * checkpoint.uncertain().size()
                + checkpoint.root().sizeBytes()
                + checkpoint.previousHash().sizeBytes()
                + checkpoint.leaves().map(Leaves::packedSizeBytes).orElse(0L)
                + Format2Layout.CHECKSUM_BYTES);
    }

    /**
     * Reads a checkpoint, whether signed or not, and does not check the signature; see {@link CheckpointVerifier}.
     *
     * @param bytes hold the leaves of the result, and must not change any more
     */
    public static Format2Checkpoint decode(byte[] bytes) throws MalformedCheckpointException {
        return new Format2Reader(bytes).read();
    }

    /**
     * The hash of encoded bytes, signature and checksum left out, that the next checkpoint of the stream states.
     *
     * @param encoded a checkpoint that was encoded or decoded before, so that its checksum is right: with {@link
     *     TreeHash#XXH3} and without a signature it is the chain hash too, and nothing is hashed again
     */
    public static Hash chainHash(TreeHash treeHash, byte[] encoded) {
        int bodyEnd = bodyEnd(encoded);
        if (treeHash == TreeHash.XXH3 && bodyEnd == encoded.length - Format2Layout.CHECKSUM_BYTES) {
            return Hash.copyOf(encoded, bodyEnd, Format2Layout.CHECKSUM_BYTES);
        }
        return treeHash.hash(encoded, bodyEnd);
    }

    private static int bodyEnd(byte[] encoded) {
        if (encoded.length < Format2Layout.FIXED_BYTES + Format2Layout.CHECKSUM_BYTES) {
            throw new IllegalArgumentException("no checkpoint of format 2");
        }
        if ((encoded[Format2Layout.FLAGS_AT] & Format2Layout.SIGNED) == 0) {
            return encoded.length - Format2Layout.CHECKSUM_BYTES;
        }
        try {
            return SignedTrailer.of(encoded).begin();
        } catch (MalformedCheckpointException e) {
            throw new IllegalArgumentException("no checkpoint of format 2", e);
        }
    }

    private static int checkedSize(long sizeBytes) {
        if (sizeBytes > MAX_SIZE_BYTES) {
            throw new IllegalArgumentException("more than " + MAX_SIZE_BYTES + " bytes of a checkpoint: " + sizeBytes);
        }
        return (int) sizeBytes;
    }

    private static byte[] encode(Format2Checkpoint checkpoint, int sizeBytes, @Nullable CheckpointKey key) {
        byte[] bytes = new byte[sizeBytes];
        ByteBuffer out = ByteBuffer.wrap(bytes);
        writeBody(checkpoint, key == null ? 0 : Format2Layout.SIGNED, out);
        if (key != null) {
            out.put(key.id().getBytes(UTF_8)).put((byte) key.id().length());
            out.put(key.sign(bytes, out.position()));
        }
        out.putLong(Xxh3.hash(bytes, 0, out.position()));
        return bytes;
    }

    private static void writeBody(Format2Checkpoint checkpoint, int signedFlag, ByteBuffer out) {
        byte[] topic = checkpoint.stream().topic().getBytes(UTF_8);
        byte[] name = checkpoint.emitterName().getBytes(UTF_8);
        int closingFlag = checkpoint.closing() ? Format2Layout.CLOSING : 0;
        int leavesFlag = checkpoint.leaves().isPresent() ? Format2Layout.WITH_LEAVES : 0;
        int refusedFlag = checkpoint.refused() ? Format2Layout.REFUSED : 0;
        out.putInt(Format2Layout.MAGIC);
        out.put((byte) Format2Layout.VERSION);
        out.put((byte) (closingFlag | leavesFlag | signedFlag | refusedFlag));
        out.put(checkpoint.treeHash().id());
        out.put((byte) checkpoint.signatureAlgorithm());
        out.put((byte) checkpoint.signatureSizeBytes());
        out.putLong(checkpoint.stream().emitter());
        out.putInt(checkpoint.stream().partition());
        out.putLong(checkpoint.number());
        out.putLong(checkpoint.firstSequence());
        out.putInt((int) checkpoint.eventCount());
        out.putLong(checkpoint.createdAtMillis());
        out.putLong(checkpoint.deadlineMillis());
        out.putLong(checkpoint.previousOffsetHint());
        out.putShort((short) checkpoint.uncertain().size());
        out.put((byte) topic.length);
        out.put((byte) name.length);
        out.put(topic).put(name);
        for (SequenceRange range : checkpoint.uncertain()) {
            out.putLong(range.begin()).putLong(range.end());
        }
        out.put(checkpoint.root().toByteArray());
        out.put(checkpoint.previousHash().toByteArray());
        checkpoint.leaves().ifPresent(leaves -> leaves.writeTo(out));
    }
}
