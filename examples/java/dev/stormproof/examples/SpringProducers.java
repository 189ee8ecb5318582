package dev.stormproof.examples;

import dev.stormproof.emit.CheckpointingProducer;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.Serializer;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.ProducerPostProcessor;

/**
 * A factory of Spring Kafka whose producers sign what they send. It takes the place of DefaultKafkaProducerFactory in a
 * configuration class, and closes its producers with the application, so that the last events are sealed too:
 *
 * <pre>
 * &#64;Bean
 * ProducerFactory&lt;?, ?&gt; producers(KafkaProperties properties, ObjectProvider&lt;SslBundles&gt; bundles) {
 *     return new SpringProducers&lt;&gt;(properties.buildProducerProperties(bundles.getIfAvailable()));
 * }
 * </pre>
 *
 * <p>That is for Spring Boot from 3.2 on. Its KafkaTemplate takes no factory with other types in the bean's signature, and the context
 * would not start.
 */
public class SpringProducers<K, V> extends DefaultKafkaProducerFactory<K, V> {
    public SpringProducers(Map<String, Object> properties) {
        super(properties);
    }

    @Override
    protected Producer<K, V> createRawProducer(Map<String, Object> properties) {
        // Without suppliers, the properties name the serializers.
        Supplier<? extends Serializer<K>> key = getKeySerializerSupplier();
        Supplier<? extends Serializer<V>> value = getValueSerializerSupplier();
        Producer<K, V> producer = new CheckpointingProducer<>(
                properties, key == null ? null : key.get(), value == null ? null : value.get());
        for (ProducerPostProcessor<K, V> each : getPostProcessors()) {
            producer = each.apply(producer);
        }
        return producer;
    }
}
