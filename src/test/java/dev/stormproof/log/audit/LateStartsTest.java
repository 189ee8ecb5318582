package dev.stormproof.log.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.log.audit.LateStarts.LateStart;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import org.junit.jupiter.api.Test;

/** Which streams were not read from their beginning on. */
class LateStartsTest {
    private final LateStarts starts = new LateStarts();

    private static Event event(long offset, long emitter, long sequence) {
        return new Event(
                offset,
                emitter,
                sequence,
                TreeHash.XXH3,
                3,
                Hash.empty(),
                Hash.empty(),
                Event.Content.UNTRANSFORMED,
                LogRecord.NO_TIME);
    }

    @Test
    void aStreamWhoseFirstRecordIsAnEventBeganBefore() {
        starts.add(event(10, 1, 40));
        starts.add(event(11, 1, 41));
        starts.add(event(12, 2, 7));

        assertThat(starts.count()).isEqualTo(2);
        assertThat(starts.named()).containsExactly(new LateStart(1, 10, 40), new LateStart(2, 12, 7));
        assertThat(starts.noneBehind(11)).isFalse();
        assertThat(starts.noneBehind(12)).isTrue();
    }

    @Test
    void format1IsThePartition() {
        starts.add(event(10, StreamId.NO_EMITTER, Event.NO_SEQUENCE));

        assertThat(starts.count()).isZero();
    }

    @Test
    void beyondItsBoundNothingIsKnownOfFurtherStreams() {
        for (int emitter = 1; emitter <= LateStarts.MOST_STREAMS; emitter++) {
            starts.add(event(emitter, emitter, 1));
        }
        assertThat(starts.named()).hasSize(LateStarts.MOST_NAMED);
        assertThat(starts.noneBehind(LateStarts.MOST_STREAMS)).isTrue();

        starts.add(event(LateStarts.MOST_STREAMS + 1, LateStarts.MOST_STREAMS + 1, 1));

        assertThat(starts.count()).isEqualTo(LateStarts.MOST_STREAMS);
        assertThat(starts.noneBehind(Long.MAX_VALUE)).isFalse();
    }
}
