package dev.stormproof.task.live.watch;

import dev.stormproof.task.live.progress.TopicIds;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Topics as they are now. A thread asks for them every {@value #LOOK_MILLIS} ms, so that the task that writes to them does not wait for
 * answers.
 *
 * <p>Any thread may ask.
 */
public final class WatchedTopics implements AutoCloseable {
    static final long LOOK_MILLIS = 2_000;

    private static final Logger LOG = LoggerFactory.getLogger(WatchedTopics.class);
    private static final String TIMEOUT_MILLIS = "10000";
    private static final String WARNING =
            "a look at the topics that are written to broke; the next one is made as usual";

    /** How many times in a row the brokers must not know an existing topic, until it counts as deleted. */
    private static final int GONE_AFTER = 2;

    private final Asker asker;
    private final ScheduledExecutorService thread;
    private final Set<String> watched = ConcurrentHashMap.newKeySet();
    private final Map<String, State> states = new ConcurrentHashMap<>();
    private final Map<String, Integer> unknown = new HashMap<>();

    /** Asks the brokers for topics; for one thread at a time. */
    public interface Asker extends AutoCloseable {
        /** The states of topics, without those that cannot be asked for now. */
        Map<String, State> ask(Set<String> topics) throws InterruptedException;

        @Override
        void close();
    }

    /**
     * The state of a topic.
     *
     * @param forbidden why we may not write to it; null if we may, as far as is known
     * @param id distinguishes it from others of the same name; 0 if unknown
     * @param leaders whether each of its partitions has a leader; empty if it does not exist
     * @param settings those that matter to a writer; null if unknown
     */
    public record State(
            @Nullable String forbidden,
            long id,
            List<Boolean> leaders,
            @Nullable Settings settings) {
        static final State MISSING = new State(null, TopicIds.UNKNOWN, List.of(), null);
    }

    /**
     * The settings of a topic.
     *
     * @param takesAnyTime true if the broker sets the timestamps
     * @param oldestMillis how far in the past a timestamp may be
     * @param aheadMillis how far in the future
     */
    public record Settings(
            boolean compacted, int maxMessageBytes, boolean takesAnyTime, long oldestMillis, long aheadMillis) {
        private static final String EVER = Long.toString(Long.MAX_VALUE);

        /** Brokers before 3.6 take any time. */
        public static Settings of(Config config) {
            return new Settings(
                    value(config, TopicConfig.CLEANUP_POLICY_CONFIG, "").contains(TopicConfig.CLEANUP_POLICY_COMPACT),
                    Integer.parseInt(value(config, TopicConfig.MAX_MESSAGE_BYTES_CONFIG, "1048588")),
                    value(config, TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "").equals("LogAppendTime"),
                    Long.parseLong(value(config, TopicConfig.MESSAGE_TIMESTAMP_BEFORE_MAX_MS_CONFIG, EVER)),
                    Long.parseLong(value(config, TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG, EVER)));
        }

        private static String value(Config config, String name, String unknown) {
            ConfigEntry entry = config.get(name);
            return entry == null || entry.value() == null ? unknown : entry.value();
        }

        /** True if the broker takes a record with this timestamp. */
        public boolean takesTime(long millis, long nowMillis) {
            return takesAnyTime || (nowMillis - millis <= oldestMillis && millis - nowMillis <= aheadMillis);
        }
    }

    public WatchedTopics(Asker asker, String threadName) {
        this.asker = asker;
        this.thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread looking = new Thread(task, threadName);
            looking.setDaemon(true);
            return looking;
        });
        var unused = thread.scheduleWithFixedDelay(this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    public static WatchedTopics of(Map<String, Object> adminProperties, String threadName) {
        return new WatchedTopics(new ByAdmin(adminProperties), threadName);
    }

    /** Watches topics from now on; waits for the first answer about those that are new. */
    public void watch(Collection<String> topics) {
        Set<String> fresh = new HashSet<>(topics);
        fresh.removeAll(watched);
        if (!fresh.isEmpty()) {
            watched.addAll(fresh);
            ask(fresh);
        }
    }

    /** The state of a topic, if it is known. */
    public Optional<State> of(String topic) {
        return Optional.ofNullable(states.get(topic));
    }

    /** Why nothing can be written to a partition, or, if it is -1, to any of a topic; null if something can, as far as is known. */
    @Nullable
    public String unavailable(TopicPartition partition) {
        State state = states.get(partition.topic());
        if (state == null) {
            return null;
        }
        int count = state.leaders().size();
        if (state.forbidden() != null) {
            return state.forbidden();
        } else if (count == 0) {
            return "topic " + partition.topic() + " does not exist";
        } else if (partition.partition() >= count) {
            return "topic " + partition.topic() + " has " + count + " partitions, none with the number "
                    + partition.partition()
                    + ": events stay in their partitions, so that it needs as many as the input";
        } else if (state.settings() != null && state.settings().compacted()) {
            return "topic " + partition.topic()
                    + " is compacted: Kafka itself would remove events and checkpoints from it";
        } else if (partition.partition() >= 0 && !state.leaders().get(partition.partition())) {
            return partition + " has no leader";
        }
        return null;
    }

    @Nullable
    public Settings settings(String topic) {
        State state = states.get(topic);
        return state == null ? null : state.settings();
    }

    @Override
    public void close() {
        thread.shutdownNow();
        asker.close();
    }

    void look() {
        try {
            ask(Set.copyOf(watched));
        } catch (Throwable e) {
            // Anything thrown from here ends all further looks, and an output that waits for its topic would wait
            // forever.
            LOG.warn(WARNING, e);
        }
    }

    private void ask(Set<String> topics) {
        try {
            asker.ask(topics).forEach(this::keep);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Keeps a state, unless an existing topic seems deleted for the first time: a broker that has just started may not know it yet. */
    private synchronized void keep(String topic, State now) {
        int times = now.leaders().size() == 0 ? unknown.merge(topic, 1, Integer::sum) : 0;
        if (times == 0) {
            unknown.remove(topic);
        }
        boolean existed = of(topic).map(state -> state.leaders().size() > 0).orElse(false);
        if (times == 0 || times >= GONE_AFTER || !existed) {
            states.put(topic, now);
        }
    }

    private static final class ByAdmin implements Asker {
        private final Admin admin;

        ByAdmin(Map<String, Object> adminProperties) {
            Map<String, Object> properties = new TreeMap<>(adminProperties);
            properties.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS);
            properties.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS);
            this.admin = Admin.create(properties);
        }

        @Override
        public Map<String, State> ask(Set<String> topics) throws InterruptedException {
            Map<ConfigResource, String> resources = new HashMap<>();
            topics.forEach(topic -> resources.put(new ConfigResource(ConfigResource.Type.TOPIC, topic), topic));
            Map<String, KafkaFuture<TopicDescription>> described = admin.describeTopics(
                            topics, new DescribeTopicsOptions().includeAuthorizedOperations(true))
                    .topicNameValues();
            Map<String, Settings> settings = new HashMap<>();
            for (Map.Entry<ConfigResource, KafkaFuture<Config>> one :
                    admin.describeConfigs(resources.keySet()).values().entrySet()) {
                Config config = answer(one.getKey().name(), one.getValue());
                if (config != null) {
                    settings.put(one.getKey().name(), Settings.of(config));
                }
            }
            Map<String, State> states = new HashMap<>();
            for (Map.Entry<String, KafkaFuture<TopicDescription>> one : described.entrySet()) {
                State state = state(one.getKey(), one.getValue(), settings.get(one.getKey()));
                if (state != null) {
                    states.put(one.getKey(), state);
                }
            }
            return states;
        }

        private static @Nullable State state(
                String topic, KafkaFuture<TopicDescription> description, @Nullable Settings settings)
                throws InterruptedException {
            try {
                TopicDescription described = description.get();
                List<Boolean> leaders = described.partitions().stream()
                        .sorted(Comparator.comparingInt(TopicPartitionInfo::partition))
                        .map(partition -> partition.leader() != null)
                        .toList();
                Set<AclOperation> allowed = described.authorizedOperations();
                boolean writable = allowed == null || allowed.contains(AclOperation.WRITE);
                return new State(
                        writable ? null : "we may not write to topic " + topic,
                        TopicIds.idOf(described.topicId()),
                        leaders,
                        settings);
            } catch (ExecutionException e) {
                if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                    return State.MISSING;
                }
                if (e.getCause() instanceof AuthorizationException) {
                    return new State("we may not describe topic " + topic, TopicIds.UNKNOWN, List.of(true), settings);
                }
                LOG.info("topic {} cannot be asked for now: {}", topic, String.valueOf(e.getCause()));
                return null;
            }
        }

        private static @Nullable Config answer(String topic, KafkaFuture<Config> config) throws InterruptedException {
            try {
                return config.get();
            } catch (ExecutionException e) {
                LOG.debug("the settings of topic {} cannot be asked for: {}", topic, String.valueOf(e.getCause()));
                return null;
            }
        }

        @Override
        public void close() {
            admin.close(Duration.ofSeconds(1));
        }
    }
}
