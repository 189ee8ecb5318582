package dev.stormproof.log.audit;

import static dev.stormproof.testing.StreamRecords.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.log.audit.Beginnings.Beginning;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.testing.SimulatedLog;
import org.junit.jupiter.api.Test;

/** Where an interval begins, as a log shows it. */
class BeginningsTest {
    private final SimulatedLog log = new SimulatedLog();

    /** Where the repetitions begin that end with the last of so many equal checkpoints. */
    private long firstOf(int equal) throws Exception {
        CheckpointRecord last = log.append(offset -> PLAIN.plainCheckpoint(offset, 1, 2));
        for (int i = 1; i < equal; i++) {
            last = log.append(offset -> PLAIN.plainCheckpoint(offset, 3, 4));
        }
        Beginnings beginnings = new Beginnings(
                new SearchedLog().on(log),
                new Reach(new SearchedLog().on(log), Reach.DEFAULT_OFFSETS, SearchBudget.unlimited(), 0));
        return last.offset() - beginnings.ofRepetition(Beginning.at(last)).offset();
    }

    @Test
    void ofEqualCheckpointsOfFormat1TheFirstCounts() throws Exception {
        assertThat(firstOf(10)).isEqualTo(8);
    }

    @Test
    void sixteenEqualCheckpointsInARowAreTakenForRepetitionsAndNoMore() throws Exception {
        assertThat(firstOf(30)).isEqualTo(16);
    }
}
