package dev.stormproof.bench;

import dev.stormproof.bench.naive.MapAlignment;
import dev.stormproof.proof.align.LeafAlignment;
import dev.stormproof.proof.align.SignatureAligner;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.Leaves;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** From two sequences of 100,000 signatures to the names of what differs between them. */
@State(Scope.Thread)
public class Alignment {
    static final int EVENTS = 100_000;

    /** How many times one invocation aligns, each time with faults of another kind or in other places. */
    private static final int VARIANTS = 5;

    /** A move goes over as many events as an ordinary interval has, at most. */
    private static final int LONGEST_MOVE = 1_000;

    private static final int FAULTS = 1_000;

    /** What is wrong. */
    public enum Faults {
        /** Nothing. */
        NONE,
        /** One fault; each of the variants has another kind. */
        ONE,
        /** As many of each kind, in places of their own. */
        THOUSAND
    }

    /** What is wrong. */
    @Param({"NONE", "ONE", "THOUSAND"})
    public Faults faults = Faults.NONE;

    private List<String> expectedStrings = List.of();
    private Leaves expectedLeaves = Leaves.empty();
    private final List<List<String>> observedStrings = new ArrayList<>();
    private final List<Leaves> observedLeaves = new ArrayList<>();

    private enum Kind {
        LOSE,
        DUPLICATE,
        ALTER,
        SWAP,
        MOVE
    }

    @Setup
    public void makeFaults() {
        Signatures signatures = Signatures.of(EVENTS);
        expectedStrings = signatures.strings();
        expectedLeaves = signatures.leaves();
        SplittableRandom random = new SplittableRandom(3);
        for (int variant = 0; variant < VARIANTS; variant++) {
            List<Integer> order = order(variant, random);
            List<String> strings = new ArrayList<>(order.size());
            Leaves.Builder leaves = Leaves.builder(order.size() * Signatures.SIZE_BYTES);
            for (int event : order) {
                Hash hash = event >= 0 ? signatures.hashes().get(event) : Signatures.ofEvent(EVENTS - event);
                strings.add(hash.toHex());
                leaves.append(hash);
            }
            observedStrings.add(strings);
            observedLeaves.add(leaves.build());
            demandEqualCounts(strings, observedLeaves.get(variant));
        }
    }

    /** The events as they arrive; a negative one was altered. */
    private List<Integer> order(int variant, SplittableRandom random) {
        List<Integer> order = new ArrayList<>(EVENTS);
        for (int i = 0; i < EVENTS; i++) {
            order.add(i);
        }
        Kind[] kinds = Kind.values();
        switch (faults) {
            case NONE -> {}
            case ONE -> strike(order, kinds[variant], EVENTS / 4 + random.nextInt(EVENTS / 2), random);
            case THOUSAND -> {
                // From the end on, so that a fault leaves the places of those to come as they are.
                for (int i = FAULTS - 1; i >= 0; i--) {
                    strike(order, kinds[random.nextInt(kinds.length)], EVENTS / FAULTS * i, random);
                }
            }
        }
        return order;
    }

    private static void strike(List<Integer> order, Kind kind, int at, SplittableRandom random) {
        switch (kind) {
            case LOSE -> order.remove(at);
            case DUPLICATE -> order.add(at + 1, order.get(at));
            case ALTER -> order.set(at, -1 - at);
            case SWAP -> order.add(at, order.remove(at + 1));
            case MOVE -> order.add(Math.min(order.size() - 1, at + 1 + random.nextInt(LONGEST_MOVE)), order.remove(at));
        }
    }

    private void demandEqualCounts(List<String> strings, Leaves leaves) {
        int naive = MapAlignment.of(expectedStrings, strings).count();
        int ours = named(SignatureAligner.align(expectedLeaves, leaves));
        if (naive != ours || (naive == 0) != (faults == Faults.NONE)) {
            throw new IllegalStateException(
                    "faults " + faults + ": the naive alignment names " + naive + " events, ours " + ours);
        }
    }

    private static int named(LeafAlignment alignment) {
        return alignment.lost().length
                + alignment.foreign().length
                + alignment.duplicates().length
                + alignment.reordered().length
                + alignment.alteredObserved().length;
    }

    @Benchmark
    @OperationsPerInvocation(VARIANTS)
    public int naive() {
        int named = 0;
        for (List<String> observed : observedStrings) {
            named += MapAlignment.of(expectedStrings, observed).count();
        }
        return named;
    }

    @Benchmark
    @OperationsPerInvocation(VARIANTS)
    public int ours() {
        int named = 0;
        for (Leaves observed : observedLeaves) {
            named += named(SignatureAligner.align(expectedLeaves, observed));
        }
        return named;
    }
}
