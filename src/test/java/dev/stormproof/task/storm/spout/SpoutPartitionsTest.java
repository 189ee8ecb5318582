package dev.stormproof.task.storm.spout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.task.config.InputTopics;
import dev.stormproof.task.live.progress.ProgressMetadata;
import dev.stormproof.task.live.progress.SubscribedTopics;
import dev.stormproof.task.storm.testing.TestContexts;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class SpoutPartitionsTest {
    @Test
    void everyPartitionIsReadByExactlyOneSpoutTaskAndStaysThereWhenOthersAreAdded() {
        LogConsumer consumer = new LogConsumer();
        List<SpoutPartitions> tasks = new ArrayList<>();
        for (int task = 0; task < 3; task++) {
            tasks.add(new SpoutPartitions(
                    new SubscribedTopics(InputTopics.named(Set.of("orders", "payments"), "")), new NamedIds()));
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

        assignments(
                List.of(new SpoutPartitions(
                        new SubscribedTopics(InputTopics.named(Set.of("orders"), "")), new NamedIds())),
                consumer);

        assertThat(consumer.commits().get(known)).isEqualTo(new OffsetAndMetadata(5));
        assertThat(consumer.commits().get(unknown)).isNotNull().satisfies(committed -> {
            assertThat(committed.offset()).isEqualTo(17);
            assertThat(committed.metadata()).contains("\"topologyId\":\"test-1\"");
        });
    }

    /** Kafka forgets the offsets of a group after a while, and an operator may delete them; the alerts are there all the same. */
    @Test
    void theBeginningThatIsCommittedDoesNotSayThatNothingWasTold() {
        TopicPartition unknown = new TopicPartition("orders", 0);
        LogConsumer consumer = new LogConsumer(unknown);
        consumer.updateBeginningOffsets(Map.of(unknown, 17L));

        assignments(
                List.of(new SpoutPartitions(
                        new SubscribedTopics(InputTopics.named(Set.of("orders"), "")), new NamedIds())),
                consumer);

        assertThat(ProgressMetadata.decode(
                                Objects.requireNonNull(consumer.commits().get(unknown))
                                        .metadata())
                        .published())
                .isEmpty();
    }

    @Test
    void aPatternFindsTopicsThatAreCreatedLater() {
        LogConsumer consumer = new LogConsumer(new TopicPartition("orders-eu", 0), new TopicPartition("other", 0));
        SubscribedTopics topics = new SubscribedTopics(InputTopics.matching(Pattern.compile("orders-.*"), ""));
        assertThat(topics.partitions(consumer)).containsExactly(new TopicPartition("orders-eu", 0));
        consumer.create(new TopicPartition("orders-us", 0));

        assertThat(topics.partitions(consumer))
                .containsExactlyInAnyOrder(new TopicPartition("orders-eu", 0), new TopicPartition("orders-us", 0));
    }

    @Test
    void aPatternThatMatchesEverythingDoesNotMeanKafkasOwnTopics() {
        LogConsumer consumer =
                new LogConsumer(new TopicPartition("orders", 0), new TopicPartition("__consumer_offsets", 0));

        assertThat(new SubscribedTopics(InputTopics.matching(Pattern.compile(".*"), "")).partitions(consumer))
                .containsExactly(new TopicPartition("orders", 0));
    }

    @Test
    void anOutputThatThePatternMatchesIsNotReadAgainHoweverLateItsTopicsAreCreated() {
        LogConsumer consumer = new LogConsumer(new TopicPartition("other", 0));
        SubscribedTopics topics = new SubscribedTopics(InputTopics.matching(Pattern.compile("orders.*"), "*-enriched"));
        assertThat(topics.partitions(consumer)).isEmpty();

        for (String name : List.of("orders", "orders-enriched", "orders-enriched-enriched")) {
            consumer.create(new TopicPartition(name, 0));
            assertThat(topics.partitions(consumer)).containsExactly(new TopicPartition("orders", 0));
        }
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
}
