package dev.stormproof.bench;

import dev.stormproof.bench.naive.NodeTree;
import dev.stormproof.proof.checkpoint.CheckpointCodec;
import dev.stormproof.proof.checkpoint.Format1Codec;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.Interval;
import dev.stormproof.proof.checkpoint.MalformedCheckpointException;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * A checkpoint's whole way, of an interval without a fault.
 *
 * <pre>
 *          at A                                      at C
 *   naive  build, encode                   ──bytes──►  decode, build, compare leaf by leaf
 *   ours   add, root, encode, chain hash   ──bytes──►  decode, chain hash, add, root, compare
 * </pre>
 *
 * <p>Both sides begin with the events' signatures, the naive one with Strings, ours with bytes. Each benchmark has a state of its
 * own, so that the JVM has seen one kind of stream alone when it compiles, as in an application.
 */
public class CheckpointPath {
    private static void check(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalStateException(otherwise);
        }
    }

    /** What the naive path begins with. */
    @State(Scope.Thread)
    public static class Naive {
        /** How many events the interval has. */
        @Param({"16", "100000"})
        public int events;

        private List<String> strings = List.of();

        @Setup
        public void makeSignatures() {
            Signatures signatures = Signatures.of(events);
            strings = signatures.strings();
            byte[] bytes = NodeTree.build(strings).encode();
            check(
                    Arrays.equals(bytes, Format1Codec.encode(signatures.stringLeaves())),
                    "the naive bytes are no format 1");
            List<String> swapped = new ArrayList<>(strings);
            Collections.swap(swapped, 0, 1);
            int differences = NodeTree.decode(bytes)
                    .differences(NodeTree.build(swapped), false)
                    .size();
            check(differences == 2, "the naive comparison finds " + differences + " of 2 differences");
        }

        private boolean path(boolean trustNodes) {
            byte[] bytes = NodeTree.build(strings).encode();
            return NodeTree.decode(bytes)
                    .differences(NodeTree.build(strings), trustNodes)
                    .isEmpty();
        }
    }

    /** What ours begins with, and its stream. */
    @State(Scope.Thread)
    public abstract static class Ours {
        /** How many events the interval has. */
        @Param({"16", "100000"})
        public int events;

        private final Stream stream;
        private byte[] packed = {};

        Ours(TreeHash treeHash, boolean keepLeaves) {
            stream = new Stream(treeHash, keepLeaves);
        }

        @Setup
        public void makeSignatures() throws MalformedCheckpointException {
            packed = Signatures.of(events).packed();
            check(path(), "a faultless interval is not verified");
            byte[] swapped = packed.clone();
            System.arraycopy(packed, 0, swapped, Signatures.SIZE_BYTES, Signatures.SIZE_BYTES);
            System.arraycopy(packed, Signatures.SIZE_BYTES, swapped, 0, Signatures.SIZE_BYTES);
            check(!stream.verify(stream.seal(packed), swapped), "a swap is verified");
        }

        boolean path() throws MalformedCheckpointException {
            return stream.verify(stream.seal(packed), packed);
        }
    }

    @State(Scope.Thread)
    public static class Root extends Ours {
        public Root() {
            super(TreeHash.XXH3, false);
        }
    }

    @State(Scope.Thread)
    public static class WithLeaves extends Ours {
        public WithLeaves() {
            super(TreeHash.XXH3, true);
        }
    }

    @State(Scope.Thread)
    public static class RootSha256 extends Ours {
        public RootSha256() {
            super(TreeHash.SHA256, false);
        }
    }

    @State(Scope.Thread)
    public static class WithLeavesSha256 extends Ours {
        public WithLeavesSha256() {
            super(TreeHash.SHA256, true);
        }
    }

    @Benchmark
    public boolean naive(Naive naive) {
        return naive.path(false);
    }

    /** Believes equal roots, and so misses 1 swap of neighbours in 1,000. */
    @Benchmark
    public boolean naiveTrustingNodes(Naive naive) {
        return naive.path(true);
    }

    @Benchmark
    public boolean root(Root root) throws MalformedCheckpointException {
        return root.path();
    }

    @Benchmark
    public boolean leaves(WithLeaves leaves) throws MalformedCheckpointException {
        return leaves.path();
    }

    @Benchmark
    public boolean rootSha256(RootSha256 root) throws MalformedCheckpointException {
        return root.path();
    }

    @Benchmark
    public boolean leavesSha256(WithLeavesSha256 leaves) throws MalformedCheckpointException {
        return leaves.path();
    }

    /** A stream at both of its ends. The same interval again and again, so that number and sequences stay as they are. */
    private static final class Stream {
        private static final StreamId ID = new StreamId("orders", 3, 0x1d872b5d7a1e46c5L);
        private static final long NUMBER = 1_000;
        private static final long FIRST_SEQUENCE = 1_000_000;

        private final TreeHash treeHash;
        private final boolean keepLeaves;
        private final Hash previousHash;
        private final Interval emitted;
        private Hash emittedChainHash;

        Stream(TreeHash treeHash, boolean keepLeaves) {
            this.treeHash = treeHash;
            this.keepLeaves = keepLeaves;
            this.previousHash = treeHash.emptyRoot();
            this.emitted = new Interval(treeHash, FIRST_SEQUENCE, keepLeaves);
            this.emittedChainHash = previousHash;
        }

        byte[] seal(byte[] signatures) {
            emitted.restart(FIRST_SEQUENCE);
            add(emitted, signatures);
            byte[] bytes = CheckpointCodec.encode(new Format2Checkpoint(
                    ID,
                    "shop-1",
                    NUMBER,
                    FIRST_SEQUENCE,
                    emitted.count(),
                    treeHash,
                    EventSigners.FIRST_SUPPLIED,
                    Signatures.SIZE_BYTES,
                    emitted.root(),
                    previousHash,
                    1_700_000_000_000L,
                    60_000,
                    false,
                    List.of(),
                    false,
                    1_001_000,
                    keepLeaves ? Optional.of(emitted.leaves()) : Optional.empty(),
                    Optional.empty()));
            emittedChainHash = CheckpointCodec.chainHash(treeHash, bytes);
            return bytes;
        }

        boolean verify(byte[] bytes, byte[] signatures) throws MalformedCheckpointException {
            Format2Checkpoint checkpoint = CheckpointCodec.decode(bytes);
            Hash chainHash = CheckpointCodec.chainHash(treeHash, bytes);
            Interval observed = new Interval(treeHash, FIRST_SEQUENCE, false);
            add(observed, signatures);
            return checkpoint.previousHash().equals(previousHash)
                    && checkpoint.firstSequence() == FIRST_SEQUENCE
                    && checkpoint.eventCount() == observed.count()
                    && checkpoint.root().equals(observed.root())
                    && chainHash.equals(emittedChainHash);
        }

        private static void add(Interval interval, byte[] signatures) {
            long sequence = FIRST_SEQUENCE;
            for (int begin = 0; begin < signatures.length; begin += Signatures.SIZE_BYTES) {
                interval.add(sequence++, signatures, begin, Signatures.SIZE_BYTES);
            }
        }
    }
}
