package dev.stormproof.verify.judge;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.verify.judge.Anomaly.Kind;
import dev.stormproof.verify.judge.Neighbours.Neighbour;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The events on both sides of what was lost, of interval 5, sequences 42 to 45. */
class NeighboursTest {
    private final CheckpointRecord four = ALICE.checkpoint(4, 40, 42).at(10);
    private final CheckpointRecord five =
            ALICE.checkpoint(5, 42, 46).after(four).at(20);
    private final CheckpointRecord six = ALICE.checkpoint(6, 46, 48).after(five).at(30);

    private List<Anomaly> lost(List<CheckpointRecord> checkpoints, Event... events) {
        return ((Violated) PaperRange.of(checkpoints, events).judge(five))
                .anomalies().stream()
                        .filter(anomaly -> anomaly.kind() == Kind.LOST)
                        .toList();
    }

    private static Neighbours between(Neighbour before, Neighbour after) {
        return new Neighbours(before, after);
    }

    private static Neighbour at(long offset, long sequence) {
        return new Neighbour(sequence, offset, ALICE.event(offset, sequence).writtenMillis());
    }

    @Test
    void ofAGapTheEventsBeforeAndBehindItAreTold() {
        List<Anomaly> lost = lost(
                List.of(four, five, six),
                ALICE.event(11, 42),
                ALICE.event(12, 44),
                ALICE.event(13, 45),
                ALICE.event(21, 46),
                ALICE.event(22, 47));

        assertThat(lost).singleElement().satisfies(anomaly -> {
            assertThat(anomaly.begin()).isEqualTo(43);
            assertThat(anomaly.neighbours()).isEqualTo(between(at(11, 42), at(12, 44)));
        });
    }

    @Test
    void eachOfTwoGapsHasItsOwn() {
        assertThat(lost(List.of(four, five, six), ALICE.event(9, 41), ALICE.event(11, 43), ALICE.event(12, 45)))
                .extracting(Anomaly::neighbours)
                .containsExactly(between(at(9, 41), at(11, 43)), between(at(11, 43), at(12, 45)));
    }

    @Test
    void ofAnIntervalThatIsLostWholeTheyLieInTheOnesBesideIt() {
        assertThat(lost(
                        List.of(four, five, six),
                        ALICE.event(8, 40),
                        ALICE.event(9, 41),
                        ALICE.event(21, 46),
                        ALICE.event(22, 47)))
                .extracting(Anomaly::neighbours)
                .containsExactly(between(at(9, 41), at(21, 46)));
    }

    @Test
    void whatLiesBehindTheNextCheckpointIsNoneOfThem() {
        assertThat(lost(List.of(four, five, six), ALICE.event(11, 42), ALICE.event(40, 48)))
                .extracting(Anomaly::neighbours)
                .containsExactly(new Neighbours(at(11, 42), null));
    }

    @Test
    void ofTwoCopiesTheIntactOneIsTold() {
        assertThat(lost(
                        List.of(four, five, six),
                        ALICE.altered(11, 42),
                        ALICE.event(12, 42),
                        ALICE.event(13, 44),
                        ALICE.event(14, 45)))
                .extracting(Anomaly::neighbours)
                .containsExactly(between(at(12, 42), at(13, 44)));
    }

    @Test
    void whatIsNotLostHasNone() {
        Finding finding = PaperRange.of(
                        List.of(four, five, six),
                        ALICE.event(11, 42),
                        ALICE.event(12, 43),
                        ALICE.event(13, 45),
                        ALICE.event(14, 44))
                .judge(five);
        assertThat(((Violated) finding).anomalies())
                .isNotEmpty()
                .allSatisfy(anomaly -> assertThat(anomaly.neighbours()).isEqualTo(Neighbours.NONE));
    }
}
