package dev.stormproof.task.live.watch;

import dev.stormproof.log.kafka.KafkaAnswers;
import dev.stormproof.task.config.InputTopics;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.progress.TopicIds;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The partitions that the input topics have. A thread asks for them every {@value #LOOK_MILLIS} ms, so that they are known without any
 * reader. It also shows whether Kafka answers.
 *
 * <p>Any thread may ask.
 */
public final class WatchedInputs implements AutoCloseable {
    static final long LOOK_MILLIS = 2_000;

    private static final Logger LOG = LoggerFactory.getLogger(WatchedInputs.class);
    private static final String TIMEOUT_MILLIS = "5000";
    private static final long CLOSE_MILLIS = 1_000;

    private final Asker asker;
    private final Consumer<Map<TopicPartition, Long>> looked;
    private final LongSupplier nanoTime;
    private final ScheduledExecutorService thread;
    private volatile Found found = new Found(Map.of(), 0);
    private volatile long answeredNanos;
    private volatile boolean silent;

    /**
     * What one look found.
     *
     * @param partitions those that exist, each with the id of its topic
     * @param hidden how many more there were when we were last allowed to describe their topics; one for a topic that we never were
     */
    record Found(Map<TopicPartition, Long> partitions, int hidden) {
        Found {
            partitions = Map.copyOf(partitions);
        }
    }

    /** Asks the brokers; for one thread at a time. */
    interface Asker extends AutoCloseable {
        /** Throws {@link KafkaException} if Kafka does not answer. */
        Found ask();

        @Override
        void close();
    }

    /**
     * Looks for as long as it is open, for the first time at once.
     *
     * @param looked takes what every look found, in the thread that looks; if it throws {@link KafkaException}, Kafka did not answer
     */
    WatchedInputs(Asker asker, Consumer<Map<TopicPartition, Long>> looked, LongSupplier nanoTime, String threadName) {
        this.asker = asker;
        this.looked = looked;
        this.nanoTime = nanoTime;
        this.answeredNanos = nanoTime.getAsLong();
        this.thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread looking = new Thread(task, threadName);
            looking.setDaemon(true);
            return looking;
        });
        var unused = thread.scheduleWithFixedDelay(this::look, 0, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    public static WatchedInputs of(
            StormproofConfig config, Consumer<Map<TopicPartition, Long>> looked, String threadName) {
        return new WatchedInputs(
                new ByAdmin(config.kafkaAdmin(), config.input.names()), looked, System::nanoTime, threadName);
    }

    /** The partitions that existed when Kafka last answered, each with the id of its topic; 0 if it has none. */
    public Map<TopicPartition, Long> partitions() {
        return found.partitions();
    }

    /** The number of partitions to be verified: those, and the ones that we may not describe. */
    public int expected() {
        Found last = found;
        return last.partitions().size() + last.hidden();
    }

    /** For how long Kafka has not answered; 0 if the last look was answered. */
    public long silentMillis() {
        return silent ? Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - answeredNanos)) : 0;
    }

    @Override
    public void close() {
        thread.shutdownNow();
        try {
            boolean unused = thread.awaitTermination(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        asker.close();
    }

    void look() {
        try {
            Found now = asker.ask();
            // First: covering a partition may take long, and until then it counts as not covered.
            found = now;
            looked.accept(now.partitions());
            answeredNanos = nanoTime.getAsLong();
            silent = false;
        } catch (InterruptException e) {
            LOG.debug("no further look", e);
        } catch (KafkaException e) {
            LOG.debug("the input topics cannot be asked for now", e);
            silent = true;
        } catch (Throwable e) {
            // Anything thrown from here ends all further looks, and nothing would show that what is known grows old.
            LOG.warn("a look at the input topics broke; the next one is made as usual", e);
            silent = true;
        }
    }

    /** Makes the Admin client only when it asks: a host name that cannot be resolved yet is no answer either. */
    private static final class ByAdmin implements Asker {
        private final Map<String, Object> properties;
        private final InputTopics inputs;
        /** The number of partitions of each existing topic when it was last described. */
        private final Map<String, Integer> known = new HashMap<>();

        private @Nullable Admin admin;

        ByAdmin(Map<String, Object> adminProperties, InputTopics inputs) {
            this.properties = new TreeMap<>(adminProperties);
            this.properties.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS);
            this.properties.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS);
            this.inputs = inputs;
        }

        @Override
        public Found ask() {
            Admin open = open();
            Set<String> names = new HashSet<>(inputs.names());
            if (inputs.arePattern()) {
                KafkaAnswers.get(open.listTopics().names()).stream()
                        .filter(inputs::contains)
                        .forEach(names::add);
                // Kafka does not list topics that we may not describe, but refuses to describe them by name.
                names.addAll(known.keySet());
            }
            Map<TopicPartition, Long> found = new HashMap<>();
            int hidden = 0;
            for (Map.Entry<String, KafkaFuture<TopicDescription>> one :
                    open.describeTopics(names).topicNameValues().entrySet()) {
                try {
                    TopicDescription topic = KafkaAnswers.get(one.getValue());
                    known.put(topic.name(), topic.partitions().size());
                    for (TopicPartitionInfo partition : topic.partitions()) {
                        found.put(
                                new TopicPartition(topic.name(), partition.partition()),
                                TopicIds.idOf(topic.topicId()));
                    }
                } catch (UnknownTopicOrPartitionException e) {
                    LOG.debug("a topic is not there", e);
                    known.remove(one.getKey());
                } catch (AuthorizationException e) {
                    LOG.debug("a topic is not for us", e);
                    hidden += known.getOrDefault(one.getKey(), 1);
                }
            }
            return new Found(found, hidden);
        }

        private synchronized Admin open() {
            Admin open = admin;
            if (open == null) {
                open = Admin.create(properties);
                admin = open;
            }
            return open;
        }

        @Override
        public synchronized void close() {
            if (admin != null) {
                admin.close(Duration.ZERO);
                admin = null;
            }
        }
    }
}
