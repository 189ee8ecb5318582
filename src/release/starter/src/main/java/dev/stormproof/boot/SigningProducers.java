package dev.stormproof.boot;

import dev.stormproof.emit.CheckpointingProducer;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.Serializer;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.ProducerPostProcessor;

/** A factory of Spring Kafka whose producers sign what they send; it closes them with the application, which seals the last events. */
class SigningProducers extends DefaultKafkaProducerFactory<Object, Object> {
    private final Emitters emitters;

    SigningProducers(Map<String, Object> settings, Emitters emitters) {
        super(settings);
        this.emitters = emitters;
    }

    @Override
    protected Producer<Object, Object> createRawProducer(Map<String, Object> settings) {
        // Without suppliers, the settings name the serializers.
        Supplier<? extends Serializer<Object>> key = getKeySerializerSupplier();
        Supplier<? extends Serializer<Object>> value = getValueSerializerSupplier();
        Producer<Object, Object> producer = emitters.watch(new CheckpointingProducer<>(
                settings, key == null ? null : key.get(), value == null ? null : value.get()));
        for (ProducerPostProcessor<Object, Object> each : getPostProcessors()) {
            producer = each.apply(producer);
        }
        return producer;
    }
}
