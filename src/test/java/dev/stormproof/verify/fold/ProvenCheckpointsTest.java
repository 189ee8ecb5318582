package dev.stormproof.verify.fold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.testing.StreamRecords;
import org.junit.jupiter.api.Test;

class ProvenCheckpointsTest {
    private static final int MOST = 100_000;

    @Test
    void beyondTheBoundTheStreamOfLongestAgoIsForgotten() {
        LastCheckpoint proven =
                LastCheckpoint.of(StreamRecords.ALICE.checkpoint(0, 0, 0).at(7));
        ProvenCheckpoints kept = new ProvenCheckpoints();
        for (long emitter = 0; emitter <= MOST; emitter++) {
            kept.keep(emitter, proven);
        }

        assertThat(kept.take(0)).isNull();
        assertThat(kept.take(1)).isEqualTo(proven);
        assertThat(kept.take(MOST)).isEqualTo(proven);
    }

    @Test
    void whatIsTruncatedIsForgotten() {
        ProvenCheckpoints kept = new ProvenCheckpoints();
        for (long offset = 6; offset <= 8; offset++) {
            kept.keep(
                    offset,
                    LastCheckpoint.of(StreamRecords.ALICE.checkpoint(0, 0, 0).at(offset)));
        }
        kept.truncate(7);

        assertThat(kept.take(6)).isNotNull();
        assertThat(kept.take(7)).isNull();
        assertThat(kept.take(8)).isNull();
    }
}
