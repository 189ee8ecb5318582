package dev.stormproof.live;

import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;

/**
 * The identity of one task among those that share the partitions of a group.
 *
 * @param topologyId the id of the run that the tasks belong to; it stands in every {@link ProgressNote}
 * @param taskId the task's id in that run
 * @param index the task's place among those that share the partitions, from 0: the next task of that index takes over
 * @param partitions accepts the partitions that are this task's
 */
public record TaskIdentity(String topologyId, int taskId, int index, Predicate<TopicPartition> partitions) {}
