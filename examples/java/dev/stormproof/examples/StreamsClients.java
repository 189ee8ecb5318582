package dev.stormproof.examples;

import dev.stormproof.emit.CheckpointingProducer;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;

/**
 * The clients of a Kafka Streams application whose output is signed: {@code new KafkaStreams(topology, properties, new
 * StreamsClients())}.
 *
 * <p>For topologies without state: Streams writes its changelogs with the same producer, and these are compacted: a broker refuses a
 * checkpoint there, which has no key. If the input is signed as well, its checkpoints are hidden by
 * {@code main.consumer.interceptor.classes=dev.stormproof.emit.HideCheckpoints}.
 */
public final class StreamsClients implements KafkaClientSupplier {
    @Override
    public Producer<byte[], byte[]> getProducer(Map<String, Object> properties) {
        return new CheckpointingProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public Admin getAdmin(Map<String, Object> properties) {
        return Admin.create(properties);
    }

    @Override
    public Consumer<byte[], byte[]> getConsumer(Map<String, Object> properties) {
        return new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    @Override
    public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> properties) {
        return getConsumer(properties);
    }

    @Override
    public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> properties) {
        return getConsumer(properties);
    }
}
