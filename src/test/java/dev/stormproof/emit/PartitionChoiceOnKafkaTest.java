package dev.stormproof.emit;

import static dev.stormproof.emit.testing.Clients.PATIENCE_SECONDS;
import static dev.stormproof.emit.testing.Clients.producer;
import static dev.stormproof.emit.testing.Clients.producerSettings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.emit.testing.LoggedPartition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Partitioner;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The partition is chosen as KafkaProducer would. */
@OnKafka
class PartitionChoiceOnKafkaTest {
    private static final int PARTITIONS = 7;

    private static List<Integer> partitions(Producer<String, String> producer, List<ProducerRecord<String, String>> all)
            throws Exception {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        all.forEach(record -> sent.add(producer.send(record)));
        List<Integer> partitions = new ArrayList<>();
        for (Future<RecordMetadata> one : sent) {
            partitions.add(one.get(PATIENCE_SECONDS, TimeUnit.SECONDS).partition());
        }
        return partitions;
    }

    private static List<ProducerRecord<String, String>> keyed(String topic, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new ProducerRecord<>(topic, "key " + i, "value"))
                .toList();
    }

    private static List<ProducerRecord<String, String>> keyless(String topic, int count, int sizeBytes) {
        return IntStream.range(0, count)
                .mapToObj(i -> new ProducerRecord<String, String>(topic, "x".repeat(sizeBytes)))
                .toList();
    }

    private static void assertAllProven(EmbeddedKafka kafka, String topic) throws Exception {
        LoggedPartition.readAll(kafka, topic, PARTITIONS).forEach(LoggedPartition::assertProven);
    }

    @Test
    void aKeyGoesWhereKafkaProducerSendsIt(EmbeddedKafka kafka) throws Exception {
        String topic = SharedKafka.createTopic(kafka, "keys", PARTITIONS);
        String plainTopic = SharedKafka.createTopic(kafka, "keys", PARTITIONS);
        List<Integer> chosen;
        try (var producer = producer(kafka)) {
            chosen = partitions(producer, keyed(topic, 200));
        }
        Map<String, Object> plain = Map.of("bootstrap.servers", kafka.bootstrapServers());
        try (var producer = new KafkaProducer<>(plain, new StringSerializer(), new StringSerializer())) {
            assertThat(chosen).isEqualTo(partitions(producer, keyed(plainTopic, 200)));
        }
        assertThat(Set.copyOf(chosen)).hasSize(PARTITIONS);
        assertAllProven(kafka, topic);
    }

    @Test
    void withoutAKeyThePartitionChangesWithEveryBatchSize(EmbeddedKafka kafka) throws Exception {
        String topic = SharedKafka.createTopic(kafka, "sticky", PARTITIONS);
        List<Integer> chosen;
        try (var producer = producer(kafka, "batch.size", 1_000)) {
            chosen = partitions(producer, keyless(topic, 1_000, 100));
        }
        for (int i = 0; i < chosen.size(); i += 10) {
            assertThat(Set.copyOf(chosen.subList(i, i + 10))).hasSize(1);
        }
        assertThat(Set.copyOf(chosen)).hasSize(PARTITIONS);
        assertAllProven(kafka, topic);
    }

    @Test
    void keysAreIgnoredOnDemand(EmbeddedKafka kafka) throws Exception {
        String topic = SharedKafka.createTopic(kafka, "ignored", PARTITIONS);
        try (var producer = producer(kafka, "partitioner.ignore.keys", "true")) {
            assertThat(Set.copyOf(partitions(producer, keyed(topic, 50)))).hasSize(1);
        }
    }

    /** Sends everything where its value says, and remembers the values that it saw. */
    public static final class ByValue implements Partitioner {
        static final Set<Object> SEEN = new HashSet<>();
        static int closed;

        @Override
        public int partition(
                String topic,
                @Nullable Object key,
                byte @Nullable [] keyBytes,
                @Nullable Object value,
                byte @Nullable [] valueBytes,
                Cluster cluster) {
            SEEN.add(cluster.partitionCountForTopic(topic));
            SEEN.add(cluster.availablePartitionsForTopic(topic).size());
            return Integer.parseInt(String.valueOf(value));
        }

        @Override
        public void configure(Map<String, ?> configs) {
            SEEN.add(String.valueOf(configs.get("client.id")));
        }

        @Override
        public void close() {
            closed++;
        }
    }

    @Test
    void aPartitionerSeesTheCluster(EmbeddedKafka kafka) throws Exception {
        String topic = SharedKafka.createTopic(kafka, "by-value", PARTITIONS);
        try (var producer =
                producer(kafka, "partitioner.class", ByValue.class.getName(), "client.id", "client of this test")) {
            List<ProducerRecord<String, String>> records = List.of(
                    new ProducerRecord<>(topic, "4"),
                    new ProducerRecord<>(topic, "2"),
                    new ProducerRecord<>(topic, 5, null, "1"));
            assertThat(partitions(producer, records)).containsExactly(4, 2, 5);
            assertThatThrownBy(() -> producer.send(new ProducerRecord<>(topic, "-1")))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(ByValue.SEEN).containsExactlyInAnyOrder(PARTITIONS, "client of this test");
        assertThat(ByValue.closed).isOne();
        assertAllProven(kafka, topic);
    }

    @Test
    void aTopicThatDoesNotExistIsAFailedFuture(EmbeddedKafka kafka) {
        String topic = SharedKafka.unique("missing");
        Map<String, Exception> reported = new HashMap<>();
        try (var producer = new CheckpointingProducer<>(
                producerSettings(kafka, "max.block.ms", 200), new StringSerializer(), new StringSerializer())) {
            for (Integer partition : new Integer[] {null, 0}) {
                Future<RecordMetadata> sent = producer.send(
                        new ProducerRecord<>(topic, partition, "key", "value"),
                        (metadata, exception) -> reported.put("partition " + partition, exception));
                assertThatThrownBy(sent::get).hasCauseInstanceOf(TimeoutException.class);
            }
        }
        assertThat(reported)
                .hasSize(2)
                .allSatisfy((where, exception) -> assertThat(exception).isInstanceOf(TimeoutException.class));
    }
}
