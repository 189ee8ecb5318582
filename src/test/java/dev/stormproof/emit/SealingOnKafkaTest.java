package dev.stormproof.emit;

import static dev.stormproof.emit.testing.Clients.await;
import static dev.stormproof.emit.testing.Clients.checkpoints;
import static dev.stormproof.emit.testing.Clients.producer;
import static dev.stormproof.emit.testing.Clients.send;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.emit.testing.Clients;
import dev.stormproof.emit.testing.LoggedPartition;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.Test;

/** When checkpoints are written, before a real broker. */
@OnKafka
class SealingOnKafkaTest {

    @Test
    void heartbeatsMeetTheDeadlineWhileThereAreNoEvents(EmbeddedKafka kafka) throws Exception {
        String topic = SharedKafka.createTopic(kafka, "idle", 1);
        try (var producer = producer(kafka, EmitterConfig.DEADLINE_MS, 100L)) {
            send(producer, topic, 0, "a");
            await("heartbeats", () -> checkpoints(producer, topic, 0) >= 6);
        }
        LoggedPartition log = LoggedPartition.read(kafka, topic, 0).assertProven();
        assertThat(log.stream().checkpoints)
                .extracting(Format2Checkpoint::eventCount)
                .startsWith(0L)
                // Where number 0 is slow to arrive, a heartbeat may come before the event that waits for it.
                .containsOnlyOnce(1L)
                .containsOnly(0L, 1L);
    }

    @Test
    void manyThreadsShareAProducer(EmbeddedKafka kafka) throws Exception {
        String topic = SharedKafka.createTopic(kafka, "threads", 3);
        int threads = 8;
        int each = 3_000;
        try (var producer = producer(kafka, EmitterConfig.MAX_EVENTS, 100, EmitterConfig.MAX_INTERVAL_MS, 5L)) {
            ExecutorService pool = Executors.newFixedThreadPool(threads);
            List<Future<?>> ends = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                int thread = t;
                ends.add(pool.submit(() -> {
                    for (int i = 0; i < each; i++) {
                        Future<RecordMetadata> unused =
                                producer.send(new ProducerRecord<>(topic, i % 3, null, thread + ":" + i));
                    }
                }));
            }
            for (Future<?> end : ends) {
                end.get(Clients.PATIENCE_SECONDS, TimeUnit.SECONDS);
            }
            pool.shutdown();
        }
        int events = 0;
        for (LoggedPartition log : LoggedPartition.readAll(kafka, topic, 3)) {
            log.assertProven();
            events += log.values.size();
            Map<String, Integer> lastOf = new HashMap<>();
            for (String text : log.texts()) {
                int colon = text.indexOf(':');
                int number = Integer.parseInt(text.substring(colon + 1));
                Integer last = lastOf.put(text.substring(0, colon), number);
                assertThat(last == null ? -1 : last).isLessThan(number);
            }
            // The log has the events in the order of their sequences.
            assertThat(log.order)
                    .hasSize(log.stream().events.size())
                    .last()
                    .asString()
                    .endsWith("/" + log.stream().events.lastKey());
        }
        assertThat(events).isEqualTo(threads * each);
    }
}
