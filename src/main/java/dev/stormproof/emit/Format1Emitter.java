package dev.stormproof.emit;

import dev.stormproof.checkpoint.Format1Codec;
import dev.stormproof.checkpoint.Interval;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.merkle.Hash;
import dev.stormproof.merkle.TreeHash;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The emitter of format 1 has one stream: the events that this producer writes to a partition.
 *
 * <p>Limits of the format: a checkpoint has at least two events, so that none is written over fewer and a single event at
 * the end stays unsealed; there are no heartbeats; nothing tells that the stream ended; and an event that fails late stays
 * stated.
 */
final class Format1Emitter implements CheckpointEmitter {
    /** A leaf with its share of inner nodes: 5 + 40 and 5 + 8 bytes. */
    private static final int LEAF_BYTES = 58;

    /** More than the promoted nodes take, one on each level, and the header. */
    private static final int MAX_OVERHEAD_BYTES = 1_500;

    private final EmitterConfig config;

    private StreamState state = new StreamState(new Interval(TreeHash.ADLER32, 0, true));

    Format1Emitter(EmitterConfig config) {
        this.config = config;
    }

    @Override
    public long emitter() {
        return StreamId.NO_EMITTER;
    }

    @Override
    public long eventCount() {
        return state.eventCount();
    }

    @Override
    public long lastNumber() {
        return state.lastNumber;
    }

    @Override
    public boolean needsOpening() {
        return false;
    }

    @Override
    public boolean endsWithFailure() {
        return false;
    }

    @Override
    public String eventHeaderName() {
        return config.signatureHeader();
    }

    @Override
    public boolean checkpointsInHeader() {
        return false;
    }

    @Override
    public byte[] eventHeader(Hash signature) {
        return text(signature);
    }

    @Override
    public void eventSent(Hash signature, long nowMillis) {
        if (state.interval.count() == 0) {
            state.firstEventMillis = nowMillis;
        }
        byte[] leaf = text(signature);
        state.interval.add(eventCount(), leaf, 0, leaf.length);
    }

    /** True if another event would be more than the settings allow. */
    boolean isFull() {
        return state.interval.count() >= config.maxEvents()
                || LEAF_BYTES * (state.interval.count() + 1) + MAX_OVERHEAD_BYTES > config.maxBytes();
    }

    @Override
    public boolean isDue(long nowMillis) {
        state.firstEventMillis = Math.min(state.firstEventMillis, nowMillis);
        return hasUnsealed() && (isFull() || nowMillis - state.firstEventMillis >= config.maxIntervalMillis());
    }

    @Override
    public boolean hasUnsealed() {
        return state.interval.count() >= Format1Codec.MIN_LEAVES;
    }

    @Override
    public Optional<PendingCheckpoint> seal(long nowMillis, long previousOffset) {
        return hasUnsealed() ? Optional.of(pending(false)) : Optional.empty();
    }

    @Override
    public Optional<PendingCheckpoint> closing(long nowMillis, long previousOffset, InDoubt inDoubt) {
        return hasUnsealed() ? Optional.of(pending(true)) : Optional.empty();
    }

    @Override
    public void checkpointSent(PendingCheckpoint pending, long nowMillis) {
        state.lastNumber = state.nextNumber++;
        state.interval.restart(pending.nextSequence);
    }

    @Override
    public StreamState savedState() {
        return state.copy();
    }

    @Override
    public void restore(StreamState saved) {
        state = saved.copy();
    }

    private PendingCheckpoint pending(boolean closing) {
        return new PendingCheckpoint(
                Format1Codec.encode(state.interval.leaves()), state.position(), eventCount(), Hash.empty(), closing);
    }

    /** The signature as format 1 writes it: hexadecimal digits. */
    private static byte[] text(Hash signature) {
        return signature.toHex().getBytes(StandardCharsets.UTF_8);
    }
}
