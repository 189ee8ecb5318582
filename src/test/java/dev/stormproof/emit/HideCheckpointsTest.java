package dev.stormproof.emit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class HideCheckpointsTest {
    private static final TopicPartition P0 = new TopicPartition("t", 0);
    private static final TopicPartition P1 = new TopicPartition("t", 1);

    private static ConsumerRecord<Object, Object> event(TopicPartition partition, long offset) {
        return new ConsumerRecord<>(partition.topic(), partition.partition(), offset, "k", "v");
    }

    private static ConsumerRecord<Object, Object> checkpoint(TopicPartition partition, long offset) {
        ConsumerRecord<Object, Object> record =
                new ConsumerRecord<>(partition.topic(), partition.partition(), offset, null, null);
        record.headers().add(Format2Checkpoint.HEADER, new byte[] {1});
        return record;
    }

    @Test
    void checkpointsAreDroppedAndPositionsKept() {
        Map<TopicPartition, OffsetAndMetadata> next =
                Map.of(P0, new OffsetAndMetadata(13), P1, new OffsetAndMetadata(8));
        ConsumerRecord<Object, Object> first = event(P0, 10);
        ConsumerRecord<Object, Object> second = event(P0, 12);
        try (HideCheckpoints hide = new HideCheckpoints()) {
            ConsumerRecords<Object, Object> left = hide.onConsume(new ConsumerRecords<>(
                    Map.of(P0, List.of(first, checkpoint(P0, 11), second), P1, List.of(checkpoint(P1, 7))), next));
            assertThat(left.records(P0)).containsExactly(first, second);
            assertThat(left.partitions()).containsExactly(P0);
            assertThat(left.count()).isEqualTo(2);
            assertThat(left.nextOffsets()).isEqualTo(next);
        }
    }

    @Test
    void withoutCheckpointsNothingIsCopied() {
        ConsumerRecords<Object, Object> records =
                new ConsumerRecords<>(Map.of(P0, List.of(event(P0, 1))), Map.of(P0, new OffsetAndMetadata(2)));
        try (HideCheckpoints hide = new HideCheckpoints()) {
            assertThat(hide.onConsume(records)).isSameAs(records);
        }
    }

    @Test
    void aTombstoneOfTheApplicationStays() {
        ConsumerRecord<Object, Object> tombstone = new ConsumerRecord<>("t", 0, 5, "k", null);
        try (HideCheckpoints hide = new HideCheckpoints()) {
            assertThat(hide.onConsume(new ConsumerRecords<>(Map.of(P0, List.of(tombstone)), Map.of())))
                    .containsExactly(tombstone);
        }
    }
}
