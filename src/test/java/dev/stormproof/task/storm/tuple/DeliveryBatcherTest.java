package dev.stormproof.task.storm.tuple;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.HeaderBytes;
import dev.stormproof.verify.feed.RecordContent;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Deliveries travel in batches of one partition, none too large, in their order. */
class DeliveryBatcherTest {
    private final List<DeliveryBatch> batches = new ArrayList<>();
    private final DeliveryBatcher batcher = new DeliveryBatcher(batches::add);
    private long offset;

    @Test
    void whatWasGatheredIsHandedOnByAFlushAndOnce() {
        add(0, 1, 10);
        add(0, 1, 10);
        assertThat(batches).isEmpty();

        batcher.flush();
        batcher.flush();

        assertThat(offsets()).containsExactly(List.of(0L, 1L));
    }

    @Test
    void aBatchHasOnePartitionAndOneTopicOfAName() {
        add(0, 1, 10);
        add(1, 1, 10);
        add(1, 2, 10);
        add(1, 2, 10);
        batcher.flush();

        assertThat(offsets()).containsExactly(List.of(0L), List.of(1L), List.of(2L, 3L));
        assertThat(batches).extracting(batch -> batch.partition().partition()).containsExactly(0, 1, 1);
    }

    @Test
    void aFullBatchIsHandedOnAtOnce() {
        for (int i = 0; i < 70; i++) {
            add(0, 1, 10);
        }

        assertThat(batches).extracting(batch -> batch.deliveries().size()).containsExactly(32, 32);
    }

    @Test
    void aBatchEndsWithTheRecordThatMakesItLarge() {
        add(0, 1, 40_000);
        add(0, 1, 40_000);
        add(0, 1, 1_000_000);
        add(0, 1, 10);

        assertThat(offsets()).containsExactly(List.of(0L, 1L), List.of(2L));
    }

    private List<List<Long>> offsets() {
        return batches.stream()
                .map(batch -> batch.deliveries().stream().map(Delivery::offset).toList())
                .toList();
    }

    private void add(int partition, long topicId, int valueBytes) {
        batcher.add(new Delivery(
                new TopicPartition("orders", partition),
                new DeliveryLink(offset, offset - 1, 0),
                topicId,
                new RecordContent(null, new byte[valueBytes], HeaderBytes.NONE, 0, false),
                null));
        offset++;
    }
}
