package dev.stormproof.storm.spout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.config.StormproofConfig;
import dev.stormproof.local.EmbeddedKafka;
import dev.stormproof.local.Stages;
import dev.stormproof.storm.testing.RecordingCollector;
import dev.stormproof.storm.testing.TestContexts;
import dev.stormproof.storm.tuple.Delivery;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.storm.spout.SpoutOutputCollector;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A broker that lost the end of its log, as in an unclean election, and wrote other records there since. */
@Tag(Stages.BROKER)
@Timeout(120)
class TruncatedLogOnKafkaTest {
    private static final TopicPartition PARTITION = new TopicPartition("truncated", 0);
    private static final int RECORDS = 10;
    private static final int LEFT = 6;

    @TempDir
    Path dir;

    @Test
    void aSpoutThatStartsBehindTheTruncationFindsItAndReadsTheNewRecords() throws Exception {
        StormproofConfig config;
        try (EmbeddedKafka kafka = EmbeddedKafka.start(0, dir)) {
            kafka.createTopic(PARTITION.topic(), 1, Map.of());
            config = config(kafka);
            send(kafka, RECORDS);
            List<Delivery> before = read(config, RECORDS - 1);
            assertThat(before).hasSize(RECORDS);
            commit(kafka, RECORDS - 1, before.get(0).link().leaderEpoch());
        }
        truncate(dir, dir.resolve(PARTITION.toString()));

        try (EmbeddedKafka kafka = EmbeddedKafka.start(0, dir)) {
            send(kafka, RECORDS);
            List<Delivery> after = read(config(kafka), LEFT + RECORDS - 1);

            assertThat(after)
                    .extracting(Delivery::offset)
                    .startsWith((long) LEFT)
                    .hasSize(RECORDS);
            assertThat(after).allSatisfy(delivery -> {
                assertThat(delivery.link().previous()).isEqualTo(delivery.offset() - 1);
                assertThat(delivery.link().leaderEpoch()).isPositive();
            });
        }
    }

    private static StormproofConfig config(EmbeddedKafka kafka) {
        return new StormproofConfig(Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                "input.topics",
                PARTITION.topic(),
                "group.id",
                "truncated-group"));
    }

    /** What a spout reads from its progress up to an offset. */
    private static List<Delivery> read(StormproofConfig config, long last) {
        List<Delivery> deliveries = new ArrayList<>();
        LogSpout spout = LogSpout.of(config, new TupleOutlet());
        spout.open(Map.of(), TestContexts.task(0, 1), new SpoutOutputCollector(new Into(deliveries)));
        try {
            spout.activate();
            while (deliveries.isEmpty() || deliveries.get(deliveries.size() - 1).offset() < last) {
                spout.nextTuple();
            }
            return deliveries;
        } finally {
            spout.close();
        }
    }

    /** Truncates the last records of a log that no broker has open, and what the broker noted of it. */
    private static void truncate(Path broker, Path log) throws IOException {
        try (RandomAccessFile segment =
                new RandomAccessFile(log.resolve("00000000000000000000.log").toFile(), "rw")) {
            long position = 0;
            while (position < segment.length()) {
                // Each batch begins with its first offset and the number of bytes that follow: here, one record each.
                segment.seek(position);
                long offset = segment.readLong();
                int sizeBytes = Long.BYTES + Integer.BYTES + segment.readInt();
                if (offset == LEFT) {
                    segment.setLength(position);
                    break;
                }
                position += sizeBytes;
            }
        }
        List<Path> notes = new ArrayList<>();
        try (Stream<Path> files = Files.list(log)) {
            files.filter(file -> file.toString().matches(".*\\.(index|timeindex|snapshot)"))
                    .forEach(notes::add);
        }
        notes.add(broker.resolve(".kafka_cleanshutdown"));
        notes.add(broker.resolve("recovery-point-offset-checkpoint"));
        for (Path note : notes) {
            Files.deleteIfExists(note);
        }
    }

    private static void send(EmbeddedKafka kafka, int count) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (int i = 0; i < count; i++) {
                producer.send(new ProducerRecord<>(PARTITION.topic(), 0, null, new byte[] {1}))
                        .get(30, TimeUnit.SECONDS);
            }
        }
    }

    private static void commit(EmbeddedKafka kafka, long offset, int epoch) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.alterConsumerGroupOffsets(
                            "truncated-group", Map.of(PARTITION, new OffsetAndMetadata(offset, Optional.of(epoch), "")))
                    .all()
                    .get(30, TimeUnit.SECONDS);
        }
    }

    private static final class Into extends RecordingCollector {
        private final List<Delivery> deliveries;

        Into(List<Delivery> deliveries) {
            this.deliveries = deliveries;
        }

        @Override
        public void take(Delivery delivery, @Nullable Object message) {
            deliveries.add(delivery);
        }
    }
}
