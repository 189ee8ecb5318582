package dev.stormproof.emit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

/** An application's own unit test, with the producer that Kafka has for that. */
class MockProducerTest {
    private final MockProducer<byte[], byte[]> mock =
            new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());

    @Test
    void noClusterIsAskedForItsTopicsLimits() {
        // Without bootstrap.servers, a client of a cluster cannot even be made.
        assertThatCode(() -> assertThat(TopicLimits.ofCluster(mock, Map.of()).apply("orders"))
                        .isEmpty())
                .doesNotThrowAnyException();
    }

    @Test
    void itsEventsAreSealed() {
        try (CheckpointingProducer<String, String> producer = new CheckpointingProducer<>(
                Map.of("bootstrap.servers", "localhost:1"),
                new StringSerializer(),
                new StringSerializer(),
                settings -> mock)) {
            Future<RecordMetadata> unused = producer.send(new ProducerRecord<>("orders", 0, "key", "value"));
        }
        assertThat(mock.history())
                .as("number 0, the event, the closing checkpoint")
                .hasSize(3);
    }
}
