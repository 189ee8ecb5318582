package dev.stormproof.task.live.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.task.live.run.Sending;
import dev.stormproof.task.live.run.TimedFlushProducer;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A flush where the client's own thread has ended, on a real broker. */
@OnKafka
@Timeout(60)
class TimedFlushOnKafkaTest {
    private final String topic;
    private final Map<String, Object> properties;

    TimedFlushOnKafkaTest(EmbeddedKafka kafka) throws Exception {
        topic = SharedKafka.createTopic(kafka, "timed-flush", 1);
        properties = Map.of(
                "bootstrap.servers", kafka.bootstrapServers(),
                "linger.ms", 0,
                "request.timeout.ms", 4_000,
                "delivery.timeout.ms", 5_000);
    }

    @Test
    void aFlushWhoseClientHasNoThreadAnyMoreEndsWithAnError() {
        try (TimedFlushProducer producer = new TimedFlushProducer(properties, 0)) {
            var unused = producer.send(new ProducerRecord<>(topic, new byte[] {1}), (metadata, failure) -> {
                throw new StackOverflowError("planted");
            });
            assertTimeoutPreemptively(
                    Duration.ofSeconds(30),
                    () -> assertThatThrownBy(producer::flush)
                            .isInstanceOf(TimeoutException.class)
                            .hasMessageContaining("records without an answer after 5000 ms"));
        }
    }

    @Test
    void aFlushOtherwiseEndsOnceEachRecordHasItsAnswer() {
        try (TimedFlushProducer producer = new TimedFlushProducer(properties, 0)) {
            Sending sending = new Sending();
            var unused = producer.send(new ProducerRecord<>(topic, new byte[] {1}), sending);
            producer.flush();
            assertThat(sending.written()).isNotNull();
            producer.close(Duration.ZERO);
            assertThatThrownBy(producer::flush).hasMessage("the producer is closed");
        }
    }
}
