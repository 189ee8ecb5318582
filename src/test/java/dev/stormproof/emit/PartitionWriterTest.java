package dev.stormproof.emit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.emit.testing.Clients;
import dev.stormproof.emit.testing.LoggedPartition;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

/**
 * A partition's writer while records are refused, before they were appended.
 *
 * <p>The first line of each test draws the log: {@code #n} checkpoint n, {@code #n]} as the closing one, {@code en} the event
 * with sequence n, {@code ✗} behind a record that failed late, {@code ⊘} behind one that was refused, {@code …} a wait,
 * {@code ║} the end of a stream.
 */
class PartitionWriterTest {

    @Test
    void anEventWhoseSendThrowsLeavesItsSequenceToTheNext() throws Exception {
        // #0 e0 e1⊘ e1 #1]
        EmitterRig rig = new EmitterRig(true);
        rig.sendAll(0, "a");
        rig.inner.sendException = new KafkaException("buffer");
        assertThatThrownBy(() -> rig.send(0, "b")).hasMessage("buffer");
        rig.inner.sendException = null;
        rig.sendAll(0, "c");
        rig.producer.close();

        LoggedPartition log = rig.log(0).assertProven();
        assertThat(log.texts()).containsExactly("a", "c");
        assertThat(log.stream().events.keySet()).containsExactly(0L, 1L);
        assertThat(rig.stats(0).streamsEnded()).isZero();
    }

    @Test
    void anEventThatIsRefusedByAFailedFutureLeavesItsSequenceToTheNext() throws Exception {
        // #0 e0 e1⊘ e1 #1]
        EmitterRig rig = new EmitterRig(true);
        List<Exception> reported = new ArrayList<>();
        rig.sendAll(0, "a");
        rig.inner.refusal = new RecordTooLargeException("too large");
        Future<RecordMetadata> refused = rig.send(0, "b", (metadata, exception) -> reported.add(exception));
        rig.inner.refusal = null;
        rig.sendAll(0, "c");
        rig.producer.close();

        assertThatThrownBy(refused::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(RecordTooLargeException.class);
        assertThat(reported).hasSize(1).first().isInstanceOf(RecordTooLargeException.class);
        LoggedPartition log = rig.log(0).assertProven();
        assertThat(log.texts()).containsExactly("a", "c");
        assertThat(rig.stats(0).streamsEnded()).isZero();
    }

    @Test
    void anEventWhoseNumber0IsRefusedIsRefused() throws Exception {
        // #0⊘ e0⊘ #0⊘ e0⊘ #0 e0 #1]
        EmitterRig rig = new EmitterRig(true);
        List<Exception> reported = new ArrayList<>();
        rig.inner.refusal = new TimeoutException("no metadata");
        Future<RecordMetadata> refused = rig.send(0, "a", (metadata, exception) -> reported.add(exception));
        assertThatThrownBy(refused::get).hasCauseInstanceOf(TimeoutException.class);
        assertThat(reported).hasSize(1);
        rig.inner.refusal = null;
        rig.inner.sendException = new KafkaException("buffer");
        assertThatThrownBy(() -> rig.send(0, "a")).hasMessage("buffer");
        rig.inner.sendException = null;
        rig.sendAll(0, "a");
        rig.producer.close();
        assertThat(rig.log(0).assertProven().texts()).containsExactly("a");
    }

    @Test
    void theFirstEventWaitsUntilNumber0HasArrived() throws Exception {
        // #0 … e0 e1 #1]
        EmitterRig rig = new EmitterRig(false, "max.block.ms", 60_000);
        rig.inner.opensAtOnce = false;
        CompletableFuture<Void> sender = CompletableFuture.runAsync(() -> rig.sendAll(0, "a", "b"));
        Clients.await("number 0", () -> rig.inner.handedOver().size() == 1);
        assertThat(sender).isNotDone();
        rig.arrive(1);
        sender.get(30, TimeUnit.SECONDS);
        assertThat(rig.inner.handedOver()).hasSize(3);
        rig.producer.close();
        assertThat(rig.log(0).assertProven().texts()).containsExactly("a", "b");
    }

    @Test
    void aCheckpointThatIsRefusedIsWrittenWithTheNextEvent() throws Exception {
        // #0 e0 e1 #1⊘ #1 e2 #2]
        EmitterRig rig = new EmitterRig(true, EmitterConfig.MAX_EVENTS, 10, EmitterConfig.MAX_INTERVAL_MS, 100L);
        rig.sendAll(0, "a", "b");
        rig.clock.addAndGet(100);
        rig.inner.refusal = new TimeoutException("buffer");
        rig.producer.tick();
        rig.inner.refusal = null;
        assertThat(rig.log(0).stream().checkpoints).hasSize(1);
        rig.sendAll(0, "c");
        assertThat(rig.log(0).stream().checkpoints).hasSize(2);
        rig.producer.close();
        assertThat(rig.log(0).assertProven().stream().checkpoints)
                .extracting(Format2Checkpoint::eventCount)
                .containsExactly(0L, 2L, 1L);
    }

    @Test
    void aFullIntervalAcceptsNoEventWithoutItsCheckpoint() throws Exception {
        // #0 e0 e1 #1⊘ #1⊘ e2⊘ #1 e2 #2]
        EmitterRig rig = new EmitterRig(true, EmitterConfig.MAX_EVENTS, 2);
        rig.sendAll(0, "a");
        // Accepts the event and then refuses the checkpoint that is due after it.
        rig.inner.refuseAfter(1, new TimeoutException("buffer"));
        rig.sendAll(0, "b");
        assertThatThrownBy(rig.send(0, "c")::get).hasCauseInstanceOf(TimeoutException.class);
        rig.inner.refusal = null;
        rig.sendAll(0, "d");
        rig.producer.close();
        LoggedPartition log = rig.log(0).assertProven();
        assertThat(log.texts()).containsExactly("a", "b", "d");
        assertThat(log.stream().checkpoints)
                .extracting(Format2Checkpoint::eventCount)
                .containsExactly(0L, 2L, 1L);
    }
}
