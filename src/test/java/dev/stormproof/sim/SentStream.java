package dev.stormproof.sim;

import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What one emitter truly sent: the ground truth of one stream. */
final class SentStream {
    final StreamId id;
    final TreeHash treeHash;
    /** True if its checkpoints state leaves. */
    final boolean leaves;

    final long promiseMillis;
    /** The signature of each event, by sequence. */
    final List<Hash> signatures = new ArrayList<>();
    /** The chain hashes of the checkpoints that it made; in format 1, which has none, their leaves' text. */
    final Set<Hash> chainHashes = new HashSet<>();

    /** How far its emitter's clock is before the true time. */
    long clockMillis;

    /** False if it promises checkpoints and makes none in time. */
    boolean keepsPromises = true;

    SentStream(StreamId id, TreeHash treeHash, boolean leaves, long promiseMillis) {
        this.id = id;
        this.treeHash = treeHash;
        this.leaves = leaves;
        this.promiseMillis = promiseMillis;
    }

    boolean isFormat1() {
        return id.emitter() == StreamId.NO_EMITTER;
    }

    /** The signature of its events: the ids of emitters are random, and so is this. */
    int signatureAlgorithm() {
        return isFormat1() ? EventSigners.SHA1 : EventSigners.SHA256_KEY_VALUE + (int) (id.emitter() & 1);
    }
}
