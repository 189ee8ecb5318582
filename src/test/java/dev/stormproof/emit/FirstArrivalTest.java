package dev.stormproof.emit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

/** Named for the transitions of {@link FirstArrival}. */
class FirstArrivalTest {
    private static final TopicPartition PARTITION = new TopicPartition("t", 0);

    private final FirstArrival first = new FirstArrival(PARTITION, 1);
    private final CompletableFuture<RecordMetadata> number0 = new CompletableFuture<>();
    private final RecordMetadata arrived = new RecordMetadata(PARTITION, 0, 0, 0, 0, 0);

    @Test
    void notSentToNotSentByWaiting() {
        first.await();
        assertThat(first.isOver()).isFalse();
    }

    @Test
    void sentToArrived() {
        first.sent(number0);
        assertThat(first.isOver()).isFalse();
        number0.complete(arrived);
        first.await();
        assertThat(first.isOver()).isTrue();
        first.await();
    }

    @Test
    void sentToNotSentByAFailure() {
        first.sent(number0);
        number0.completeExceptionally(new KafkaException("gone"));
        assertThatThrownBy(first::await).hasMessage("gone");
        first.await();
        assertThat(first.isOver()).isFalse();
    }

    @Test
    void sentToSentByATimeout() {
        first.sent(number0);
        assertThatThrownBy(first::await).isInstanceOf(TimeoutException.class);
        number0.complete(arrived);
        first.await();
        assertThat(first.isOver()).isTrue();
    }

    @Test
    void sentToSentByAnotherStreamsNumber0() {
        first.sent(number0);
        first.sent(CompletableFuture.completedFuture(arrived));
        first.await();
        assertThat(first.isOver()).isTrue();
    }

    @Test
    void arrivedToSentIsIllegal() {
        first.sent(CompletableFuture.completedFuture(arrived));
        first.await();
        assertThatThrownBy(() -> first.sent(number0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("cannot go from Arrived to Sent in t-0");
    }
}
