package dev.stormproof.emit;

import dev.stormproof.proof.checkpoint.CheckpointCodec;
import dev.stormproof.proof.checkpoint.EventHeader;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.Interval;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.sign.EventSigner;
import dev.stormproof.proof.tree.Leaves;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/**
 * The emitter of format 2: one stream of one emitter id.
 *
 * <p>A failure can become known after the checkpoint over it was sent. The closing checkpoint then states what is certain:
 *
 * <ul>
 * <li>every checkpoint was acknowledged: it continues the chain and leaves out the events in doubt, one by one with detail {@code leaves}, its
 * whole interval with {@code root}. It states so if the brokers refused all of them. An event in doubt that an earlier checkpoint states stays
 * stated; if it is not in the log, it was lost. If it was refused, the closing checkpoint takes that one's place.
 * <li>the last checkpoints were not acknowledged: it takes the place of the first of them, and everything from there is uncertain.
 * </ul>
 *
 * <p>The closing checkpoint itself may fail. It is then restated with a later time, so that, if the first one did arrive, the log has two
 * statements rather than one record twice.
 */
final class Format2Emitter extends CheckpointEmitter {
    /** More than the fixed fields of a checkpoint, its names, hashes and trailer take. */
    static final int MAX_OVERHEAD_BYTES = 1_024;

    private final StreamId stream;
    private final int signatureAlgorithm;
    private final int signatureSizeBytes;

    /** The time of the last statement of the closing checkpoint; a rollback keeps it, so that no time is stated twice. */
    private long closedAtMillis = -1;

    private enum Phase {
        NEW,
        OPEN,
        ENDED
    }

    Format2Emitter(StreamId stream, EmitterConfig config, MaxMessageBytes limit) {
        super(stream.emitter(), config, limit, new Interval(config.treeHash, 0, config.keepsLeaves));
        EventSigner signer = config.signers.get();
        this.stream = stream;
        this.signatureAlgorithm = Byte.toUnsignedInt(signer.id());
        this.signatureSizeBytes = signer.sizeBytes();
    }

    @Override
    boolean needsOpening() {
        return phase() == Phase.NEW;
    }

    @Override
    Header eventHeader(byte[] signature) {
        byte[] header = EventHeader.encode(id, eventCount(), config.treeHash, signatureAlgorithm, signature);
        return new RecordHeader(EventHeader.NAME, header);
    }

    @Override
    void addLeaf(byte[] header) {
        require(phase() == Phase.OPEN, Phase.OPEN);
        state.interval.add(eventCount(), header, header.length - signatureSizeBytes, signatureSizeBytes);
    }

    @Override
    boolean owesCheckpoint() {
        return phase() == Phase.OPEN;
    }

    @Override
    boolean isFull() {
        int maxBytes = limit.maxBytes();
        // If hardly any leaves fit, checkpoints leave them out, instead of one being written after each event.
        return state.interval.count() >= config.maxEvents
                || (maxBytes >= EmitterConfig.LEAST_MAX_BYTES
                        && state.interval.packedSizeBytes() + signatureSizeBytes + MAX_OVERHEAD_BYTES > maxBytes);
    }

    @Override
    boolean isDue(long nowMillis) {
        state.lastCheckpointMillis = Math.min(state.lastCheckpointMillis, nowMillis);
        return super.isDue(nowMillis)
                || (phase() == Phase.OPEN && nowMillis - state.lastCheckpointMillis >= config.deadlineMillis / 2);
    }

    @Override
    boolean hasUnsealed() {
        return phase() == Phase.OPEN && state.interval.count() > 0;
    }

    @Override
    Optional<PendingCheckpoint> seal(long nowMillis, long previousOffset) {
        require(phase() != Phase.ENDED, Phase.OPEN);
        return Optional.of(
                pending(state.position(), state.interval, UnackedRecords.NONE, nowMillis, previousOffset, false));
    }

    @Override
    Optional<PendingCheckpoint> closing(long nowMillis, long previousOffset, UnackedRecords inDoubt) {
        if (needsOpening() && state.interval.count() == 0) {
            return Optional.empty();
        }
        long atMillis = Math.max(nowMillis, closedAtMillis + 1);
        CheckpointPosition position = inDoubt.checkpoint().orElseGet(state::position);
        long begin = position.firstSequence();
        List<SequenceRange> uncertain = from(begin, inDoubt.events());
        boolean isAllUncertain = inDoubt.checkpoint().isPresent()
                || uncertain.size() > Format2Checkpoint.MAX_UNCERTAIN
                || (!uncertain.isEmpty() && !config.keepsLeaves);
        if (isAllUncertain) {
            uncertain = rangeOf(begin, eventCount());
        }
        Interval certain = isAllUncertain ? intervalFrom(begin) : without(uncertain);
        long hint = inDoubt.checkpoint().isPresent() ? -1 : previousOffset;
        boolean refused = inDoubt.refused() && !isAllUncertain && !uncertain.isEmpty();
        UnackedRecords left = new UnackedRecords(uncertain, refused, inDoubt.checkpoint());
        return Optional.of(pending(position, certain, left, atMillis, hint, true));
    }

    @Override
    void checkpointSent(PendingCheckpoint pending, long nowMillis) {
        if (pending.closing) {
            require(phase() != Phase.NEW || state.interval.count() > 0, Phase.ENDED);
            // Interval, number and hash stay, because the closing checkpoint may have to be restated.
            state.ended = true;
            closedAtMillis = Math.max(nowMillis, closedAtMillis + 1);
        } else {
            require(phase() != Phase.ENDED, Phase.OPEN);
            state.nextNumber = pending.position.number() + 1;
            state.previousHash = pending.chainHash;
            state.interval.restart(eventCount());
        }
        state.lastCheckpointMillis = nowMillis;
        state.lastNumber = pending.position.number();
    }

    @Override
    void takeBack(List<PendingCheckpoint> refused) {
        require(phase() != Phase.ENDED, Phase.OPEN);
        CheckpointPosition first = refused.get(0).position;
        Interval whole = intervalFrom(first.firstSequence());
        refused.forEach(checkpoint -> addAll(whole, checkpoint.leaves.orElseThrow()));
        addAll(whole, state.interval.leaves());
        state.interval = whole;
        state.nextNumber = first.number();
        state.lastNumber = first.number() - 1;
        state.previousHash = first.previousHash();
        state.firstEventMillis = 0;
    }

    private static void addAll(Interval interval, Leaves leaves) {
        for (int i = 0; i < leaves.count(); i++) {
            interval.add(interval.firstSequence() + interval.count(), leaves.signature(i));
        }
    }

    private Phase phase() {
        if (state.ended) {
            return Phase.ENDED;
        }
        return state.nextNumber == 0 ? Phase.NEW : Phase.OPEN;
    }

    private void require(boolean legal, Phase to) {
        if (!legal) {
            throw new IllegalStateException("cannot go from " + phase() + " to " + to + " in " + stream);
        }
    }

    private Interval intervalFrom(long firstSequence) {
        return new Interval(config.treeHash, firstSequence, config.keepsLeaves);
    }

    /** The open interval without the uncertain events; needs the leaves if there are uncertain events. */
    private Interval without(List<SequenceRange> uncertain) {
        if (uncertain.isEmpty()) {
            return state.interval;
        }
        Leaves all = state.interval.leaves();
        Interval rest = intervalFrom(state.interval.firstSequence());
        for (int i = 0; i < all.count(); i++) {
            long sequence = state.interval.firstSequence() + i;
            if (uncertain.stream().noneMatch(range -> range.contains(sequence))) {
                rest.add(sequence, all.signature(i));
            }
        }
        return rest;
    }

    private PendingCheckpoint pending(
            CheckpointPosition position,
            Interval certain,
            UnackedRecords left,
            long nowMillis,
            long previousOffset,
            boolean closing) {
        Function<Optional<Leaves>, Format2Checkpoint> stating = leaves -> new Format2Checkpoint(
                stream,
                config.emitterName,
                position.number(),
                position.firstSequence(),
                certain.count(),
                config.treeHash,
                signatureAlgorithm,
                signatureSizeBytes,
                certain.root(),
                position.previousHash(),
                nowMillis,
                closing ? 0 : config.deadlineMillis,
                closing,
                left.events(),
                left.refused(),
                previousOffset,
                leaves,
                Optional.empty());
        Format2Checkpoint checkpoint =
                stating.apply(config.keepsLeaves ? Optional.of(certain.leaves()) : Optional.empty());
        if (config.keepsLeaves && CheckpointCodec.encodedSizeBytes(checkpoint) > limit.maxBytes()) {
            checkpoint = stating.apply(Optional.empty());
        }
        byte[] bytes = config.key.isPresent()
                ? CheckpointCodec.encode(checkpoint, config.key.get())
                : CheckpointCodec.encode(checkpoint);
        return new PendingCheckpoint(
                bytes,
                position,
                CheckpointCodec.chainHash(config.treeHash, bytes),
                closing,
                checkpoint.leaves(),
                nowMillis);
    }

    private static List<SequenceRange> rangeOf(long begin, long end) {
        return begin < end ? List.of(new SequenceRange(begin, end)) : List.of();
    }

    private static List<SequenceRange> from(long begin, List<SequenceRange> ranges) {
        return ranges.stream()
                .flatMap(range -> rangeOf(Math.max(begin, range.begin()), range.end()).stream())
                .toList();
    }
}
