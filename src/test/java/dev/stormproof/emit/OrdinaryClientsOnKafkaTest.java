package dev.stormproof.emit;

import static dev.stormproof.emit.testing.Clients.consumer;
import static dev.stormproof.emit.testing.Clients.poll;
import static dev.stormproof.emit.testing.Clients.producer;
import static dev.stormproof.emit.testing.Clients.send;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.emit.testing.LoggedPartition;
import dev.stormproof.proof.checkpoint.EventHeader;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.TransformedHeader;
import java.util.List;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.Test;

/** An application that knows nothing of checkpoints: its records, and its consumers. */
@OnKafka
class OrdinaryClientsOnKafkaTest {
    @Test
    void anOrdinaryConsumerSeesCheckpointsAsRecordsWithoutValue(EmbeddedKafka kafka) throws Exception {
        String topic = SharedKafka.createTopic(kafka, "plain", 1);
        try (var producer = producer(kafka, EmitterConfig.MAX_EVENTS, 2)) {
            for (String value : List.of("a", "b", "c")) {
                send(producer, topic, 0, value);
            }
        }
        try (var consumer = consumer(kafka, SharedKafka.unique("group"))) {
            consumer.subscribe(List.of(topic));
            List<ConsumerRecord<String, String>> records = poll(consumer, 6);
            assertThat(records).extracting(ConsumerRecord::value).containsExactly(null, "a", "b", null, "c", null);
            assertThat(records).extracting(ConsumerRecord::key).containsExactly(null, "key", "key", null, "key", null);
        }
    }

    @Test
    void aValueOfNullIsAnEventToo(EmbeddedKafka kafka) throws Exception {
        String topic = SharedKafka.createTopic(kafka, "null", 1);
        try (var producer = producer(kafka)) {
            Future<RecordMetadata> unused = producer.send(new ProducerRecord<>(topic, 0, "key", null));
            send(producer, topic, 0, "");
        }
        assertThat(LoggedPartition.read(kafka, topic, 0).assertProven().texts()).containsExactly(null, "");
    }

    @Test
    void theSameRecordCanBeSentTwice(EmbeddedKafka kafka) throws Exception {
        String topic = SharedKafka.createTopic(kafka, "again", 1);
        ProducerRecord<String, String> record = new ProducerRecord<>(topic, 0, "key", "a");
        record.headers().add("mine", new byte[] {7});
        // As one that was consumed.
        for (String own : List.of(
                EventHeader.NAME, Format2Checkpoint.HEADER, TransformedHeader.NAME, "stormproof-of-a-later-version")) {
            record.headers().add(own, new byte[] {1});
        }
        try (var producer = producer(kafka)) {
            Future<RecordMetadata> unused = producer.send(record);
            unused = producer.send(record);
        }
        assertThat(record.headers()).hasSize(5);
        try (var consumer =
                consumer(kafka, SharedKafka.unique("group"), "interceptor.classes", HideCheckpoints.class.getName())) {
            consumer.subscribe(List.of(topic));
            for (ConsumerRecord<String, String> found : poll(consumer, 2)) {
                assertThat(found.headers()).extracting(Header::key).containsExactly("mine", EventHeader.NAME);
            }
        }
        LoggedPartition.read(kafka, topic, 0).assertProven();
    }

    @Test
    void timestampsAreTheApplications(EmbeddedKafka kafka) throws Exception {
        String topic = SharedKafka.createTopic(kafka, "timestamps", 1);
        try (var producer = producer(kafka)) {
            RecordMetadata metadata = producer.send(new ProducerRecord<>(topic, 0, 1234L, null, "a"))
                    .get();
            assertThat(metadata.timestamp()).isEqualTo(1234);
            assertThat(metadata.offset()).isOne();
            assertThat(metadata.serializedValueSize()).isOne();
        }
    }
}
