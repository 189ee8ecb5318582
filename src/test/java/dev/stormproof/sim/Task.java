package dev.stormproof.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A verifying task: the verification of its partitions, committed in one transaction, and lost whole when it crashes. */
final class Task {
    private final Coordinator coordinator;
    private final Coordinator.Producer producer;
    private final List<Verification> verifications = new ArrayList<>();

    /** One that begins: it fences others before it reads what they committed. */
    Task(Coordinator coordinator, int index, int tasks) {
        this.coordinator = coordinator;
        this.producer = coordinator.newProducer(index, tasks);
    }

    void add(Verification verification) {
        verifications.add(verification);
    }

    List<Verification> verifications() {
        return verifications;
    }

    /** The verification of a partition; empty if another task has it. */
    Optional<Verification> of(Partition partition) {
        for (Verification one : verifications) {
            if (one.partition() == partition) {
                return Optional.of(one);
            }
        }
        return Optional.empty();
    }

    void tick(long nowMillis) {
        verifications.forEach(one -> one.tick(nowMillis));
    }

    /** Commits what was found, the output and the progress of all its partitions; false if another task has taken over. */
    boolean flush(long nowMillis) {
        List<Runnable> writes = new ArrayList<>();
        verifications.forEach(one -> one.write(nowMillis).ifPresent(writes::add));
        return coordinator.commit(producer, writes);
    }
}
