package dev.stormproof.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.cli.local.Stages;
import dev.stormproof.task.config.TrackerPlacement;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Extreme records against a topology with an output, which is a process of its own: that it does not end is the claim. */
@Tag("full")
@Tag(Stages.CLUSTER)
@OnKafka
@Timeout(600)
class RecordFuzzTest {
    private static final int RECORDS = 1_500;
    private static final int MANY_RECORDS = 20_000;

    private final long seed = Long.getLong("seed", new Random().nextLong());
    private final EmbeddedKafka kafka;

    RecordFuzzTest(EmbeddedKafka kafka) {
        System.out.println("RecordFuzzTest: -Dseed=" + seed);
        this.kafka = kafka;
    }

    @Test
    void divertedRecordsStopNothingAndNothingIsMissing() throws Exception {
        assertNoFaults(RECORDS, TrackerPlacement.BOLT, true);
    }

    @Test
    void haltedRecordsStopTheirPartitionAloneUntilTheyAreReleased() throws Exception {
        assertNoFaults(RECORDS / 15, TrackerPlacement.SOURCE, false);
    }

    @Test
    void divertedRecordsStopNothingAtTheSource() throws Exception {
        assertNoFaults(MANY_RECORDS, TrackerPlacement.SOURCE, true);
    }

    @Test
    void haltedRecordsStopTheirPartitionAloneInTheBolt() throws Exception {
        assertNoFaults(RECORDS, TrackerPlacement.BOLT, false);
    }

    private void assertNoFaults(int records, TrackerPlacement placement, boolean diverts) throws Exception {
        String topic = SharedKafka.unique("fuzz");
        assertThat(new RecordFuzz(kafka, topic, records, seed, placement, diverts, System.out).run())
                .as("faults with seed %d", seed)
                .isEmpty();
    }
}
