package dev.stormproof.emit;

import static dev.stormproof.emit.testing.Clients.producer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.emit.testing.Clients;
import dev.stormproof.emit.testing.LoggedPartition;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.Test;

/** Callbacks that send, before a real broker and on a real producer's thread. */
@OnKafka
class CallbackOnKafkaTest {
    @Test
    void aCallbackSendsToAPartitionThatAnotherThreadHasJustBegun(EmbeddedKafka kafka) throws Exception {
        String topic = SharedKafka.createTopic(kafka, "follow-up", 2);
        CompletableFuture<Future<RecordMetadata>> followUp = new CompletableFuture<>();
        try (var producer = producer(kafka, "max.block.ms", 60_000)) {
            Thread other = new Thread(() -> Clients.send(producer, topic, 1, "other"));
            Future<RecordMetadata> unused =
                    producer.send(new ProducerRecord<>(topic, 0, null, "first"), (metadata, exception) -> {
                        other.start();
                        // The other thread now waits for number 0, whose arrival only this thread can report.
                        Clients.await("number 0", () -> other.getState() == Thread.State.TIMED_WAITING);
                        followUp.complete(producer.send(new ProducerRecord<>(topic, 1, null, "follow-up")));
                    });
            followUp.get(20, TimeUnit.SECONDS).get(20, TimeUnit.SECONDS);
            other.join(TimeUnit.SECONDS.toMillis(20));
            assertThat(other.isAlive()).isFalse();
        }
        assertThat(LoggedPartition.read(kafka, topic, 1).assertProven().texts())
                .containsExactlyInAnyOrder("other", "follow-up");
    }
}
