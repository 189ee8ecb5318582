package dev.stormproof.mirror;

import dev.stormproof.cli.local.EmbeddedKafka;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.connect.mirror.MirrorMaker;

/**
 * A MirrorMaker 2 of Kafka's own in this JVM, from one broker to another, as its dedicated mode runs it: topics keep its default
 * names, the source's alias and a dot before the topic's own.
 */
final class RunningMirror implements AutoCloseable {
    /** The alias of the source. */
    static final String SOURCE = "dc1";

    private final MirrorMaker mirror;

    private RunningMirror(MirrorMaker mirror) {
        this.mirror = mirror;
    }

    /** Starts one; it goes on where the last one on the same brokers ended. */
    static RunningMirror start(EmbeddedKafka source, EmbeddedKafka target) {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try {
            MirrorMaker mirror = new MirrorMaker(properties(source, target));
            mirror.start();
            return new RunningMirror(mirror);
        } finally {
            // Connect leaves the thread with a loader of plugins.
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    /** The name of a topic's copy at the target. */
    String copyOf(String topic) {
        return SOURCE + "." + topic;
    }

    private static Map<String, String> properties(EmbeddedKafka source, EmbeddedKafka target) {
        Map<String, String> properties = new HashMap<>(Map.of(
                "clusters",
                SOURCE + ", dc2",
                SOURCE + ".bootstrap.servers",
                source.bootstrapServers(),
                "dc2.bootstrap.servers",
                target.bootstrapServers(),
                SOURCE + "->dc2.enabled",
                "true",
                SOURCE + "->dc2.topics",
                ".*",
                "dc2->" + SOURCE + ".enabled",
                "false"));
        // One node cannot replicate.
        properties.put("replication.factor", "1");
        properties.put("offset-syncs.topic.replication.factor", "1");
        properties.put("offset.storage.replication.factor", "1");
        properties.put("config.storage.replication.factor", "1");
        properties.put("status.storage.replication.factor", "1");
        properties.put("offset.storage.partitions", "1");
        properties.put("status.storage.partitions", "1");
        // Only records are mirrored, soon, and without a search of the class path.
        properties.put("emit.heartbeats.enabled", "false");
        properties.put("emit.checkpoints.enabled", "false");
        properties.put("sync.topic.acls.enabled", "false");
        properties.put("refresh.topics.interval.seconds", "1");
        properties.put("scheduled.rebalance.max.delay.ms", "0");
        properties.put("offset.flush.interval.ms", "1000");
        properties.put("plugin.discovery", "service_load");
        return properties;
    }

    /** Stops it as an operator does; its offsets are written. */
    @Override
    public void close() {
        mirror.stop();
        mirror.awaitStop();
    }
}
