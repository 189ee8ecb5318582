package dev.stormproof.emit;

import dev.stormproof.proof.checkpoint.Format1Codec;
import dev.stormproof.proof.checkpoint.Interval;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/**
 * The emitter of format 1: one stream, the events that this producer writes to a partition.
 *
 * <p>Limits of the format: a checkpoint has at least two events, so a single event at the end stays unsealed; there are no heartbeats; the end
 * of the stream is not marked; and an event that fails after its checkpoint was sent stays stated.
 */
final class Format1Emitter extends CheckpointEmitter {
    /** A leaf with its share of inner nodes: 5 + 40 and 5 + 8 bytes. */
    private static final int LEAF_BYTES = 58;

    /** More than the promoted nodes take, one on each level, and the header. */
    private static final int MAX_OVERHEAD_BYTES = 1_500;

    Format1Emitter(EmitterConfig config, MaxMessageBytes limit) {
        super(StreamId.NO_EMITTER, config, limit, new Interval(TreeHash.ADLER32, 0, true));
    }

    @Override
    Header eventHeader(byte[] signature) {
        // As format 1 writes it: hexadecimal digits.
        return new RecordHeader(
                config.signatureHeader, HexFormat.of().formatHex(signature).getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    void addLeaf(byte[] header) {
        state.interval.add(eventCount(), header, 0, header.length);
    }

    @Override
    boolean owesCheckpoint() {
        return hasUnsealed();
    }

    @Override
    boolean isFull() {
        return state.interval.count() >= config.maxEvents
                || LEAF_BYTES * (state.interval.count() + 1) + MAX_OVERHEAD_BYTES > limit.maxBytes();
    }

    @Override
    boolean hasUnsealed() {
        return state.interval.count() >= Format1Codec.MIN_LEAVES;
    }

    @Override
    Optional<PendingCheckpoint> seal(long nowMillis, long previousOffset) {
        return hasUnsealed() ? Optional.of(pending(false, nowMillis)) : Optional.empty();
    }

    @Override
    Optional<PendingCheckpoint> closing(long nowMillis, long previousOffset, UnackedRecords inDoubt) {
        return hasUnsealed() ? Optional.of(pending(true, nowMillis)) : Optional.empty();
    }

    @Override
    void checkpointSent(PendingCheckpoint pending, long nowMillis) {
        state.lastNumber = state.nextNumber++;
        state.interval.restart(eventCount());
    }

    private PendingCheckpoint pending(boolean closing, long nowMillis) {
        return new PendingCheckpoint(
                Format1Codec.encode(state.interval.leaves()),
                state.position(),
                Hash.empty(),
                closing,
                Optional.empty(),
                nowMillis);
    }
}
