package dev.stormproof.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.cli.local.Stages;
import dev.stormproof.task.config.TrackerPlacement;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A short trial names exactly the injected faults; {@code scripts/trial fault} makes longer ones. */
@Tag("full")
@Tag(Stages.CLUSTER)
@OnKafka
@Timeout(300)
class FaultTrialTest {
    /** The placement of the verifier; a subclass has another one. */
    TrackerPlacement placement() {
        return TrackerPlacement.BOLT;
    }

    @Test
    void exactlyTheInjectedFaultsAreNamed(EmbeddedKafka kafka) throws Exception {
        long seed = Long.getLong("seed", new SplittableRandom().nextLong());
        System.out.println("FaultTrialTest: -Dseed=" + seed);

        FaultTrial.Score score =
                new FaultTrial(kafka, SharedKafka.unique("trial"), 100, seed, placement()).run(System.out);

        assertThat(score.expected()).as("-Dseed=%s", seed).isGreaterThan(100);
        assertThat(score.recall()).as("recall, -Dseed=%s", seed).isEqualTo(1);
        assertThat(score.precision()).as("precision, -Dseed=%s", seed).isEqualTo(1);
        assertThat(score.complaints()).as("-Dseed=%s", seed).isEmpty();
    }
}
