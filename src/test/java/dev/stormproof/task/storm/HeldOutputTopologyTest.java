package dev.stormproof.task.storm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.LocalRun;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.cli.local.Stages;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.config.TrackerPlacement;
import dev.stormproof.task.live.testing.PaperLog;
import dev.stormproof.task.process.VerifyProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An output that is held back, by a topology of either placement and by a process, each of which ends in the middle of an interval. */
@Tag(Stages.CLUSTER)
@OnKafka
@Timeout(300)
class HeldOutputTopologyTest {
    private static final int EVERY = 10;

    private final EmbeddedKafka kafka;
    private final String input;
    private final String output;
    private final Map<String, String> settings;

    HeldOutputTopologyTest(EmbeddedKafka kafka) {
        this.kafka = kafka;
        this.input = SharedKafka.createTopic(kafka, "held", 1);
        this.output = SharedKafka.createTopic(kafka, "held-out", 1);
        this.settings = Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                "input.topics",
                input,
                "group.id",
                SharedKafka.unique("held-group"),
                "alerts.topic",
                SharedKafka.createTopic(kafka, "held-alerts", 1),
                "output.topic",
                output,
                "output.hold",
                "verified",
                "output.on.violation",
                "skip");
    }

    @Test
    void whatIsVerifiedComesOutOnceAndInOrderAndAViolatedIntervalDoesNot() throws Exception {
        // #0, then four times ten events and a checkpoint, and the closing one.
        List<ProducerRecord<byte[], byte[]>> log = PaperLog.of(input, 1, 4 * EVERY, EVERY, Map.of());
        int altered = 1 + 2 * (EVERY + 1) + 4;
        ProducerRecord<byte[], byte[]> signed = log.get(altered);
        log.set(altered, new ProducerRecord<>(input, 0, signed.key(), "altered".getBytes(UTF_8), signed.headers()));
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < log.size(); i++) {
            boolean violated = i > 0 && (i - 1) / (EVERY + 1) == 2;
            if (!violated) {
                expected.add(text(log.get(i).value()));
            }
        }
        int begun = EVERY / 2;
        try (KafkaConsumer<byte[], byte[]> reader = newReader()) {
            List<String> seen = new ArrayList<>();
            SharedKafka.send(kafka, log.subList(0, 1 + EVERY + 1 + begun));
            try (LocalRun bolt = LocalRun.start("held", placed(TrackerPlacement.BOLT))) {
                assertThat(bolt).isNotNull();
                read(reader, seen, 1 + EVERY + 1);
                assertThat(seen).isEqualTo(expected.subList(0, 1 + EVERY + 1));
            }
            SharedKafka.send(kafka, log.subList(1 + EVERY + 1 + begun, altered + 1));
            try (LocalRun source = LocalRun.start("held", placed(TrackerPlacement.SOURCE))) {
                assertThat(source).isNotNull();
                read(reader, seen, 1 + 2 * (EVERY + 1));
                assertThat(seen).isEqualTo(expected.subList(0, 1 + 2 * (EVERY + 1)));
            }
            SharedKafka.send(kafka, log.subList(altered + 1, log.size()));
            try (VerifyProcess process = VerifyProcess.open(new StormproofConfig(settings))) {
                process.join();
                read(reader, seen, expected.size());
            }
            assertThat(seen).isEqualTo(expected);
        }
    }

    private StormproofConfig placed(TrackerPlacement placement) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("tracker.placement", placement.label());
        return new StormproofConfig(all);
    }

    private static void read(KafkaConsumer<byte[], byte[]> reader, List<String> seen, int most) {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
        while (seen.size() < most) {
            for (ConsumerRecord<byte[], byte[]> record : reader.poll(Duration.ofMillis(100))) {
                seen.add(text(record.value()));
            }
            assertThat(System.nanoTime()).as("%s", seen).isLessThan(deadlineNanos);
        }
    }

    private static String text(byte @Nullable [] value) {
        return value == null ? "#" : new String(value, UTF_8);
    }

    private KafkaConsumer<byte[], byte[]> newReader() {
        KafkaConsumer<byte[], byte[]> reader =
                SharedKafka.consumer(kafka, "auto.offset.reset", "earliest", "isolation.level", "read_committed");
        reader.assign(Set.of(new TopicPartition(output, 0)));
        return reader;
    }
}
