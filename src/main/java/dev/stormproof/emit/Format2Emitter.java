package dev.stormproof.emit;

import dev.stormproof.checkpoint.CheckpointCodec;
import dev.stormproof.checkpoint.EventHeader;
import dev.stormproof.checkpoint.EventSigner;
import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.checkpoint.Interval;
import dev.stormproof.checkpoint.SequenceRange;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.merkle.Hash;
import dev.stormproof.merkle.Leaves;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The emitter of format 2 has one stream of one emitter id.
 *
 * <p>A failure can become known after the checkpoint over it was sent. The closing checkpoint then says how far it reaches:
 *
 * <ul>
 *   <li>every checkpoint arrived: it continues the chain and leaves out the events in doubt, one by one with detail {@code
 *       leaves}, its whole interval with {@code root}. An event in doubt that an earlier checkpoint states stays stated;
 *       if it is not in the log, it was lost.
 *   <li>a checkpoint may not have arrived, and none after it did: it takes the place of the first such checkpoint, and
 *       everything from there on is uncertain.
 * </ul>
 *
 * <p>The closing checkpoint itself may fail. It is then restated with a later time, so that the log holds two statements
 * rather than one record twice, should the first one have arrived after all.
 */
final class Format2Emitter implements CheckpointEmitter {
    /** More than the fixed fields of a checkpoint, its names, hashes and trailer take. */
    static final int MAX_OVERHEAD_BYTES = 1_024;

    private final StreamId stream;
    private final EmitterConfig config;
    private final int signatureAlgorithm;
    private final int signatureSizeBytes;
    private final byte[] signatureBytes;

    private StreamState state;

    /** The time of the last statement of the closing checkpoint; a rollback keeps it, so that no time is stated twice. */
    private long closedAtMillis = -1;

    private enum Phase {
        NEW,
        OPEN,
        ENDED
    }

    Format2Emitter(StreamId stream, EmitterConfig config) {
        EventSigner signer = config.newSigner();
        this.stream = stream;
        this.config = config;
        this.signatureAlgorithm = Byte.toUnsignedInt(signer.id());
        this.signatureSizeBytes = signer.sizeBytes();
        this.signatureBytes = new byte[signatureSizeBytes];
        this.state = new StreamState(intervalFrom(0));
    }

    @Override
    public long emitter() {
        return stream.emitter();
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
        return phase() == Phase.NEW;
    }

    @Override
    public boolean endsWithFailure() {
        return true;
    }

    @Override
    public String eventHeaderName() {
        return EventHeader.NAME;
    }

    @Override
    public boolean checkpointsInHeader() {
        return true;
    }

    @Override
    public byte[] eventHeader(Hash signature) {
        return new EventHeader(stream.emitter(), eventCount(), config.treeHash(), signatureAlgorithm, signature)
                .encode();
    }

    @Override
    public void eventSent(Hash signature, long nowMillis) {
        require(phase() == Phase.OPEN, Phase.OPEN);
        if (state.interval.count() == 0) {
            state.firstEventMillis = nowMillis;
        }
        signature.copyTo(signatureBytes, 0);
        state.interval.add(eventCount(), signatureBytes, 0, signatureSizeBytes);
    }

    /** True if another event would be more than the settings allow. */
    boolean isFull() {
        return state.interval.count() >= config.maxEvents()
                || state.interval.packedSizeBytes() + signatureSizeBytes + MAX_OVERHEAD_BYTES > config.maxBytes();
    }

    @Override
    public boolean isDue(long nowMillis) {
        if (phase() != Phase.OPEN) {
            return false;
        }
        state.firstEventMillis = Math.min(state.firstEventMillis, nowMillis);
        state.lastCheckpointMillis = Math.min(state.lastCheckpointMillis, nowMillis);
        return isFull()
                || (hasUnsealed() && nowMillis - state.firstEventMillis >= config.maxIntervalMillis())
                || nowMillis - state.lastCheckpointMillis >= config.promiseMillis() / 2;
    }

    @Override
    public boolean hasUnsealed() {
        return phase() == Phase.OPEN && state.interval.count() > 0;
    }

    @Override
    public Optional<PendingCheckpoint> seal(long nowMillis, long previousOffset) {
        require(phase() != Phase.ENDED, Phase.OPEN);
        return Optional.of(pending(state.position(), state.interval, List.of(), nowMillis, previousOffset, false));
    }

    @Override
    public Optional<PendingCheckpoint> closing(long nowMillis, long previousOffset, InDoubt inDoubt) {
        if (needsOpening()) {
            return Optional.empty();
        }
        long atMillis = Math.max(nowMillis, closedAtMillis + 1);
        long firstSequence = state.interval.firstSequence();
        if (inDoubt.checkpoint().isPresent()) {
            CheckpointPosition position = inDoubt.checkpoint().get();
            return Optional.of(pending(
                    position,
                    intervalFrom(position.firstSequence()),
                    rangeOf(position.firstSequence(), eventCount()),
                    atMillis,
                    -1,
                    true));
        }
        List<SequenceRange> uncertain = from(firstSequence, inDoubt.events());
        Interval certain = state.interval;
        if (!uncertain.isEmpty() && (!config.keepsLeaves() || uncertain.size() > Format2Checkpoint.MAX_UNCERTAIN)) {
            uncertain = rangeOf(firstSequence, eventCount());
            certain = intervalFrom(firstSequence);
        } else if (!uncertain.isEmpty()) {
            certain = without(uncertain);
        }
        return Optional.of(pending(state.position(), certain, uncertain, atMillis, previousOffset, true));
    }

    @Override
    public void checkpointSent(PendingCheckpoint pending, long nowMillis) {
        if (pending.closing) {
            require(phase() != Phase.NEW, Phase.ENDED);
        } else {
            require(phase() != Phase.ENDED, Phase.OPEN);
        }
        state.lastCheckpointMillis = nowMillis;
        state.lastNumber = pending.position.number();
        if (pending.closing) {
            // Interval, number and hash stay as they are, for the closing checkpoint may have to be restated.
            state.ended = true;
            closedAtMillis = Math.max(nowMillis, closedAtMillis + 1);
        } else {
            state.nextNumber = pending.position.number() + 1;
            state.previousHash = pending.chainHash;
            state.interval.restart(pending.nextSequence);
        }
    }

    @Override
    public StreamState savedState() {
        return state.copy();
    }

    @Override
    public void restore(StreamState saved) {
        state = saved.copy();
    }

    private Phase phase() {
        if (state.nextNumber == 0) {
            return Phase.NEW;
        }
        return state.ended ? Phase.ENDED : Phase.OPEN;
    }

    private void require(boolean legal, Phase to) {
        if (!legal) {
            throw new IllegalStateException("cannot go from " + phase() + " to " + to + " in " + stream);
        }
    }

    private Interval intervalFrom(long firstSequence) {
        return new Interval(config.treeHash(), firstSequence, config.keepsLeaves());
    }

    /** The open interval without the uncertain events; needs its leaves. */
    private Interval without(List<SequenceRange> uncertain) {
        Leaves all = state.interval.leaves();
        Interval rest = intervalFrom(state.interval.firstSequence());
        for (int i = 0; i < all.count(); i++) {
            long sequence = state.interval.firstSequence() + i;
            if (uncertain.stream().noneMatch(range -> range.contains(sequence))) {
                all.copyTo(i, signatureBytes, 0);
                rest.add(sequence, signatureBytes, 0, signatureSizeBytes);
            }
        }
        return rest;
    }

    private PendingCheckpoint pending(
            CheckpointPosition position,
            Interval certain,
            List<SequenceRange> uncertain,
            long nowMillis,
            long previousOffset,
            boolean closing) {
        Format2Checkpoint checkpoint =
                checkpoint(position, certain, uncertain, nowMillis, previousOffset, closing, config.keepsLeaves());
        if (config.keepsLeaves() && CheckpointCodec.encodedSizeBytes(checkpoint) > config.maxBytes()) {
            checkpoint = checkpoint(position, certain, uncertain, nowMillis, previousOffset, closing, false);
        }
        Format2Checkpoint stated = checkpoint;
        byte[] bytes = config.key()
                .map(key -> CheckpointCodec.encode(stated, key))
                .orElseGet(() -> CheckpointCodec.encode(stated));
        return new PendingCheckpoint(
                bytes, position, stated.nextSequence(), CheckpointCodec.chainHash(config.treeHash(), bytes), closing);
    }

    private Format2Checkpoint checkpoint(
            CheckpointPosition position,
            Interval certain,
            List<SequenceRange> uncertain,
            long nowMillis,
            long previousOffset,
            boolean closing,
            boolean withLeaves) {
        return new Format2Checkpoint(
                stream,
                config.emitterName(),
                position.number(),
                position.firstSequence(),
                certain.count(),
                config.treeHash(),
                signatureAlgorithm,
                signatureSizeBytes,
                certain.root(),
                position.previousHash(),
                nowMillis,
                closing ? 0 : config.promiseMillis(),
                closing,
                uncertain,
                previousOffset,
                withLeaves ? Optional.of(certain.leaves()) : Optional.empty(),
                Optional.empty());
    }

    private static List<SequenceRange> rangeOf(long begin, long end) {
        return begin < end ? List.of(new SequenceRange(begin, end)) : List.of();
    }

    /** The ranges as far as they lie at or behind {@code begin}. */
    private static List<SequenceRange> from(long begin, List<SequenceRange> ranges) {
        List<SequenceRange> behind = new ArrayList<>();
        for (SequenceRange range : ranges) {
            behind.addAll(rangeOf(Math.max(begin, range.begin()), range.end()));
        }
        return behind;
    }
}
