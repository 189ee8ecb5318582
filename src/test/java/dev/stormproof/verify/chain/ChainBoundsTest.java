package dev.stormproof.verify.chain;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.testing.ChainLog;
import dev.stormproof.testing.StreamRecords.Draft;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a stream keeps and waits for is bounded. */
class ChainBoundsTest {
    private static final String LOST = "Violated 1 @1: LOST 0..2";

    @Test
    void theFifthCandidateMakesTheFirstOneLieOffTheChain() {
        ChainLog log = ChainLog.of("#0 #3 #5 #7 #9").verify();
        assertThat(log.findings()).containsExactly("Verified 0 @0..0");
        assertThat(log.append("#11").verify().findings())
                .singleElement()
                .asString()
                .startsWith("Violated 3~ @1: CHAIN_BROKEN 3");
    }

    @Test
    void ofManyCheckpointsTheLastOnesAreKnown() {
        ChainLog log = ChainLog.of("#0").verify();
        for (int number = 1; number <= 1_024; number++) {
            log.append("e" + (2 * number - 2) + " e" + (2 * number - 1) + " #" + number)
                    .verify();
        }
        log.findings();
        assertThat(log.append("#1 #0").verify().findings())
                .containsExactly("REPEATED_CHECKPOINT @3073", "LATE_CHECKPOINT @3074");
    }

    @Test
    void whatMayBeLeftInDoubtIsNotWaitedForWithoutEnd() {
        assertThat(after(15, 10_000)).doesNotContain(LOST);
        assertThat(after(16, 10_000)).contains(LOST);
        assertThat(after(255, 1)).doesNotContain(LOST);
        assertThat(after(256, 1)).contains(LOST);
    }

    /** The findings on #0 #1, of which both events are missing, and so many checkpoints that know of no arrival behind #0. */
    private static List<String> after(int more, long paceMillis) {
        ChainLog log = ChainLog.of("");
        CheckpointRecord before = null;
        for (int number = 0; number <= 1 + more; number++) {
            long next = Math.min(2, 2L * number);
            Draft draft = ALICE.checkpoint(number, number == 1 ? 0 : next, next)
                    .madeAt(number * paceMillis)
                    .hinting(number == 0 ? -1 : 0);
            if (before != null) {
                draft.after(before);
            }
            before = draft.at(0);
            log.append(draft::at);
        }
        return log.verify().findings();
    }
}
