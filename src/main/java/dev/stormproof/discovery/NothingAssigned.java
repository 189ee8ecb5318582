package dev.stormproof.discovery;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor;
import org.apache.kafka.common.Cluster;

/**
 * Kafka's group protocol without partitions: each member gets none, so that nothing is fetched, revoked or committed.
 *
 * <p>Made by Kafka's consumer; used by its thread.
 */
public final class NothingAssigned implements ConsumerPartitionAssignor {
    @Override
    public String name() {
        return "stormproof-nothing";
    }

    @Override
    public GroupAssignment assign(Cluster metadata, GroupSubscription group) {
        Map<String, Assignment> assignments = new HashMap<>();
        group.groupSubscription().keySet().forEach(member -> assignments.put(member, new Assignment(List.of())));
        return new GroupAssignment(assignments);
    }
}
