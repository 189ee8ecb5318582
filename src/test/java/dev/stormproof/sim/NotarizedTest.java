package dev.stormproof.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.tree.Seed;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Logs that notes are taken of, more than whole worlds have; see docs/TESTING.md. */
class NotarizedTest {
    private static final int LOGS = 1_000;

    @Test
    void notesNeverSayOfALogWhatIsNotSo() {
        Outcome outcome = new Outcome();
        long first = Long.getLong("seed", 1);
        int logs = Seed.cases(LOGS);
        for (long seed = first; seed < first + logs; seed++) {
            try {
                Notarized.run(new SplittableRandom(seed), World.bringsBack(seed), outcome);
            } catch (AssertionError broken) {
                throw new AssertionError("seed " + seed + ": " + broken.getMessage(), broken);
            }
        }
        assertThat(outcome.findings)
                .containsKeys(
                        "notes that were lost",
                        "noted ALTERED",
                        "noted LOST",
                        "noted INSERTED",
                        "noted REORDERED",
                        "noted TRUNCATED",
                        "noted DIFFERENT",
                        "noted EXPIRED",
                        "noted NEVER_NOTED");
    }
}
