package dev.stormproof.bench;

import dev.stormproof.bench.naive.NodeTree;
import dev.stormproof.proof.checkpoint.Interval;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** From signatures to the root: what each event costs as it comes, and nothing else. */
@State(Scope.Thread)
public class BuildRoot {
    /** How many events the interval has. */
    @Param({"100000"})
    public int events;

    private final Interval xxh3 = new Interval(TreeHash.XXH3, 0, false);
    private final Interval sha256 = new Interval(TreeHash.SHA256, 0, false);
    private List<String> strings = List.of();
    private byte[] packed = {};

    @Setup
    public void makeSignatures() {
        Signatures signatures = Signatures.of(events);
        strings = signatures.strings();
        packed = signatures.packed();
    }

    @Benchmark
    public NodeTree naive() {
        return NodeTree.build(strings);
    }

    @Benchmark
    public Hash xxh3() {
        return build(xxh3);
    }

    @Benchmark
    public Hash sha256() {
        return build(sha256);
    }

    private Hash build(Interval interval) {
        interval.restart(0);
        for (int i = 0; i < events; i++) {
            interval.add(i, packed, i * Signatures.SIZE_BYTES, Signatures.SIZE_BYTES);
        }
        return interval.root();
    }
}
