package dev.stormproof.emit;

import static dev.stormproof.emit.testing.Clients.await;
import static dev.stormproof.emit.testing.Clients.checkpoints;
import static dev.stormproof.emit.testing.Clients.producer;
import static dev.stormproof.emit.testing.Clients.send;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.emit.testing.LoggedPartition;
import java.util.ArrayList;
import java.util.List;
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
}
