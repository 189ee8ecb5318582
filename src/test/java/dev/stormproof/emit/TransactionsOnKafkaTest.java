package dev.stormproof.emit;

import static dev.stormproof.emit.testing.Clients.await;
import static dev.stormproof.emit.testing.Clients.checkpoints;
import static dev.stormproof.emit.testing.Clients.consumer;
import static dev.stormproof.emit.testing.Clients.poll;
import static dev.stormproof.emit.testing.Clients.producer;
import static dev.stormproof.emit.testing.Clients.send;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.emit.testing.LoggedPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Transactions before a real broker. */
@OnKafka
class TransactionsOnKafkaTest {
    @Test
    void readersOfCommittedRecordsSeeOneChainAcrossAborts(EmbeddedKafka kafka) throws Exception {
        String topic = SharedKafka.createTopic(kafka, "transactions", 2);
        List<String> committed = new ArrayList<>();
        try (var producer =
                producer(kafka, EmitterConfig.MAX_EVENTS, 3, "transactional.id", SharedKafka.unique("emitter"))) {
            producer.initTransactions();
            for (int i = 0; i < 12; i++) {
                producer.beginTransaction();
                boolean commit = i % 3 != 1;
                for (int k = 0; k < i; k++) {
                    String value = i + "." + k;
                    send(producer, topic, k % 2, value);
                    if (commit && k % 2 == 0) {
                        committed.add(value);
                    }
                }
                if (commit) {
                    producer.commitTransaction();
                } else {
                    // An abort that overtakes a transaction's first records may find none begun, which Kafka takes
                    // amiss.
                    producer.flush();
                    producer.abortTransaction();
                }
            }
        }
        assertThat(LoggedPartition.read(kafka, topic, 0).assertProven().texts()).isEqualTo(committed);
        LoggedPartition.read(kafka, topic, 1).assertProven();
    }

    @Test
    void idleHeartbeatsOfATransactionalProducerAreCommitted(EmbeddedKafka kafka) throws Exception {
        String topic = SharedKafka.createTopic(kafka, "idle-tx", 1);
        try (var producer =
                producer(kafka, EmitterConfig.DEADLINE_MS, 200L, "transactional.id", SharedKafka.unique("emitter"))) {
            producer.initTransactions();
            for (int i = 0; i < 3; i++) {
                long before = checkpoints(producer, topic, 0);
                producer.beginTransaction();
                send(producer, topic, 0, "event " + i);
                producer.commitTransaction();
                await("heartbeats", () -> checkpoints(producer, topic, 0) >= before + 4);
            }
        }
        LoggedPartition log = LoggedPartition.read(kafka, topic, 0).assertProven();
        assertThat(log.texts()).containsExactly("event 0", "event 1", "event 2");
        assertThat(log.stream().checkpoints.size()).isGreaterThanOrEqualTo(11);
    }

    @Test
    void consumedOffsetsAreCommittedWithTheEvents(EmbeddedKafka kafka) throws Exception {
        String input = SharedKafka.createTopic(kafka, "in", 1);
        String output = SharedKafka.createTopic(kafka, "out", 1);
        try (var producer = producer(kafka)) {
            send(producer, input, 0, "a");
            send(producer, input, 0, "b");
        }
        String group = SharedKafka.unique("group");
        try (var consumer = consumer(kafka, group, "interceptor.classes", HideCheckpoints.class.getName());
                var producer = producer(kafka, "transactional.id", SharedKafka.unique("emitter"))) {
            producer.initTransactions();
            consumer.subscribe(List.of(input));
            for (ConsumerRecord<String, String> record : poll(consumer, 2)) {
                producer.beginTransaction();
                // Forwards the record with the input's event header, which must not survive.
                Future<RecordMetadata> unused = producer.send(
                        new ProducerRecord<>(output, 0, record.key(), record.value() + "'", record.headers()));
                producer.sendOffsetsToTransaction(
                        Map.of(new TopicPartition(input, 0), new OffsetAndMetadata(record.offset() + 1)),
                        consumer.groupMetadata());
                producer.commitTransaction();
            }
            assertThat(consumer.committed(Set.of(new TopicPartition(input, 0))).values())
                    .containsExactly(new OffsetAndMetadata(3));
        }
        assertThat(LoggedPartition.read(kafka, output, 0).assertProven().texts())
                .containsExactly("a'", "b'");
    }
}
