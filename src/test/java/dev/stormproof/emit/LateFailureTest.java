package dev.stormproof.emit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.emit.testing.LoggedPartition;
import dev.stormproof.proof.checkpoint.SequenceRange;
import java.util.Iterator;
import java.util.List;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.Test;

/**
 * Scenarios of records that fail after they were appended.
 *
 * <p>The first line of each test draws the log: {@code #n} checkpoint n, {@code #n]} as the closing one, {@code en} the event
 * with sequence n, {@code ✗} behind a record that failed late, {@code ⊘} behind one that was refused, {@code …} a wait,
 * {@code ║} the end of a stream.
 */
class LateFailureTest {
    private final TimeoutException late = new TimeoutException("delivery timed out");

    @Test
    void aLateFailureEndsTheStreamAndListsTheEventAsUncertain() throws Exception {
        // #0 e0 e1✗ e2 e3 … #1] without e1 ║ #0 e0 e1 #1]
        EmitterRig rig = new EmitterRig(false);
        rig.sendAll(0, "a", "b", "c", "d");
        rig.arrive(1); // a
        rig.fail(late); // b
        rig.sendAll(0, "e");
        assertThat(rig.stats(0).streamsEnded()).isOne();
        rig.producer.tick();
        // c and d are still in flight: their stream is not closed yet.
        assertThat(rig.logWithFailed(0).streams.values().iterator().next().checkpoints)
                .hasSize(1);
        rig.arrive(2);
        rig.sendAll(0, "f");
        rig.producer.close();

        for (LoggedPartition log : List.of(rig.log(0), rig.logWithFailed(0))) {
            log.assertProven();
            assertThat(log.streams).hasSize(2);
            Iterator<LoggedPartition.Stream> streams = log.streams.values().iterator();
            LoggedPartition.Stream first = streams.next();
            assertThat(first.last().uncertain()).containsExactly(new SequenceRange(1, 2));
            assertThat(first.last().eventCount()).isEqualTo(3);
            LoggedPartition.Stream second = streams.next();
            assertThat(second.events).hasSize(2);
            assertThat(second.last().uncertain()).isEmpty();
        }
        assertThat(rig.stats(0).eventsSent()).isEqualTo(6);
        assertThat(rig.stats(0).checkpointsSent()).isEqualTo(4);
        assertThat(rig.stats(0).emitter())
                .isEqualTo(
                        rig.log(0).streams.keySet().stream().skip(1).findFirst().orElseThrow());
    }

    @Test
    void whatBrokersRefuseIsNotInDoubt() throws Exception {
        // #0 e0 e1✗ e2✗ e3 … #1] without e1 and e2
        for (KafkaException answer : List.of(
                new RecordTooLargeException("too large"),
                new InvalidTimestampException("too old"),
                new InvalidRecordException("no key"),
                new TopicAuthorizationException("t"),
                new KafkaException("Failed to append record because it was part of a batch which had one more more"
                        + " invalid records"))) {
            EmitterRig rig = new EmitterRig(false);
            rig.sendAll(0, "a", "b", "c", "d");
            rig.arrive(1); // a
            rig.fail(answer); // b
            rig.fail(answer); // c
            rig.producer.close();

            LoggedPartition.Stream stream = rig.log(0).assertProven().stream();
            assertThat(stream.last().refused()).as(answer.toString()).isTrue();
            assertThat(stream.last().uncertain()).containsExactly(new SequenceRange(1, 3));
            assertThat(stream.last().eventCount()).isEqualTo(2);
        }
    }

    @Test
    void besideAnEventInDoubtRefusedOnesAreInDoubtToo() throws Exception {
        EmitterRig rig = new EmitterRig(false);
        rig.sendAll(0, "a", "b", "c");
        rig.fail(new RecordTooLargeException("too large")); // a
        rig.fail(late); // b
        rig.producer.close();

        LoggedPartition.Stream stream = rig.log(0).assertProven().stream();
        assertThat(stream.last().refused()).isFalse();
        assertThat(stream.last().uncertain()).containsExactly(new SequenceRange(0, 2));
    }

    @Test
    void aCheckpointOfARefusedBatchIsStatedAgainWithItsEvents() throws Exception {
        // #0 e0 e1✗ #1✗ e2 #1] without e1
        EmitterRig rig = new EmitterRig(false, EmitterConfig.MAX_EVENTS, 2);
        rig.sendAll(0, "a", "b", "c");
        rig.arrive(1); // a
        rig.fail(new InvalidTimestampException("too old")); // b
        rig.fail(new KafkaException("Failed to append record because it was part of a batch")); // number 1
        rig.producer.close();

        LoggedPartition.Stream stream = rig.log(0).assertProven().stream();
        assertThat(stream.last().number()).isOne();
        assertThat(stream.last().refused()).isTrue();
        assertThat(stream.last().uncertain()).containsExactly(new SequenceRange(1, 2));
        assertThat(stream.last().eventCount()).isEqualTo(2);
    }

    @Test
    void aStreamWhoseBeginningWasRefusedStatesWhatArrived() throws Exception {
        // #0 e0✗ ║ #0✗ e0✗ e1 #0] without e0
        EmitterRig rig = new EmitterRig(false);
        InvalidTimestampException refusal = new InvalidTimestampException("too old");
        rig.sendAll(0, "a");
        rig.fail(refusal);
        rig.sendAll(0, "b", "c");
        rig.fail(refusal); // number 0 of the new stream
        rig.fail(refusal); // b
        rig.producer.close();

        LoggedPartition.Stream second = rig.log(0).assertProven().streams.values().stream()
                .skip(1)
                .findFirst()
                .orElseThrow();
        assertThat(second.last().number()).isZero();
        assertThat(second.last().refused()).isTrue();
        assertThat(second.last().uncertain()).containsExactly(new SequenceRange(0, 1));
        assertThat(second.last().eventCount()).isOne();
    }

    @Test
    void aRefusedEventInACheckpointThatArrivedIsInDoubtWithItsInterval() throws Exception {
        // #0 e0 e1✗ #1 e2 #1] without e0 to e2
        EmitterRig rig = new EmitterRig(false, EmitterConfig.MAX_EVENTS, 2);
        rig.sendAll(0, "a", "b", "c");
        rig.arrive(1); // a
        rig.fail(new RecordTooLargeException("too large")); // b
        rig.arrive(2); // number 1, c
        rig.producer.close();

        LoggedPartition.Stream stream = rig.log(0).stream();
        assertThat(stream.last().number()).isOne();
        assertThat(stream.last().refused()).isFalse();
        assertThat(stream.last().uncertain()).containsExactly(new SequenceRange(0, 3));
    }

    @Test
    void anEventInACheckpointThatArrivedStaysStated() throws Exception {
        // #0 e0 e1✗ #1 e2 #2]
        EmitterRig rig = new EmitterRig(false, EmitterConfig.MAX_EVENTS, 2);
        rig.sendAll(0, "a", "b", "c");
        rig.arrive(1); // a
        rig.fail(late); // b
        rig.arrive(2); // number 1, c
        rig.producer.close();

        LoggedPartition.Stream stream = rig.logWithFailed(0).assertProven().stream();
        assertThat(stream.last().number()).isEqualTo(2);
        assertThat(stream.last().uncertain()).isEmpty();
        assertThat(stream.last().eventCount()).isOne();
    }

    @Test
    void closeListsTheEventsThatFailWhileItFlushes() throws Exception {
        // #0 close() e0✗ e1 #1] without e0
        EmitterRig rig = new EmitterRig(false);
        rig.sendAll(0, "a", "b");
        rig.inner.failOnFlush(0, late); // a
        rig.producer.close();
        LoggedPartition.Stream stream = rig.log(0).assertProven().stream();
        assertThat(stream.last().uncertain()).containsExactly(new SequenceRange(0, 1));
        assertThat(stream.last().eventCount()).isOne();
    }

    @Test
    void otherPartitionsGoOn() throws Exception {
        // t-0: #0 e0✗ #1] ║ #0 e0 #1]   t-1: #0 e0 e1 #1]
        EmitterRig rig = new EmitterRig(false);
        rig.sendAll(1, "b");
        rig.sendAll(0, "a");
        rig.fail(late);
        rig.sendAll(0, "c");
        rig.sendAll(1, "d");
        rig.producer.close();
        assertThat(rig.log(0).assertProven().streams).hasSize(2);
        assertThat(rig.log(1).assertProven().streams).hasSize(1);
        assertThat(rig.stats(1).streamsEnded()).isZero();
    }

    @Test
    void inFormat1AFailureIsLoggedAndTheStreamGoesOn() {
        // e✗ e #]
        EmitterRig rig = new EmitterRig(false, EmitterConfig.FORMAT, 1, EmitterConfig.MAX_EVENTS, 2);
        rig.inner.opensAtOnce = false;
        rig.sendAll(0, "a");
        rig.fail(late);
        rig.sendAll(0, "b");
        rig.producer.close();
        assertThat(rig.inner.history()).hasSize(3);
        assertThat(rig.stats(0)).isEqualTo(new EmitterStats(0, 2, 1, 0, 0, 0, 0, rig.clock.get()));
    }
}
