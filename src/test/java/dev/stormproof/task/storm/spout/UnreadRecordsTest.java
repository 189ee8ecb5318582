package dev.stormproof.task.storm.spout;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Gauge;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.storm.testing.TestContexts;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.internals.AutoOffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.utils.Time;
import org.apache.storm.utils.Time.SimulatedTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The count of what a spout has not read, by Kafka's own consumer on paper. */
class UnreadRecordsTest {
    private static final TopicPartition PARTITION = new TopicPartition("orders", 3);

    private final StormMetricRegistry metrics = new StormMetricRegistry();
    private final UnreadRecords unread = new UnreadRecords(new StormproofConfig(
            Map.of("bootstrap.servers", "localhost:9092", "group.id", "test", "input.topics", "events")));
    private final SimulatedTime clock = new SimulatedTime();

    @AfterEach
    void close() {
        unread.close();
        clock.close();
    }

    private Object gauge() {
        return ((Gauge<?>) metrics.getTaskGauges(1).values().iterator().next()).getValue();
    }

    @Test
    void itIsCountedOnceASecondAndOfThePartitionsThatAreAssigned() {
        try (MockConsumer<byte[], byte[]> consumer = new MockConsumer<>(AutoOffsetResetStrategy.EARLIEST.name())) {
            unread.open(TestContexts.task(0, 1, metrics));
            consumer.assign(List.of(PARTITION));
            consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
            consumer.updateEndOffsets(Map.of(PARTITION, 10L));
            consumer.seek(PARTITION, 0);
            consumer.addRecord(new ConsumerRecord<>("orders", 3, 3, new byte[0], new byte[0]));

            unread.polled(consumer);
            assertThat(gauge()).isEqualTo(10L);
            var unused = consumer.poll(Duration.ZERO);
            unread.polled(consumer);
            assertThat(gauge()).as("of this second").isEqualTo(10L);
            Time.advanceTime(1_000);
            unread.polled(consumer);
            assertThat(gauge()).isEqualTo(6L);

            consumer.unsubscribe();
            Time.advanceTime(1_000);
            unread.polled(consumer);
            assertThat(gauge()).isEqualTo(0L);
        }
    }
}
