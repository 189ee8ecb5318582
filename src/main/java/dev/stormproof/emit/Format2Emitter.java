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
import org.jspecify.annotations.Nullable;

/**
 * A stream of format 2.
 *
 * <p>A failure can become known after the checkpoint over it was sent. Then the closing checkpoint states what is known:
 *
 * <ul>
 *   <li>every checkpoint arrived: it continues the chain and leaves out the events in doubt, one by one with detail {@code
 *       leaves}, its whole interval with {@code root}. An event in doubt that an earlier checkpoint states stays stated;
 *       if it is not in the log, it was lost.
 *   <li>a checkpoint may not have arrived, and none after it did: it takes the place of the first such checkpoint, and
 *       everything from there on is uncertain.
 * </ul>
 *
 * <p>The closing checkpoint itself may fail. It is then stated again with a later time, so that the log holds two statements
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

    private Interval interval;
    private long nextNumber;
    private long checkpointCount;
    private Hash previousHash = Hash.empty();
    private long lastCheckpointMillis;
    private long firstEventMillis;
    private boolean ended;
    /** The closing checkpoint as it was last stated: its number and its time. */
    private long closingNumber = -1;

    private long closedAtMillis = -1;

    private @Nullable Mark mark;

    private record Mark(
            Interval interval,
            long nextNumber,
            long checkpointCount,
            Hash previousHash,
            long lastCheckpointMillis,
            long firstEventMillis,
            boolean ended) {}

    Format2Emitter(StreamId stream, EmitterConfig config) {
        EventSigner signer = config.newSigner();
        this.stream = stream;
        this.config = config;
        this.signatureAlgorithm = Byte.toUnsignedInt(signer.id());
        this.signatureSizeBytes = signer.sizeBytes();
        this.signatureBytes = new byte[signatureSizeBytes];
        this.interval = new Interval(config.treeHash(), 0, config.keepsLeaves());
    }

    @Override
    public long emitter() {
        return stream.emitter();
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
        return ended ? closingNumber : nextNumber - 1;
    }

    @Override
    public boolean needsOpening() {
        return nextNumber == 0;
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
        if (needsOpening() || ended) {
            throw new IllegalStateException("an event " + (ended ? "after" : "before") + " the stream " + stream);
        }
        if (interval.count() == 0) {
            firstEventMillis = nowMillis;
        }
        signature.copyTo(signatureBytes, 0);
        interval.add(eventCount(), signatureBytes, 0, signatureSizeBytes);
    }

    /** True if another event would be more than the settings allow. */
    boolean isFull() {
        return interval.count() >= config.maxEvents()
                || interval.packedSizeBytes() + signatureSizeBytes + MAX_OVERHEAD_BYTES > config.maxBytes();
    }

    @Override
    public boolean isDue(long nowMillis) {
        if (needsOpening() || ended) {
            return false;
        }
        firstEventMillis = Math.min(firstEventMillis, nowMillis);
        lastCheckpointMillis = Math.min(lastCheckpointMillis, nowMillis);
        return isFull()
                || (hasUnsealed() && nowMillis - firstEventMillis >= config.maxIntervalMillis())
                || nowMillis - lastCheckpointMillis >= config.promiseMillis() / 2;
    }

    @Override
    public boolean hasUnsealed() {
        return interval.count() > 0 && !ended;
    }

    @Override
    public Optional<Draft> seal(long nowMillis, long previousOffset) {
        return Optional.of(draft(next(), interval, List.of(), nowMillis, previousOffset, false));
    }

    @Override
    public Optional<Draft> closing(long nowMillis, long previousOffset, Doubt doubt) {
        if (needsOpening()) {
            return Optional.empty();
        }
        long atMillis = Math.max(nowMillis, closedAtMillis + 1);
        if (doubt.checkpoint().isPresent()) {
            Restatement place = doubt.checkpoint().get();
            return Optional.of(draft(
                    place,
                    intervalFrom(place.firstSequence()),
                    rangeOf(place.firstSequence(), eventCount()),
                    atMillis,
                    -1,
                    true));
        }
        List<SequenceRange> uncertain = from(interval.firstSequence(), doubt.events());
        Interval certain = interval;
        if (!uncertain.isEmpty() && (!config.keepsLeaves() || uncertain.size() > Format2Checkpoint.MAX_UNCERTAIN)) {
            uncertain = rangeOf(interval.firstSequence(), eventCount());
            certain = intervalFrom(interval.firstSequence());
        } else if (!uncertain.isEmpty()) {
            certain = without(uncertain);
        }
        return Optional.of(draft(next(), certain, uncertain, atMillis, previousOffset, true));
    }

    @Override
    public void checkpointSent(Draft draft, long nowMillis) {
        checkpointCount++;
        lastCheckpointMillis = nowMillis;
        if (draft.closing) {
            // What it states is kept, for it may have to be stated again.
            ended = true;
            closingNumber = draft.number;
            closedAtMillis = Math.max(nowMillis, closedAtMillis + 1);
        } else {
            nextNumber = draft.number + 1;
            previousHash = draft.chainHash;
            interval.restart(draft.nextSequence);
        }
    }

    @Override
    public void mark() {
        mark = new Mark(
                interval.copy(),
                nextNumber,
                checkpointCount,
                previousHash,
                lastCheckpointMillis,
                firstEventMillis,
                ended);
    }

    @Override
    public void rollback() {
        Mark marked = marked();
        interval = marked.interval;
        nextNumber = marked.nextNumber;
        checkpointCount = marked.checkpointCount;
        previousHash = marked.previousHash;
        lastCheckpointMillis = marked.lastCheckpointMillis;
        firstEventMillis = marked.firstEventMillis;
        ended = marked.ended;
        mark = null;
    }

    @Override
    public Restatement restatement() {
        Mark marked = marked();
        return new Restatement(marked.nextNumber, marked.interval.firstSequence(), marked.previousHash);
    }

    private Mark marked() {
        if (mark == null) {
            throw new IllegalStateException("no state was marked in " + stream);
        }
        return mark;
    }

    private Restatement next() {
        return new Restatement(nextNumber, interval.firstSequence(), previousHash);
    }

    private Interval intervalFrom(long firstSequence) {
        return new Interval(config.treeHash(), firstSequence, config.keepsLeaves());
    }

    /** The open interval without the uncertain events; needs its leaves. */
    private Interval without(List<SequenceRange> uncertain) {
        Leaves all = interval.leaves();
        Interval rest = intervalFrom(interval.firstSequence());
        for (int i = 0; i < all.count(); i++) {
            long sequence = interval.firstSequence() + i;
            if (uncertain.stream().noneMatch(range -> range.contains(sequence))) {
                all.copyTo(i, signatureBytes, 0);
                rest.add(sequence, signatureBytes, 0, signatureSizeBytes);
            }
        }
        return rest;
    }

    private Draft draft(
            Restatement place,
            Interval certain,
            List<SequenceRange> uncertain,
            long nowMillis,
            long previousOffset,
            boolean closing) {
        Format2Checkpoint checkpoint =
                checkpoint(place, certain, uncertain, nowMillis, previousOffset, closing, config.keepsLeaves());
        if (config.keepsLeaves() && CheckpointCodec.encodedSizeBytes(checkpoint) > config.maxBytes()) {
            checkpoint = checkpoint(place, certain, uncertain, nowMillis, previousOffset, closing, false);
        }
        Format2Checkpoint stated = checkpoint;
        byte[] bytes = config.key()
                .map(key -> CheckpointCodec.encode(stated, key))
                .orElseGet(() -> CheckpointCodec.encode(stated));
        return new Draft(
                bytes,
                stated.number(),
                stated.firstSequence(),
                stated.nextSequence(),
                stated.previousHash(),
                CheckpointCodec.chainHash(config.treeHash(), bytes),
                closing);
    }

    private Format2Checkpoint checkpoint(
            Restatement place,
            Interval certain,
            List<SequenceRange> uncertain,
            long nowMillis,
            long previousOffset,
            boolean closing,
            boolean withLeaves) {
        return new Format2Checkpoint(
                stream,
                config.emitterName(),
                place.number(),
                place.firstSequence(),
                certain.count(),
                config.treeHash(),
                signatureAlgorithm,
                signatureSizeBytes,
                certain.root(),
                place.previousHash(),
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
