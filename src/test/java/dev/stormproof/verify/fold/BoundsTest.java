package dev.stormproof.verify.fold;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.testing.DrawnLog;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.verify.judge.Evidence;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BoundsTest {
    @Test
    void oneOfEachIsEnough() {
        assertThat(new Bounds(1, 1, 1, 1).streams()).isEqualTo(1);
    }

    @Test
    void eachStreamAndEachAuditTakesItsShareOfTheMemory() {
        Bounds bounds = new Bounds(2, 8, 1, 1);
        assertThat(new Bounds(3, 8, 1, 1).mostBytes() - bounds.mostBytes())
                .isEqualTo(new Bounds(2, 9, 1, 1).mostBytes() - bounds.mostBytes())
                .isEqualTo(bounds.mostBytes() / 10);
    }

    @Test
    void verdictsThatWhatFollowsMayChangeAreBounded() {
        // #0 #1 #2 …   each states an event that is nowhere, and may be taken back for 256 checkpoints
        Bounds few = new Bounds(1, 1, 100, 1 << 20);
        DrawnLog log = DrawnLog.of(few, "#0").verify();
        CheckpointRecord before =
                (CheckpointRecord) log.log().entries(0, 1).get(0).record();
        for (int number = 1; number <= 60; number++) {
            StreamRecords.Draft draft = ALICE.checkpoint(number, number - 1, number)
                    .promising(DrawnLog.PROMISE_MILLIS)
                    .hinting(0)
                    .after(before);
            before = draft.at(number);
            log.append(draft::at).verify();
            assertThat(log.verifier().sizeBytes()).isLessThanOrEqualTo(few.mostBytes());
        }
        assertThat(log.verifier().undecided()).isEqualTo(2);
        assertThat(log.findings()).contains("Violated 1: LOST 0..1").doesNotContain("Violated 60: LOST 59..60");
    }

    @ParameterizedTest
    @CsvSource({"0, 1, 1, 1", "1, 0, 1, 1", "1, 1, 0, 1", "1, 1, 1, 0"})
    void noneIsNot(int streams, int audits, int pieceRecords, long pieceBytes) {
        assertThatThrownBy(() -> new Bounds(streams, audits, pieceRecords, pieceBytes))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("streams " + streams + ", audits " + audits + ", records of a piece " + pieceRecords
                        + ", bytes of a piece " + pieceBytes);
    }
}
