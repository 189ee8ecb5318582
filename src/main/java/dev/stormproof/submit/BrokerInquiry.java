package dev.stormproof.submit;

import dev.stormproof.config.StormproofConfig;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.utils.SecurityUtils;
import org.jspecify.annotations.Nullable;

/**
 * The questions to Kafka before a topology starts; every failure becomes a {@link RefusedException} that says what to do.
 *
 * <p>Rights are asked for without being used: a topology that runs with the same settings is not disturbed. Without an
 * authorizer everything is allowed; a broker too old to answer is believed to allow it.
 */
final class BrokerInquiry {
    private static final String RIGHTS = "; docs/OPERATIONS.md lists the rights that are needed";

    /** How long a topic that was created just now may take to be known to the broker that is asked. */
    private static final long NEW_TOPIC_MILLIS = 2_000;

    private static final long PAUSE_MILLIS = 100;

    private final Admin admin;
    private final String servers;

    BrokerInquiry(Admin admin, String servers) {
        this.admin = admin;
        this.servers = servers;
    }

    Set<String> topics() throws RefusedException {
        return answer(admin.listTopics().names());
    }

    /**
     * A topic that exists and with which we may do what is needed.
     *
     * @param key the setting that names it
     */
    TopicDescription topic(String name, String key, AclOperation... needed) throws RefusedException {
        TopicDescription topic;
        try {
            topic = describe(name, key);
        } catch (RefusedException e) {
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

    /** {@code cleanup.policy}. */
    String cleanupPolicy(String topic) throws RefusedException {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        return Objects.requireNonNull(
                        answer(admin.describeConfigs(Set.of(resource)).all()).get(resource))
                .get(TopicConfig.CLEANUP_POLICY_CONFIG)
                .value();
    }

    /** Asks for a group's offsets, which needs the right to commit some. */
    void demandGroup(String group) throws RefusedException {
        try {
            answer(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
        } catch (RefusedException e) {
            throw e.getCause() instanceof AuthorizationException
                    ? forbids("Read group '" + group + "' (" + StormproofConfig.GROUP_ID + ")", e)
                    : e;
        }
    }

    /** Asks for transactions of these ids, which needs the right to begin some. */
    void demandTransactionalIds(Set<String> ids) throws RefusedException {
        for (String id : ids) {
            try {
                answer(admin.describeTransactions(Set.of(id)).description(id));
            } catch (RefusedException e) {
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

    private RefusedException forbidden(
            String topic, String key, List<AclOperation> missing, @Nullable Throwable cause) {
        String operations = missing.stream().map(SecurityUtils::operationName).collect(Collectors.joining(" and "));
        return forbids(operations + " topic '" + topic + "' (" + key + ")", cause);
    }

    private RefusedException forbids(String what, @Nullable Throwable cause) {
        return RefusedException.failure("Kafka at " + servers + " does not let us " + what + RIGHTS, cause);
    }

    private TopicDescription describe(String topic, String key) throws RefusedException {
        long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(NEW_TOPIC_MILLIS);
        DescribeTopicsOptions withRights = new DescribeTopicsOptions().includeAuthorizedOperations(true);
        while (true) {
            try {
                Map<String, TopicDescription> described =
                        answer(admin.describeTopics(Set.of(topic), withRights).allTopicNames());
                return Objects.requireNonNull(described.get(topic));
            } catch (RefusedException e) {
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                    throw e;
                }
                if (System.nanoTime() >= deadlineNanos) {
                    throw RefusedException.usage(
                            "topic '" + topic + "' does not exist at " + servers + ": create it or correct " + key,
                            e.getCause());
                }
                pause();
            }
        }
    }

    private static void pause() throws RefusedException {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw RefusedException.failure("interrupted while asking Kafka", e);
        }
    }

    private <T> T answer(KafkaFuture<T> future) throws RefusedException {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw RefusedException.failure("interrupted while asking Kafka", e);
        } catch (ExecutionException e) {
            Throwable cause = Optional.ofNullable(e.getCause()).orElse(e);
            if (cause instanceof TimeoutException) {
                throw RefusedException.failure(
                        "no Kafka broker answers at " + servers + ": is it running, and is "
                                + StormproofConfig.BOOTSTRAP_SERVERS + " right?",
                        cause);
            }
            if (cause instanceof AuthenticationException) {
                throw RefusedException.failure(
                        "Kafka at " + servers + " does not accept our credentials: " + cause.getMessage(), cause);
            }
            if (cause instanceof AuthorizationException) {
                throw RefusedException.failure(
                        "Kafka at " + servers + " forbids it: " + cause.getMessage() + RIGHTS, cause);
            }
            throw RefusedException.failure("Kafka at " + servers + " fails: " + cause.getMessage(), cause);
        }
    }
}
