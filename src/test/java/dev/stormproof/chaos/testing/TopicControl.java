package dev.stormproof.chaos.testing;

import static java.util.stream.Collectors.toMap;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.ElectionNotNeededException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.jspecify.annotations.Nullable;

/** A control of topics does what their operator does: moves leaders and replicas, changes settings and rights, deletes records. */
public final class TopicControl implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 120;
    private static final long ANSWER_MILLIS = 10_000;
    private static final String ANYBODY = "User:*";
    private static final String ALL_BROKERS = "";

    private final Admin admin;

    public TopicControl(String servers) {
        this.admin = Admin.create(
                Map.of("bootstrap.servers", servers, "request.timeout.ms", 4_000, "default.api.timeout.ms", 8_000));
    }

    /** A request to the brokers. */
    private interface Request<T> {
        KafkaFuture<T> send();
    }

    /** The partitions of topics, with their leaders, replicas and those of these that are in sync. */
    public Map<TopicPartition, TopicPartitionInfo> partitions(Collection<String> topics)
            throws IOException, InterruptedException {
        Map<TopicPartition, TopicPartitionInfo> partitions = new HashMap<>();
        for (TopicDescription topic :
                ask(() -> admin.describeTopics(topics).allTopicNames()).values()) {
            for (TopicPartitionInfo partition : topic.partitions()) {
                partitions.put(new TopicPartition(topic.name(), partition.partition()), partition);
            }
        }
        return partitions;
    }

    /** Waits until every partition of some topics is as wanted. */
    public void await(Collection<String> topics, String what, Predicate<TopicPartitionInfo> wanted)
            throws IOException, InterruptedException {
        WaitLimit limit = WaitLimit.inSeconds(PATIENCE_SECONDS);
        while (true) {
            Map<TopicPartition, TopicPartitionInfo> now = partitions(topics);
            if (now.values().stream().allMatch(wanted)) {
                return;
            }
            limit.check(() -> "not " + what + ": " + now);
            limit.pause();
        }
    }

    /** Waits until every replica of every topic is in sync. */
    public void awaitInSync() throws IOException, InterruptedException {
        Set<String> topics = ask(() -> admin.listTopics().names());
        await(
                topics,
                "in sync",
                partition -> partition.isr().size() == partition.replicas().size());
    }

    /** Gives a topic so many partitions, and waits until they have leaders. */
    public void widen(String topic, int partitions) throws IOException, InterruptedException {
        ask(() -> admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(partitions)))
                .all());
        WaitLimit limit = WaitLimit.inSeconds(PATIENCE_SECONDS);
        while (partitions(List.of(topic)).values().stream()
                        .filter(partition -> partition.leader() != null)
                        .count()
                < partitions) {
            limit.check(() -> topic + " has not " + partitions + " partitions");
            limit.pause();
        }
    }

    /** Gives partitions other replicas, the first of which is the preferred leader, and waits until they have them. */
    public void reassign(Map<TopicPartition, List<Integer>> replicas) throws IOException, InterruptedException {
        ask(() -> admin.alterPartitionReassignments(replicas.entrySet().stream()
                        .collect(toMap(
                                Map.Entry::getKey, one -> Optional.of(new NewPartitionReassignment(one.getValue())))))
                .all());
        WaitLimit limit = WaitLimit.inSeconds(PATIENCE_SECONDS);
        while (!ask(() -> admin.listPartitionReassignments(replicas.keySet()).reassignments())
                .isEmpty()) {
            limit.check(() -> "replicas are not moved");
            limit.pause();
        }
    }

    /** Elects leaders, again and again until all of them are {@code leaders}. */
    public void elect(ElectionType type, Map<TopicPartition, Integer> leaders)
            throws IOException, InterruptedException {
        WaitLimit limit = WaitLimit.inSeconds(PATIENCE_SECONDS);
        Set<String> topics =
                leaders.keySet().stream().map(TopicPartition::topic).collect(Collectors.toSet());
        while (true) {
            Map<TopicPartition, TopicPartitionInfo> now = partitions(topics);
            Set<TopicPartition> missing = leaders.entrySet().stream()
                    .filter(wanted -> !isLed(now.get(wanted.getKey()), wanted.getValue()))
                    .map(Map.Entry::getKey)
                    .collect(Collectors.toSet());
            if (missing.isEmpty()) {
                return;
            }
            ask(() -> admin.electLeaders(type, missing).partitions())
                    .forEach((partition, failure) -> failure.filter(one -> !(one instanceof ElectionNotNeededException))
                            .ifPresent(one -> limit.check(() -> partition + ": " + one)));
            limit.check(() -> "not led by " + leaders + ": " + now);
            limit.pause();
        }
    }

    private static boolean isLed(@Nullable TopicPartitionInfo partition, int leader) {
        Node now = partition == null ? null : partition.leader();
        return now != null && now.id() == leader;
    }

    /** The broker that is the active controller. */
    public int activeController() throws IOException, InterruptedException {
        return ask(() -> admin.describeMetadataQuorum().quorumInfo()).leaderId();
    }

    /** Changes settings of a topic; without a value one is taken back to the default. */
    public void set(String topic, Map<String, Optional<String>> settings) throws IOException, InterruptedException {
        set(new ConfigResource(ConfigResource.Type.TOPIC, topic), settings);
    }

    /** Changes a setting of all brokers while they run; without a value it is taken back to what they began with. */
    public void setOfBrokers(String name, Optional<String> value) throws IOException, InterruptedException {
        set(new ConfigResource(ConfigResource.Type.BROKER, ALL_BROKERS), Map.of(name, value));
    }

    private void set(ConfigResource resource, Map<String, Optional<String>> settings)
            throws IOException, InterruptedException {
        List<AlterConfigOp> changes = new ArrayList<>();
        settings.forEach((name, value) -> changes.add(new AlterConfigOp(
                new ConfigEntry(name, value.orElse("")),
                value.isPresent() ? AlterConfigOp.OpType.SET : AlterConfigOp.OpType.DELETE)));
        ask(() -> admin.incrementalAlterConfigs(Map.of(resource, changes)).all());
    }

    /** Deletes the records before offsets. */
    public void deleteRecords(Map<TopicPartition, Long> before) throws IOException, InterruptedException {
        ask(() -> admin.deleteRecords(before.entrySet().stream()
                        .collect(toMap(Map.Entry::getKey, one -> RecordsToDelete.beforeOffset(one.getValue()))))
                .all());
    }

    /** Forbids everybody one operation on a resource, of which all others stay allowed. */
    public void revoke(ResourceType type, String name, AclOperation operation)
            throws IOException, InterruptedException {
        ask(() -> admin.createAcls(bindings(type, name, operation)).all());
    }

    /** Takes {@link #revoke} back. */
    public void giveBack(ResourceType type, String name, AclOperation operation)
            throws IOException, InterruptedException {
        ask(() -> admin.deleteAcls(bindings(type, name, operation).stream()
                        .map(AclBinding::toFilter)
                        .toList())
                .all());
    }

    private static List<AclBinding> bindings(ResourceType type, String name, AclOperation operation) {
        ResourcePattern resource = new ResourcePattern(type, name, PatternType.LITERAL);
        return List.of(
                new AclBinding(
                        resource, new AccessControlEntry(ANYBODY, "*", AclOperation.ALL, AclPermissionType.ALLOW)),
                new AclBinding(resource, new AccessControlEntry(ANYBODY, "*", operation, AclPermissionType.DENY)));
    }

    /** Asks until there is an answer: brokers may be away. */
    private <T> T ask(Request<T> request) throws IOException, InterruptedException {
        WaitLimit limit = WaitLimit.inSeconds(PATIENCE_SECONDS);
        while (true) {
            try {
                return request.send().get(ANSWER_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                limit.check(() -> "the brokers do not answer");
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof RetriableException)) {
                    throw new IOException(e.getCause());
                }
                limit.check(() -> "the brokers do not answer: " + e.getCause());
            }
            limit.pause();
        }
    }

    @Override
    public void close() {
        admin.close();
    }
}
