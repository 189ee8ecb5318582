package dev.stormproof.proof.checkpoint;

import dev.stormproof.proof.tree.Xxh3;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Fuzz target: whatever the decoder of format 2 accepts is written back as the same bytes; the rest it refuses.
 *
 * <p>The input is decoded as it is, and once more with a checksum that fits, without which hardly an input would get far.
 */
public final class Format2Fuzz {
    private Format2Fuzz() {}

    public static void fuzzerTestOneInput(byte[] data) {
        decode(data);
        if (data.length >= Long.BYTES) {
            byte[] fitted = data.clone();
            int checksumAt = data.length - Long.BYTES;
            ByteBuffer.wrap(fitted).putLong(checksumAt, Xxh3.hash(fitted, 0, checksumAt));
            decode(fitted);
        }
    }

    private static void decode(byte[] bytes) {
        Format2Checkpoint checkpoint;
        try {
            checkpoint = CheckpointCodec.decode(bytes);
        } catch (MalformedCheckpointException refused) {
            return;
        }
        // What is signed cannot be written again without the key.
        if (checkpoint.keyId().isEmpty() && !Arrays.equals(CheckpointCodec.encode(checkpoint), bytes)) {
            throw new AssertionError("not the canonical form of " + checkpoint);
        }
        CheckpointCodec.chainHash(checkpoint.treeHash(), bytes);
        boolean unused = checkpoint.leavesMatchRoot();
    }
}
