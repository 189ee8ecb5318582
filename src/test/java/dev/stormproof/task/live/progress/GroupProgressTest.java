package dev.stormproof.task.live.progress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.heads.Heads;
import dev.stormproof.task.heads.HeadsSum;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.Leaders;
import dev.stormproof.verify.fold.SavedHeads;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The progress of a group as a real broker keeps it. */
@OnKafka
@Timeout(60)
class GroupProgressTest {
    private final EmbeddedKafka kafka;
    private final String group = SharedKafka.unique("progress-group");
    private final TopicPartition first;
    private final TopicPartition second;
    private final StormproofConfig config;
    private long topicId;

    GroupProgressTest(EmbeddedKafka kafka) {
        this.kafka = kafka;
        String topic = SharedKafka.createTopic(kafka, "progress", 2);
        this.first = new TopicPartition(topic, 0);
        this.second = new TopicPartition(topic, 1);
        this.config = new StormproofConfig(
                Map.of("bootstrap.servers", kafka.bootstrapServers(), "input.topics", topic, "group.id", group));
    }

    @BeforeEach
    void askForTheTopicsId() {
        try (TopicIds ids = new TopicIds(config.kafkaAdmin())) {
            topicId = Objects.requireNonNull(ids.of(Set.of(first.topic())).get(first.topic()));
        }
    }

    @Test
    void everythingThatWasCommittedIsReadBack() throws Exception {
        AlertSpan one = new AlertSpan(0, 5, 9);
        AlertSpan other = new AlertSpan(3, 1, 2);
        Leaders led = Leaders.ofText("0/2,5/4");
        commit(
                first,
                7,
                Optional.of(4),
                new ProgressMetadata(
                        topicId,
                        Optional.of(List.of(one)),
                        Optional.empty(),
                        "",
                        led,
                        Optional.of(new HeadsSum(77, true))));
        commit(second, 0, Optional.empty(), new ProgressMetadata(topicId, Optional.of(List.of(other))));

        GroupProgress progress = GroupProgress.read(config, partition -> true);

        assertThat(progress.partitions())
                .isEqualTo(Map.of(
                        first,
                        new Progress(7, 4, topicId, SavedHeads.NOTHING, null, led),
                        second,
                        new Progress(0, DeliveryLink.NO_EPOCH, topicId)));
        assertThat(progress.published(progress.alertSpans().keySet())).hasValue(List.of(one, other));
        assertThat(progress.heads())
                .isEqualTo(Map.of(
                        first,
                        new Heads.Committed(topicId, Optional.of(new HeadsSum(77, true))),
                        second,
                        new Heads.Committed(topicId, Optional.empty())));
        assertThat(progress.group().groupId()).isEqualTo(group);
    }

    @Test
    void onlyTheWantedPartitionsCount() throws Exception {
        commit(second, 5, Optional.empty(), ProgressMetadata.fresh(topicId));

        GroupProgress progress = GroupProgress.read(config, second::equals);

        assertThat(progress.partitions()).containsOnlyKeys(second);
        assertThat(progress.published(progress.alertSpans().keySet())).hasValue(List.of());
    }

    private void commit(TopicPartition partition, long offset, Optional<Integer> epoch, ProgressMetadata note)
            throws Exception {
        commitNote(partition, offset, epoch, note.encode("test-1", 1));
    }

    private void commitNote(TopicPartition partition, long offset, Optional<Integer> epoch, String note)
            throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.alterConsumerGroupOffsets(group, Map.of(partition, new OffsetAndMetadata(offset, epoch, note)))
                    .all()
                    .get(30, TimeUnit.SECONDS);
        }
    }
}
