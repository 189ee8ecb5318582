package dev.stormproof.task.live.open;

import org.apache.kafka.common.TopicPartition;

/**
 * Gives every partition to one task: {@code floorMod(hash(topic) + partition, tasks)}. This spreads the partitions of a topic evenly, and
 * they keep their tasks when partitions are added, so that nothing is read twice.
 */
public final class TaskPlacement {
    private TaskPlacement() {}

    /** The index, from 0, of a partition's task. */
    public static int taskIndex(TopicPartition partition, int taskCount) {
        return Math.floorMod(partition.topic().hashCode() + partition.partition(), taskCount);
    }
}
