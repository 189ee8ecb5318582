package dev.stormproof.sim;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * What there is in a run beside one partition: more of them in one run of six, copies between them, and tasks that are rebalanced. It
 * draws by itself, so that runs of one partition go on as they did without it.
 */
final class Neighbourhood {
    private final SplittableRandom random;
    private final int partitions;
    /** How often, out of 1,000 steps, somebody copies a part of one partition into another. */
    private final int copies;
    /** How often, out of 1,000 steps, the partitions are spread over two tasks instead of one, or over one again. */
    private final int rebalances;

    private final Map<String, Integer> done = new TreeMap<>();

    private Neighbourhood(SplittableRandom random, int partitions, int copies, int rebalances) {
        this.random = random;
        this.partitions = partitions;
        this.copies = copies;
        this.rebalances = rebalances;
    }

    static Neighbourhood of(SplittableRandom random) {
        int partitions = random.nextInt(6) == 0 ? random.nextInt(2, 4) : 1;
        int copies = random.nextInt(2) == 0 ? random.nextInt(2, 20) : 0;
        int rebalances = random.nextInt(2) == 0 ? random.nextInt(5, 40) : 0;
        return new Neighbourhood(random, partitions, copies, rebalances);
    }

    int partitions() {
        return partitions;
    }

    /** How often each of these happened. */
    Map<String, Integer> done() {
        return done;
    }

    /** The partition in which something happens next. */
    Partition next(List<Partition> all) {
        return all.get(partitions == 1 ? 0 : random.nextInt(partitions));
    }

    /** Somebody may write a part of another partition into this one, as it lies there. */
    void copy(Partition here, List<Partition> all) {
        if (falls(copies)) {
            Partition other = all.get((here.number() + random.nextInt(1, partitions)) % partitions);
            here.upstream().surroundings().copyFrom(other.log(), random);
        }
    }

    /** True if the tasks are rebalanced now. */
    boolean rebalances() {
        return falls(rebalances);
    }

    void rebalance(Tasks tasks, Partition first, long nowMillis) {
        tasks.rebalance(first, random, nowMillis);
        done.merge("REBALANCE", 1, Integer::sum);
    }

    private boolean falls(int outOfThousand) {
        return partitions > 1 && random.nextInt(1_000) < outOfThousand;
    }

    @Override
    public String toString() {
        return partitions + " partitions, " + copies + " copies and " + rebalances + " rebalances of 1,000 steps";
    }
}
