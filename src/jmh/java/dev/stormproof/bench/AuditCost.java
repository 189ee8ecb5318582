package dev.stormproof.bench;

import dev.stormproof.emit.CheckpointingProducer;
import dev.stormproof.emit.EmitterConfig;
import dev.stormproof.log.audit.LogReader;
import dev.stormproof.log.audit.OfflineVerifier;
import dev.stormproof.log.audit.PartitionReader;
import dev.stormproof.log.kafka.KafkaLogReader;
import dev.stormproof.proof.checkpoint.CheckpointVerifier;
import dev.stormproof.proof.checkpoint.Format1Expected;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.proof.checkpoint.Origins;
import dev.stormproof.proof.sign.TrustedKeys;
import dev.stormproof.verify.fold.InactivityTimeouts;
import dev.stormproof.verify.judge.RangeCase;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The cost of an audit, against a consumer that only polls: CPU time and bytes allocated for each event, by the thread that reads
 * and verifies. What compiles and collects runs in other threads, and stands apart.
 *
 * <pre>
 *   this JVM    emitter ──► log, once; then in each round, one after the other:  poll, audit
 *   child JVM   broker
 * </pre>
 */
public final class AuditCost {
    private static final List<Integer> VALUE_BYTES = List.of(100, 1_000);

    private final String servers;

    AuditCost(String servers) {
        this.servers = servers;
    }

    /** Takes the number of events, and of rounds. */
    public static void main(String[] arguments) throws Exception {
        CostRounds.onABroker(arguments, servers -> new AuditCost(servers)::run);
    }

    private void run(int events, int rounds) throws Exception {
        ofEachLog(
                "audit-",
                events,
                rounds,
                (partition, protection, costs) -> costs.add("poll", () -> poll(partition))
                        .add("audit", () -> audit(partition, inPlace(protection), inPlace(protection))));
    }

    /** Names what is measured of a log. */
    interface Variants {
        void add(TopicPartition partition, Protection protection, CostRounds costs);
    }

    /** Writes a log of each size of events and each protection, and measures the same of each. */
    void ofEachLog(String kind, int events, int rounds, Variants variants) throws Exception {
        for (int valueBytes : VALUE_BYTES) {
            int count = (int) Math.min(events, events * 300L / valueBytes);
            for (Protection protection : Protection.values()) {
                String name = protection.label() + "-" + valueBytes;
                if (!(kind + name).contains(System.getProperty("bench.only", ""))) {
                    continue;
                }
                TopicPartition partition = new TopicPartition(name, 0);
                write(partition, protection, count, valueBytes);
                CostRounds costs = new CostRounds(kind + name);
                variants.add(partition, protection, costs);
                costs.run(count, rounds);
            }
        }
    }

    /** What a stream is protected against. */
    enum Protection {
        ACCIDENTS,
        TAMPERING;

        private static final KeyPair KEY = keyPair();

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        private static KeyPair keyPair() {
            try {
                return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
            } catch (NoSuchAlgorithmException e) {
                throw new AssertionError("Java has it since 15", e);
            }
        }

        Map<String, Object> emitter() {
            return this == ACCIDENTS
                    ? Map.of()
                    : Map.of(
                            EmitterConfig.PROTECT_AGAINST,
                            label(),
                            EmitterConfig.KEY_ID,
                            "bench",
                            EmitterConfig.KEY_PRIVATE,
                            Base64.getEncoder().encodeToString(KEY.getPrivate().getEncoded()));
        }

        CheckpointVerifier verifier() {
            return this == ACCIDENTS
                    ? new CheckpointVerifier(TrustedKeys.none())
                    : CheckpointVerifier.againstTampering(TrustedKeys.ofTexts(Map.of(
                            "bench",
                            Base64.getEncoder().encodeToString(KEY.getPublic().getEncoded()))));
        }
    }

    LogReader inPlace(Protection protection) {
        return new KafkaLogReader(client(), parser(protection.verifier()));
    }

    /** How many events a consumer sees that only polls. */
    long poll(TopicPartition partition) {
        return PlainPoll.count(client(), partition) - checkpoints(partition);
    }

    private final Map<TopicPartition, Long> checkpointCounts = new HashMap<>();

    long checkpoints(TopicPartition partition) {
        return checkpointCounts.getOrDefault(partition, 0L);
    }

    static long audit(TopicPartition partition, LogReader ahead, LogReader back) {
        try (ahead;
                back) {
            return auditOne(partition, ahead, back);
        }
    }

    /** Audits one partition of several over the same clients. */
    static long auditOne(TopicPartition partition, LogReader ahead, LogReader back) {
        PartitionReader reader = ahead.of(partition);
        long end = reader.bounds().end();
        OfflineVerifier.Range range =
                new OfflineVerifier.Range(partition, 0, end, end, end, System.currentTimeMillis());
        OfflineVerifier audit = new OfflineVerifier(
                reader,
                back.of(partition),
                RangeCase.Origin.NONE,
                range,
                new InactivityTimeouts(30_000, 600_000, 600_000),
                finding -> {},
                page -> {},
                (offset, bytes) -> {});
        return audit.run().events();
    }

    Map<String, Object> client() {
        return new HashMap<>(Map.of("bootstrap.servers", servers));
    }

    static LogRecordParser parser() {
        return parser(new CheckpointVerifier(TrustedKeys.none()));
    }

    private static LogRecordParser parser(CheckpointVerifier checkpoints) {
        return new LogRecordParser(Origins.NONE, Format1Expected.everywhere(), List.of(), checkpoints);
    }

    private void write(TopicPartition partition, Protection protection, int count, int valueBytes) throws Exception {
        try (Admin admin = Admin.create(client())) {
            admin.createTopics(List.of(new NewTopic(partition.topic(), 1, (short) 1)))
                    .all()
                    .get();
        }
        Map<String, Object> config = client();
        config.putAll(protection.emitter());
        config.put("linger.ms", 20);
        SplittableRandom random = new SplittableRandom(1);
        try (CheckpointingProducer<byte[], byte[]> producer =
                new CheckpointingProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < count; i++) {
                byte[] value = new byte[valueBytes];
                random.nextBytes(value);
                var unused = producer.send(new ProducerRecord<>(partition.topic(), 0, null, value));
            }
        }
        try (LogReader log = new KafkaLogReader(client(), parser())) {
            long end = log.of(partition).bounds().end();
            checkpointCounts.put(partition, end - count);
        }
    }
}
