package dev.stormproof.task.live.progress;

import java.io.Serializable;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ids that Kafka gives to topics when they are created, which distinguish topics of the same name.
 *
 * <p>Offsets and leader epochs do not distinguish them: a topic that is deleted and created again counts both from 0. Only a few ids have to be
 * distinguished, so 64 bits of each are kept.
 *
 * <p>For one thread.
 */
public class TopicIds implements Serializable, AutoCloseable {
    private static final long serialVersionUID = 1L;

    /** The id of a topic that has none, as before Kafka 2.8, or of which none is known. */
    public static final long UNKNOWN = 0;

    private static final Logger LOG = LoggerFactory.getLogger(TopicIds.class);
    private static final int TIMEOUT_MILLIS = 10_000;

    private final TreeMap<String, Object> properties;
    private transient @Nullable Admin admin;

    public TopicIds(Map<String, Object> properties) {
        this.properties = new TreeMap<>(properties);
        this.properties.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, Integer.toString(TIMEOUT_MILLIS));
        this.properties.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, "5000");
    }

    /** The ids of some topics, without those that Kafka does not know now. */
    public Map<String, Long> of(Set<String> topics) {
        Map<String, Long> ids = new HashMap<>();
        Map<String, KafkaFuture<TopicDescription>> described =
                open().describeTopics(topics).topicNameValues();
        described.forEach((topic, description) -> {
            Long id = await(topic, description);
            if (id != null) {
                ids.put(topic, id);
            }
        });
        return ids;
    }

    /** The topics that the brokers answer not to know. */
    public Set<String> unknown(Set<String> topics) {
        Set<String> unknown = new HashSet<>();
        open().describeTopics(topics).topicNameValues().forEach((topic, description) -> {
            try {
                var unused = description.get(2L * TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
            } catch (ExecutionException | TimeoutException e) {
                if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                    unknown.add(topic);
                }
            } catch (InterruptedException e) {
                throw new InterruptException(e);
            }
        });
        return unknown;
    }

    private Admin open() {
        Admin open = admin;
        if (open == null) {
            open = Admin.create(properties);
            admin = open;
        }
        return open;
    }

    @Override
    public void close() {
        if (admin != null) {
            admin.close();
            admin = null;
        }
    }

    public static long idOf(Uuid id) {
        return id.getMostSignificantBits() ^ id.getLeastSignificantBits();
    }

    private static @Nullable Long await(String topic, KafkaFuture<TopicDescription> description) {
        try {
            return idOf(
                    description.get(2L * TIMEOUT_MILLIS, TimeUnit.MILLISECONDS).topicId());
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("the id of topic {} cannot be read now: {}", topic, e.toString());
            return null;
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }
}
