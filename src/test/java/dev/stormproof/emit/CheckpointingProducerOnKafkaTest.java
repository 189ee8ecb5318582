package dev.stormproof.emit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.local.EmbeddedKafka;
import dev.stormproof.local.SharedKafka;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The emitter before a real broker. */
@ExtendWith(SharedKafka.class)
class CheckpointingProducerOnKafkaTest {
    private static Map<String, Object> settings(EmbeddedKafka kafka, Object... more) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", kafka.bootstrapServers());
        settings.put(EmitterConfig.MAX_INTERVAL_MS, 60_000L);
        for (int i = 0; i < more.length; i += 2) {
            settings.put((String) more[i], more[i + 1]);
        }
        return settings;
    }

    private static CheckpointingProducer<String, String> producer(EmbeddedKafka kafka, Object... more) {
        return new CheckpointingProducer<>(settings(kafka, more), new StringSerializer(), new StringSerializer());
    }

    private static void send(Producer<String, String> producer, String topic, int partition, String value) {
        Future<RecordMetadata> unused = producer.send(new ProducerRecord<>(topic, partition, "key", value));
    }

    @Test
    void aCleanStreamIsSealedByCountAndOnClose(EmbeddedKafka kafka) throws Exception {
        String topic = SharedKafka.createTopic(kafka, "clean", 2);
        List<String> sent = new ArrayList<>();
        CheckpointingProducer<String, String> producer = producer(kafka, EmitterConfig.MAX_EVENTS, 10);
        try (producer) {
            for (int i = 0; i < 25; i++) {
                sent.add("event " + i);
                send(producer, topic, 1, "event " + i);
            }
        }

        LoggedPartition log = LoggedPartition.read(kafka, topic, 1).assertProven();
        assertThat(log.texts()).isEqualTo(sent);
        assertThat(log.stream().checkpoints)
                .extracting(Format2Checkpoint::eventCount)
                .containsExactly(0L, 10L, 10L, 5L);
        assertThat(producer.stats().get(new TopicPartition(topic, 1)))
                .isEqualTo(new EmitterStats(log.streams.keySet().iterator().next(), 25, 4, 3, 0));
        assertThat(LoggedPartition.read(kafka, topic, 0).streams).isEmpty();
    }
}
