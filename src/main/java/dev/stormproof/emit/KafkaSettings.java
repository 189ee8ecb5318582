package dev.stormproof.emit;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Divides the settings of the application's producer into those of the emitter and those of its inner producer. */
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

    /** Sets byte array serializers for those given as instances, and for the inner producer. */
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
        // EmitterConfig has checked them; with explicit values Kafka refuses contradicting settings.
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        return properties;
    }
}
