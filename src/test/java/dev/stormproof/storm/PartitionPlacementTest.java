package dev.stormproof.storm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.merkle.Hash;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.Test;

class PartitionPlacementTest {
    @Test
    void allDeliveriesOfAPartitionGoToOneTaskAndAllTasksHaveSome() {
        PartitionPlacement grouping = new PartitionPlacement();
        grouping.prepare(TestContexts.task(0, 1), new GlobalStreamId("events", "default"), List.of(14, 11, 12, 13));
        Map<Integer, Integer> partitionsOfTask = new HashMap<>();
        for (int partition = 0; partition < 8; partition++) {
            List<Integer> first = grouping.chooseTasks(1, new Values(delivery("orders", partition, 0)));
            List<Integer> later = grouping.chooseTasks(2, new Values(delivery("orders", partition, 99)));
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

        assertThat(PartitionPlacement.taskIndex(negative, 0, 3)).isBetween(0, 2);
    }

    @Test
    void everyPartitionIsReadByExactlyOneSpoutTaskAndStaysThereWhenOthersAreAdded() {
        LogConsumer consumer = new LogConsumer();
        List<SpoutPartitions> tasks = new ArrayList<>();
        for (int task = 0; task < 3; task++) {
            tasks.add(new SpoutPartitions(SubscribedTopics.named(Set.of("orders", "payments")), new NamedIds()));
        }
        addPartitions(consumer, "orders", 0, 6);
        List<Set<TopicPartition>> before = assignments(tasks, consumer);
        addPartitions(consumer, "orders", 6, 9);
        addPartitions(consumer, "payments", 0, 2);

        List<Set<TopicPartition>> after = assignments(tasks, consumer);

        Set<TopicPartition> all = new HashSet<>();
        for (int task = 0; task < 3; task++) {
            assertThat(after.get(task)).containsAll(before.get(task));
            assertThat(all.addAll(after.get(task))).isTrue();
        }
        assertThat(all).hasSize(11);
        assertThat(after.stream().mapToInt(Set::size).sum()).isEqualTo(11);
    }

    @Test
    void theBeginningOfTheLogIsCommittedAsProgressWhereThereIsNone() {
        TopicPartition known = new TopicPartition("orders", 0);
        TopicPartition unknown = new TopicPartition("orders", 1);
        LogConsumer consumer = new LogConsumer(known, unknown);
        consumer.updateBeginningOffsets(Map.of(unknown, 17L));
        consumer.commitSync(Map.of(known, new OffsetAndMetadata(5)));

        assignments(List.of(new SpoutPartitions(SubscribedTopics.named(Set.of("orders")), new NamedIds())), consumer);

        assertThat(consumer.commits().get(known)).isEqualTo(new OffsetAndMetadata(5));
        assertThat(consumer.commits().get(unknown)).isNotNull().satisfies(committed -> {
            assertThat(committed.offset()).isEqualTo(17);
            assertThat(committed.metadata()).contains("\"topologyId\":\"test-1\"");
        });
    }

    @Test
    void aPatternFindsTopicsThatAreCreatedLater() {
        LogConsumer consumer = new LogConsumer(new TopicPartition("orders-eu", 0), new TopicPartition("other", 0));
        SubscribedTopics topics = SubscribedTopics.matching(Pattern.compile("orders-.*"));
        assertThat(topics.getAllSubscribedPartitions(consumer)).containsExactly(new TopicPartition("orders-eu", 0));
        consumer.create(new TopicPartition("orders-us", 0));

        assertThat(topics.getAllSubscribedPartitions(consumer))
                .containsExactlyInAnyOrder(new TopicPartition("orders-eu", 0), new TopicPartition("orders-us", 0));
    }

    @Test
    void aPatternThatMatchesEverythingDoesNotMeanKafkasOwnTopics() {
        LogConsumer consumer =
                new LogConsumer(new TopicPartition("orders", 0), new TopicPartition("__consumer_offsets", 0));

        assertThat(SubscribedTopics.matching(Pattern.compile(".*")).getAllSubscribedPartitions(consumer))
                .containsExactly(new TopicPartition("orders", 0));
    }

    private static void addPartitions(LogConsumer consumer, String topic, int begin, int end) {
        for (int partition = begin; partition < end; partition++) {
            consumer.create(new TopicPartition(topic, partition));
        }
    }

    private static List<Set<TopicPartition>> assignments(List<SpoutPartitions> tasks, LogConsumer consumer) {
        List<Set<TopicPartition>> assignments = new ArrayList<>();
        for (int task = 0; task < tasks.size(); task++) {
            List<TopicPartition> all = List.copyOf(tasks.get(task).getAllSubscribedPartitions(consumer));
            assignments.add(tasks.get(task).getPartitionsForThisTask(all, TestContexts.task(task, tasks.size())));
        }
        return assignments;
    }

    private static Delivery delivery(String topic, int partition, long offset) {
        return new Delivery(
                topic,
                partition,
                offset,
                0,
                new Custody(offset - 1, false, 0, 0, 0, 0),
                null,
                null,
                HeaderBytes.of(new RecordHeaders()),
                Hash.empty(),
                false);
    }
}
