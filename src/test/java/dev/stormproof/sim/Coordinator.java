package dev.stormproof.sim;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Kafka's transaction coordinator: knows which producer of each transactional id may commit, and commits what it wrote to several
 * partitions at once or not at all.
 */
final class Coordinator {
    private final Map<String, Integer> epochs = new HashMap<>();

    /** A producer that began for a transactional id; the one with the id's latest epoch may commit. */
    record Producer(String id, int epoch) {}

    /**
     * A new producer of a task among several. It fences the one before it, and as a task does that starts (TransactionalIds), the tasks
     * of every other number.
     */
    Producer newProducer(int index, int tasks) {
        String ending = "of" + tasks;
        epochs.replaceAll((id, epoch) -> id.endsWith(ending) ? epoch : epoch + 1);
        String id = index + ending;
        return new Producer(id, epochs.merge(id, 1, Integer::sum));
    }

    /** One transaction; false if its producer is fenced, so that nothing is written. */
    boolean commit(Producer by, List<Runnable> writes) {
        if (epochs.getOrDefault(by.id(), 0) != by.epoch()) {
            return false;
        }
        writes.forEach(Runnable::run);
        return true;
    }
}
