package dev.stormproof.storm.testing;

import dev.stormproof.config.StormproofConfig;
import dev.stormproof.config.TrackerPlacement;
import dev.stormproof.local.EmbeddedKafka;
import dev.stormproof.local.LocalRun;
import dev.stormproof.local.SharedKafka;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The topology in a LocalCluster that all tests of a class share, with two tasks of each kind: it verifies every topic
 * whose name begins with its prefix, and writes to an alerts and a verdicts topic of its own.
 */
public final class SharedTopology implements AutoCloseable {
    private final EmbeddedKafka kafka;
    private final String prefix;
    private final String group;
    private final String alertsTopic;
    private final String verdictsTopic;
    private final LocalRun run;

    private SharedTopology(
            EmbeddedKafka kafka,
            String name,
            int alertsPartitions,
            TrackerPlacement placement,
            Map<String, String> settings)
            throws Exception {
        this.kafka = kafka;
        this.prefix = SharedKafka.unique(name);
        this.group = SharedKafka.unique("group-of-" + name);
        this.alertsTopic = SharedKafka.createTopic(kafka, "alerts-of-" + name, alertsPartitions);
        this.verdictsTopic = SharedKafka.createTopic(kafka, "verdicts-of-" + name, 1);
        Map<String, String> all = new HashMap<>(settings);
        all.put("tracker.placement", placement.label());
        all.put("bootstrap.servers", kafka.bootstrapServers());
        all.put("input.topics.pattern", prefix + "-.*");
        all.put("group.id", group);
        all.put("alerts.topic", alertsTopic);
        all.put("verdicts.topic", verdictsTopic);
        all.put("spout.tasks", "2");
        all.put("transform.tasks", "2");
        all.put("checkpoint.tasks", "2");
        this.run = LocalRun.start(name, new StormproofConfig(all));
    }

    /** Starts it, which takes some seconds. */
    public static SharedTopology start(
            EmbeddedKafka kafka,
            String name,
            int alertsPartitions,
            TrackerPlacement placement,
            Map<String, String> settings)
            throws Exception {
        return new SharedTopology(kafka, name, alertsPartitions, placement, settings);
    }

    /** How the names of the topics begin that it verifies. */
    public String prefix() {
        return prefix;
    }

    public String group() {
        return group;
    }

    public String alertsTopic() {
        return alertsTopic;
    }

    public String verdictsTopic() {
        return verdictsTopic;
    }

    /** A new topic that it verifies. */
    public String newTopic(String name, int partitions) {
        return SharedKafka.createTopic(kafka, prefix + "-" + name, partitions);
    }

    /** A consumer of all committed records of topics, from their beginning on. */
    public KafkaConsumer<byte[], byte[]> reader(String... topics) {
        KafkaConsumer<byte[], byte[]> reader = new KafkaConsumer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers(), "isolation.level", "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        List<TopicPartition> partitions = Stream.of(topics)
                .flatMap(topic -> reader.partitionsFor(topic).stream())
                .map(info -> new TopicPartition(info.topic(), info.partition()))
                .toList();
        reader.assign(partitions);
        reader.seekToBeginning(partitions);
        return reader;
    }

    /** Writes records as they are, and waits until they have arrived. */
    public void send(List<ProducerRecord<byte[], byte[]>> records) {
        try (Producer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (ProducerRecord<byte[], byte[]> record : records) {
                var unused = producer.send(new ProducerRecord<>(
                        record.topic(), record.partition(), null, record.key(), record.value(), record.headers()));
            }
            producer.flush();
        }
    }

    @Override
    public void close() {
        run.close();
    }
}
