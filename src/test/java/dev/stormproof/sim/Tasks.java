package dev.stormproof.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The verifying tasks of a run: the owners of its partitions, of which some are down, and those that were replaced and do not know it.
 *
 * <pre>
 *   1 task   0of1: partitions 0, 1, 2
 *                    │ rebalance: whichever of the new ones starts first fences all of the old number
 *   2 tasks  0of2: partitions 0, 2     1of2: partition 1
 * </pre>
 */
final class Tasks {
    private final List<Partition> partitions;
    private final BiFunction<Partition, Long, Verification> verifications;
    private final Coordinator coordinator = new Coordinator();
    private final List<Task> replaced = new ArrayList<>();
    private @Nullable Task[] owners = new Task[1];

    /** @param verifications begins the verification of a partition, at a time */
    Tasks(List<Partition> partitions, BiFunction<Partition, Long, Verification> verifications) {
        this.partitions = partitions;
        this.verifications = verifications;
    }

    /** The task that owns a partition; null while it is down. */
    @Nullable
    Task of(Partition partition) {
        return owners[indexOf(partition)];
    }

    /** The verification of a partition in the task that owns it; empty while that is down. */
    Optional<Verification> verificationOf(Partition partition) {
        return Optional.ofNullable(of(partition)).flatMap(owner -> owner.of(partition));
    }

    /** A task that owned a partition and was replaced, if one lives; null if none does. */
    @Nullable
    Task replacedOf(Partition partition) {
        for (Task task : replaced) {
            if (task.of(partition).isPresent()) {
                return task;
            }
        }
        return null;
    }

    /** The tasks that are not down. */
    List<Task> owners() {
        List<Task> living = new ArrayList<>();
        for (Task owner : owners) {
            if (owner != null) {
                living.add(owner);
            }
        }
        return living;
    }

    /** The partitions that one task owns together with this one. */
    List<Partition> together(Partition partition) {
        return partitions.stream()
                .filter(other -> indexOf(other) == indexOf(partition))
                .toList();
    }

    /** Starts the task that owns a partition, from what is committed. */
    void start(Partition partition, long nowMillis) {
        Task task = new Task(coordinator, indexOf(partition), owners.length);
        together(partition).forEach(owned -> {
            owned.verifierBegins();
            task.add(verifications.apply(owned, nowMillis));
        });
        owners[indexOf(partition)] = task;
    }

    /** The task that owns a partition crashes. */
    void crash(Partition partition) {
        owners[indexOf(partition)] = null;
    }

    /** The task that owns a partition, if it is not down, is taken for dead and goes on beside its successor. */
    void lose(Partition partition) {
        Task lost = of(partition);
        if (lost != null) {
            replaced.clear();
            replaced.add(lost);
            crash(partition);
        }
    }

    /** From one task to two, or back; the one that owns a partition starts first, and the old ones die or do not know it yet. */
    void rebalance(Partition first, SplittableRandom random, long nowMillis) {
        replaced.clear();
        if (random.nextBoolean()) {
            replaced.addAll(owners());
        }
        owners = new Task[3 - owners.length];
        start(first, nowMillis);
    }

    /** A replaced task finds out that it is fenced, and ends. */
    void end(Task task) {
        replaced.remove(task);
    }

    /** All replaced tasks end. */
    void endReplaced() {
        replaced.clear();
    }

    private int indexOf(Partition partition) {
        return partition.number() % owners.length;
    }
}
