package dev.stormproof.cli.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.alert.dashboard.ReadRecord;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.testing.Intervals;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Hop;
import dev.stormproof.verify.judge.Neighbours;
import dev.stormproof.verify.judge.Neighbours.Neighbour;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The keys beside gaps, from a log that is made up here. */
class ReadKeysTest {
    private static final StreamId STREAM = new StreamId("t", 0, 1);

    private final List<Long> asked = new ArrayList<>();
    private boolean answers = true;
    private long nowNanos;
    private final ReadKeys keys = new ReadKeys(
            (partition, offsets, taker) -> {
                asked.addAll(offsets);
                nowNanos += Duration.ofSeconds(10).toNanos();
                offsets.forEach(offset -> taker.accept(
                        answers
                                ? new ReadRecord(
                                        offset, "", 0, ("k" + offset).getBytes(StandardCharsets.UTF_8), List.of(), null)
                                : ReadRecord.unread(offset, "not read: away")));
            },
            () -> nowNanos);

    private static Anomaly lost(long sequence) {
        return lost(STREAM, sequence);
    }

    private static Anomaly lost(StreamId stream, long sequence) {
        return Intervals.lost(
                stream,
                sequence,
                sequence + 1,
                Hop.LOG,
                new Neighbours(
                        new Neighbour(sequence - 1, sequence - 1, -1), new Neighbour(sequence + 1, sequence + 1, -1)));
    }

    @Test
    void ofVeryManyGapsThePlacesOfTheFirstAreReadAndTheOthersSaySo() {
        keys.read(LongStream.range(0, 1_000).mapToObj(i -> lost(1 + 2 * i)).toList());

        assertThat(asked).hasSize(ReadKeys.MOST_PLACES);
        assertThat(keys.at(STREAM, 2)).isEqualTo("\"k2\"");
        assertThat(keys.at(STREAM, 2_000)).startsWith("not read: ");
    }

    @Test
    void aPartitionThatDoesNotAnswerIsLeftAloneForAWhile() {
        answers = false;
        keys.read(List.of(lost(5)));
        assertThat(keys.at(STREAM, 4)).isEqualTo("not read: away");
        keys.read(List.of(lost(7)));
        assertThat(asked).containsExactly(4L, 6L);
        assertThat(keys.at(STREAM, 6)).startsWith("not read: ");

        answers = true;
        nowNanos += ReadKeys.MOST_TIME.toNanos() + 1;
        keys.read(List.of(lost(7)));
        assertThat(keys.at(STREAM, 6)).isEqualTo("\"k6\"");
    }

    @Test
    void ofManyPartitionsThatTakeTimeThoseOfAMinuteAreRead() {
        keys.read(IntStream.range(0, 20)
                .mapToObj(partition -> lost(new StreamId("t", partition, 1), 5))
                .toList());

        assertThat(asked).hasSize(2 * 6);
        assertThat(keys.at(new StreamId("t", 19, 1), 4)).startsWith("not read: ");
    }
}
