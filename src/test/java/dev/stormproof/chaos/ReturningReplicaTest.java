package dev.stormproof.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.chaos.testing.ThreeBrokers;
import dev.stormproof.chaos.testing.TopicControl;
import dev.stormproof.cli.local.Stages;
import dev.stormproof.log.audit.PartitionReader;
import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.log.kafka.KafkaLogReader;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.verify.feed.EpochEnd;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Of two replicas each leads while the other is away, and writes where the other one wrote. The one that comes back has the offset up to
 * which the other was read, so that Kafka's consumer reads on there. What else three brokers go through, {@code scripts/trial under-fire
 * --brokers 3} plays.
 */
@Tag("full")
@Tag(Stages.CLUSTER)
@Timeout(400)
class ReturningReplicaTest {
    private static final String TOPIC = "returning";
    private static final int PATIENCE_SECONDS = 120;

    @Test
    void whatAnotherLeaderWroteIsNotReadOn(@TempDir Path dir) throws Exception {
        TopicPartition partition = new TopicPartition(TOPIC, 0);
        try (ThreeBrokers brokers = ThreeBrokers.start(dir);
                TopicControl control = new TopicControl(brokers.servers())) {
            brokers.createTopic(TOPIC, 1);
            control.set(
                    TOPIC,
                    Map.of(
                            "min.insync.replicas",
                            Optional.of("1"),
                            "unclean.leader.election.enable",
                            Optional.of("true")));
            control.reassign(Map.of(partition, List.of(1, 2)));
            control.elect(ElectionType.PREFERRED, Map.of(partition, 1));
            LogRecordParser parser = StreamRecords.parser();
            try (KafkaLogReader log = new KafkaLogReader(Map.of("bootstrap.servers", brokers.servers()), parser)) {
                PartitionReader reader = log.of(partition);
                write(brokers, partition, 2, 1);
                brokers.stop(2);
                write(brokers, partition, 3, 1);
                int first = lastEpoch(reader);

                brokers.stop(1);
                brokers.start(2);
                control.elect(ElectionType.UNCLEAN, Map.of(partition, 2));
                // Each comes with an answer of its own.
                write(brokers, partition, 3, KafkaLogReader.RECEIVE_BYTES * 3 / 4);
                int second = lastEpoch(reader);
                assertThat(second).isGreaterThan(first);
                assertThat(reader.endOfEpoch(4, second)).isEqualTo(new EpochEnd(second, 4));

                AtomicInteger last = new AtomicInteger();
                PartitionReader.Taker readingMeanwhile = (record, leaderEpoch, millis, content) -> {
                    if (last.getAndSet((int) record.offset()) == 1) {
                        assertThatCode(() -> {
                                    brokers.stop(2);
                                    brokers.start(1);
                                    control.elect(ElectionType.UNCLEAN, Map.of(partition, 1));
                                })
                                .doesNotThrowAnyException();
                    }
                    return true;
                };
                assertThatThrownBy(() -> reader.scan(0, 5, readingMeanwhile)).isInstanceOf(ExpiredRangeException.class);
                assertThat(reader.endOfEpoch(4, second)).isEqualTo(new EpochEnd(first, 4));
                brokers.start(2);
            }
        }
    }

    private static void write(ThreeBrokers brokers, TopicPartition partition, int records, int bytes) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", brokers.servers()), new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < records; i++) {
                producer.send(new ProducerRecord<>(partition.topic(), partition.partition(), null, new byte[bytes]))
                        .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            }
        }
    }

    private static int lastEpoch(PartitionReader reader) throws ExpiredRangeException {
        AtomicInteger last = new AtomicInteger();
        reader.scan(0, reader.bounds().end(), (record, leaderEpoch, millis, content) -> {
            last.set(leaderEpoch);
            return true;
        });
        return last.get();
    }
}
