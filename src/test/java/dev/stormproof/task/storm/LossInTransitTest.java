package dev.stormproof.task.storm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.alert.AlertSchema;
import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.LocalRun;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.cli.local.Stages;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.testing.PaperLog;
import dev.stormproof.task.storm.tuple.DeliveryBatcher;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.Verdict.Verified;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One of ten tuples is lost between the spout and the verifying bolt. */
@Tag(Stages.CLUSTER)
@OnKafka
@Timeout(120)
class LossInTransitTest {
    private static final int PARTITIONS = 2;
    private static final int EVENTS = 20_000;
    private static final int EVERY = 50;
    private static final int LOST_OF_THOUSAND = 100;
    private static final int LEAST_TUPLES = EVENTS / DeliveryBatcher.MAX_DELIVERIES;

    private final EmbeddedKafka kafka;
    private final String topic;
    private final String alerts;
    private final String verdicts;

    LossInTransitTest(EmbeddedKafka kafka) {
        this.kafka = kafka;
        this.topic = SharedKafka.createTopic(kafka, "lossy", PARTITIONS);
        this.alerts = SharedKafka.createTopic(kafka, "lossy-alerts", 1);
        this.verdicts = SharedKafka.createTopic(kafka, "lossy-verdicts", 1);
    }

    @Test
    void everythingIsVerifiedWithoutAnAlert() throws Exception {
        List<ProducerRecord<byte[], byte[]>> log = PaperLog.of(topic, PARTITIONS, EVENTS, EVERY, Map.of());
        long checkpoints = log.stream()
                .filter(record -> record.headers().lastHeader(Format2Checkpoint.HEADER) != null)
                .count();
        SharedKafka.send(kafka, log);
        StormproofConfig config = new StormproofConfig(Map.of(
                "bootstrap.servers", kafka.bootstrapServers(),
                "input.topics", topic,
                "group.id", SharedKafka.unique("lossy-group"),
                "alerts.topic", alerts,
                "verdicts.topic", verdicts));

        LocalRun run = LocalRun.start(
                "lossy", LossyTopology.build(config, LOST_OF_THOUSAND, 1), VerificationTopology.stormConfig(config));
        try (run;
                KafkaConsumer<byte[], byte[]> reader = reader()) {
            Set<String> verified = new HashSet<>();
            while (verified.size() < checkpoints) {
                for (ConsumerRecord<byte[], byte[]> record : reader.poll(Duration.ofMillis(100))) {
                    verified.add(verifiedBy(record).id());
                }
            }
        }

        assertThat(LossyTopology.lost()).isGreaterThan(LEAST_TUPLES * LOST_OF_THOUSAND / 2_000);
    }

    private Finding verifiedBy(ConsumerRecord<byte[], byte[]> record) throws IOException {
        assertThat(record.topic()).isEqualTo(verdicts);
        Finding finding = AlertSchema.read(record.value()).finding();
        assertThat(finding).isInstanceOf(Verified.class);
        return finding;
    }

    private KafkaConsumer<byte[], byte[]> reader() {
        KafkaConsumer<byte[], byte[]> reader = SharedKafka.consumer(kafka, "isolation.level", "read_committed");
        List<TopicPartition> both = List.of(new TopicPartition(alerts, 0), new TopicPartition(verdicts, 0));
        reader.assign(both);
        reader.seekToBeginning(both);
        return reader;
    }
}
