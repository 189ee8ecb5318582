package dev.stormproof.verify.fold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.testing.DrawnLog;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A record that is too large to be read may be anything: an interval that holds one is never verified, and the rest is judged. */
class OversizedRecordsTest {
    private static List<String> findings(String drawing) {
        return DrawnLog.of(drawing).verify().findings();
    }

    @Test
    void anIntervalThatHoldsOneIsNotVerifiedThoughAllOfItsEventsAreThere() {
        // #0 e0 ? e1 #1 e2 e3 #2   ► ? may be another e0
        assertThat(findings("#0 e0 ? e1 #1 e2 e3 #2"))
                .containsExactly("Verified 0", "OVERSIZED @2", "OVERSIZED_RECORD 1", "Verified 2");
    }

    @Test
    void anEventThatIsMissingMayBeTheOneThatWasNotRead() {
        assertThat(findings("#0 e0 ? #1 e2 e3 #2"))
                .containsExactly("Verified 0", "OVERSIZED @2", "OVERSIZED_RECORD 1", "Verified 2");
    }

    @Test
    void ofMoreMissingEventsThanWereNotReadOneIsLost() {
        assertThat(findings("#0 ? #1 e2 e3 #2")).contains("Violated 1: LOST 0..2", "Verified 2");
    }

    @Test
    void aCheckpointThatIsMissingMayBeTheOneThatWasNotRead() {
        assertThat(findings("#0 e0 e1 ? e2 e3 #2 e4 e5 #3"))
                .containsExactly("Verified 0", "OVERSIZED @3", "OVERSIZED_RECORD 2", "Verified 3");
        assertThat(findings("? e0 e1 #1")).containsExactly("OVERSIZED @0", "OVERSIZED_RECORD 1");
        assertThat(findings("#0 e0 ? e2 e3 #2 e4 e5 #3")).contains("Violated 2: CHECKPOINT_LOST 1..2, LOST 1..2");
        assertThat(findings("pe0 pe1 p#1 pe2 pe3 ? pe4 pe5 p#3 pe6 pe7 p#4"))
                .containsExactly("Verified p@2", "OVERSIZED @5", "OVERSIZED_RECORD p@8", "Verified p@11");
    }

    @Test
    void whatElseTheIntervalShowsIsNamed() {
        assertThat(findings("#0 e0 e0 ? #1 e2 e3 #2")).contains("Violated 1: DUPLICATED 0..1", "Verified 2");
        assertThat(findings("#0 ~e0 ? #1 e2 e3 #2")).contains("Violated 1: ALTERED 0..1", "Verified 2");
    }

    @Test
    void anEventThatFollowsItsCheckpointWasNotTheOneThatWasNotRead() {
        assertThat(findings("#0 e0 ? #1 e1 e2 e3 #2")).doesNotContain("Verified 1", "Verified 2");
    }

    @Test
    void theIntervalsOfEveryStreamThatAreOpenThereMayHoldIt() {
        assertThat(findings("#0 b#0 e0 be0 ? be1 e1 #1 b#1 c#0"))
                .containsExactly(
                        "Verified 0", "Verified b0",
                        "OVERSIZED @4", "OVERSIZED_RECORD 1",
                        "OVERSIZED_RECORD b1", "Verified c0");
    }

    @Test
    void formatOneIsJudgedAlike() {
        assertThat(findings("pe0 pe1 p#1 pe2 ? pe3 p#2 pe4 pe5 p#3"))
                .contains("OVERSIZED_RECORD p@6")
                .doesNotContain("Verified p@6", "Verified p@6 by the log");
        assertThat(findings("pe0 pe1 p#1 pe2 ? p#2 pe4 pe5 p#3")).contains("OVERSIZED_RECORD p@5");
    }

    @Test
    void whatLiesBeforeTheFirstEventOfFormatOneMayBeItsOwn() {
        assertThat(findings("? pe0 pe1 p#1 pe2 pe3 p#2"))
                .containsExactly("OVERSIZED @0", "OVERSIZED_RECORD p@3", "Verified p@6");
    }

    @Test
    void behindATruncationItMayBeAnIntervalsOwnStill() {
        // #0 ? e0 e1 ✂3 e1 #1   the reading goes back to e0
        assertThat(DrawnLog.of("#0 ? e0 e1")
                        .deliver()
                        .truncate(3)
                        .append("e1 #1 e2 e3 #2")
                        .verify()
                        .findings())
                .contains("OVERSIZED_RECORD 1", "Verified 2")
                .doesNotContain("Verified 1");
    }
}
