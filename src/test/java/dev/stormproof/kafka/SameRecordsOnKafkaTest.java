package dev.stormproof.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.checkpoint.CheckpointVerifier;
import dev.stormproof.checkpoint.Format1Expected;
import dev.stormproof.checkpoint.LogRecordParser;
import dev.stormproof.checkpoint.Origins;
import dev.stormproof.feed.RecordContent;
import dev.stormproof.local.EmbeddedKafka;
import dev.stormproof.local.SharedKafka;
import dev.stormproof.log.LogReader;
import dev.stormproof.log.PartitionReader;
import dev.stormproof.sign.TrustedKeys;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Both readers read the same records of a real log: the one that reads in place, and Kafka's consumer. */
@ExtendWith(SharedKafka.class)
@Timeout(120)
class SameRecordsOnKafkaTest {
    private static final int LOGS = 24;
    private static final int MANY_LOGS = 10_000;
    private static final int LOGS_OF_A_TOPIC = 100;
    private static final List<String> COMPRESSIONS = List.of("none", "gzip", "snappy", "lz4", "zstd");
    /** Beyond what is fetched at once. */
    private static final int OVERSIZED_BYTES = 2 << 20;

    private final EmbeddedKafka kafka;
    private long seed = Long.getLong("seed", new SplittableRandom().nextLong());

    SameRecordsOnKafkaTest(EmbeddedKafka kafka) {
        this.kafka = kafka;
    }

    /** The producers that write all logs in turn, one of each compression and kind, and both readers. */
    private static final class Peers implements AutoCloseable {
        private final List<Producer<byte[], byte[]>> plain = new ArrayList<>();
        private final List<Producer<byte[], byte[]>> transactional = new ArrayList<>();
        private final LogReader direct;
        private final LogReader consumer;

        Peers(String servers) {
            for (String compression : COMPRESSIONS) {
                plain.add(producer(servers, Map.of("compression.type", compression)));
            }
            for (String compression : List.of("none", "zstd", "lz4")) {
                Producer<byte[], byte[]> one = producer(
                        servers,
                        Map.of("compression.type", compression, "transactional.id", SharedKafka.unique("same")));
                one.initTransactions();
                transactional.add(one);
            }
            Map<String, Object> client = Map.of("bootstrap.servers", servers);
            direct = new DirectLogReader(client, parser());
            consumer = new KafkaLogReader(client, parser());
        }

        private static Producer<byte[], byte[]> producer(String servers, Map<String, Object> more) {
            Map<String, Object> config = new HashMap<>(more);
            config.put("bootstrap.servers", servers);
            config.put("linger.ms", 1);
            config.put("max.request.size", 2 * OVERSIZED_BYTES);
            return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
        }

        private static LogRecordParser parser() {
            return new LogRecordParser(
                    Origins.NONE,
                    Format1Expected.everywhere(),
                    List.of(),
                    new CheckpointVerifier(TrustedKeys.none(), false));
        }

        @Override
        public void close() {
            plain.forEach(Producer::close);
            transactional.forEach(Producer::close);
            direct.close();
            consumer.close();
        }
    }

    /** Writes a log as the seed says; transactions are open side by side, and some are open at the end. */
    private static final class Writer {
        private final Peers peers;
        private final TopicPartition partition;
        private final SplittableRandom random;
        private final boolean[] begun;

        Writer(Peers peers, TopicPartition partition, SplittableRandom random) {
            this.peers = peers;
            this.partition = partition;
            this.random = random;
            this.begun = new boolean[peers.transactional.size()];
        }

        void write() throws Exception {
            for (int steps = 3 + random.nextInt(12); steps > 0; steps--) {
                int one = random.nextInt(peers.transactional.size());
                if (begun[one] && random.nextInt(3) == 0) {
                    end(one);
                } else if (random.nextInt(3) == 0) {
                    send(peers.plain.get(random.nextInt(peers.plain.size())));
                } else {
                    if (!begun[one]) {
                        peers.transactional.get(one).beginTransaction();
                        begun[one] = true;
                    }
                    send(peers.transactional.get(one));
                }
            }
        }

        private void send(Producer<byte[], byte[]> producer) throws Exception {
            Future<?> last = null;
            for (int count = 1 + random.nextInt(random.nextInt(4) == 0 ? 300 : 8); count > 0; count--) {
                RecordHeaders headers = new RecordHeaders();
                for (int i = random.nextInt(3); i > 0; i--) {
                    headers.add("h" + i, random.nextInt(5) == 0 ? null : bytes(50));
                }
                byte[] value = bytes(random.nextInt(60) == 0 ? OVERSIZED_BYTES : 300);
                last = producer.send(new ProducerRecord<>(
                        partition.topic(),
                        partition.partition(),
                        random.nextInt(3) == 0 ? null : bytes(9),
                        random.nextInt(10) == 0 ? null : value,
                        headers));
            }
            if (last != null) {
                last.get();
            }
        }

        private byte[] bytes(int most) {
            byte[] bytes = new byte[random.nextInt(most + 1)];
            random.nextBytes(bytes);
            return bytes;
        }

        private void end(int one) {
            begun[one] = false;
            if (random.nextBoolean()) {
                peers.transactional.get(one).abortTransaction();
            } else {
                peers.transactional.get(one).commitTransaction();
            }
        }

        void endAll() {
            for (int one = 0; one < begun.length; one++) {
                if (begun[one]) {
                    end(one);
                }
            }
        }
    }

    private static List<String> read(PartitionReader reader, long begin, long end) throws Exception {
        List<String> read = new ArrayList<>();
        reader.scan(begin, end, (record, leaderEpoch, millis, content) -> {
            RecordContent whole = content.get();
            return read.add(record + " " + leaderEpoch + " " + millis + " " + Arrays.hashCode(whole.key()) + " "
                    + Arrays.hashCode(whole.value()) + " "
                    + Arrays.hashCode(whole.headers().encoded()));
        });
        return read;
    }

    private void compare(Peers peers, TopicPartition partition, SplittableRandom random) throws Exception {
        PartitionReader direct = peers.direct.of(partition);
        PartitionReader consumer = peers.consumer.of(partition);
        long begin = consumer.bounds().begin();
        // A transaction's end is written soon after it was asked for.
        long end = consumer.bounds().end();
        while (direct.bounds().end() != end) {
            end = consumer.bounds().end();
        }
        assertThat(direct.bounds().begin()).as("seed %d", seed).isEqualTo(begin);
        assertThat(read(direct, begin, end)).as("seed %d", seed).isEqualTo(read(consumer, begin, end));
        if (begin < end) {
            long from = random.nextLong(begin, end);
            long to = random.nextLong(from, end + 1);
            assertThat(read(direct, from, to))
                    .as("seed %d, [%d, %d)", seed, from, to)
                    .isEqualTo(read(consumer, from, to));
            long millis = System.currentTimeMillis() - random.nextInt(1_000);
            long found;
            long expected;
            do {
                // Where nothing was written since, both say the end, which an ending transaction may move in between.
                end = direct.bounds().end();
                found = direct.offsetForTime(millis);
                expected = consumer.offsetForTime(millis);
            } while (consumer.bounds().end() != end);
            assertThat(found).as("seed %d", seed).isEqualTo(expected);
        }
    }

    private void compareLogs(int logs) throws Exception {
        try (Peers peers = new Peers(kafka.bootstrapServers());
                Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            String topic = "";
            for (int i = 0; i < logs; i++, seed++) {
                if (i % LOGS_OF_A_TOPIC == 0) {
                    topic = SharedKafka.unique("same");
                    kafka.createTopic(
                            topic,
                            Math.min(logs - i, LOGS_OF_A_TOPIC),
                            Map.of("max.message.bytes", Integer.toString(2 * OVERSIZED_BYTES)));
                }
                TopicPartition partition = new TopicPartition(topic, i % LOGS_OF_A_TOPIC);
                SplittableRandom random = new SplittableRandom(seed);
                Writer writer = new Writer(peers, partition, random);
                writer.write();
                compare(peers, partition, random);
                writer.endAll();
                if (random.nextInt(4) == 0) {
                    long end = peers.consumer.of(partition).bounds().end();
                    admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(random.nextLong(end + 1))))
                            .all()
                            .get();
                }
                compare(peers, partition, random);
            }
        }
    }

    @Test
    void ofRandomLogs() throws Exception {
        compareLogs(LOGS);
    }

    @Tag("full")
    @Test
    @Timeout(7_200)
    void ofManyRandomLogs() throws Exception {
        compareLogs(MANY_LOGS);
    }

    /** A broker of its own, which is started anew, and compacts. */
    @Tag("full")
    @Test
    void ofCompactedLogsOfSeveralLeaderEpochs(@TempDir Path dir) throws Exception {
        Map<String, String> broker = Map.of("log.cleaner.backoff.ms", "100", "log.initial.task.delay.ms", "100");
        TopicPartition partition = new TopicPartition("compacted", 0);
        for (int epoch = 0; epoch < 3; epoch++) {
            try (EmbeddedKafka own = EmbeddedKafka.start(0, dir, broker);
                    Peers peers = new Peers(own.bootstrapServers())) {
                if (epoch == 0) {
                    own.createTopic(
                            partition.topic(),
                            1,
                            Map.of(
                                    "cleanup.policy", "compact",
                                    "segment.ms", "200",
                                    "min.cleanable.dirty.ratio", "0.01",
                                    "max.compaction.lag.ms", "200"));
                }
                for (int i = 0; i < 200; i++) {
                    peers.plain
                            .get(i % peers.plain.size())
                            .send(new ProducerRecord<>(partition.topic(), 0, new byte[] {(byte) (i % 7)}, new byte[i]))
                            .get();
                }
                compare(peers, partition, new SplittableRandom(seed));
                PartitionReader direct = peers.direct.of(partition);
                long end = direct.bounds().end();
                // Each record rolls a segment once the one before is old enough, and the cleaner takes what is behind
                // it.
                while (read(direct, 0, end).size() > end / 2) {
                    peers.plain
                            .get(0)
                            .send(new ProducerRecord<>(partition.topic(), 0, new byte[1], new byte[1]))
                            .get();
                }
                compare(peers, partition, new SplittableRandom(seed));
                List<String> read = read(direct, 0, direct.bounds().end());
                assertThat(read).isNotEmpty();
            }
        }
    }
}
