package dev.stormproof.emit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.emit.testing.FailingProducer;
import dev.stormproof.emit.testing.LoggedPartition;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.sign.Xxh3Signer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

/**
 * The ended streams of a partition until their closing checkpoints have arrived.
 *
 * <p>The first line of each test draws the log: {@code #n} checkpoint n, {@code #n]} as the closing one, {@code en} the event
 * with sequence n, {@code ✗} behind a record that failed late, {@code ⊘} behind one that was refused, {@code …} a wait,
 * {@code ║} the end of a stream.
 */
class EndedStreamsTest {
    private final TimeoutException late = new TimeoutException("delivery timed out");

    @Test
    void aClosingCheckpointThatFailsIsRestatedUntilOneArrives() throws Exception {
        // #0 e0 e1✗ #1]✗ #1]✗ #1] without e1
        EmitterRig rig = new EmitterRig(false);
        rig.sendAll(0, "a", "b");
        rig.arrive(1); // a
        rig.fail(late); // b
        rig.producer.tick();
        for (RuntimeException why : List.of(late, new OutOfOrderSequenceException("gap"))) {
            rig.fail(why); // The closing checkpoint.
            rig.producer.tick();
        }
        // While one is in flight, there is no other.
        rig.producer.tick();
        rig.arrive(1);
        // And none once it has arrived.
        rig.producer.tick();
        assertThat(rig.inner.handedOver()).hasSize(6);
        rig.producer.close();
        assertThat(rig.inner.handedOver()).hasSize(6);

        LoggedPartition.Stream stream = rig.log(0).assertProven().stream();
        assertThat(stream.last().uncertain()).containsExactly(new SequenceRange(1, 2));
        assertThat(stream.last().eventCount()).isOne();
        assertThat(rig.stats(0).checkpointsSent()).isEqualTo(4);
        // Should all of them have arrived after all, no two are one record.
        List<Format2Checkpoint> closings = rig.logWithFailed(0).stream().checkpoints.stream()
                .filter(Format2Checkpoint::closing)
                .toList();
        assertThat(closings).hasSize(3).doesNotHaveDuplicates();
        assertThat(closings)
                .extracting(Format2Checkpoint::root)
                .containsOnly(stream.last().root());
        assertThat(closings).extracting(Format2Checkpoint::number).containsOnly(1L);
    }

    @Test
    void aClosingCheckpointThatIsRefusedFinallyIsNotRestated() {
        // #0 e0✗ #1]✗ ║ #0 e0 close() #1]✗
        EmitterRig rig = new EmitterRig(false);
        rig.sendAll(0, "a");
        rig.fail(late);
        rig.producer.tick();
        rig.fail(new RecordTooLargeException("too large"));
        rig.producer.tick();
        assertThat(rig.inner.handedOver()).hasSize(3);
        rig.sendAll(0, "b");
        rig.inner.failOnFlush(
                0, new RecordTooLargeException("too large")); // Number 0 of the next stream arrives at once.
        rig.producer.close();
        assertThat(rig.inner.handedOver()).hasSize(6);
    }

    @Test
    void ofTooManyEndedStreamsThoseWithoutEventsGiveWay() throws Exception {
        // #0 e0✗ #1]✗ ║ #0✗ e0⊘ ║ #0✗ e0⊘ ║ … 20 times ║ close() #1] without e0, of the first stream
        EmitterRig rig = new EmitterRig(false);
        rig.sendAll(0, "a");
        rig.fail(late);
        rig.producer.tick();
        rig.fail(late); // The closing checkpoint of the stream that holds the event.
        for (int i = 0; i < 20; i++) {
            rig.inner.refusal = null;
            rig.inner.refuseAfter(1, late);
            Future<RecordMetadata> refused = rig.send(0, "b");
            assertThat(refused).isDone();
            rig.fail(late); // Number 0, which alone was accepted.
            rig.producer.tick();
        }
        rig.inner.refusal = null;
        rig.producer.close();
        assertThat(rig.stats(0).streamsEnded()).isEqualTo(21);
        assertThat(rig.log(0).streams.values())
                .filteredOn(stream -> stream.last().uncertain().equals(List.of(new SequenceRange(0, 1))))
                .hasSize(1);
    }

    private final FailingProducer inner = new FailingProducer(EmitterRig.TOPIC, false);

    /** One whose number 0 has arrived. */
    private EmittedStream opened(long emitter) {
        TopicPartition partition = new TopicPartition(EmitterRig.TOPIC, 0);
        Format2Emitter made = new Format2Emitter(
                new StreamId(EmitterRig.TOPIC, 0, emitter),
                new EmitterConfig(Map.of(EmitterConfig.FORMAT, 2)),
                new MaxMessageBytes(EmitterRig.TOPIC, 900_000, () -> {}));
        EmittedStream stream = new EmittedStream(made, partition, inner, new EmittedStream.Totals());
        assertThat(stream.seal(1)).isPresent();
        while (inner.completeNext()) {}
        return stream;
    }

    private static EndedStreams ended(boolean transactional) {
        return new EndedStreams(new TopicPartition(EmitterRig.TOPIC, 0), transactional);
    }

    @Test
    void aStreamWhoseRecordIsInFlightIsNotClosed() {
        EndedStreams ended = ended(false);
        assertThat(ended.isEmpty()).isTrue();
        EmittedStream first = opened(7);
        EmittedStream second = opened(8);
        byte[] value = {1};
        Future<RecordMetadata> unused = second.send(
                        new ProducerRecord<>(EmitterRig.TOPIC, 0, null, value),
                        new Xxh3Signer().sign(null, value).toByteArray(),
                        null,
                        1)
                .future();
        ended.addLast(first);
        ended.addLast(second);

        ended.close(2);
        assertThat(ended.toList()).containsExactly(first, second);
        assertThat(inner.completeNext()).isTrue();
        assertThat(inner.completeNext()).isTrue();
        ended.close(3);
        assertThat(ended.toList()).containsExactly(second);
        assertThat(ended.isEmpty()).isFalse();

        assertThat(inner.completeNext()).isTrue();
        assertThat(ended.isOver()).isTrue();
        assertThat(ended.isEmpty()).isTrue();
        assertThat(ended.anyUnsealed()).isFalse();
    }

    @Test
    void inATransactionAStreamLeavesWithItsClosingCheckpoint() {
        EndedStreams ended = ended(true);
        ended.addLast(opened(7));

        assertThat(ended.isOver()).isFalse();
        ended.close(2);
        assertThat(ended.isEmpty()).isTrue();
    }

    @Test
    void aStreamWhoseClosingCheckpointIsRefusedFinallyLeavesUnsealed() {
        EndedStreams ended = ended(false);
        ended.addLast(opened(7));
        ended.close(2);
        inner.failNext(new RecordTooLargeException("too large"));

        assertThat(ended.isOver()).isTrue();
        assertThat(ended.anyUnsealed()).isTrue();
    }

    @Test
    void anAbortBringsBackTheStreamsThatWaitedBefore() {
        EndedStreams ended = ended(true);
        EmittedStream before = opened(7);
        ended.addLast(opened(8));
        ended.setTo(List.of(before));

        assertThat(ended.toList()).containsExactly(before);
    }
}
