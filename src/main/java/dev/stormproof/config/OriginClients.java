package dev.stormproof.config;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigException;

/**
 * The Kafka client properties under {@value #PREFIX}, for the cluster that has the logs of origins. They are what the topology's
 * own clients take; {@code config.providers} are those of the topology.
 */
record OriginClients(KafkaClientProperties clients, boolean isAnySet) {
    /** How the settings about origins begin. */
    static final String PREFIX = "origin.";

    /** The properties without those under the prefix. */
    static Map<String, String> without(Map<String, String> properties) {
        Map<String, String> others = new HashMap<>(properties);
        others.keySet().removeIf(key -> key.startsWith(PREFIX));
        return others;
    }

    /** Sorts and checks everything under the prefix that is not in {@code ownKeys}. */
    static OriginClients of(
            Map<String, String> properties, Set<String> ownKeys, boolean literalSecrets, Mistakes mistakes) {
        Map<String, String> under = new HashMap<>();
        properties.forEach((key, value) -> {
            if (key.startsWith(PREFIX) && !ownKeys.contains(key)) {
                under.put(key.substring(PREFIX.length()), value);
            }
        });
        boolean anySet = !under.isEmpty();
        properties.forEach((key, value) -> {
            if (key.equals(AbstractConfig.CONFIG_PROVIDERS_CONFIG)
                    || key.startsWith(AbstractConfig.CONFIG_PROVIDERS_CONFIG + ".")) {
                under.put(key, value);
            }
        });
        Mistakes ofOrigins = e -> mistakes.take(new ConfigException("under " + PREFIX + ": " + e.getMessage()));
        return new OriginClients(KafkaClientProperties.of(under, Set.of(), literalSecrets, ofOrigins), anySet);
    }

    Map<String, Object> forConsumer(String bootstrapServers) {
        return clients.forConsumer(bootstrapServers);
    }

    Map<String, Object> forAdmin(String bootstrapServers) {
        return clients.forAdmin(bootstrapServers);
    }

    Set<String> unresolved(String bootstrapServers) {
        return clients.unresolved(bootstrapServers);
    }
}
