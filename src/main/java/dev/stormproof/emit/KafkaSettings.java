package dev.stormproof.emit;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The settings of the application's producer divide into those of this emitter and those of its inner producer. */
final class KafkaSettings {
    private KafkaSettings() {}

    /** The settings of KafkaProducer that the emitter itself reads: serializers, partitioner, interceptors. */
    static ProducerConfig outer(Map<String, Object> configs, boolean keySerializerGiven, boolean valueSerializerGiven) {
        return new ProducerConfig(properties(configs, keySerializerGiven, valueSerializerGiven));
    }

    /** The settings of the inner producer: all others. */
    static Map<String, Object> inner(Map<String, Object> configs, ProducerConfig outer) {
        Map<String, Object> properties = properties(configs, true, true);
        properties.remove(ProducerConfig.INTERCEPTOR_CLASSES_CONFIG);
        properties.remove(ProducerConfig.PARTITIONER_CLASS_CONFIG);
        properties.put(ProducerConfig.CLIENT_ID_CONFIG, outer.getString(ProducerConfig.CLIENT_ID_CONFIG));
        return properties;
    }

    /** A serializer that was given as an instance, or that the inner producer needs, is named as one of bytes. */
    private static Map<String, Object> properties(
            Map<String, Object> configs, boolean bytesForKeys, boolean bytesForValues) {
        Map<String, Object> properties = new HashMap<>(configs);
        properties.keySet().removeIf(key -> key.startsWith(EmitterConfig.PREFIX));
        if (bytesForKeys) {
            properties.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        }
        if (bytesForValues) {
            properties.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        }
        // Checked by EmitterConfig, and said here, so that Kafka refuses settings that contradict them.
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        return properties;
    }
}
