package dev.stormproof.verify.fold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.testing.DrawnLog;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What somebody can hide, and what not, who commits offsets of the topology's group. */
class MovedProgressTest {
    /** A stream of which an event of interval 1 is lost. */
    private static final String DAMAGED = "#0 e0 #1 e2 e3 #2 e4 e5 #3.";

    private static List<String> findingsFrom(long progress, int epoch, List<Long> promises) {
        return DrawnLog.of(DAMAGED).restart(progress, epoch, promises).verify().findings();
    }

    @Test
    void whatLiesBehindTheIntervalIsVerifiedAndWhatWasPassedIsNotReported() {
        assertThat(DrawnLog.of(DAMAGED).verify().findings()).contains("Violated 1: LOST 1..2");
        assertThat(findingsFrom(6, 0, List.of())).containsExactly("Verified 3 by the log");
    }

    @Test
    void progressThatIsMovedBackHasEverythingFoundAgain() {
        assertThat(findingsFrom(0, 0, List.of())).contains("Violated 1: LOST 1..2");
    }

    @Test
    void progressInTheMiddleOfAnIntervalHasTheWholeIntervalJudged() {
        assertThat(findingsFrom(2, 0, List.of())).contains("Violated 1: LOST 1..2");
    }

    @Test
    void promisesThatNobodyMadeAreNotBelieved() {
        // Offsets at which no checkpoint lies, or another one than is named, begin no stream.
        assertThat(findingsFrom(0, 0, List.of(1L, 3L, 1_000L))).contains("Violated 1: LOST 1..2");
    }
}
