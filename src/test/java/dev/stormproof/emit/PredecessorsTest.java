package dev.stormproof.emit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.stormproof.checkpoint.CheckpointCodec;
import dev.stormproof.checkpoint.EventHeader;
import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.checkpoint.Interval;
import dev.stormproof.checkpoint.SequenceRange;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.merkle.Hash;
import dev.stormproof.merkle.TreeHash;
import dev.stormproof.sign.EventSigners;
import dev.stormproof.testing.StreamRecords;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose end is to be stated, when, and how. */
class PredecessorsTest {
    private static final long EMITTER = 7;
    private static final long PROMISE_MILLIS = 1_000;
    private static final long MORE = 2_000_000_000L;
    private static final long LIMIT = MORE + 1_000_000_000L;

    private final Predecessors streams = new Predecessors("orders", 0, "billing", emitter -> emitter == 1);

    private static Hash signature(long sequence) {
        return Hash.copyOf(ByteBuffer.allocate(16).putLong(sequence).array());
    }

    private static byte[] event(long emitter, long sequence) {
        return EventHeader.encode(
                emitter,
                sequence,
                TreeHash.XXH3,
                EventSigners.XXH3_KEY_VALUE,
                signature(sequence).toByteArray());
    }

    private static byte[] checkpoint(long emitter, String name, long number, long events, boolean closing) {
        Interval interval = new Interval(TreeHash.XXH3, 0, false);
        for (long sequence = 0; sequence < events; sequence++) {
            interval.add(sequence, signature(sequence));
        }
        return CheckpointCodec.encode(new Format2Checkpoint(
                new StreamId("orders", 0, emitter),
                name,
                number,
                0,
                events,
                TreeHash.XXH3,
                EventSigners.XXH3_KEY_VALUE,
                16,
                interval.root(),
                number == 0 ? Hash.empty() : Hash.copyOf(new byte[8]),
                1,
                closing ? 0 : PROMISE_MILLIS,
                closing ? Format2Checkpoint.Ending.CLOSED : Format2Checkpoint.Ending.OPEN,
                List.of(),
                -1,
                Optional.empty(),
                Optional.empty()));
    }

    private static byte[] promising(long millis) {
        return promising(EMITTER, millis);
    }

    private static byte[] promising(long emitter, long millis) {
        return CheckpointCodec.encode((Format2Checkpoint) StreamRecords.of(emitter)
                .checkpoint(0, 0, 0)
                .promising(millis)
                .by("billing")
                .at(0)
                .checkpoint());
    }

    private void begin() {
        begin(0);
    }

    private void begin(long nowNanos) {
        streams.take(10, null, checkpoint(EMITTER, "billing", 0, 0, false), nowNanos);
    }

    @Test
    void nobodyIsSilentBeforePromiseAndDeliveryHaveGoneByWithoutARecord() {
        begin();
        assertThat(streams.silent(LIMIT - 1, MORE, false)).isEmpty();
        assertThat(streams.silent(LIMIT, MORE, false)).containsExactly(EMITTER);
        streams.take(11, event(EMITTER, 0), null, LIMIT);
        assertThat(streams.silent(2 * LIMIT - 1, MORE, false)).isEmpty();
        assertThat(streams.silent(2 * LIMIT, MORE, false)).containsExactly(EMITTER);
        streams.take(12, null, checkpoint(EMITTER, "billing", 1, 1, false), 2 * LIMIT);
        assertThat(streams.silent(3 * LIMIT - 1, MORE, false)).isEmpty();
    }

    @Test
    void whoIsFencedIsSilentAtOnce() {
        begin();
        assertThat(streams.silent(0, MORE, true)).containsExactly(EMITTER);
    }

    @Test
    void othersOwnOnesAndThoseThatClosedAreNotRecovered() {
        streams.take(1, null, checkpoint(1, "billing", 0, 0, false), 0);
        streams.take(2, null, checkpoint(2, "shipping", 0, 0, false), 0);
        streams.take(3, null, checkpoint(3, "billing", 1, 0, true), 0);
        streams.take(4, event(4, 0), null, 0);
        streams.take(5, null, new byte[] {1, 2, 3}, 0);
        assertThat(streams.silent(LIMIT, MORE, true)).isEmpty();
        assertThat(streams.isAnyOpen()).isFalse();
    }

    @Test
    void theEndStatesWhatLiesBehindTheLastCheckpointAndWhatIsMissing() {
        begin();
        streams.take(11, event(EMITTER, 0), null, 0);
        streams.take(12, event(EMITTER, 1), null, 0);
        byte[] last = checkpoint(EMITTER, "billing", 1, 2, false);
        streams.take(13, null, last, 0);
        streams.take(14, event(EMITTER, 1), null, 0);
        streams.take(15, event(EMITTER, 2), null, 0);
        streams.take(16, event(EMITTER, 4), null, 0);
        streams.take(17, event(EMITTER, 3 + 2), null, 0);

        Format2Checkpoint end = streams.end(EMITTER, true, 99).orElseThrow();

        assertThat(end.recovered()).isTrue();
        assertThat(end.number()).isEqualTo(2);
        assertThat(end.firstSequence()).isEqualTo(2);
        assertThat(end.nextSequence()).isEqualTo(6);
        assertThat(end.uncertain()).containsExactly(new SequenceRange(3, 4));
        assertThat(end.previousHash()).isEqualTo(CheckpointCodec.chainHash(TreeHash.XXH3, last));
        assertThat(end.previousOffsetHint()).isEqualTo(13);
        assertThat(end.promiseMillis()).isZero();
        assertThat(end.leavesMatchRoot()).isTrue();
        assertThat(streams.end(EMITTER, false, 99).orElseThrow().leaves()).isEmpty();
    }

    @Test
    void anEndThatWasStatedIsStatedAgainOnlyIfMoreCameBehindIt() {
        begin();
        streams.take(11, event(EMITTER, 0), null, 0);
        byte[] end = CheckpointCodec.encode(streams.end(EMITTER, true, 99).orElseThrow());
        streams.take(12, null, end, 0);
        assertThat(streams.silent(LIMIT, MORE, true)).isEmpty();
        assertThat(streams.isAnyOpen()).isFalse();
        streams.take(13, event(EMITTER, 1), null, 0);
        assertThat(streams.silent(LIMIT, MORE, true)).containsExactly(EMITTER);
    }

    @Test
    void anEndIsStatedOnceTheLogWasReadUpToWhereItEndedThen() {
        begin();
        assertThat(streams.due(LIMIT - 1, MORE, false, 11, () -> 11)).isEmpty();
        assertThat(streams.due(LIMIT, MORE, false, 11, () -> 13)).isEmpty();
        assertThat(streams.due(LIMIT + 1, MORE, false, 12, () -> 99)).isEmpty();
        assertThat(streams.due(LIMIT + 2, MORE, false, 13, () -> 99)).containsExactly(EMITTER);
    }

    @Test
    void whoWroteMeanwhileIsNotGone() {
        begin();
        assertThat(streams.due(LIMIT, MORE, false, 11, () -> 13)).isEmpty();
        streams.take(12, event(EMITTER, 0), null, LIMIT + 1);
        assertThat(streams.due(LIMIT + 1, MORE, false, 13, () -> 13)).isEmpty();
        assertThat(streams.due(2 * LIMIT, MORE, false, 13, () -> 13)).isEmpty();
        assertThat(streams.due(2 * LIMIT + 1, MORE, false, 13, () -> 13)).containsExactly(EMITTER);
    }

    /** #0 of 7 ── silent, the end is asked for ── #0 of 8 falls silent, and may have written behind that end. */
    @Test
    void whoFellSilentSinceThenHasToBeReadOfFirst() {
        begin();
        streams.take(11, null, checkpoint(8, "billing", 0, 0, false), 5);
        assertThat(streams.due(LIMIT, MORE, false, 12, () -> 14)).isEmpty();
        assertThat(streams.due(LIMIT + 5, MORE, false, 14, () -> 14)).containsExactly(EMITTER);
    }

    @Test
    void anEndThatMayBeOnItsWayIsNotStatedAgain() {
        begin();
        streams.stated(EMITTER, LIMIT);
        assertThat(streams.silent(LIMIT + MORE - 1, MORE, true)).isEmpty();
        assertThat(streams.isAnyOpen()).isTrue();
        assertThat(streams.silent(LIMIT + MORE, MORE, true)).containsExactly(EMITTER);
    }

    /** #0 e0 #1 ✂ #0: a truncated log, into which its emitter writes again what was cut off. */
    @Test
    void whoStatesAnEarlierCheckpointAgainIsNotGone() {
        begin();
        streams.take(11, event(EMITTER, 0), null, 0);
        streams.take(12, null, checkpoint(EMITTER, "billing", 1, 1, false), 0);
        begin(LIMIT);
        assertThat(streams.silent(2 * LIMIT - 1, MORE, false)).isEmpty();
        assertThat(streams.silent(2 * LIMIT, MORE, false)).containsExactly(EMITTER);
    }

    /** A damaged header may claim any sequence. */
    @Test
    void noEndIsStatedBehindMoreThanCanBeMissing() {
        begin();
        streams.take(11, event(EMITTER, Predecessors.MOST_MISSING + 1), null, 0);
        assertThat(streams.end(EMITTER, true, 99)).isEmpty();
        streams.take(12, event(EMITTER, 1L << 50), null, 0);
        assertThat(streams.isAnyOpen()).isFalse();
    }

    /** Anybody may write what nobody can continue. */
    @Test
    void noEndIsStatedBehindTheLastNumberThatThereIs() {
        streams.take(10, null, checkpoint(EMITTER, "billing", Long.MAX_VALUE, 0, false), 0);
        streams.take(11, event(EMITTER, 0), null, 0);
        assertThat(streams.silent(LIMIT, MORE, true)).containsExactly(EMITTER);
        assertThatCode(() -> assertThat(streams.end(EMITTER, true, 99)).isEmpty())
                .doesNotThrowAnyException();
    }

    @Test
    void theLastSequenceThatThereIsIsStatedByNoEnd() {
        SequenceRange all = new SequenceRange(0, Long.MAX_VALUE);
        Format2Checkpoint last = (Format2Checkpoint) StreamRecords.of(EMITTER)
                .checkpoint(0, 0, 0)
                .uncertainOf(all)
                .by("billing")
                .at(0)
                .checkpoint();
        streams.take(10, null, CheckpointCodec.encode(last), 0);
        byte[] event =
                EventHeader.encode(EMITTER, Long.MAX_VALUE, TreeHash.XXH3, EventSigners.SHA256_KEY_VALUE, new byte[32]);
        streams.take(11, event, null, 0);
        assertThatCode(() -> assertThat(
                                streams.end(EMITTER, true, 99).orElseThrow().eventCount())
                        .isZero())
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, Long.MAX_VALUE / 1_000_000 + 1, 14_000_000_000_000L})
    void whoPromisesNothingForCenturiesIsNotGoneBefore(long promiseMillis) {
        streams.take(10, null, promising(promiseMillis), 0);
        assertThat(streams.silent(100 * LIMIT, MORE, false)).isEmpty();
        assertThat(streams.silent(100 * LIMIT, MORE, true)).containsExactly(EMITTER);
    }

    /** Anybody may use the name: of 100,000 records within reach each may be another one's checkpoint, of 40 kB in memory. */
    @Test
    void whoPromisesMoreThanADayIsWatchedForAsIfThatWereADay() {
        long dayMillis = 86_400_000;
        streams.take(10, null, promising(dayMillis - 1), 0);
        assertThat(streams.longestSilenceNanos(MORE)).isEqualTo(MORE + 1_000_000 * (dayMillis - 1));
        streams.take(11, null, promising(EMITTER + 1, Long.MAX_VALUE), 0);
        assertThat(streams.longestSilenceNanos(MORE)).isEqualTo(MORE + 1_000_000 * dayMillis);
    }

    @Test
    void ofLastCheckpointsNeitherLeavesNorUncertainRangesAreKept() {
        long before = usedBytes();
        for (long emitter = 2; emitter < 202; emitter++) {
            streams.take(emitter, null, inDoubt(emitter), 0);
        }
        assertThat(usedBytes() - before).isLessThan(4 << 20);
        assertThat(streams.end(2, true, 99).orElseThrow().firstSequence())
                .isEqualTo(2L * Format2Checkpoint.MAX_UNCERTAIN);
    }

    private static byte[] inDoubt(long emitter) {
        SequenceRange[] ranges = LongStream.range(0, Format2Checkpoint.MAX_UNCERTAIN)
                .mapToObj(i -> new SequenceRange(2 * i, 2 * i + 1))
                .toArray(SequenceRange[]::new);
        return CheckpointCodec.encode((Format2Checkpoint) StreamRecords.of(emitter)
                .checkpoint(0, 0, 2L * Format2Checkpoint.MAX_UNCERTAIN)
                .uncertainOf(ranges)
                .by("billing")
                .at(emitter)
                .checkpoint());
    }

    private static long usedBytes() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    @Test
    void ofMoreStreamsThanAreFollowedTheOneThatWasHeardOfFirstMakesRoom() {
        for (long emitter = 2; emitter <= Predecessors.MOST_STREAMS + 2; emitter++) {
            streams.take(emitter, null, checkpoint(emitter, "billing", 0, 0, false), 0);
        }
        assertThat(streams.silent(LIMIT, MORE, false))
                .hasSize(Predecessors.MOST_STREAMS)
                .doesNotContain(2L)
                .contains(3L, Predecessors.MOST_STREAMS + 2L);
    }

    @Test
    void ofMoreEventsThanAreKeptTheStreamThatHasMostIsGivenUp() {
        begin();
        streams.take(11, event(EMITTER, 0), null, 0);
        streams.take(12, null, checkpoint(8, "billing", 0, 0, false), 0);
        for (long sequence = 0; sequence < Predecessors.MOST_EVENTS; sequence++) {
            streams.take(13 + sequence, event(8, sequence), null, 0);
        }
        assertThat(streams.silent(LIMIT, MORE, false)).containsExactly(EMITTER);
        assertThat(streams.end(EMITTER, true, 99).orElseThrow().eventCount()).isEqualTo(1);
    }
}
