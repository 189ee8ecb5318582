package dev.stormproof.task.live.open;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.task.live.run.TaskTransaction;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The end of a task whose broker is gone. */
@OnKafka
@Timeout(120)
class TransactionClosingTest {
    private static final long WITHIN_MILLIS = 10_000;

    @Test
    void anOpenTransactionIsClosedWithoutTheBroker(@TempDir Path dir) throws Exception {
        KafkaProducer<byte[], byte[]> producer;
        TaskTransaction transaction;
        try (EmbeddedKafka kafka = EmbeddedKafka.start(0, dir)) {
            kafka.createTopic("output", 1, Map.of());
            producer = SharedKafka.producer(kafka, "transactional.id", "task");
            producer.initTransactions();
            transaction =
                    new TaskTransaction(producer, new MockConsumer<byte[], byte[]>("none").groupMetadata(), () -> 0);
            transaction.append(new TopicPartition("input", 0), 0, new ProducerRecord<>("output", new byte[1]), 1);
            transaction.flush();
        }
        Thread closing = new Thread(transaction::close, "test-closing");
        closing.setDaemon(true);
        closing.start();
        try {
            closing.join(WITHIN_MILLIS);
            assertThat(closing.isAlive())
                    .as("it waits for a broker that is gone")
                    .isFalse();
        } finally {
            producer.close(Duration.ZERO);
        }
    }
}
