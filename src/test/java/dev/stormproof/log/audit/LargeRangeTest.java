package dev.stormproof.log.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.testing.SimulatedEmitter;
import dev.stormproof.testing.SimulatedLog;
import dev.stormproof.verify.chain.LogRange;
import dev.stormproof.verify.chain.RangeQuery;
import java.util.List;
import org.junit.jupiter.api.Test;

class LargeRangeTest {
    private static final int EVENTS = 100;
    private static final long FEW_BYTES = 2_000;

    private final SimulatedEmitter emitter =
            new SimulatedEmitter(new StreamId("orders", 0, 0xA11CE), TreeHash.XXH3, false);
    private final SimulatedLog log = new SimulatedLog();

    /** A range of so many bytes at most, from checkpoint 0 to checkpoint 1, without the event at a place. */
    private LogRange range(int lost, long mostBytes) throws Exception {
        log.append(emitter.checkpoint());
        for (int i = 0; i < EVENTS; i++) {
            var event = emitter.event();
            if (i != lost) {
                log.append(event);
            }
        }
        log.append(emitter.checkpoint());
        long end = log.endOffset();
        RangeQuery query = new RangeQuery(emitter.stream(), 0, 1, end - 1, end, 0);
        return RangeReading.read(log, List.of(query), mostBytes).get(0);
    }

    private CheckpointRecord target() {
        long end = log.endOffset();
        return (CheckpointRecord) log.entries(end - 1, end).get(0).record();
    }

    @Test
    void ofMoreThanCanBeKeptTheTreeAloneIsKnown() throws Exception {
        LogRange range = range(-1, FEW_BYTES);
        assertThat(range.isTooLarge()).isTrue();
        assertThat(range.matches(target())).isTrue();
    }

    @Test
    void soItIsKnownThatSomethingDiffers() throws Exception {
        LogRange range = range(50, FEW_BYTES);
        assertThat(range.isTooLarge()).isTrue();
        assertThat(range.matches(target())).isFalse();
    }

    @Test
    void whatCanBeKeptIsKept() throws Exception {
        assertThat(range(50, 1 << 20).isTooLarge()).isFalse();
    }

    @Test
    void rangesNearEachOtherAreReadInOnePass() throws Exception {
        LogRange whole = range(-1, 1 << 20);
        RangeQuery query = whole.query();
        RangeQuery first = new RangeQuery(emitter.stream(), 0, 1, 50, 50, 0);
        List<LogRange> together = RangeReading.read(log, List.of(first, query));
        assertThat(together.get(0).matches(target())).isFalse();
        assertThat(together.get(1).matches(target())).isTrue();
        assertThat(together.get(0).firstOffset()).isEqualTo(1);
    }
}
