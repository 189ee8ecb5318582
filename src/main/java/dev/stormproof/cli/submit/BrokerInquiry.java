package dev.stormproof.cli.submit;

import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.task.config.StormproofConfig;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.utils.SecurityUtils;
import org.jspecify.annotations.Nullable;

/**
 * The questions to Kafka before a topology starts; every failure becomes a {@link Failure} that says what to do.
 *
 * <p>Rights are asked for without being used: a topology that runs with the same settings is not disturbed. Without an
 * authorizer everything is allowed; a broker too old to answer is believed to allow it.
 */
record BrokerInquiry(Admin admin, String servers) {
    private static final String RIGHTS = "; docs/guides/verify.md lists the rights that are needed";

    /** How long a topic that was created just now may take to be known to the broker that is asked. */
    private static final long NEW_TOPIC_MILLIS = 2_000;

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    Set<String> topics() {
        return answer(admin.listTopics().names());
    }

    /** The topic that the setting {@code key} names, if it exists and we have the rights that are needed. */
    TopicDescription topic(String name, String key, AclOperation... needed) {
        TopicDescription topic;
        try {
            topic = describe(name, key);
        } catch (Failure e) {
            throw e.getCause() instanceof AuthorizationException ? forbidden(name, key, List.of(needed), e) : e;
        }
        Set<AclOperation> allowed = topic.authorizedOperations();
        List<AclOperation> missing = allowed == null
                ? List.of()
                : Arrays.stream(needed)
                        .filter(operation -> !allowed.contains(operation))
                        .toList();
        if (!missing.isEmpty()) {
            throw forbidden(name, key, missing, null);
        }
        return topic;
    }

    String setting(String topic, String key) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        return Objects.requireNonNull(
                        answer(admin.describeConfigs(Set.of(resource)).all()).get(resource))
                .get(key)
                .value();
    }

    /** Asks for a group's offsets, which needs the right to commit some. */
    void demandGroup(String group) {
        try {
            answer(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
        } catch (Failure e) {
            throw e.getCause() instanceof AuthorizationException
                    ? forbids("Read group '" + group + "' (" + StormproofConfig.GROUP_ID + ")", e)
                    : e;
        }
    }

    /** Asks for transactions of these ids, which needs the right to begin some. */
    void demandTransactionalIds(List<String> ids) {
        for (String id : ids) {
            try {
                answer(admin.describeTransactions(Set.of(id)).description(id));
            } catch (Failure e) {
                Throwable cause = e.getCause();
                if (cause instanceof AuthorizationException) {
                    throw forbids("Write transactional id '" + id + "'", e);
                }
                if (!(cause instanceof TransactionalIdNotFoundException
                        || cause instanceof UnsupportedVersionException)) {
                    throw e;
                }
            }
        }
    }

    private Failure forbidden(String topic, String key, List<AclOperation> missing, @Nullable Throwable cause) {
        String operations = missing.stream().map(SecurityUtils::operationName).collect(Collectors.joining(" and "));
        return forbids(operations + " topic '" + topic + "' (" + key + ")", cause);
    }

    private Failure forbids(String what, @Nullable Throwable cause) {
        return Failure.own("Kafka at " + servers + " does not let us " + what + RIGHTS, cause);
    }

    private TopicDescription describe(String topic, String key) {
        long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(NEW_TOPIC_MILLIS);
        DescribeTopicsOptions withRights = new DescribeTopicsOptions().includeAuthorizedOperations(true);
        while (true) {
            try {
                Map<String, TopicDescription> described =
                        answer(admin.describeTopics(Set.of(topic), withRights).allTopicNames());
                return Objects.requireNonNull(described.get(topic));
            } catch (Failure e) {
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                    throw e;
                }
                if (System.nanoTime() >= deadlineNanos) {
                    throw Failure.usage(
                            "topic '" + topic + "' does not exist at " + servers + ": create it or correct " + key,
                            e.getCause());
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private <T> T answer(KafkaFuture<T> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failure.own("interrupted while asking Kafka", e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            String reason = " fails: " + cause.getMessage();
            if (cause instanceof TimeoutException) {
                throw Failure.own(
                        "no Kafka broker answers at " + servers + ": is it running, and is "
                                + StormproofConfig.BOOTSTRAP_SERVERS + " right?",
                        cause);
            } else if (cause instanceof AuthenticationException) {
                reason = " does not accept our credentials: " + cause.getMessage();
            } else if (cause instanceof AuthorizationException) {
                reason = " forbids it: " + cause.getMessage() + RIGHTS;
            }
            throw Failure.own("Kafka at " + servers + reason, cause);
        }
    }
}
