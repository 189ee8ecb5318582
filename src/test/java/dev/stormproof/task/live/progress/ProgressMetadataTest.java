package dev.stormproof.task.live.progress;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stormproof.alert.AlertLedger.Place;
import dev.stormproof.task.heads.HeadsSum;
import dev.stormproof.task.output.Written;
import dev.stormproof.task.storm.testing.TestContexts;
import dev.stormproof.verify.feed.Leaders;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.storm.kafka.spout.KafkaSpoutConfig.ProcessingGuarantee;
import org.apache.storm.kafka.spout.internal.CommitMetadataManager;
import org.junit.jupiter.api.Test;

class ProgressMetadataTest {
    /** Kafka's default of {@code offset.metadata.max.bytes}. */
    private static final int MAX_BYTES = 4_096;

    @Test
    void aNoteIsReadBackAsItWasWritten() {
        List<AlertSpan> spans = List.of(new AlertSpan(0, 5, 9), new AlertSpan(12, 7, 8));
        for (ProgressMetadata note : List.of(
                ProgressMetadata.fresh(-3),
                ProgressMetadata.forgotten(5),
                ProgressMetadata.NONE,
                new ProgressMetadata(1, Optional.of(spans)),
                new ProgressMetadata(Long.MIN_VALUE, Optional.of(spans)),
                new ProgressMetadata(
                        2,
                        Optional.empty(),
                        Optional.of(new Written(50, Leaders.of(12, 3), false, false)),
                        "0of2",
                        Leaders.NONE),
                new ProgressMetadata(
                        2,
                        Optional.empty(),
                        Optional.of(new Written(50, Leaders.of(12, 3), false, true)),
                        "0of2",
                        Leaders.ofText("12/3,40/5")),
                new ProgressMetadata(
                        2,
                        Optional.empty(),
                        Optional.of(new Written(5, Leaders.of(12, 3), true, true)),
                        "",
                        Leaders.ofText("7/2")),
                new ProgressMetadata(
                        2,
                        Optional.empty(),
                        Optional.of(new Written(50, Leaders.of(12, -1), true, false)),
                        "",
                        Leaders.NONE),
                new ProgressMetadata(
                        2,
                        Optional.empty(),
                        Optional.empty(),
                        "0of2",
                        Leaders.ofText("7/2"),
                        Optional.of(new HeadsSum(-5, true))),
                new ProgressMetadata(
                        2,
                        Optional.empty(),
                        Optional.empty(),
                        "",
                        Leaders.NONE,
                        Optional.of(new HeadsSum(5, false))))) {
            assertThat(ProgressMetadata.decode(encoded(note))).isEqualTo(note);
        }
    }

    @Test
    void whatIsNoNoteOfOursSaysNothing() throws Exception {
        String spouts =
                new ObjectMapper().writeValueAsString(Map.of("topologyId", "t", "taskId", 1, "threadName", "Thread-1"));
        for (String other : List.of(
                "",
                "{",
                "{}",
                "[1]",
                spouts,
                spouts.replace(
                        "Thread-1", "stormproof/1 topic=0000000000000001 reported= written=99999999999999999999:"),
                spouts.replace("Thread-1", "stormproof/1 topic=0000000000000001 reported= heads=12"),
                // One of an earlier build: the partition begins there, unanchored.
                spouts.replace("Thread-1", "stormproof/1 topic=0000000000000001 promised=- reported="),
                spouts.replace("Thread-1", "stormproof/2 topic=0000000000000001 reported="))) {
            assertThat(ProgressMetadata.decode(other)).as(other).isEqualTo(ProgressMetadata.NONE);
        }
    }

    @Test
    void kafkaSpoutTakesItForOneOfItsOwn() {
        CommitMetadataManager spout =
                new CommitMetadataManager(TestContexts.task(0, 1), ProcessingGuarantee.NO_GUARANTEE);

        assertThat(spout.isOffsetCommittedByThisTopology(
                        new TopicPartition("orders", 0),
                        new OffsetAndMetadata(5, encoded(ProgressMetadata.fresh(-3))),
                        Map.of()))
                .isTrue();
    }

    @Test
    void theLargestOneFitsIntoWhatKafkaKeeps() {
        List<Place> places = new ArrayList<>();
        IntStream.range(0, 10_000)
                .forEach(i -> places.add(new Place(100 + i % 10, 1_000_000_000_000L + 1_000L * i * i)));
        List<AlertSpan> spans = AlertSpan.over(places, ProgressMetadata.MOST_SPANS);

        ProgressMetadata note = new ProgressMetadata(
                -1, Optional.of(spans), Optional.empty(), "", Leaders.NONE, Optional.of(new HeadsSum(-1, false)));

        assertThat(note.published()).hasValue(spans);
        assertThat(encoded(note).getBytes(UTF_8)).hasSizeLessThan(MAX_BYTES);
        assertThat(places)
                .allMatch(place -> spans.stream()
                        .anyMatch(span -> span.partition() == place.partition()
                                && span.beginOffset() <= place.offset()
                                && place.offset() < span.endOffset()));
    }

    @Test
    void alertsInMorePartitionsThanMetadataCanNameAreReadBackWhole() {
        List<AlertSpan> spans =
                IntStream.range(0, 60).mapToObj(i -> new AlertSpan(i, 5, 6)).toList();

        assertThat(AlertSpan.joined(spans, ProgressMetadata.MOST_SPANS)).hasSize(60);
        assertThat(ProgressMetadata.decode(encoded(new ProgressMetadata(0, Optional.of(spans))))
                        .published())
                .isEmpty();
    }

    @Test
    void theAlertsOfManyPartitionsAreReadBackInABoundedNumberOfRanges() {
        Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>();
        for (int partition = 0; partition < 30; partition++) {
            long first = partition * 50_000_000L;
            List<AlertSpan> spans = IntStream.range(0, ProgressMetadata.MOST_SPANS)
                    .mapToObj(i -> new AlertSpan(0, first + i * 1_000_000L, first + i * 1_000_000L + 1))
                    .toList();
            committed.put(
                    new TopicPartition("orders", partition),
                    new OffsetAndMetadata(5, encoded(new ProgressMetadata(0, Optional.of(spans)))));
        }

        List<AlertSpan> read = GroupProgress.of(
                        committed, Map.of(), new MockConsumer<byte[], byte[]>("none").groupMetadata())
                .published(committed.keySet())
                .orElseThrow();

        assertThat(read).hasSizeLessThanOrEqualTo(1_000);
        assertThat(LongStream.range(0, 30L * ProgressMetadata.MOST_SPANS))
                .allSatisfy(alert -> assertThat(read)
                        .anyMatch(span ->
                                span.beginOffset() <= alert * 1_000_000 && alert * 1_000_000 < span.endOffset()));
    }

    @Test
    void progressInATopicOfAnotherIdIsNoProgress() {
        assertThat(ProgressMetadata.fresh(1).isOfAnother(2)).isTrue();
        assertThat(ProgressMetadata.fresh(1).isOfAnother(1)).isFalse();
        assertThat(ProgressMetadata.fresh(1).isOfAnother(TopicIds.UNKNOWN)).isFalse();
        assertThat(ProgressMetadata.NONE.isOfAnother(1)).isFalse();
    }

    private static String encoded(ProgressMetadata metadata) {
        return metadata.encode("test-1", 1);
    }
}
