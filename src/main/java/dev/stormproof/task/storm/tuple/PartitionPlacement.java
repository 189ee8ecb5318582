package dev.stormproof.task.storm.tuple;

import dev.stormproof.task.live.open.TaskPlacement;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.grouping.CustomStreamGrouping;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.task.WorkerTopologyContext;

/** Sends all deliveries of a partition, in order, to the task that {@link TaskPlacement} names. */
public final class PartitionPlacement implements CustomStreamGrouping {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("NullAway.Init") // Storm calls prepare first.
    private transient List<List<Integer>> targets;

    /** True if a partition belongs to the task of {@code context}, among the tasks of its component. */
    public static boolean isOf(TopologyContext context, TopicPartition partition) {
        int taskCount = context.getComponentTasks(context.getThisComponentId()).size();
        return TaskPlacement.taskIndex(partition, taskCount) == context.getThisTaskIndex();
    }

    @Override
    public void prepare(WorkerTopologyContext context, GlobalStreamId stream, List<Integer> targetTasks) {
        targets = targetTasks.stream().sorted().map(List::of).toList();
    }

    @Override
    public List<Integer> chooseTasks(int taskId, List<Object> values) {
        TopicPartition partition = ((DeliveryBatch) values.get(0)).partition();
        return targets.get(TaskPlacement.taskIndex(partition, targets.size()));
    }
}
