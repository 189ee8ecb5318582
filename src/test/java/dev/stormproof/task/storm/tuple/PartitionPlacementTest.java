package dev.stormproof.task.storm.tuple;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.task.live.open.TaskPlacement;
import dev.stormproof.task.storm.testing.TestContexts;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.HeaderBytes;
import dev.stormproof.verify.feed.RecordContent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.Test;

class PartitionPlacementTest {
    @Test
    void allBatchesOfAPartitionGoToOneTaskAndAllTasksHaveSome() {
        PartitionPlacement grouping = new PartitionPlacement();
        grouping.prepare(TestContexts.task(0, 1), new GlobalStreamId("events", "default"), List.of(14, 11, 12, 13));
        Map<Integer, Integer> partitionsOfTask = new HashMap<>();
        for (int partition = 0; partition < 8; partition++) {
            List<Integer> first = grouping.chooseTasks(1, new Values(batch("orders", partition, 0)));
            List<Integer> later = grouping.chooseTasks(2, new Values(batch("orders", partition, 99)));
            assertThat(first).hasSize(1).isEqualTo(later);
            partitionsOfTask.merge(first.get(0), 1, Integer::sum);
        }

        assertThat(partitionsOfTask)
                .hasSize(4)
                .allSatisfy((task, count) -> assertThat(count).isEqualTo(2));
    }

    @Test
    void aTopicWithANegativeHashHasATaskToo() {
        String negative = "zzzzzz-negative";
        for (int suffix = 0; negative.hashCode() >= 0; suffix++) {
            negative = "zzzzzz-negative" + suffix;
        }

        assertThat(TaskPlacement.taskIndex(new TopicPartition(negative, 0), 3)).isBetween(0, 2);
    }

    private static DeliveryBatch batch(String topic, int partition, long offset) {
        return TestContexts.batch(new Delivery(
                new TopicPartition(topic, partition),
                new DeliveryLink(offset, offset - 1, 0),
                0,
                new RecordContent(null, null, HeaderBytes.NONE, 0, false),
                null));
    }
}
