package dev.stormproof.discovery;

import dev.stormproof.config.StormproofConfig;
import dev.stormproof.metrics.TaskMetrics;
import dev.stormproof.metrics.WorkerMetrics;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The announcement of where this process serves the metrics of a topology's tasks.
 *
 * <pre>
 *   tasks, and a port that is served ──► member of the group GROUP-metrics; its client.id says where
 *   another port                     ──► another member
 *   no tasks any more                ──► it leaves
 *   the process dies                 ──► Kafka counts it as dead after {@value #SESSION_MILLIS} ms
 * </pre>
 *
 * <p>So Kafka knows who is there, and nobody has to forget who is not. The group has neither partitions nor offsets. If Kafka does not let
 * it be told, verification goes on.
 *
 * <p>Any thread may begin one; it has a thread of its own.
 */
public final class Announcement {
    /** How long a process may be dead until it is no target any more. */
    static final int SESSION_MILLIS = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(Announcement.class);
    private static final int HEARTBEAT_MILLIS = 3_000;
    private static final Duration POLL = Duration.ofMillis(500);
    private static final long RETRY_MILLIS = 10_000;
    private static final Set<String> ANNOUNCED = new HashSet<>();

    private final StormproofConfig config;
    private boolean toldFailure;

    private Announcement(StormproofConfig config) {
        this.config = config;
    }

    /** Begins to count for a task of this process, and to announce where that is served, if it is. */
    public static TaskMetrics task(StormproofConfig config) {
        TaskMetrics task = WorkerMetrics.ofThisProcess().task(config.metricsAddress(), config.groupId());
        synchronized (ANNOUNCED) {
            if (config.metricsAddress().isPresent() && ANNOUNCED.add(config.groupId())) {
                Thread thread = new Thread(new Announcement(config)::run, "stormproof-announcement");
                thread.setDaemon(true);
                thread.start();
            }
        }
        return task;
    }

    private void run() {
        try {
            while (hasTasks()) {
                Optional<InetSocketAddress> served =
                        WorkerMetrics.ofThisProcess().served();
                if (served.isEmpty()) {
                    TimeUnit.MILLISECONDS.sleep(POLL.toMillis());
                } else {
                    announce(served.get());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            forget();
        }
    }

    /** True while the group has tasks here; the next task behind the last one begins another announcement. */
    private boolean hasTasks() {
        synchronized (ANNOUNCED) {
            boolean has = WorkerMetrics.ofThisProcess().hasTasks(config.groupId());
            if (!has) {
                ANNOUNCED.remove(config.groupId());
            }
            return has;
        }
    }

    private void forget() {
        synchronized (ANNOUNCED) {
            ANNOUNCED.remove(config.groupId());
        }
    }

    /** Is a member until something else is served, or nothing. */
    private void announce(InetSocketAddress served) throws InterruptedException {
        try (Membership membership = new Membership(config, served)) {
            while (WorkerMetrics.ofThisProcess().hasTasks(config.groupId())
                    && WorkerMetrics.ofThisProcess().served().equals(Optional.of(served))) {
                membership.poll();
            }
        } catch (InterruptException e) {
            throw new InterruptedException();
        } catch (KafkaException e) {
            if (!toldFailure) {
                LOG.warn(
                        "group {} cannot be joined, so that 'targets' does not list these metrics: {}",
                        ScrapeTargets.group(config.groupId()),
                        e.getMessage());
            }
            toldFailure = true;
            TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
        }
    }

    /** The consumer that is a member. It is subscribed to a topic that is there anyway, and reads nothing. */
    private static final class Membership implements AutoCloseable {
        private final KafkaConsumer<byte[], byte[]> consumer;

        Membership(StormproofConfig config, InetSocketAddress served) {
            Map<String, Object> properties = config.kafkaConsumer();
            properties.put(ConsumerConfig.GROUP_ID_CONFIG, ScrapeTargets.group(config.groupId()));
            properties.put(ConsumerConfig.CLIENT_ID_CONFIG, ScrapeTargets.clientId(served));
            properties.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic");
            properties.put(
                    ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, List.of(NothingAssigned.class.getName()));
            properties.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, SESSION_MILLIS);
            properties.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, HEARTBEAT_MILLIS);
            properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
            properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
            properties.remove(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
            consumer = new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
            consumer.subscribe(List.of(config.verifies() ? config.alerts.topic() : config.notary.notesTopic()));
        }

        void poll() {
            var unused = consumer.poll(POLL);
        }

        /** Leaves the group, so that nobody waits until it counts as dead. */
        @Override
        public void close() {
            consumer.close(CloseOptions.timeout(POLL));
        }
    }
}
