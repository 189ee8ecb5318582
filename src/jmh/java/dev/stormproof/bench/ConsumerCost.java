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
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * The cost of a VerifiedConsumer against a KafkaConsumer, over the same log, of which all is verified: CPU time, and events a second by
 * the wall's clock, from the first poll that returned any to the end. Between them stands a KafkaConsumer of which each header is read,
 * as the least that a consumer has to do. Then, of a stream that is written and verified meanwhile, how late its
 * events are there: {@link VerifiedLatency}.
 */
public final class ConsumerCost {
    private static final String GROUP = "bench-verifier";
    private static final String ALERTS = "bench-alerts";
    private static final String HEADERS_READ = "KafkaConsumer, headers read";

    private final AuditCost logs;
    private final Set<TopicPartition> judged = new HashSet<>();
    private final Throughputs throughputs = new Throughputs();
    private final String servers;

    private ConsumerCost(String servers) {
        this.servers = servers;
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
                (partition, protection, costs) -> costs.add(
                                "KafkaConsumer", () -> plain(partition, "KafkaConsumer", new ByteArrayDeserializer()))
                        .add(HEADERS_READ, () -> plain(partition, HEADERS_READ, new HeadersRead()))
                        .add("VerifiedConsumer", () -> verified(partition)));
        throughputs.print(rounds);
        if ("latency".contains(System.getProperty("bench.only", ""))) {
            new VerifiedLatency(servers).run();
        }
    }

    private long plain(TopicPartition partition, String name, Deserializer<byte[]> values) {
        Map<String, Object> config = logs.client();
        config.put("enable.auto.commit", "false");
        config.put("isolation.level", "read_committed");
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(config, new ByteArrayDeserializer(), values)) {
            // Checkpoints are records for it, and no events.
            return read(consumer, partition, name) - logs.checkpoints(partition);
        }
    }

    private long read(Consumer<byte[], byte[]> consumer, TopicPartition partition, String name) {
        Set<TopicPartition> one = Set.of(partition);
        consumer.assign(one);
        consumer.seekToBeginning(one);
        long end = consumer.endOffsets(one).getOrDefault(partition, 0L);
        judge(partition, end);
        long seen = 0;
        long first = 0;
        long beganNanos = 0;
        while (consumer.position(partition) < end) {
            seen += consumer.poll(Duration.ofMillis(200)).count();
            if (first == 0 && seen > 0) {
                first = seen;
                beganNanos = System.nanoTime();
            }
        }
        throughputs.add(partition.topic(), name, (seen - first) * 1e9 / (System.nanoTime() - beganNanos));
        return seen;
    }

    /** The least that is to be done to know what an event's header says: names and values are read, where they are read cheapest. */
    private static final class HeadersRead implements Deserializer<byte[]> {
        @Override
        public byte[] deserialize(String topic, byte[] data) {
            return data;
        }

        @Override
        public byte[] deserialize(String topic, Headers headers, byte[] data) {
            for (Header header : headers) {
                if (header.key().isEmpty() || header.value() == null) {
                    throw new IllegalStateException("an emitter writes no such header");
                }
            }
            return data;
        }
    }

    private long verified(TopicPartition partition) {
        Map<String, Object> config = logs.client();
        config.put("enable.auto.commit", "false");
        config.put("group.id", "bench-readers");
        config.put(VerifiedConsumerConfig.VERIFIED_GROUP, GROUP);
        config.put(VerifiedConsumerConfig.ALERTS_TOPIC, ALERTS);
        try (VerifiedConsumer<byte[], byte[]> consumer =
                new VerifiedConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            return read(consumer, partition, "VerifiedConsumer");
        }
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
