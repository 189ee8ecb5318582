package dev.stormproof.checkpoint;

import dev.stormproof.merkle.Hash;
import dev.stormproof.merkle.Leaves;
import dev.stormproof.merkle.Xxh3;
import java.nio.ByteBuffer;

/** Writes one checkpoint of format 2 into an output of exactly its size. */
final class Format2Writer {
    private final byte[] out;
    private final ByteBuffer buffer;

    Format2Writer(int sizeBytes) {
        out = new byte[sizeBytes];
        buffer = ByteBuffer.wrap(out);
    }

    byte[] write(Format2Checkpoint checkpoint) {
        writeBody(checkpoint, 0);
        writeChecksum();
        return out;
    }

    byte[] writeSigned(Format2Checkpoint checkpoint, CheckpointKey key) {
        writeBody(checkpoint, Format2Layout.SIGNED);
        buffer.put(Format2Layout.utf8(key.id()));
        buffer.put((byte) key.id().length());
        buffer.put(key.sign(out, buffer.position()));
        writeChecksum();
        return out;
    }

    private void writeBody(Format2Checkpoint checkpoint, int signedFlag) {
        byte[] topic = Format2Layout.utf8(checkpoint.stream().topic());
        byte[] name = Format2Layout.utf8(checkpoint.emitterName());
        int closingFlag = checkpoint.closing() ? Format2Layout.CLOSING : 0;
        int leavesFlag = checkpoint.leaves().isPresent() ? Format2Layout.WITH_LEAVES : 0;
        buffer.putInt(Format2Layout.MAGIC);
        buffer.put((byte) Format2Layout.VERSION);
        buffer.put((byte) (closingFlag | leavesFlag | signedFlag));
        buffer.put(checkpoint.treeHash().id());
        buffer.put((byte) checkpoint.signatureAlgorithm());
        buffer.put((byte) checkpoint.signatureSizeBytes());
        buffer.putLong(checkpoint.stream().emitter());
        buffer.putInt(checkpoint.stream().partition());
        buffer.putLong(checkpoint.number());
        buffer.putLong(checkpoint.firstSequence());
        buffer.putInt((int) checkpoint.eventCount());
        buffer.putLong(checkpoint.createdAtMillis());
        buffer.putLong(checkpoint.promiseMillis());
        buffer.putLong(checkpoint.previousOffsetHint());
        buffer.putShort((short) checkpoint.uncertain().size());
        buffer.put((byte) topic.length);
        buffer.put((byte) name.length);
        buffer.put(topic).put(name);
        for (SequenceRange range : checkpoint.uncertain()) {
            buffer.putLong(range.begin()).putLong(range.end());
        }
        writeHash(checkpoint.root());
        writeHash(checkpoint.previousHash());
        checkpoint.leaves().ifPresent(this::writeLeaves);
    }

    private void writeHash(Hash hash) {
        hash.copyTo(out, buffer.position());
        buffer.position(buffer.position() + hash.sizeBytes());
    }

    private void writeLeaves(Leaves leaves) {
        leaves.copyAllTo(out, buffer.position());
        buffer.position(buffer.position() + (int) leaves.packedSizeBytes());
    }

    private void writeChecksum() {
        buffer.putLong(Xxh3.hash(out, 0, buffer.position()));
    }
}
