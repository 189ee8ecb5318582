package dev.stormproof.blame;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A short trial names every fault on its hop; {@code scripts/trial blame} makes longer ones. */
@Tag("full")
@OnKafka
@Timeout(120)
class BlameTrialTest {
    @Test
    void everyFaultIsNamedOnItsHop(EmbeddedKafka kafka) throws Exception {
        long seed = Long.getLong("seed", new SplittableRandom().nextLong());
        System.out.println("BlameTrialTest: -Dseed=" + seed);

        BlameTrial.Score score = new BlameTrial(kafka, SharedKafka.unique("blame"), 120, seed).run(System.out);

        assertThat(score.injected()).as("-Dseed=%s", seed).isGreaterThan(100);
        assertThat(score.recall()).as("recall, -Dseed=%s", seed).isEqualTo(1);
        assertThat(score.precision()).as("precision, -Dseed=%s", seed).isEqualTo(1);
    }
}
