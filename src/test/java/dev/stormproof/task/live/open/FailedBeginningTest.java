package dev.stormproof.task.live.open;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.emit.testing.Clients;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.open.DurableVerification.Clocks;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A task that Kafka lets not begin tries again for as long as it takes: what each attempt opened has to be closed. */
@OnKafka
@Timeout(180)
class FailedBeginningTest {
    /** A task of its own for each test: threads bear its number. */
    private static final AtomicInteger TASKS = new AtomicInteger(94_017);

    private final int task = TASKS.getAndIncrement();
    private final EmbeddedKafka kafka;
    private final String group = SharedKafka.unique("failed-beginning");
    private final String alerts;
    private final AtomicLong nanos = new AtomicLong();

    FailedBeginningTest(EmbeddedKafka kafka) {
        this.kafka = kafka;
        this.alerts = SharedKafka.createTopic(kafka, "alerts", 1);
    }

    @Test
    void oneThatCannotReadItsAlertsLeavesNoThreadBehind() throws Exception {
        try (KafkaProducer<byte[], byte[]> other = SharedKafka.producer(kafka, "transactional.id", group + "-other")) {
            other.initTransactions();
            other.beginTransaction();
            other.send(new ProducerRecord<>(alerts, new byte[1])).get();

            for (int attempt = 0; attempt < 2; attempt++) {
                assertThatThrownBy(() -> begin(Map.of())).isInstanceOf(TimeoutException.class);
            }

            awaitNoThread("stormproof-" + group, "-" + task);
            other.abortTransaction();
        }
    }

    @Test
    void oneWhoseProducerIsRefusedLeavesNoThreadBehind() {
        assertThatThrownBy(() -> begin(Map.of("producer.transaction.timeout.ms", "3600000")))
                .isInstanceOf(KafkaException.class)
                .hasMessageContaining("transaction.max.timeout.ms");

        awaitNoThread("kafka-producer-network-thread | producer-stormproof-" + group);
    }

    private void begin(Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                "group.id",
                group,
                "input.topics",
                SharedKafka.createTopic(kafka, "input", 1),
                "output.topic",
                SharedKafka.createTopic(kafka, "output", 1),
                "transform",
                "log-json",
                "alerts.topic",
                alerts));
        settings.putAll(more);
        // No more time is left at each look.
        Clocks hurried = new Clocks(() -> nanos.addAndGet(TimeUnit.SECONDS.toNanos(100)), () -> 1_700_000_000_000L);
        new DurableVerification(
                        new StormproofConfig(settings),
                        new DurableVerification.Task("t", task, 0, partition -> true),
                        type -> {},
                        trouble -> {},
                        hurried)
                .close();
    }

    private static void awaitNoThread(String... parts) {
        Clients.await(
                "the end of threads that were started",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .map(Thread::getName)
                        .noneMatch(name -> Stream.of(parts).anyMatch(name::contains)));
    }
}
