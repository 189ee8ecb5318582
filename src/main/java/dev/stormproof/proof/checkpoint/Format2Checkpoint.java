package dev.stormproof.proof.checkpoint;

import dev.stormproof.proof.sign.EventSigner;
import dev.stormproof.proof.sign.TrustedKeys;
import dev.stormproof.proof.tree.CompactRange;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.Leaves;
import dev.stormproof.proof.tree.TreeHash;
import java.util.List;
import java.util.Optional;

/**
 * A checkpoint of format 2.
 *
 * <p>Its interval spans the sequences [{@link #firstSequence}, {@link #nextSequence()}). Those in {@link #uncertain} may or
 * may not be in the log; count, root and leaves cover the others only:
 *
 * <pre>
 *   sequence   100        103  105            110
 *              |  events  | ?? |    events    |
 *              firstSequence 100, eventCount 8, uncertain [103, 105), nextSequence 110
 * </pre>
 *
 * @param emitterName the emitter's name for people, maybe empty, without control characters
 * @param firstSequence the previous checkpoint's next sequence; 0 in number 0
 * @param eventCount how many events the root covers
 * @param treeHash the hash of the root and of the chain
 * @param signatureAlgorithm the {@link EventSigner}'s id, as 0 to 255
 * @param signatureSizeBytes the size of every event's signature
 * @param previousHash the {@link CheckpointCodec#chainHash chain hash} of the previous checkpoint; empty in number 0
 * @param createdAtMillis when it was made, by the emitter's clock
 * @param deadlineMillis the time within which the next checkpoint follows; 0 if there is no deadline
 * @param closing true if the stream ends with it
 * @param uncertain ranges in order, neither overlapping nor touching
 * @param refused true if brokers refused all uncertain events, so that none of them should be in the log
 * @param previousOffsetHint where the previous checkpoint might be, never trusted; -1 if unknown
 * @param leaves the signatures that the root covers, in order; empty in detail {@code root}
 * @param keyId the signing key, as the bytes state it; empty if there is none, or if a {@link CheckpointVerifier} did not verify it
 */
public record Format2Checkpoint(
        StreamId stream,
        String emitterName,
        long number,
        long firstSequence,
        long eventCount,
        TreeHash treeHash,
        int signatureAlgorithm,
        int signatureSizeBytes,
        Hash root,
        Hash previousHash,
        long createdAtMillis,
        long deadlineMillis,
        boolean closing,
        List<SequenceRange> uncertain,
        boolean refused,
        long previousOffsetHint,
        Optional<Leaves> leaves,
        Optional<String> keyId)
        implements Checkpoint {
    /** The record header that holds the bytes. */
    public static final String HEADER = "stormproof-checkpoint";

    /** How many uncertain ranges a checkpoint may have. */
    public static final int MAX_UNCERTAIN = 1_000;

    /** How many bytes of UTF-8 an emitter's name may have. */
    public static final int MAX_NAME_BYTES = 255;

    public Format2Checkpoint {
        uncertain = List.copyOf(uncertain);
        if (stream.emitter() == StreamId.NO_EMITTER || !Format2Rules.isTopic(stream.topic())) {
            throw impossible("stream " + stream);
        }
        if (!Format2Rules.isName(emitterName)) {
            throw impossible("emitter name '" + emitterName + "'");
        }
        if (number < 0 || firstSequence < 0 || (number == 0 && firstSequence != 0)) {
            throw impossible("number " + number + ", first sequence " + firstSequence);
        }
        if (eventCount < 0 || eventCount > CompactRange.MAX_LEAVES) {
            throw impossible("event count " + eventCount);
        }
        if (createdAtMillis < 0 || deadlineMillis < 0 || previousOffsetHint < -1) {
            throw impossible("created at " + createdAtMillis + ", deadline of " + deadlineMillis + ", hint to "
                    + previousOffsetHint);
        }
        checkHashes(number, treeHash, root, previousHash);
        Format2Rules.checkSignature(signatureAlgorithm, signatureSizeBytes);
        String fault = Format2Rules.faultOfUncertain(firstSequence, eventCount, uncertain, refused);
        if (!fault.isEmpty()) {
            throw impossible(fault);
        }
        if (leaves.isPresent()
                && (leaves.get().count() != eventCount || !leaves.get().allOfSize(signatureSizeBytes))) {
            throw impossible(leaves.get() + " for " + eventCount + " events, " + signatureSizeBytes + " bytes each");
        }
        if (keyId.isPresent() && !TrustedKeys.isId(keyId.get())) {
            throw impossible("key id '" + keyId.get() + "'");
        }
    }

    /** The same checkpoint in a topic that holds the streams of another. */
    Format2Checkpoint in(String topic) {
        return topic.equals(stream.topic())
                ? this
                : copy(new StreamId(topic, stream.partition(), stream.emitter()), uncertain, leaves, keyId);
    }

    @Override
    public long nextSequence() {
        return firstSequence + eventCount + uncertainCount();
    }

    public long uncertainCount() {
        long count = 0;
        for (SequenceRange range : uncertain) {
            count += range.count();
        }
        return count;
    }

    Format2Checkpoint withoutLeaves() {
        return copy(stream, uncertain, Optional.empty(), keyId);
    }

    /** The same in detail {@code root}, its uncertain ranges as one: enough to know its successor, in little memory. */
    public Format2Checkpoint inShort() {
        List<SequenceRange> one = uncertain.isEmpty()
                ? List.of()
                : List.of(new SequenceRange(firstSequence, firstSequence + uncertainCount()));
        return copy(stream, one, Optional.empty(), keyId);
    }

    /** The same without the key, whose signature was not verified. */
    Format2Checkpoint signedByNobodyKnown() {
        return copy(stream, uncertain, leaves, Optional.empty());
    }

    private Format2Checkpoint copy(
            StreamId ofStream, List<SequenceRange> ranges, Optional<Leaves> withLeaves, Optional<String> withKeyId) {
        return new Format2Checkpoint(
                ofStream,
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
                ranges,
                refused,
                previousOffsetHint,
                withLeaves,
                withKeyId);
    }

    /**
     * True if there are leaves and the root is theirs.
     *
     * <p>Reading does not check this: if the log matches the root, the leaves do not matter. Check it before leaves are used to
     * name differences.
     */
    @Override
    public boolean leavesMatchRoot() {
        return leaves.isPresent() && rootOf(leaves.get()).equals(root);
    }

    private Hash rootOf(Leaves signatures) {
        Interval interval = new Interval(treeHash, firstSequence, false);
        byte[] signature = new byte[signatureSizeBytes];
        long sequence = firstSequence;
        int range = 0;
        for (int i = 0; i < signatures.count(); i++) {
            if (range < uncertain.size() && sequence == uncertain.get(range).begin()) {
                sequence = uncertain.get(range).end();
                range++;
            }
            interval.add(sequence, signature, 0, signatures.copyTo(i, signature, 0));
            sequence++;
        }
        return interval.root();
    }

    private static void checkHashes(long number, TreeHash treeHash, Hash root, Hash previousHash) {
        int previousBytes = number == 0 ? 0 : treeHash.sizeBytes();
        if (treeHash == TreeHash.ADLER32
                || root.sizeBytes() != treeHash.sizeBytes()
                || previousHash.sizeBytes() != previousBytes) {
            throw impossible("tree hash " + treeHash.label() + ", number " + number + ", root '" + root
                    + "', previous hash '" + previousHash + "'");
        }
    }

    private static IllegalArgumentException impossible(String what) {
        return new IllegalArgumentException("a checkpoint cannot have " + what);
    }
}
