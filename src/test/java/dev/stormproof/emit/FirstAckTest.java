package dev.stormproof.emit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Named for the transitions of {@link FirstAck}. */
class FirstAckTest {
    private static final TopicPartition PARTITION = new TopicPartition("t", 0);

    private final FirstAck first = new FirstAck(PARTITION, 10_000);
    private final ReentrantLock lock = new ReentrantLock();
    private final CompletableFuture<RecordMetadata> number0 = new CompletableFuture<>();
    private final RecordMetadata arrived = new RecordMetadata(PARTITION, 0, 0, 0, 0, 0);

    @BeforeEach
    void takeLock() {
        lock.lock();
    }

    private void assertWaited() {
        first.await(lock);
        assertThat(lock.getHoldCount()).isOne();
    }

    @Test
    void notSentToNotSentByWaiting() {
        assertWaited();
        assertThat(first.isOver()).isFalse();
    }

    @Test
    void sentToArrived() {
        first.sent(number0);
        assertThat(first.isOver()).isFalse();
        number0.complete(arrived);
        assertWaited();
        assertThat(first.isOver()).isTrue();
        assertWaited();
    }

    @Test
    void whileItWaitsTheLockIsFree() {
        first.sent(CompletableFuture.supplyAsync(() -> {
            // Kafka's thread has to take the lock before it brings the answer.
            lock.lock();
            try {
                return arrived;
            } finally {
                lock.unlock();
            }
        }));
        assertThatCode(this::assertWaited).doesNotThrowAnyException();
        assertThat(first.isOver()).isTrue();
    }

    @Test
    void sentToNotSentByAFailure() {
        first.sent(number0);
        number0.completeExceptionally(new KafkaException("gone"));
        assertThatThrownBy(() -> first.await(lock)).hasMessage("gone");
        assertWaited();
        assertThat(first.isOver()).isFalse();
    }

    @Test
    void sentToSentByATimeout() {
        FirstAck first = new FirstAck(PARTITION, 1);
        first.sent(number0);
        assertThatThrownBy(() -> first.await(lock)).isInstanceOf(TimeoutException.class);
        number0.complete(arrived);
        first.await(lock);
        assertThat(first.isOver()).isTrue();
    }

    @Test
    void sentToSentByAnotherStreamsNumber0() {
        first.sent(number0);
        first.sent(CompletableFuture.completedFuture(arrived));
        assertWaited();
        assertThat(first.isOver()).isTrue();
    }

    @Test
    void arrivedToSentIsIllegal() {
        first.sent(CompletableFuture.completedFuture(arrived));
        assertWaited();
        assertThatThrownBy(() -> first.sent(number0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("cannot go from Arrived to Sent in t-0");
    }

    @Test
    void itIsPendingWhileANumber0IsOnItsWay() {
        assertThat(first.isPending()).isFalse();
        first.sent(number0);
        assertThat(first.isPending()).isTrue();
        number0.complete(arrived);
        assertThat(first.isPending()).isFalse();
    }

    @Test
    void whoWaitedIsToldWhetherThereWasOneToWaitFor() {
        assertThat(first.await(lock)).isFalse();
        first.sent(CompletableFuture.completedFuture(arrived));
        assertThat(first.await(lock)).isTrue();
        assertThat(first.await(lock)).isFalse();
    }
}
