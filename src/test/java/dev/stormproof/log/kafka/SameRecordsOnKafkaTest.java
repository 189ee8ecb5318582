package dev.stormproof.log.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.log.audit.LogReader;
import dev.stormproof.log.audit.PartitionReader;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.verify.feed.RecordContent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is read in place of a real log is what Kafka's own consumer reads. */
@OnKafka
@Timeout(120)
class SameRecordsOnKafkaTest {
    private static final int LOGS = 24;
    private static final int MANY_LOGS = 100;
    private static final int LOGS_OF_A_TOPIC = 100;
    private static final List<String> COMPRESSIONS = List.of("none", "gzip", "snappy", "lz4", "zstd");
    /** Beyond what is fetched at once. */
    private static final int OVERSIZED_BYTES = 2 << 20;

    private final EmbeddedKafka kafka;
    private long seed = Long.getLong("seed", new SplittableRandom().nextLong());

    SameRecordsOnKafkaTest(EmbeddedKafka kafka) {
        this.kafka = kafka;
    }

    /** The producers that write all logs in turn, one of each compression and kind, the reader, and a consumer that knows better. */
    private static final class Peers implements AutoCloseable {
        private final List<Producer<byte[], byte[]>> plain = new ArrayList<>();
        private final List<Producer<byte[], byte[]>> transactional = new ArrayList<>();
        private final LogReader reader;
        private final Oracle consumer;

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
            reader = new KafkaLogReader(client, parser());
            consumer = new Oracle(client, parser());
        }

        private static Producer<byte[], byte[]> producer(String servers, Map<String, Object> more) {
            Map<String, Object> config = new HashMap<>(more);
            config.put("bootstrap.servers", servers);
            config.put("linger.ms", 1);
            config.put("max.request.size", 2 * OVERSIZED_BYTES);
            return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
        }

        private static LogRecordParser parser() {
            return StreamRecords.parser();
        }

        @Override
        public void close() {
            plain.forEach(Producer::close);
            transactional.forEach(Producer::close);
            reader.close();
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

    /** Kafka's consumer, with the settings that it comes with. */
    private static final class Oracle implements AutoCloseable {
        private final KafkaConsumer<byte[], byte[]> consumer;
        private final LogRecordParser parser;
        private Set<TopicPartition> partition = Set.of();

        Oracle(Map<String, Object> client, LogRecordParser parser) {
            Map<String, Object> config = new HashMap<>(client);
            config.put("isolation.level", "read_committed");
            config.put("auto.offset.reset", "none");
            this.consumer = new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
            this.parser = parser;
        }

        Oracle of(TopicPartition one) {
            partition = Set.of(one);
            consumer.assign(partition);
            return this;
        }

        private TopicPartition partition() {
            return partition.iterator().next();
        }

        long begin() {
            return Objects.requireNonNull(consumer.beginningOffsets(partition).get(partition()));
        }

        long end() {
            return Objects.requireNonNull(consumer.endOffsets(partition).get(partition()));
        }

        long offsetForTime(long millis) {
            OffsetAndTimestamp found =
                    consumer.offsetsForTimes(Map.of(partition(), millis)).get(partition());
            return found == null ? end() : found.offset();
        }

        List<String> read(long begin, long end) {
            List<String> read = new ArrayList<>();
            consumer.seek(partition(), begin);
            while (consumer.position(partition()) < end) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
                    if (record.offset() < end) {
                        read.add(text(
                                ConsumedRecords.parsed(record, parser),
                                record.leaderEpoch().orElse(-1),
                                record.timestamp(),
                                ConsumedRecords.content(record)));
                    }
                }
            }
            return read;
        }

        @Override
        public void close() {
            consumer.close();
        }
    }

    private static String text(LogRecord record, int leaderEpoch, long millis, RecordContent content) {
        return record + " " + leaderEpoch + " " + millis + " " + Arrays.hashCode(content.key()) + " "
                + Arrays.hashCode(content.value()) + " "
                + Arrays.hashCode(content.headers().encoded());
    }

    private static List<String> read(PartitionReader reader, long begin, long end) throws Exception {
        List<String> read = new ArrayList<>();
        reader.scan(
                begin,
                end,
                (record, leaderEpoch, millis, content) -> read.add(text(record, leaderEpoch, millis, content.get())));
        return read;
    }

    private void compare(Peers peers, TopicPartition partition, SplittableRandom random) throws Exception {
        PartitionReader reader = peers.reader.of(partition);
        Oracle consumer = peers.consumer.of(partition);
        long begin = consumer.begin();
        // A transaction's end is written soon after it was asked for.
        long end = consumer.end();
        while (reader.bounds().end() != end) {
            end = consumer.end();
        }
        assertThat(reader.bounds().begin()).as("seed %d", seed).isEqualTo(begin);
        assertThat(read(reader, begin, end)).as("seed %d", seed).isEqualTo(consumer.read(begin, end));
        if (begin < end) {
            long from = random.nextLong(begin, end);
            long to = random.nextLong(from, end + 1);
            assertThat(read(reader, from, to))
                    .as("seed %d, [%d, %d)", seed, from, to)
                    .isEqualTo(consumer.read(from, to));
            long millis = System.currentTimeMillis() - random.nextInt(1_000);
            long found;
            long expected;
            do {
                // Where nothing was written since, both say the end, which an ending transaction may move in between.
                end = reader.bounds().end();
                found = reader.offsetForTime(millis);
                expected = consumer.offsetForTime(millis);
            } while (consumer.end() != end);
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
                    long end = peers.consumer.of(partition).end();
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
    @Timeout(1_800)
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
                PartitionReader reader = peers.reader.of(partition);
                long end = reader.bounds().end();
                // Each record rolls a segment once the one before is old enough, and the cleaner takes what is behind
                // it.
                while (read(reader, 0, end).size() > end / 2) {
                    peers.plain
                            .get(0)
                            .send(new ProducerRecord<>(partition.topic(), 0, new byte[1], new byte[1]))
                            .get();
                }
                compare(peers, partition, new SplittableRandom(seed));
                List<String> read = read(reader, 0, reader.bounds().end());
                assertThat(read).isNotEmpty();
            }
        }
    }
}
