package dev.stormproof.task.heads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.task.heads.Heads.Committed;
import dev.stormproof.verify.fold.Head;
import dev.stormproof.verify.fold.SavedHeads;
import dev.stormproof.verify.fold.SavedStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a start knows by the records that it finds, without Kafka. */
class FoundHeadsTest {
    private static final TopicPartition PLACE = new TopicPartition("g-heads", 0);
    private static final TopicPartition ORDERS = new TopicPartition("orders", 0);
    private static final TopicPartition OTHER = new TopicPartition("orders", 1);
    private static final long ID = 5;

    private final long seed = Long.getLong("seed", new SplittableRandom().nextLong());
    private final SplittableRandom random = new SplittableRandom(seed);
    private final List<ProducerRecord<byte[], byte[]>> log = new ArrayList<>();

    private HeadsSum written(PartitionHeads heads, SavedStream... changed) {
        Arrays.stream(changed).forEach(heads::put);
        log.addAll(heads.records(PLACE));
        heads.committed();
        return new HeadsSum(heads.sum(), true);
    }

    private static PartitionHeads none(TopicPartition partition) {
        return new PartitionHeads(partition, ID, Map.of());
    }

    private SavedStream stream(long emitter) {
        return DrawnStreams.stream(emitter, random);
    }

    private FoundHeads found(int most) {
        FoundHeads found = new FoundHeads(PLACE, Set.of(ORDERS, OTHER), most);
        for (int i = 0; i < log.size(); i++) {
            found.take(i, log.get(i).key(), log.get(i).value());
        }
        return found;
    }

    private FoundHeads.Known known(long topicId, @Nullable HeadsSum sum) {
        return found(FoundHeads.MOST_STREAMS).known(ORDERS, new Committed(topicId, Optional.ofNullable(sum)));
    }

    private static long lastHead(ProducerRecord<byte[], byte[]> record) {
        try {
            return HeadsCodec.readValue(record.key(), record.value()).stream().heads().stream()
                    .mapToLong(Head::offset)
                    .max()
                    .orElseThrow();
        } catch (MalformedHeadsException e) {
            throw new AssertionError(e);
        }
    }

    private List<Long> removed(FoundHeads.Known known) {
        return known.kept().records(PLACE).stream()
                .map(record -> {
                    assertThat(record.value()).isNull();
                    try {
                        return HeadsCodec.readKey(record.key()).emitter();
                    } catch (MalformedHeadsException e) {
                        throw new AssertionError(e);
                    }
                })
                .sorted()
                .toList();
    }

    @Test
    void theLastRecordOfEachStreamCountsAndARemovedOneDoesNot() {
        SavedStream two = stream(2);
        SavedStream three = stream(3);
        PartitionHeads heads = none(ORDERS);
        written(heads, stream(1), stream(2), stream(3));
        written(none(OTHER), stream(1), stream(9));
        heads.remove(1);
        HeadsSum sum = written(heads, two, three);

        FoundHeads.Known known = known(ID, sum);

        assertThat(known.found().heads().streams()).as("-Dseed=%s", seed).containsExactlyInAnyOrder(two, three);
        assertThat(known.found().heads().complete()).isTrue();
        assertThat(known.kept().records(PLACE)).isEmpty();
        assertThat(known.kept().sum()).isEqualTo(sum.sum());
    }

    @Test
    void aCompactedLogSaysTheSame() {
        PartitionHeads heads = none(ORDERS);
        HeadsSum sum = new HeadsSum(0, true);
        for (int i = 0; i < 50; i++) {
            heads.remove(random.nextInt(10));
            sum = written(heads, stream(random.nextInt(10)));
        }
        SavedHeads before = known(ID, sum).found().heads();
        Map<String, ProducerRecord<byte[], byte[]>> last = new LinkedHashMap<>();
        for (ProducerRecord<byte[], byte[]> record : log) {
            String key = HexFormat.of().formatHex(record.key());
            last.remove(key);
            last.put(key, record);
        }
        last.values().removeIf(record -> record.value() == null && random.nextBoolean());
        log.clear();
        log.addAll(last.values());

        FoundHeads.Known known = known(ID, sum);

        assertThat(known.found().heads().streams()).containsExactlyInAnyOrderElementsOf(before.streams());
        assertThat(known.found().heads().complete()).isTrue();
    }

    @Test
    void aPartitionWithoutARecordIsKnownToHaveNoStream() {
        assertThat(known(ID, new HeadsSum(0, true)).found().heads()).isEqualTo(new SavedHeads(List.of(), true));
    }

    @Test
    void whatIsIncompleteStaysIncomplete() {
        HeadsSum sum = written(none(ORDERS), stream(1));

        assertThat(known(ID, new HeadsSum(sum.sum(), false)).found().heads().complete())
                .isFalse();
    }

    @Test
    void withoutAProgressOrOfOneThatKeptNoHeadsNothingIsKnownAndAllIsRemoved() {
        written(none(ORDERS), stream(1), stream(2));

        FoundHeads.Known known = known(ID, null);

        assertThat(known.found().heads()).isEqualTo(SavedHeads.NOTHING);
        long last = log.stream().mapToLong(FoundHeadsTest::lastHead).max().orElseThrow();
        assertThat(known.found().endOffset()).as("-Dseed=%s", seed).isEqualTo(Math.max(last, last + 1));
        assertThat(known(ID + 1, null).found().endOffset())
                .as("of another topic")
                .isEqualTo(Long.MAX_VALUE);
        assertThat(removed(known)).containsExactly(1L, 2L);
        assertThat(known.kept().sum()).isZero();
    }

    /** Each record that is lost, is one too many, or is an older or newer one. */
    @Test
    void ifARecordIsNotThatOfTheProgressNothingIsKnown() {
        PartitionHeads heads = none(ORDERS);
        written(heads, stream(1), stream(2));
        HeadsSum sum = written(heads, stream(2), stream(3));
        List<ProducerRecord<byte[], byte[]>> whole = List.copyOf(log);
        for (int lost = 0; lost < whole.size(); lost++) {
            boolean isOverwritten = lost > 0
                    && lost < 2
                    && Arrays.equals(whole.get(lost).key(), whole.get(2).key());
            boolean isOverwrittenFirst = lost == 0
                    && whole.subList(2, whole.size()).stream()
                            .anyMatch(record -> Arrays.equals(whole.get(0).key(), record.key()));
            log.clear();
            log.addAll(whole);
            log.remove(lost);
            FoundHeads.Known known = known(ID, sum);
            if (isOverwritten || isOverwrittenFirst) {
                assertThat(known.found().heads().streams()).hasSize(3);
            } else {
                assertThat(known.found().heads()).as("without %s", lost).isEqualTo(SavedHeads.NOTHING);
                assertThat(removed(known)).isNotEmpty();
            }
        }
        log.clear();
        log.addAll(whole);
        written(heads, stream(4));
        assertThat(known(ID, sum).found().heads()).isEqualTo(SavedHeads.NOTHING);
    }

    @Test
    void recordsOfAnotherTopicOfThatNameDoNotCountAndAreRemoved() {
        PartitionHeads heads = none(ORDERS);
        written(heads, stream(1));
        PartitionHeads unknown = new PartitionHeads(ORDERS, Heads.UNKNOWN_TOPIC, Map.of());
        SavedStream two = stream(2);
        long sum = heads.sum() ^ written(unknown, two).sum();

        FoundHeads.Known known = known(ID + 1, new HeadsSum(sum, true));

        assertThat(known.found().heads()).isEqualTo(new SavedHeads(List.of(two), true));
        assertThat(removed(known)).containsExactly(1L);
        assertThat(known(Heads.UNKNOWN_TOPIC, new HeadsSum(sum, true))
                        .found()
                        .heads()
                        .streams())
                .hasSize(2);
    }

    @Test
    void aRecordThatCannotBeReadIsDroppedAndWhatIsKnownIsNotComplete() {
        PartitionHeads heads = none(ORDERS);
        SavedStream two = stream(2);
        written(heads, stream(1), two);
        for (int i = 0; i < log.size(); i++) {
            ProducerRecord<byte[], byte[]> record = log.get(i);
            if (Arrays.equals(record.key(), HeadsCodec.key(ORDERS, 1))) {
                byte[] damaged = record.value().clone();
                damaged[damaged.length - 1] ^= 1;
                log.set(i, new ProducerRecord<>(PLACE.topic(), 0, record.key(), damaged));
            }
        }
        FoundHeads.Known known = known(ID, sum());

        assertThat(known.found().heads()).isEqualTo(new SavedHeads(List.of(two), false));
        assertThat(removed(known)).containsExactly(1L);
    }

    @Test
    void whatIsNoRecordOfHeadsIsPassedOver() {
        SavedStream one = stream(1);
        HeadsSum sum = written(none(ORDERS), one);
        log.add(new ProducerRecord<>(PLACE.topic(), 0, null, new byte[] {1}));
        log.add(new ProducerRecord<>(PLACE.topic(), 0, new byte[] {9}, null));
        log.add(new ProducerRecord<>(
                PLACE.topic(), 0, HeadsCodec.key(new TopicPartition("unheard-of", 0), 1), new byte[0]));

        assertThat(known(ID, sum).found().heads()).isEqualTo(new SavedHeads(List.of(one), true));
    }

    @Test
    void beyondTheBoundStreamsAreDroppedAndWhatIsKnownIsNotComplete() {
        PartitionHeads heads = none(ORDERS);
        SavedStream two = stream(2);
        written(heads, stream(1));
        written(heads, two);
        written(heads, stream(3));
        SavedStream one = stream(1);
        HeadsSum sum = written(heads, one);

        FoundHeads.Known known = found(2).known(ORDERS, new Committed(ID, Optional.of(sum)));

        assertThat(known.found().heads()).isEqualTo(new SavedHeads(List.of(one, two), false));
        assertThat(removed(known)).containsExactly(3L);
        assertThat(FoundHeads.MOST_STREAMS).isEqualTo(100_000);
    }

    @Test
    void whatIsUnchangedIsNotWrittenAgainAndWhatWasNotCommittedIs() {
        SavedStream one = stream(1);
        PartitionHeads heads = none(ORDERS);
        heads.put(one);
        assertThat(heads.records(PLACE)).hasSize(1);
        assertThat(heads.records(PLACE)).hasSize(1);
        heads.committed();
        heads.put(one);
        heads.remove(7);
        assertThat(heads.records(PLACE)).isEmpty();
        heads.remove(1);
        heads.put(stream(2));
        assertThat(heads.records(PLACE)).hasSize(2);
    }

    @Test
    void ofWhatIsKeptTheDifferencesAreWritten() {
        SavedStream one = stream(1);
        SavedStream two = stream(2);
        written(none(ORDERS), one, two, stream(3));
        PartitionHeads heads = known(ID, sum()).kept();
        SavedStream other = stream(3);

        heads.keep(List.of(two, other));

        assertThat(heads.records(PLACE)).hasSize(2).allSatisfy(record -> {
            HeadsCodec.Key key = HeadsCodec.readKey(record.key());
            if (key.emitter() == 1) {
                assertThat(record.value()).isNull();
            } else {
                assertThat(HeadsCodec.readValue(record.key(), record.value()).stream())
                        .isEqualTo(other);
            }
        });
        log.addAll(heads.records(PLACE));
        assertThat(known(ID, new HeadsSum(heads.sum(), true)).found().heads().streams())
                .containsExactlyInAnyOrder(two, other);
        heads.committed();
        heads.keep(List.of(other, two));
        assertThat(heads.records(PLACE)).isEmpty();
    }

    /** That of the records in the log, of which no two are of one stream. */
    private HeadsSum sum() {
        return new HeadsSum(
                log.stream()
                        .mapToLong(record -> PartitionHeads.hash(record.key(), record.value()))
                        .reduce(0, (one, other) -> one ^ other),
                true);
    }

    @Test
    void inAnotherTopicOfThatNameNothingIsKept() {
        PartitionHeads heads = none(ORDERS);
        heads.put(stream(1));
        heads.committed();
        heads.inTopic(Heads.UNKNOWN_TOPIC);
        heads.inTopic(ID);
        heads.inTopic(Heads.UNKNOWN_TOPIC);
        assertThat(heads.records(PLACE)).isEmpty();
        heads.inTopic(ID + 1);
        assertThat(heads.records(PLACE))
                .singleElement()
                .satisfies(record -> assertThat(record.value()).isNull());
        assertThat(heads.sum()).isZero();
    }
}
