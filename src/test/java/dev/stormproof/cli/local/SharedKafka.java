package dev.stormproof.cli.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * The one broker that all test classes of a JVM share.
 *
 * <p>{@code @OnKafka}, and a parameter of type {@link EmbeddedKafka} in a constructor, a test or
 * a lifecycle method; started by the first who asks, closed after the last test. Never close it. Tests stay apart by
 * taking their topic, group and transactional id from {@link #unique}.
 */
public final class SharedKafka implements ParameterResolver {
    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(SharedKafka.class);
    private static final AtomicInteger NEXT = new AtomicInteger();

    /** A name that no other test of this JVM gets. */
    public static String unique(String prefix) {
        return prefix + "-" + NEXT.incrementAndGet();
    }

    /** Creates a topic with a unique name and the broker's default settings. */
    public static String createTopic(EmbeddedKafka kafka, String prefix, int partitions) {
        String topic = unique(prefix);
        kafka.createTopic(topic, partitions, Map.of());
        return topic;
    }

    /** A producer of bytes with these settings, keys and values in turns. */
    public static KafkaProducer<byte[], byte[]> producer(EmbeddedKafka kafka, Object... settings) {
        return new KafkaProducer<>(clientOf(kafka, settings), new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** A consumer of bytes with these settings, keys and values in turns. */
    public static KafkaConsumer<byte[], byte[]> consumer(EmbeddedKafka kafka, Object... settings) {
        return new KafkaConsumer<>(clientOf(kafka, settings), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private static Map<String, Object> clientOf(EmbeddedKafka kafka, Object... settings) {
        Map<String, Object> all = new HashMap<>();
        all.put("bootstrap.servers", kafka.bootstrapServers());
        for (int i = 0; i < settings.length; i += 2) {
            all.put((String) settings[i], settings[i + 1]);
        }
        return all;
    }

    /** Sends records in their order, each without its time, and waits until all have arrived. */
    public static void send(EmbeddedKafka kafka, Iterable<ProducerRecord<byte[], byte[]>> records) {
        try (KafkaProducer<byte[], byte[]> producer = producer(kafka)) {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            for (ProducerRecord<byte[], byte[]> record : records) {
                sent.add(producer.send(new ProducerRecord<>(
                        record.topic(), record.partition(), record.key(), record.value(), record.headers())));
            }
            producer.flush();
            for (Future<RecordMetadata> one : sent) {
                one.get();
            }
        } catch (ExecutionException | InterruptedException e) {
            throw new AssertionError("not sent", e);
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == EmbeddedKafka.class;
    }

    @Override
    public EmbeddedKafka resolveParameter(ParameterContext parameter, ExtensionContext context) {
        // The root store closes its values after the last test of the JVM.
        return context.getRoot().getStore(NAMESPACE).computeIfAbsent("broker", key -> start(), EmbeddedKafka.class);
    }

    private static EmbeddedKafka start() {
        try {
            return EmbeddedKafka.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
