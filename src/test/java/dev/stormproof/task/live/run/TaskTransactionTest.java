package dev.stormproof.task.live.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class TaskTransactionTest {
    private static final TopicPartition INPUT = new TopicPartition("orders", 0);

    private final MockProducer<byte[], byte[]> producer =
            new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    private final TaskTransaction transaction;
    private long nowMillis;

    TaskTransactionTest() {
        producer.initTransactions();
        transaction = new TaskTransaction(
                producer, new MockConsumer<byte[], byte[]>("none").groupMetadata(), () -> nowMillis);
    }

    @Test
    void outputAndProgressAreCommittedTogether() {
        append("a");
        append("b");
        assertThat(values()).isEmpty();

        transaction.commit(Map.of(INPUT, new OffsetAndMetadata(2)));

        assertThat(values()).containsExactly("a", "b");
        assertThat(producer.consumerGroupOffsetsHistory()).hasSize(1);
        assertThat(transaction.appended()).isZero();
    }

    @Test
    void itIsFullOnceItHoldsItsMostRecordsOrBytes() {
        for (int records = 1; records < TaskTransaction.MOST_APPENDED; records++) {
            append("a");
        }
        assertThat(transaction.isFull()).isFalse();
        append("a");
        assertThat(transaction.isFull()).isTrue();
        transaction.commit(Map.of());
        assertThat(transaction.isFull()).isFalse();

        ProducerRecord<byte[], byte[]> large = new ProducerRecord<>("output", new byte[0]);
        transaction.append(INPUT, 0, large, TaskTransaction.MOST_APPENDED_BYTES - 1);
        assertThat(transaction.isFull()).isFalse();
        transaction.append(INPUT, 0, large, 1);
        assertThat(transaction.isFull()).isTrue();
    }

    @Test
    void itIsDueOnceItIsOpenForItsMostTimeSinceItBeganAtLast() {
        nowMillis = 100_000;
        assertThat(transaction.isDue()).isFalse();
        append("a");
        nowMillis += TaskTransaction.MOST_OPEN_MILLIS - 1;
        assertThat(transaction.isDue()).isFalse();
        nowMillis++;
        assertThat(transaction.isDue()).isTrue();
        assertThat(transaction.isFull()).isTrue();

        transaction.abort();
        assertThat(transaction.isDue()).isFalse();
        append("b");
        assertThat(transaction.isDue()).isFalse();

        nowMillis += TaskTransaction.MOST_OPEN_MILLIS;
        transaction.commit(Map.of());
        assertThat(transaction.isDue()).isFalse();
    }

    @Test
    void aCommitThatTimesOutIsTriedForThreeMinutes() {
        AtomicInteger attempts = new AtomicInteger();
        MockProducer<byte[], byte[]> slow =
                new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer()) {
                    @Override
                    public void commitTransaction() {
                        if (attempts.incrementAndGet() <= 36) {
                            throw new TimeoutException("no answer");
                        }
                        super.commitTransaction();
                    }
                };
        slow.initTransactions();
        TaskTransaction own =
                new TaskTransaction(slow, new MockConsumer<byte[], byte[]>("none").groupMetadata(), () -> 0);

        assertThatThrownBy(() -> own.commit(Map.of())).isInstanceOf(TaskTransaction.OutcomeUnknownException.class);
        assertThat(attempts).hasValue(36);
    }

    @Test
    void afterAnAbortTheNextTransactionBeginsWithWhatWasAppended() {
        append("a");
        append("b");
        transaction.abort();
        append("c");

        transaction.commit(Map.of());

        assertThat(values()).containsExactly("a", "b", "c");
    }

    @Test
    void aRecordThatCannotBeSentFailsTheCommitAndIsSentWithTheNextTransaction() {
        append("a");
        producer.sendException = new TimeoutException("no room in the buffer");
        append("b");
        producer.sendException = null;
        append("c");

        assertThatThrownBy(() -> transaction.commit(Map.of())).isInstanceOf(TimeoutException.class);
        transaction.abort();
        transaction.commit(Map.of());

        assertThat(values()).containsExactly("a", "b", "c");
    }

    /** As the client fails what it has not sent yet: with what another record has failed with. */
    @Test
    void whatWasNotSentYetIsNotToBlameForARecordThatIsTooLarge() {
        TopicPartition other = new TopicPartition("orders", 1);
        try (TaskTransaction own = new TaskTransaction(
                new Undrained(), new MockConsumer<byte[], byte[]>("none").groupMetadata(), () -> 0)) {
            own.append(other, 5, record("before"), 1);
            own.append(INPUT, 5, record("before"), 1);
            own.append(INPUT, 6, record("large"), 1);
            own.append(other, 6, record("behind"), 1);
            own.abort();

            assertThat(own.refusals(true)).singleElement().satisfies(refusal -> {
                assertThat(refusal.input()).isEqualTo(INPUT);
                assertThat(refusal.offset()).isEqualTo(6);
                assertThat(refusal.cause()).isEqualTo(ProduceErrorKind.Cause.RECORD);
            });
        }
    }

    @Test
    void neitherIsItForAnAlertThatIs() {
        try (TaskTransaction own = new TaskTransaction(
                new Undrained(), new MockConsumer<byte[], byte[]>("none").groupMetadata(), () -> 0)) {
            own.append(INPUT, 5, record("before"), 1);
            own.send(record("large"), new Sending());
            own.abort();

            assertThat(own.refusals(true)).isEmpty();
        }
    }

    /** A producer that sends nothing, takes no record with the value "large", and fails the others with what that one failed with. */
    private static final class Undrained extends MockProducer<byte[], byte[]> {
        private final List<Callback> waiting = new ArrayList<>();
        private final RecordTooLargeException tooLarge = new RecordTooLargeException("too large");

        Undrained() {
            super(true, null, new ByteArraySerializer(), new ByteArraySerializer());
            initTransactions();
        }

        @Override
        public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
            if (new String(record.value(), UTF_8).equals("large")) {
                callback.onCompletion(null, tooLarge);
            } else {
                waiting.add(callback);
            }
            return new CompletableFuture<>();
        }

        @Override
        public void abortTransaction() {
            waiting.forEach(one -> one.onCompletion(null, tooLarge));
            super.abortTransaction();
        }
    }

    private static ProducerRecord<byte[], byte[]> record(String value) {
        return new ProducerRecord<>("output", value.getBytes(UTF_8));
    }

    @Test
    void aProducerThatIsFencedEndsTheTask() {
        append("a");
        producer.fenceProducer();

        assertThatThrownBy(() -> transaction.commit(Map.of())).isInstanceOf(KafkaException.class);
        assertThatThrownBy(transaction::abort).isInstanceOf(KafkaException.class);
    }

    private void append(String value) {
        byte[] bytes = value.getBytes(UTF_8);
        transaction.append(INPUT, 0, new ProducerRecord<>("out", 0, null, bytes), bytes.length);
    }

    private List<String> values() {
        return producer.history().stream()
                .map(record -> new String(record.value(), UTF_8))
                .toList();
    }
}
