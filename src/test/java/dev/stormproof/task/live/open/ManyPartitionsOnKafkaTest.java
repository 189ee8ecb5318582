package dev.stormproof.task.live.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.task.live.run.TaskTransaction;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The progress of more partitions than a broker takes in one request. */
@OnKafka
@Timeout(120)
class ManyPartitionsOnKafkaTest {
    /** With notes as long as Kafka takes them these are 1.6 MB, as 10,000 partitions with short ones are. */
    private static final int PARTITIONS = 400;

    private static final int NOTE_CHARS = 4_000;

    @Test
    void progressOfMoreThanARequestTakesIsCommittedInOneTransaction(EmbeddedKafka kafka) throws Exception {
        String topic = SharedKafka.createTopic(kafka, "many", PARTITIONS);
        String group = SharedKafka.unique("group");
        String note = "n".repeat(NOTE_CHARS);
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            offsets.put(new TopicPartition(topic, partition), new OffsetAndMetadata(partition, Optional.of(0), note));
        }
        KafkaProducer<byte[], byte[]> producer =
                SharedKafka.producer(kafka, "transactional.id", SharedKafka.unique("t"));
        producer.initTransactions();
        try (TaskTransaction transaction = transaction(producer, group);
                KafkaConsumer<byte[], byte[]> consumer =
                        SharedKafka.consumer(kafka, "group.id", group, "isolation.level", "read_committed")) {
            assertThatCode(() -> transaction.commit(offsets)).doesNotThrowAnyException();

            // It waits for a transaction whose end is not everywhere yet.
            Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(offsets.keySet());
            assertThat(committed.equals(offsets))
                    .as("%d committed", committed.size())
                    .isTrue();
        }
    }

    @SuppressWarnings("removal") // Without a consumer in the group there is no other one.
    private static TaskTransaction transaction(KafkaProducer<byte[], byte[]> producer, String group) {
        return new TaskTransaction(producer, new ConsumerGroupMetadata(group), () -> 0);
    }
}
