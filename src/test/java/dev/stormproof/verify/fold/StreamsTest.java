package dev.stormproof.verify.fold;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static dev.stormproof.testing.StreamRecords.BOB;
import static dev.stormproof.testing.StreamRecords.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.testing.StreamRecords;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The bound on streams, the order in which they make room, and what is said of all of them together. */
class StreamsTest {
    private static final InactivityTimeouts TIMEOUTS = new InactivityTimeouts(1_000, 5_000, 3_600_000);
    private static final StreamRecords CAROL = StreamRecords.of('c');

    private final List<EventStream> evicted = new ArrayList<>();
    private final Streams streams = new Streams("orders", 0, 2, evicted::add);

    private EventStream of(StreamRecords stream) {
        return streams.of(stream.stream().emitter(), false, 0);
    }

    private void event(StreamRecords stream, long offset, long sequence) {
        of(stream).add(stream.event(offset, sequence));
    }

    private void checkpoint(CheckpointRecord record) {
        streams.of(record.checkpoint().stream().emitter(), false, 0).seal(record, true);
    }

    @Test
    void aStreamIsFollowedFromItsFirstRecordOn() {
        assertThat(streams.get(ALICE.stream().emitter())).isNull();
        EventStream alice = of(ALICE);
        assertThat(alice.id()).isEqualTo(ALICE.stream());
        assertThat(of(ALICE)).isSameAs(alice);
        of(BOB);
        assertThat(of(ALICE)).isSameAs(alice);
        assertThat(streams.get(ALICE.stream().emitter())).isSameAs(alice);
        assertThat(streams.count()).isEqualTo(2);
    }

    @Test
    void othersTakeRoomBesideThem() {
        EventStream alice = of(ALICE);
        long sizeBytes = streams.sizeBytes(List.of());
        assertThat(sizeBytes).isPositive();
        assertThat(streams.sizeBytes(List.of(alice, alice))).isEqualTo(3 * sizeBytes);
    }

    @Test
    void theLeastRecentlySeenMakesRoom() {
        EventStream bob = of(BOB);
        of(ALICE);
        of(CAROL);
        assertThat(evicted).containsExactly(bob);
        assertThat(streams.count()).isEqualTo(2);
        assertThat(streams.get(BOB.stream().emitter())).isNull();
    }

    @Test
    void oneThatIsSeenAgainStays() {
        of(ALICE);
        EventStream bob = of(BOB);
        of(ALICE);
        of(CAROL);
        assertThat(evicted).containsExactly(bob);
    }

    @Test
    void oneThatComesBackIsAnother() {
        EventStream bob = of(BOB);
        of(ALICE);
        of(CAROL);
        assertThat(of(BOB)).isNotSameAs(bob);
    }

    @Test
    void theFirstOpenEventIsOfAnyOfThem() {
        assertThat(streams.openSince()).isEqualTo(Long.MAX_VALUE);
        event(ALICE, 5, 0);
        event(BOB, 3, 0);
        assertThat(streams.openSince()).isEqualTo(3);
        assertThat(streams.openBefore(3)).isZero();
        assertThat(streams.openBefore(4)).isEqualTo(1);
        assertThat(streams.openBefore(6)).isEqualTo(2);
    }

    @Test
    void aStreamOfWhichNothingIsOpenHoldsNothing() {
        checkpoint(ALICE.checkpoint(0, 0, 0).at(3));
        event(BOB, 7, 0);
        assertThat(streams.openSince()).isEqualTo(7);
        assertThat(streams.openBefore(100)).isEqualTo(1);
    }

    @Test
    void promisesAreWhereTheCheckpointsLie() {
        checkpoint(ALICE.checkpoint(0, 0, 0).promising(60_000).at(5));
        checkpoint(BOB.checkpoint(0, 0, 0).promising(60_000).at(2));
        assertThat(streams.promisesBefore(2)).isEmpty();
        assertThat(streams.promisesBefore(5)).containsExactly(2L);
        assertThat(streams.promisesBefore(6)).containsExactly(2L, 5L);
    }

    @Test
    void whoPromisedNothingOwesNothing() {
        checkpoint(ALICE.checkpoint(0, 0, 0).at(5));
        event(BOB, 6, 0);
        assertThat(streams.promisesBefore(100)).isEmpty();
    }

    @Test
    void anyOfThemMayBeOverdue() {
        event(ALICE, 1, 0);
        assertThat(streams.tick(0, TIMEOUTS)).isFalse();
        event(BOB, 2, 0);
        assertThat(streams.tick(1_000, TIMEOUTS)).isFalse();
        assertThat(streams.tick(5_001, TIMEOUTS)).isTrue();
        assertThat(streams.overdue(5_000, TIMEOUTS)).isEmpty();
        assertThat(streams.overdue(5_001, TIMEOUTS)).containsExactly(of(ALICE));
        assertThat(streams.overdue(6_001, TIMEOUTS)).containsExactlyInAnyOrder(of(ALICE), of(BOB));
    }

    @Test
    void aRewindKeepsThoseWhoseCheckpointLiesBefore() {
        checkpoint(ALICE.checkpoint(0, 0, 0).at(2));
        event(ALICE, 3, 0);
        EventStream alice = of(ALICE);
        event(BOB, 4, 0);
        streams.rewind(3);
        assertThat(streams.count()).isEqualTo(1);
        assertThat(streams.get(BOB.stream().emitter())).isNull();
        assertThat(of(ALICE)).isSameAs(alice);
        assertThat(streams.openSince()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aStreamThatARewindForgotIsAnother() {
        event(BOB, 4, 0);
        EventStream bob = of(BOB);
        streams.rewind(3);
        assertThat(of(BOB)).isNotSameAs(bob);
    }

    @Test
    void clearingForgetsAll() {
        EventStream alice = of(ALICE);
        streams.clear();
        assertThat(streams.count()).isZero();
        assertThat(of(ALICE)).isNotSameAs(alice);
    }

    @Test
    void atTheLogsBeginningFormat1IsAnchored() {
        EventStream plain = streams.of(PLAIN.stream().emitter(), true, 0);
        plain.add(PLAIN.plainEvent(0, 1));
        assertThat(plain.seal(PLAIN.plainCheckpoint(1, 1), true).matches()).isTrue();
    }
}
