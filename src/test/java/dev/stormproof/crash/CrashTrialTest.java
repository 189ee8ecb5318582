package dev.stormproof.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.local.EmbeddedKafka;
import dev.stormproof.local.OnKafka;
import dev.stormproof.local.SharedKafka;
import dev.stormproof.local.Stages;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes that are killed under load, as {@code scripts/crash-trial} does for longer. */
@Tag(Stages.CLUSTER)
@OnKafka
@Timeout(300)
class CrashTrialTest {
    private static final int KILLS = 5;

    private final long seed = Long.getLong("seed", new SplittableRandom().nextLong());

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void noEventStaysOpenAndTheLossThatWasPlantedIsNamed(boolean transactional, EmbeddedKafka kafka) throws Exception {
        String topic = SharedKafka.createTopic(kafka, "crash", CrashEmitter.PARTITIONS);

        CrashTrial.Result result = CrashTrial.run(kafka.bootstrapServers(), topic, KILLS, transactional, seed);

        assertThat(result.planted()).hasSize(1);
        assertThat(result.isRight()).as(result + ", seed " + seed).isTrue();
        assertThat(result.recovered()).as(result.toString()).isPositive();
    }
}
