package dev.stormproof.storm.tuple;

import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.grouping.CustomStreamGrouping;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.task.WorkerTopologyContext;

/**
 * The rule that gives every partition to one task: {@code floorMod(hash(topic) + partition, tasks)}.
 *
 * <p>As a grouping it sends all deliveries of a partition to one task, in order. The partitions of one topic are spread
 * evenly, and stay where they are when others are added, so that nothing has to be read twice then.
 */
public final class PartitionPlacement implements CustomStreamGrouping {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("NullAway.Init") // Storm calls prepare first.
    private transient List<List<Integer>> targets;

    /** The index, from 0, of the task that a partition belongs to. */
    public static int taskIndex(String topic, int partition, int taskCount) {
        return Math.floorMod(topic.hashCode() + partition, taskCount);
    }

    /** True if a partition belongs to the task of {@code context}, among the tasks of its component. */
    public static boolean isOf(TopologyContext context, TopicPartition partition) {
        int taskCount = context.getComponentTasks(context.getThisComponentId()).size();
        return taskIndex(partition.topic(), partition.partition(), taskCount) == context.getThisTaskIndex();
    }

    @Override
    public void prepare(WorkerTopologyContext context, GlobalStreamId stream, List<Integer> targetTasks) {
        targets = targetTasks.stream().sorted().map(List::of).toList();
    }

    @Override
    public List<Integer> chooseTasks(int taskId, List<Object> values) {
        TopicPartition partition = ((DeliveryBatch) values.get(0)).partition();
        return targets.get(taskIndex(partition.topic(), partition.partition(), targets.size()));
    }
}
