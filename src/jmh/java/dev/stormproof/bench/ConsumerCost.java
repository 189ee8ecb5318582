package dev.stormproof.bench;

import dev.stormproof.consume.VerifiedConsumer;
import dev.stormproof.consume.VerifiedConsumerConfig;
import dev.stormproof.live.ProgressNote;
import dev.stormproof.live.TopicIds;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The cost of a VerifiedConsumer against a KafkaConsumer, over the same log, of which all is verified. */
public final class ConsumerCost {
    private static final String GROUP = "bench-verifier";
    private static final String ALERTS = "bench-alerts";

    private final AuditCost logs;
    private final Set<TopicPartition> judged = new HashSet<>();

    private ConsumerCost(String servers) {
        this.logs = new AuditCost(servers);
    }

    /** Takes the number of events, and of rounds. */
    public static void main(String[] arguments) throws Exception {
        CostRounds.onABroker(arguments, servers -> new ConsumerCost(servers)::run);
    }

    private void run(int events, int rounds) throws Exception {
        try (Admin admin = Admin.create(logs.client())) {
            admin.createTopics(List.of(new NewTopic(ALERTS, 1, (short) 1)))
                    .all()
                    .get();
        }
        logs.ofEachLog(
                "consumer-",
                events,
                rounds,
                (partition, protection, costs) -> costs.add("KafkaConsumer", () -> logs.poll(partition))
                        .add("VerifiedConsumer", () -> verified(partition)));
    }

    private long verified(TopicPartition partition) {
        Map<String, Object> config = logs.client();
        config.put("enable.auto.commit", "false");
        config.put("group.id", "bench-readers");
        config.put(VerifiedConsumerConfig.VERIFIED_GROUP, GROUP);
        config.put(VerifiedConsumerConfig.ALERTS_TOPIC, ALERTS);
        long seen = 0;
        try (VerifiedConsumer<byte[], byte[]> consumer =
                new VerifiedConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            Set<TopicPartition> one = Set.of(partition);
            consumer.assign(one);
            consumer.seekToBeginning(one);
            long end = consumer.endOffsets(one).getOrDefault(partition, 0L);
            judge(partition, end);
            while (consumer.position(partition) < end) {
                seen += consumer.poll(Duration.ofMillis(200)).count();
            }
        }
        return seen;
    }

    /** Commits what a verifier commits that found nothing wrong, once. */
    @SuppressWarnings("removal") // Without a consumer there is no other metadata.
    private void judge(TopicPartition partition, long end) {
        if (!judged.add(partition)) {
            return;
        }
        Map<String, Object> config = new HashMap<>(logs.client());
        config.put("transactional.id", "bench-verifier-task");
        try (TopicIds ids = new TopicIds(logs.client());
                KafkaProducer<byte[], byte[]> producer =
                        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            long id = ids.of(Set.of(partition.topic())).getOrDefault(partition.topic(), TopicIds.UNKNOWN);
            String note = ProgressNote.fresh(id).encode("bench", 1);
            producer.initTransactions();
            producer.beginTransaction();
            producer.sendOffsetsToTransaction(
                    Map.of(partition, new OffsetAndMetadata(end, Optional.empty(), note)),
                    new ConsumerGroupMetadata(GROUP));
            producer.commitTransaction();
        }
    }
}
