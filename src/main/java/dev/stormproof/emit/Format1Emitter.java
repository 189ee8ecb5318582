package dev.stormproof.emit;

import dev.stormproof.checkpoint.Format1Codec;
import dev.stormproof.checkpoint.Interval;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.merkle.Hash;
import dev.stormproof.merkle.TreeHash;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A stream of format 1: the events that this producer writes to a partition.
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

    private Interval interval = new Interval(TreeHash.ADLER32, 0, true);
    private long checkpointCount;
    private long firstEventMillis;
    private @Nullable Mark mark;

    private record Mark(Interval interval, long checkpointCount, long firstEventMillis) {}

    Format1Emitter(EmitterConfig config) {
        this.config = config;
    }

    @Override
    public long emitter() {
        return StreamId.NO_EMITTER;
    }

    @Override
    public long eventCount() {
        return interval.firstSequence() + interval.count();
    }

    @Override
    public long checkpointCount() {
        return checkpointCount;
    }

    @Override
    public long lastNumber() {
        return checkpointCount - 1;
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
        if (interval.count() == 0) {
            firstEventMillis = nowMillis;
        }
        byte[] leaf = text(signature);
        interval.add(eventCount(), leaf, 0, leaf.length);
    }

    /** True if another event would be more than the settings allow. */
    boolean isFull() {
        return interval.count() >= config.maxEvents()
                || LEAF_BYTES * (interval.count() + 1) + MAX_OVERHEAD_BYTES > config.maxBytes();
    }

    @Override
    public boolean isDue(long nowMillis) {
        firstEventMillis = Math.min(firstEventMillis, nowMillis);
        return hasUnsealed() && (isFull() || nowMillis - firstEventMillis >= config.maxIntervalMillis());
    }

    @Override
    public boolean hasUnsealed() {
        return interval.count() >= Format1Codec.MIN_LEAVES;
    }

    @Override
    public Optional<Draft> seal(long nowMillis, long previousOffset) {
        return hasUnsealed() ? Optional.of(draft(false)) : Optional.empty();
    }

    @Override
    public Optional<Draft> closing(long nowMillis, long previousOffset, Doubt doubt) {
        return hasUnsealed() ? Optional.of(draft(true)) : Optional.empty();
    }

    @Override
    public void checkpointSent(Draft draft, long nowMillis) {
        checkpointCount++;
        interval.restart(draft.nextSequence);
    }

    @Override
    public void mark() {
        mark = new Mark(interval.copy(), checkpointCount, firstEventMillis);
    }

    @Override
    public void rollback() {
        Mark marked = marked();
        interval = marked.interval;
        checkpointCount = marked.checkpointCount;
        firstEventMillis = marked.firstEventMillis;
        mark = null;
    }

    @Override
    public Restatement restatement() {
        Mark marked = marked();
        return new Restatement(marked.checkpointCount, marked.interval.firstSequence(), Hash.empty());
    }

    private Mark marked() {
        if (mark == null) {
            throw new IllegalStateException("no state was marked");
        }
        return mark;
    }

    private Draft draft(boolean closing) {
        return new Draft(
                Format1Codec.encode(interval.leaves()),
                checkpointCount,
                interval.firstSequence(),
                eventCount(),
                Hash.empty(),
                Hash.empty(),
                closing);
    }

    /** The signature as format 1 writes it: hexadecimal digits. */
    private static byte[] text(Hash signature) {
        return signature.toHex().getBytes(StandardCharsets.UTF_8);
    }
}
