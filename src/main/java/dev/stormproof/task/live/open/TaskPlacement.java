package dev.stormproof.task.live.open;

import org.apache.kafka.common.TopicPartition;

/**
 * The rule that gives every partition to one task: {@code floorMod(hash(topic) + partition, tasks)}. The partitions of one topic are
 * spread evenly, and stay where they are when others are added, so that nothing has to be read twice then.
 */
public final class TaskPlacement {
    private TaskPlacement() {}

    /** The index, from 0, of the task that a partition belongs to. */
    public static int taskIndex(TopicPartition partition, int taskCount) {
        return Math.floorMod(partition.topic().hashCode() + partition.partition(), taskCount);
    }
}
