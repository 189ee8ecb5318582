package dev.stormproof.verify.judge;

import static dev.stormproof.testing.StreamRecords.PLAIN;
import static dev.stormproof.testing.StreamRecords.signature;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.verify.judge.Anomaly.Kind;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What the judge says of one interval of format 1, by the evidence. */
class Format1CaseTest {
    private static final long FLOOD = 80_000;

    private final List<CheckpointRecord> checkpoints = new ArrayList<>();
    private final List<Event> events = new ArrayList<>();

    private Format1CaseTest events(long from, long... signatures) {
        for (int i = 0; i < signatures.length; i++) {
            events.add(PLAIN.plainEvent(from + i, signatures[i]));
        }
        return this;
    }

    private Format1CaseTest checkpoint(long offset, long... signatures) {
        checkpoints.add(PLAIN.plainCheckpoint(offset, signatures));
        return this;
    }

    private Finding judge(int checkpoint, long beginOffset) {
        CheckpointRecord target = checkpoints.get(checkpoint);
        Evidence evidence = new Evidence(beginOffset, checkpoints, events);
        return new Format1Case(IntervalId.of(target), target, evidence).judge();
    }

    private static Anomaly anomaly(Kind kind, long index, long offset, int copies, Hash expected, Hash observed) {
        List<Anomaly.Part> differs =
                kind == Kind.ALTERED ? List.of(Anomaly.Part.HEADER, Anomaly.Part.KEY_OR_VALUE) : List.of();
        return new Anomaly(
                kind,
                PLAIN.stream(),
                index,
                index + 1,
                offset,
                copies,
                expected,
                observed,
                differs,
                Hop.LOG,
                LogRecord.NO_TIME,
                Neighbours.NONE);
    }

    @Test
    void aLossAtOneEndAndAForeignEventAtTheOtherAreNamed() {
        events(0, 2, 3, 4, 99).checkpoint(10, 1, 2, 3, 4);
        assertThat(((Violated) judge(0, 0)).anomalies())
                .containsExactly(
                        anomaly(Kind.LOST, 0, -1, 0, signature(1), Hash.empty()),
                        anomaly(Kind.FOREIGN, -1, 3, 1, Hash.empty(), signature(99)));
    }

    @Test
    void whatIsOnlyOutOfOrderIsReordered() {
        events(0, 2, 3, 4, 1).checkpoint(10, 1, 2, 3, 4);
        assertThat(((Violated) judge(0, 0)).anomalies())
                .containsExactly(anomaly(Kind.REORDERED, 0, 3, 1, signature(1), signature(1)));
    }

    @Test
    void anAlterationInTheFirstPlaceStatesWhatShouldBeThere() {
        events(0, 99, 2, 3).checkpoint(10, 1, 2, 3);
        assertThat(((Violated) judge(0, 0)).anomalies())
                .containsExactly(anomaly(Kind.ALTERED, 0, 0, 1, signature(1), signature(99)));
    }

    @Test
    void aSecondCopyIsADuplicate() {
        events(0, 1, 2, 3, 1).checkpoint(10, 1, 2, 3);
        assertThat(((Violated) judge(0, 0)).anomalies()).singleElement().satisfies(anomaly -> {
            assertThat(anomaly.kind()).isEqualTo(Kind.DUPLICATED);
            assertThat(anomaly.copies()).isEqualTo(2);
        });
    }

    @Test
    void anIntervalOfTheSameEventsOnceMoreIsNoRepetition() {
        events(0, 1, 2).checkpoint(2, 1, 2).events(3, 1, 2).checkpoint(5, 1, 2);
        assertThat(judge(1, 0)).isInstanceOf(Verified.class);
    }

    @Test
    void theSameStatementWithoutItsEventsIsARepetition() {
        events(0, 1, 2).checkpoint(2, 1, 2).events(3, 7).checkpoint(5, 1, 2).checkpoint(6, 1, 2);
        assertThat(judge(1, 0))
                .isInstanceOfSatisfying(
                        StrayRecord.class,
                        unattributed ->
                                assertThat(unattributed.kind()).isEqualTo(UnattributedRecord.Kind.REPEATED_CHECKPOINT));
        assertThat(judge(2, 0)).isInstanceOf(StrayRecord.class);
        assertThat(judge(0, 0)).isInstanceOf(Verified.class);
    }

    @Test
    void anotherStatementWithoutItsEventsIsNoRepetition() {
        events(0, 1, 2).checkpoint(2, 1, 2).checkpoint(5, 3, 4);
        assertThat(((Violated) judge(1, 0)).anomalies())
                .extracting(Anomaly::kind)
                .containsExactly(Kind.LOST, Kind.LOST);
    }

    @Test
    void aCopyOfWhatTheIntervalBeforeStatesIsADuplicateIfThatIsThereWhole() {
        events(1, 1, 2, 3).checkpoint(10, 1, 2, 3).events(11, 4, 5, 6, 2).checkpoint(20, 4, 5, 6);
        assertThat(((Violated) judge(1, 0)).anomalies())
                .containsExactly(anomaly(Kind.DUPLICATED, -1, 14, 2, Hash.empty(), signature(2)));
        assertThat(((Violated) judge(1, 1)).anomalies())
                .as("nobody knows where the interval before begins")
                .containsExactly(anomaly(Kind.FOREIGN, -1, 14, 1, Hash.empty(), signature(2)));
        checkpoints.add(0, PLAIN.plainCheckpoint(0, 8, 9));
        assertThat(((Violated) judge(2, 1)).anomalies())
                .as("behind a checkpoint")
                .containsExactly(anomaly(Kind.DUPLICATED, -1, 14, 2, Hash.empty(), signature(2)));
    }

    @Test
    void whatTheIntervalBeforeLacksWasMoved() {
        events(1, 1, 3).checkpoint(10, 1, 2, 3).events(11, 4, 5, 6, 2).checkpoint(20, 4, 5, 6);
        assertThat(((Violated) judge(1, 0)).anomalies())
                .containsExactly(anomaly(Kind.REORDERED, -1, 14, 1, Hash.empty(), signature(2)));
        assertThat(((Violated) judge(0, 0)).anomalies())
                .containsExactly(anomaly(Kind.REORDERED, 1, 14, 1, signature(2), signature(2)));
    }

    @Test
    void everyCopyCounts() {
        events(0, 1, 2, 2, 3)
                .checkpoint(10, 1, 2, 3)
                .events(11, 4, 2, 5)
                .checkpoint(20, 4, 5)
                .events(21, 2);
        assertThat(((Violated) judge(0, 0)).anomalies())
                .containsExactly(anomaly(Kind.DUPLICATED, 1, 2, 3, signature(2), signature(2)));
        assertThat(((Violated) judge(1, 0)).anomalies())
                .containsExactly(anomaly(Kind.DUPLICATED, -1, 12, 4, Hash.empty(), signature(2)));
    }

    @Test
    void anAlterationIsNamedThoughTheNextIntervalIsThere() {
        events(0, 1, 99, 3).checkpoint(10, 1, 2, 3).events(11, 4, 5).checkpoint(20, 4, 5);
        assertThat(((Violated) judge(0, 0)).anomalies())
                .containsExactly(anomaly(Kind.ALTERED, 1, 1, 1, signature(2), signature(99)));
    }

    @Test
    void whatBelongsToTheNextIntervalAltersNothing() {
        events(0, 1, 5, 3).checkpoint(10, 1, 2, 3).events(11, 4, 6).checkpoint(20, 4, 5, 6);
        assertThat(((Violated) judge(0, 0)).anomalies())
                .containsExactly(
                        anomaly(Kind.LOST, 1, -1, 0, signature(2), Hash.empty()),
                        anomaly(Kind.REORDERED, -1, 1, 1, Hash.empty(), signature(5)));
    }

    @Test
    void whatLiesInTheNextIntervalWasNotAltered() {
        events(0, 1, 99, 3).checkpoint(10, 1, 2, 3).events(11, 4, 2, 5).checkpoint(20, 4, 5);
        assertThat(((Violated) judge(0, 0)).anomalies())
                .containsExactlyInAnyOrder(
                        anomaly(Kind.REORDERED, 1, 12, 1, signature(2), signature(2)),
                        anomaly(Kind.FOREIGN, -1, 1, 1, Hash.empty(), signature(99)));
    }

    @Test
    void ofTwoMovedCopiesTheFirstIsTheOneThatMoved() {
        events(0, 1, 3).checkpoint(10, 1, 2, 3).events(11, 4, 2, 5, 2).checkpoint(20, 4, 5);
        assertThat(((Violated) judge(0, 0)).anomalies())
                .containsExactly(anomaly(Kind.REORDERED, 1, 12, 1, signature(2), signature(2)));
        assertThat(((Violated) judge(1, 0)).anomalies())
                .containsExactlyInAnyOrder(
                        anomaly(Kind.REORDERED, -1, 12, 1, Hash.empty(), signature(2)),
                        anomaly(Kind.DUPLICATED, -1, 14, 2, Hash.empty(), signature(2)));
    }

    @Test
    void eventsBeforeThoseThatAreStatedAreOfALostCheckpointUpToTheFirstThatIsNot() {
        events(0, 91, 92, 5, 1, 2, 99).checkpoint(10, 1, 2).events(11, 4, 5).checkpoint(20, 4, 5);
        assertThat(((Violated) judge(0, 0)).anomalies())
                .extracting(Anomaly::kind, Anomaly::offset, Anomaly::copies)
                .containsExactly(
                        tuple(Kind.CHECKPOINT_LOST, 0L, 2), tuple(Kind.DUPLICATED, 2L, 2), tuple(Kind.FOREIGN, 5L, 1));
        assertThat(judge(0, 1)).as("nobody knows where it begins").isInstanceOf(Inconclusive.class);
    }

    /** Events that nothing states, and copies of others, thousands each: nothing is compared with everything. */
    @Test
    void aFloodOfEventsTakesTimeByTheirNumberAlone() {
        long[] unstated = LongStream.range(0, FLOOD).toArray();
        long[] stated = LongStream.range(FLOOD, 2 * FLOOD).toArray();
        events(0, unstated).events(FLOOD, stated).events(2 * FLOOD, stated).checkpoint(3 * FLOOD, stated);
        Violated violated = assertTimeoutPreemptively(Duration.ofSeconds(60), () -> (Violated) judge(0, 0));
        assertThat(violated.anomalies())
                .filteredOn(anomaly -> anomaly.kind() == Kind.DUPLICATED)
                .hasSize((int) FLOOD)
                .allMatch(anomaly -> anomaly.copies() == 2);
        assertThat(violated.anomalies())
                .filteredOn(anomaly -> anomaly.kind() == Kind.CHECKPOINT_LOST)
                .singleElement()
                .satisfies(anomaly -> assertThat(anomaly.copies()).isEqualTo(FLOOD));
    }
}
