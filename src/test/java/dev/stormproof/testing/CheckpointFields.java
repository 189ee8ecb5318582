package dev.stormproof.testing;

import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.Interval;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.Leaves;
import dev.stormproof.proof.tree.TreeHash;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** What a checkpoint of format 2 states, to be set field by field; whether it fits together is up to the test. */
public final class CheckpointFields {
    public StreamId stream;
    public String emitterName = "";
    public long number;
    public long firstSequence;
    public long eventCount;
    public TreeHash treeHash = TreeHash.XXH3;
    public int signatureAlgorithm = EventSigners.SHA256_KEY_VALUE;
    public int signatureSizeBytes = 32;
    public Hash root = TreeHash.XXH3.emptyRoot();
    public Hash previousHash = Hash.empty();
    public long createdAtMillis;
    public long deadlineMillis;
    public boolean closing;
    public List<SequenceRange> uncertain = List.of();
    public boolean refused;
    public long previousOffsetHint = -1;
    public Optional<Leaves> leaves = Optional.empty();
    public Optional<String> keyId = Optional.empty();

    public CheckpointFields(StreamId stream) {
        this.stream = stream;
    }

    /** Number 0 of a stream, over no events, but for what is set. */
    public static Format2Checkpoint checkpoint(StreamId stream, Consumer<CheckpointFields> set) {
        CheckpointFields fields = new CheckpointFields(stream);
        set.accept(fields);
        return fields.make();
    }

    /** Another checkpoint with what is set, which nobody has signed. */
    public static Format2Checkpoint changed(Format2Checkpoint from, Consumer<CheckpointFields> set) {
        return checkpoint(from.stream(), fields -> {
            fields.emitterName = from.emitterName();
            fields.number = from.number();
            fields.firstSequence = from.firstSequence();
            fields.eventCount = from.eventCount();
            fields.treeHash = from.treeHash();
            fields.signatureAlgorithm = from.signatureAlgorithm();
            fields.signatureSizeBytes = from.signatureSizeBytes();
            fields.root = from.root();
            fields.previousHash = from.previousHash();
            fields.createdAtMillis = from.createdAtMillis();
            fields.deadlineMillis = from.deadlineMillis();
            fields.closing = from.closing();
            fields.uncertain = from.uncertain();
            fields.previousOffsetHint = from.previousOffsetHint();
            fields.leaves = from.leaves();
            set.accept(fields);
        });
    }

    /** It covers the events of an interval. */
    public void over(Interval interval) {
        treeHash = interval.treeHash();
        firstSequence = interval.firstSequence();
        eventCount = interval.count();
        root = interval.root();
    }

    public Format2Checkpoint make() {
        return new Format2Checkpoint(
                stream,
                emitterName,
                number,
                firstSequence,
                eventCount,
                treeHash,
                signatureAlgorithm,
                signatureSizeBytes,
                root,
                previousHash,
                createdAtMillis,
                deadlineMillis,
                closing,
                uncertain,
                refused,
                previousOffsetHint,
                leaves,
                keyId);
    }
}
