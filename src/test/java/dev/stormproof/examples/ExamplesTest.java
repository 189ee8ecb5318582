package dev.stormproof.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.emit.CheckpointingProducer;
import dev.stormproof.emit.HideCheckpoints;
import dev.stormproof.task.config.StormproofConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.transforms.predicates.HasHeaderKey;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.core.KafkaTemplate;

/** What examples/ shows is run here against a broker, and audited. */
@OnKafka
class ExamplesTest {
    private static final int EVENTS = 40;

    @Test
    void whatASpringTemplateSendsIsVerified(EmbeddedKafka kafka) {
        String topic = SharedKafka.createTopic(kafka, "spring", 2);
        SpringProducers<String, String> producers = new SpringProducers<>(properties(kafka));
        KafkaTemplate<String, String> template = new KafkaTemplate<>(producers);

        for (int i = 0; i < EVENTS; i++) {
            Future<?> unused = template.send(topic, "key-" + i, "value-" + i);
        }
        producers.destroy();

        assertVerified(kafka, topic);
    }

    @Test
    void soIsWhatItSendsInTransactions(EmbeddedKafka kafka) {
        String topic = SharedKafka.createTopic(kafka, "spring", 2);
        SpringProducers<String, String> producers = new SpringProducers<>(properties(kafka));
        producers.setTransactionIdPrefix(SharedKafka.unique("spring"));
        KafkaTemplate<String, String> template = new KafkaTemplate<>(producers);

        template.executeInTransaction(operations -> {
            for (int i = 0; i < EVENTS; i++) {
                Future<?> unused = operations.send(topic, "key-" + i, "value-" + i);
            }
            return true;
        });
        producers.destroy();

        assertVerified(kafka, topic);
    }

    @Test
    void whatAStreamsApplicationMakesOfASignedTopicIsVerified(EmbeddedKafka kafka) {
        String input = SharedKafka.createTopic(kafka, "streams-in", 2);
        String output = SharedKafka.createTopic(kafka, "streams-out", 2);
        emit(kafka, input);
        StreamsBuilder builder = new StreamsBuilder();
        builder.<String, String>stream(input)
                .mapValues(value -> value.toUpperCase(java.util.Locale.ROOT))
                .to(output);
        Properties properties = new Properties();
        properties.putAll(streams(kafka, SharedKafka.unique("streams")));

        try (KafkaStreams streams = new KafkaStreams(builder.build(), properties, new StreamsClients())) {
            streams.start();
            Map<String, String> made = new TreeMap<>();
            for (ConsumerRecord<String, String> record : read(kafka, output, EVENTS)) {
                made.put(record.key(), record.value());
            }
            assertThat(made).hasSize(EVENTS).containsEntry("key-7", "VALUE-7").doesNotContainValue(null);
        }

        assertVerified(kafka, output);
    }

    /** Connect takes its filter by a predicate of the header. */
    @Test
    void aSinkConnectorDoesNotSeeCheckpoints(EmbeddedKafka kafka) throws Exception {
        String topic = SharedKafka.createTopic(kafka, "sink", 2);
        emit(kafka, topic);
        Map<String, String> lines =
                StormproofConfig.properties(Path.of("examples/connect/hide-checkpoints.properties"), Map.of());
        try (HasHeaderKey<SinkRecord> predicate = new HasHeaderKey<>()) {
            assertThat(lines.get("predicates.isCheckpoint.type")).isEqualTo(HasHeaderKey.class.getName());
            predicate.configure(Map.of("name", String.valueOf(lines.get("predicates.isCheckpoint.name"))));

            // Two checkpoints a partition: the first one, of nothing, and the closing one.
            List<ConsumerRecord<String, String>> records = read(kafka, topic, EVENTS + 4);
            assertThat(records.stream().filter(record -> predicate.test(sinkRecord(record))))
                    .hasSize(4)
                    .allSatisfy(record -> assertThat(record.value()).isNull());
        }
        assertThat(Class.forName(lines.get("transforms.hideCheckpoints.type"))).isNotNull();
    }

    private static SinkRecord sinkRecord(ConsumerRecord<String, String> record) {
        ConnectHeaders headers = new ConnectHeaders();
        record.headers().forEach(header -> headers.addBytes(header.key(), header.value()));
        return new SinkRecord(
                record.topic(),
                record.partition(),
                null,
                record.key(),
                null,
                record.value(),
                record.offset(),
                null,
                null,
                headers);
    }

    private static Map<String, Object> streams(EmbeddedKafka kafka, String application) {
        return Map.of(
                StreamsConfig.APPLICATION_ID_CONFIG,
                application,
                StreamsConfig.BOOTSTRAP_SERVERS_CONFIG,
                kafka.bootstrapServers(),
                StreamsConfig.PROCESSING_GUARANTEE_CONFIG,
                StreamsConfig.EXACTLY_ONCE_V2,
                StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG,
                Serdes.StringSerde.class.getName(),
                StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG,
                Serdes.StringSerde.class.getName(),
                "main.consumer.interceptor.classes",
                HideCheckpoints.class.getName(),
                "main.consumer.auto.offset.reset",
                "earliest");
    }

    private static Map<String, Object> properties(EmbeddedKafka kafka) {
        return new HashMap<>(Map.of(
                "bootstrap.servers", kafka.bootstrapServers(),
                "key.serializer", StringSerializer.class.getName(),
                "value.serializer", StringSerializer.class.getName()));
    }

    private static void emit(EmbeddedKafka kafka, String topic) {
        try (Producer<String, String> producer = new CheckpointingProducer<>(properties(kafka))) {
            for (int i = 0; i < EVENTS; i++) {
                Future<?> unused = producer.send(new ProducerRecord<>(topic, "key-" + i, "value-" + i));
            }
        }
    }

    private static List<ConsumerRecord<String, String>> read(EmbeddedKafka kafka, String topic, int count) {
        boolean hide = count == EVENTS;
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        kafka.bootstrapServers(),
                        "isolation.level",
                        "read_committed",
                        "auto.offset.reset",
                        "earliest",
                        "interceptor.classes",
                        hide ? HideCheckpoints.class.getName() : ""),
                new StringDeserializer(),
                new StringDeserializer())) {
            consumer.assign(List.of(new TopicPartition(topic, 0), new TopicPartition(topic, 1)));
            List<ConsumerRecord<String, String>> records = new ArrayList<>();
            long deadline = System.nanoTime() + Duration.ofMinutes(2).toNanos();
            while (records.size() < count && System.nanoTime() < deadline) {
                consumer.poll(Duration.ofMillis(200)).forEach(records::add);
            }
            assertThat(records).hasSize(count);
            return records;
        }
    }

    private static void assertVerified(EmbeddedKafka kafka, String topic) {
        Shell.Result audit = Shell.here("audit", "--bootstrap-server", kafka.bootstrapServers(), "--topic", topic)
                .ends(0);
        assertThat(audit.out()).contains(" " + EVENTS + " ");
    }
}
