package dev.stormproof.testing;

import dev.stormproof.proof.checkpoint.CheckpointCodec;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.Interval;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.sign.Sha256Signer;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;

/** Upstream in miniature, written apart from the real emitter: hands out events and checkpoints for a log. */
public final class SimulatedEmitter {
    private final StreamId stream;
    private final TreeHash treeHash;
    private final boolean leaves;
    private Interval interval;
    private long sequence;
    private long number;
    private Hash previousHash = Hash.empty();
    private long previousOffset = -1;

    public SimulatedEmitter(StreamId stream, TreeHash treeHash, boolean leaves) {
        this.stream = stream;
        this.treeHash = treeHash;
        this.leaves = leaves;
        this.interval = new Interval(treeHash, 0, true);
    }

    public StreamId stream() {
        return stream;
    }

    /** The next event, whose value is its sequence. */
    public LongFunction<Event> event() {
        return eventOf(ByteBuffer.allocate(Long.BYTES).putLong(sequence).array());
    }

    /** The next event, with a value. */
    public LongFunction<Event> eventOf(byte[] value) {
        Hash signature = new Sha256Signer().sign(null, value);
        long mine = sequence++;
        interval.add(mine, signature);
        return offset -> new Event(
                offset,
                stream.emitter(),
                mine,
                treeHash,
                EventSigners.SHA256_KEY_VALUE,
                signature,
                signature,
                Event.Content.UNTRANSFORMED,
                LogRecord.NO_TIME);
    }

    public LongFunction<CheckpointRecord> checkpoint() {
        return checkpoint(false, List.of());
    }

    public LongFunction<CheckpointRecord> closing() {
        return checkpoint(true, List.of());
    }

    /** Seals the interval so far. What is uncertain must lie at its end, and was not added as an event. */
    public LongFunction<CheckpointRecord> checkpoint(boolean closing, List<SequenceRange> uncertain) {
        Format2Checkpoint sealed = CheckpointFields.checkpoint(stream, c -> {
            c.over(interval);
            c.emitterName = "sim";
            c.number = number;
            c.previousHash = previousHash;
            c.createdAtMillis = 1_000 + number;
            c.deadlineMillis = 60_000;
            c.closing = closing;
            c.uncertain = uncertain;
            c.previousOffsetHint = previousOffset;
            c.leaves = leaves ? Optional.of(interval.leaves()) : Optional.empty();
        });
        number++;
        previousHash = CheckpointCodec.chainHash(treeHash, CheckpointCodec.encode(sealed));
        sequence = sealed.nextSequence();
        interval = new Interval(treeHash, sequence, true);
        Hash chainHash = previousHash;
        return offset -> {
            previousOffset = offset;
            return new CheckpointRecord(offset, sealed, chainHash, LogRecord.NO_TIME);
        };
    }
}
