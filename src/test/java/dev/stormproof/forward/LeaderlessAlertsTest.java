package dev.stormproof.forward;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.alert.AlertJson;
import dev.stormproof.chaos.testing.ThreeBrokers;
import dev.stormproof.cli.testing.Findings;
import dev.stormproof.judge.Anomaly.Kind;
import dev.stormproof.local.Stages;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A forwarder starts while one of two partitions of the alerts topic has no leader. */
@Tag(Stages.CLUSTER)
@Timeout(240)
class LeaderlessAlertsTest {
    private static final String TOPIC = "alerts";

    private final List<String> troubles = new CopyOnWriteArrayList<>();

    @Test
    void thePartitionWithALeaderIsForwardedAndTheOtherOnceItHasOne(@TempDir Path dir) throws Exception {
        try (ThreeBrokers brokers = ThreeBrokers.start(dir);
                HookServer server = new HookServer()) {
            write(brokers.servers());
            brokers.stop(3);
            try (Forwarder forwarder = new Forwarder(
                    Map.of("bootstrap.servers", brokers.servers(), "group.id", "leaderless"),
                    TOPIC,
                    true,
                    new Webhook(Post.to(server.address(), Map.of(), Duration.ofSeconds(5))),
                    new Backoff(0, 5, 50),
                    3_600_000,
                    troubles::add)) {
                boolean healthy = forward(forwarder, () -> server.taken.size() == 1 && forwarder.failingSeconds() > 1);
                assertThat(healthy).as("%s", troubles).isTrue();

                brokers.start(3);
                boolean all = forward(forwarder, () -> server.taken.size() == 2 && forwarder.failingSeconds() == 0);
                assertThat(all).as("%s", troubles).isTrue();
            }
        }
    }

    private static void write(String servers) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers));
                KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                        Map.of("bootstrap.servers", servers), new ByteArraySerializer(), new ByteArraySerializer())) {
            NewTopic topic = new NewTopic(TOPIC, Map.of(0, List.of(1), 1, List.of(3)));
            admin.createTopics(List.of(topic.configs(Map.of("min.insync.replicas", "1"))))
                    .all()
                    .get();
            for (int partition = 0; partition < 2; partition++) {
                byte[] alert = AlertJson.write(
                        Findings.violated(0, partition, false, Findings.anomaly(Kind.LOST, 0, 417, 418)));
                producer.send(new ProducerRecord<>(TOPIC, partition, "key".getBytes(UTF_8), alert))
                        .get();
            }
        }
    }

    /** Forwards until something is so; false if it takes too long, or the forwarder ends. */
    private boolean forward(Forwarder forwarder, BooleanSupplier until) throws Exception {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(80);
        try {
            forwarder.run(() -> until.getAsBoolean() || System.nanoTime() > deadlineNanos);
        } catch (KafkaException e) {
            troubles.add("it ends: " + e);
            return false;
        }
        return until.getAsBoolean();
    }
}
