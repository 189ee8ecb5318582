package dev.stormproof.emit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.testing.ChainLog;
import dev.stormproof.testing.SimulatedEmitter;
import dev.stormproof.testing.StreamRecords;
import org.junit.jupiter.api.Test;

/** The number 0 of an emitter that is not ours. */
class NumberZeroTest {
    @Test
    void itMayCoverEvents() {
        // e0 e1 #0 e2 #1
        SimulatedEmitter emitter = new SimulatedEmitter(StreamRecords.ALICE.stream(), TreeHash.XXH3, false);
        ChainLog log = ChainLog.of("").append(emitter.event()).append(emitter.event());
        log.append(emitter.checkpoint()).append(emitter.event()).append(emitter.checkpoint());
        assertThat(log.verify().findings()).containsExactly("Verified 0 @0..2", "Verified 1 @3..4");
    }
}
