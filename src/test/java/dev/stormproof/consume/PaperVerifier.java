package dev.stormproof.consume;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertJson;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.emit.testing.Clients;
import dev.stormproof.judge.Finding;
import dev.stormproof.judge.SealedInterval;
import dev.stormproof.judge.Verdict.Violated;
import dev.stormproof.leader.Leaders;
import dev.stormproof.live.ProgressNote;
import dev.stormproof.live.TopicIds;
import dev.stormproof.local.EmbeddedKafka;
import dev.stormproof.local.SharedKafka;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Writes to Kafka what a verifier writes, as a test has it: progress with its note, and alerts, in one transaction. */
final class PaperVerifier implements AutoCloseable {
    final String group = SharedKafka.unique("verifier");
    final String alertsTopic;
    private final EmbeddedKafka kafka;
    private final KafkaProducer<byte[], byte[]> producer;
    private final TopicIds ids;

    PaperVerifier(EmbeddedKafka kafka) {
        this.kafka = kafka;
        this.alertsTopic = SharedKafka.createTopic(kafka, "alerts", 1);
        this.producer = transactional(group + "-task");
        this.ids = new TopicIds(Map.of("bootstrap.servers", kafka.bootstrapServers()));
    }

    KafkaProducer<byte[], byte[]> transactional(String id) {
        KafkaProducer<byte[], byte[]> made = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers(), "transactional.id", id),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        made.initTransactions();
        return made;
    }

    /** Settings of a consumer that goes by what is written here. */
    Map<String, Object> settings(String consumerGroup, Object... more) {
        Map<String, Object> settings = new HashMap<>(Clients.consumerSettings(kafka, consumerGroup, more));
        settings.put(VerifiedConsumerConfig.VERIFIED_GROUP, group);
        settings.put(VerifiedConsumerConfig.ALERTS_TOPIC, alertsTopic);
        settings.put(VerifiedConsumerConfig.PROGRESS_INTERVAL_MS, 10);
        for (int i = 0; i < more.length; i += 2) {
            settings.put((String) more[i], more[i + 1]);
        }
        return settings;
    }

    /** Commits that everything before an offset is judged, with these alerts. */
    void judged(String topic, int partition, long offset, Finding... alerts) {
        judged(new TopicPartition(topic, partition), offset, Optional.empty(), List.of(alerts));
    }

    /** The same, of a log of which these leaders wrote what was judged. */
    void judgedOf(Leaders leaders, TopicPartition partition, long offset) {
        judged(partition, offset, Optional.of(leaders.last()), leaders, List.of());
    }

    void judged(TopicPartition partition, long offset, Optional<Integer> leaderEpoch, List<Finding> alerts) {
        judged(partition, offset, leaderEpoch, Leaders.NONE, alerts);
    }

    @SuppressWarnings("removal") // Without a consumer there is no other one.
    private void judged(
            TopicPartition partition,
            long offset,
            Optional<Integer> leaderEpoch,
            Leaders leaders,
            List<Finding> alerts) {
        long id = ids.of(Set.of(partition.topic())).getOrDefault(partition.topic(), TopicIds.UNKNOWN);
        producer.beginTransaction();
        alerts.forEach(finding -> send(producer, finding, id));
        ProgressNote fresh = ProgressNote.fresh(id);
        String note = new ProgressNote(
                        id, fresh.promises(), fresh.published(), fresh.written(), fresh.writer(), leaders, 0)
                .encode("paper", 1);
        producer.sendOffsetsToTransaction(
                Map.of(partition, new OffsetAndMetadata(offset, leaderEpoch, note)), new ConsumerGroupMetadata(group));
        producer.commitTransaction();
    }

    void send(KafkaProducer<byte[], byte[]> through, Finding finding, long topicId) {
        Alert alert = new Alert("/stormproof/" + group, System.currentTimeMillis(), topicId, finding);
        var unused =
                through.send(new ProducerRecord<>(alertsTopic, finding.id().getBytes(UTF_8), AlertJson.write(alert)));
    }

    /** The judgement that the interval which a checkpoint seals is violated. */
    static Violated violated(StreamId stream, long number, long checkpointOffset, long first, long count) {
        return new Violated(
                new SealedInterval(stream, number, checkpointOffset, first, count), false, true, 1, List.of());
    }

    @Override
    public void close() {
        producer.close();
        ids.close();
    }
}
