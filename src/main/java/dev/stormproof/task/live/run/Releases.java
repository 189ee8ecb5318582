package dev.stormproof.task.live.run;

import dev.stormproof.task.config.StormproofConfig;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the releases of halted outputs, and hands out each one once. For one thread. */
public final class Releases implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Releases.class);
    private static final String TIMEOUT_MILLIS = "5000";

    private final StormproofConfig config;
    private final Set<Release> known = new HashSet<>();
    private final Set<OffsetAndMetadata> refused = new HashSet<>();
    private @Nullable Admin admin;

    public Releases(StormproofConfig config) {
        this.config = config;
    }

    /** The new releases of events at which outputs are halted. */
    public Map<TopicPartition, Release> of(Map<TopicPartition, Long> halted) {
        Map<TopicPartition, Release> released = new HashMap<>();
        committed(halted.keySet()).forEach((partition, offset) -> {
            if (offset != null && Objects.equals(offset.offset(), halted.get(partition))) {
                Optional<Release> release = Release.decode(offset);
                release.filter(known::add).ifPresent(found -> released.put(partition, found));
                if (release.isEmpty() && refused.add(offset)) {
                    LOG.warn(
                            "{}@{}: the metadata in group {} is no release",
                            partition,
                            offset.offset(),
                            Release.group(config));
                }
            }
        });
        return released;
    }

    @Override
    public void close() {
        if (admin != null) {
            admin.close();
        }
    }

    private Map<TopicPartition, @Nullable OffsetAndMetadata> committed(Set<TopicPartition> partitions) {
        String group = Release.group(config);
        try {
            return admin().listConsumerGroupOffsets(
                            Map.of(group, new ListConsumerGroupOffsetsSpec().topicPartitions(partitions)))
                    .partitionsToOffsetAndMetadata(group)
                    .get();
        } catch (ExecutionException e) {
            LOG.warn("cannot ask for the offsets of group {}, which hold the releases", group, e.getCause());
            return Map.of();
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private Admin admin() {
        Admin open = admin;
        if (open == null) {
            Map<String, Object> properties = config.kafkaAdmin();
            properties.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS);
            properties.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS);
            open = Admin.create(properties);
            admin = open;
        }
        return open;
    }
}
