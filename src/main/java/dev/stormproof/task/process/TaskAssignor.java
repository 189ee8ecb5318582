package dev.stormproof.task.process;

import dev.stormproof.task.process.TaskSharing.Claim;
import dev.stormproof.task.process.TaskSharing.Share;
import dev.stormproof.task.process.TaskSharing.Terms;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Configurable;
import org.jspecify.annotations.Nullable;

/**
 * Kafka's group protocol with tasks in place of partitions: each member names the tasks that it runs, the leader shares all tasks, and each
 * member gets its own. No partition is ever assigned, so the group fetches, revokes and commits nothing.
 *
 * <p>Kafka's consumer makes it from its configuration and uses it in its thread.
 */
public final class TaskAssignor implements ConsumerPartitionAssignor, Configurable {
    /** The key of the {@link Member} in the consumer's configuration. */
    static final String MEMBER = "stormproof.member";

    @SuppressWarnings("NullAway.Init") // Kafka configures it first.
    private Member member;

    interface Member {
        Claim claim();

        void assigned(Share share, int generation);
    }

    @Override
    public void configure(Map<String, ?> configs) {
        member = (Member) Objects.requireNonNull(configs.get(MEMBER));
    }

    @Override
    public String name() {
        return "stormproof-tasks";
    }

    @Override
    public ByteBuffer subscriptionUserData(Set<String> topics) {
        return member.claim().encode();
    }

    @Override
    public GroupAssignment assign(Cluster metadata, GroupSubscription group) {
        Map<String, Claim> claims = new HashMap<>();
        group.groupSubscription().forEach((id, subscription) -> claims.put(id, claim(subscription.userData())));
        Map<String, Assignment> assignments = new HashMap<>();
        Terms agreed = TaskSharing.agreed(claims.values());
        Map<String, Set<Integer>> shares = TaskSharing.share(claims);
        claims.forEach((id, claim) -> {
            Share share =
                    new Share(shares.getOrDefault(id, Set.of()), claim.terms().equals(agreed));
            assignments.put(id, new Assignment(List.of(), share.encode()));
        });
        return new GroupAssignment(assignments);
    }

    @Override
    public void onAssignment(Assignment assignment, ConsumerGroupMetadata metadata) {
        ByteBuffer share = assignment.userData();
        member.assigned(share == null ? Share.NONE : Share.decode(share), metadata.generationId());
    }

    private static Claim claim(@Nullable ByteBuffer bytes) {
        return bytes == null ? Claim.NONE : Claim.decode(bytes);
    }
}
