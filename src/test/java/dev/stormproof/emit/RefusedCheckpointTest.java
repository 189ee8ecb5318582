package dev.stormproof.emit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.emit.testing.FailingProducer;
import dev.stormproof.emit.testing.LoggedPartition;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.SequenceRange;
import java.util.OptionalInt;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

/**
 * Checkpoints that are refused as too large, and stated again.
 *
 * <p>The first line of each test draws the log: {@code #n} checkpoint n, {@code #n]} as the closing one, {@code en} the event
 * with sequence n, {@code ✗} behind a record that failed late, {@code ⊘} behind one that was refused.
 */
class RefusedCheckpointTest {
    private final RecordTooLargeException tooLarge = new RecordTooLargeException("too large");

    private static EmitterRig unknownLimit(Object... settings) {
        return new EmitterRig(new FailingProducer(EmitterRig.TOPIC, false), OptionalInt.empty(), settings);
    }

    @Test
    void aRefusedCheckpointIsStatedAgainOverAllEventsSinceTheLastOneThatArrived() throws Exception {
        // #0 e0 e1 e2 e3 #1⊘ e4 #1 e5 #2]
        EmitterRig rig = unknownLimit(EmitterConfig.MAX_EVENTS, 4);
        rig.sendAll(0, "a", "b", "c", "d");
        rig.arrive(4);
        rig.fail(tooLarge);
        rig.sendAll(0, "e", "f");
        rig.producer.close();

        LoggedPartition log = rig.log(0).assertProven();
        assertThat(log.texts()).containsExactly("a", "b", "c", "d", "e", "f");
        assertThat(log.stream().checkpoints)
                .extracting(Format2Checkpoint::eventCount)
                .containsExactly(0L, 4L, 2L);
        assertThat(log.stream().checkpoints)
                .allMatch(checkpoint -> checkpoint.uncertain().isEmpty());
        assertThat(log.stream().checkpoints.get(1).leaves()).isEmpty();
        assertThat(rig.stats(0).checkpointsRefused()).isOne();
        assertThat(rig.stats(0).streamsEnded()).isZero();
    }

    @Test
    void noCheckpointFollowsOneThatMayBeRefused() throws Exception {
        // #0 e0 e1 #1⊘ e2 e3 e4 #1 #2]
        EmitterRig rig = unknownLimit(EmitterConfig.MAX_EVENTS, 2);
        rig.sendAll(0, "a", "b", "c", "d", "e");
        assertThat(rig.stats(0).checkpointsSent()).isEqualTo(2);
        rig.arrive(2);
        rig.fail(tooLarge);
        rig.producer.tick();
        rig.producer.close();
        assertThat(rig.log(0).assertProven().stream().checkpoints)
                .extracting(Format2Checkpoint::eventCount)
                .containsExactly(0L, 5L, 0L);
    }

    @Test
    void aRefusedCheckpointThatAnotherFollowsInTheLogEndsTheStream() throws Exception {
        // #0 e0 e1 #1⊘ e2 e3 #2 #1] without e0 to e3 ║ …  the limit was known, and is lowered while both are in flight
        EmitterRig rig = new EmitterRig(false, EmitterConfig.MAX_EVENTS, 2);
        rig.sendAll(0, "a", "b", "c", "d");
        rig.arrive(2);
        rig.fail(tooLarge);
        rig.arrive(3);
        rig.producer.tick();
        assertThat(rig.stats(0).streamsEnded()).isOne();
        rig.producer.close();
        assertThat(rig.log(0).stream().checkpoints)
                .extracting(Format2Checkpoint::number)
                .containsExactly(0L, 2L, 1L);
        assertThat(rig.log(0).stream().last().uncertain()).containsExactly(new SequenceRange(0, 4));
    }

    @Test
    void anotherCheckpointFollowsOneOfASizeThatHasArrived() throws Exception {
        // #0 e0 e1 #1 e2 e3 #2 e4 e5 #3 #4]
        EmitterRig rig = unknownLimit(EmitterConfig.MAX_EVENTS, 2);
        rig.sendAll(0, "a", "b");
        rig.arrive(3);
        rig.sendAll(0, "c", "d", "e", "f");
        assertThat(rig.stats(0).checkpointsSent()).isEqualTo(4);
        rig.producer.close();
        rig.log(0).assertProven();
    }

    @Test
    void afterARefusalWithAFailureOnlyTheFailedEventIsUncertain() throws Exception {
        // #0 e0 e1 #1⊘ e2✗ #1] without e2
        EmitterRig rig = unknownLimit(EmitterConfig.MAX_EVENTS, 2);
        rig.sendAll(0, "a", "b", "c");
        rig.arrive(2);
        rig.fail(tooLarge);
        rig.fail(new TimeoutException("delivery timed out"));
        rig.producer.close();
        LoggedPartition.Stream stream = rig.log(0).assertProven().stream();
        assertThat(stream.last().uncertain()).containsExactly(new SequenceRange(2, 3));
        assertThat(stream.last().eventCount()).isEqualTo(2);
    }

    @Test
    void aClosingCheckpointThatIsRefusedLeavesItsLeavesOut() throws Exception {
        // #0 e0 e1 #1]⊘ #1]
        EmitterRig rig = unknownLimit();
        rig.sendAll(0, "a", "b");
        rig.arrive(2);
        rig.inner.failOnFlush(0, tooLarge);
        rig.producer.close();
        LoggedPartition.Stream stream = rig.log(0).assertProven().stream();
        assertThat(stream.last().eventCount()).isEqualTo(2);
        assertThat(stream.last().leaves()).isEmpty();
    }
}
