package dev.stormproof.emit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.emit.testing.FailingProducer;
import dev.stormproof.proof.checkpoint.CheckpointCodec;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.sign.Xxh3Signer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

/** Named for the transitions of {@link EmittedStream}. */
class EmittedStreamTest {
    private static final TopicPartition PARTITION = new TopicPartition("t", 0);

    private final FailingProducer inner = new FailingProducer("t", false);
    private final EmittedStream.Totals totals = new EmittedStream.Totals();
    private final EmittedStream stream = stream(
            new Format2Emitter(new StreamId("t", 0, 7), new EmitterConfig(Map.of(EmitterConfig.FORMAT, 2)), limit()));

    private EmittedStream stream(CheckpointEmitter emitter) {
        return new EmittedStream(emitter, PARTITION, inner, totals);
    }

    private static MaxMessageBytes limit() {
        return new MaxMessageBytes("t", 900_000, () -> {});
    }

    private void open() {
        assertThat(stream.seal(1).orElseThrow()).isDone();
    }

    private static void sendEvent(EmittedStream stream) {
        byte[] value = {1};
        Future<RecordMetadata> unused = stream.send(
                        new ProducerRecord<>("t", 0, null, value),
                        new Xxh3Signer().sign(null, value).toByteArray(),
                        null,
                        1)
                .future();
    }

    @Test
    void aCheckpointSaysWhereTheLastOneLiesThatArrivedAndByZeroThatNoneHas() throws Exception {
        // #0 #1   before #0 arrives, and #2 behind both
        inner.opensAtOnce = false;
        assertThat(stream.seal(1)).isPresent();
        assertThat(stream.seal(2)).isPresent();
        assertThat(inner.completeNext()).isTrue();
        assertThat(inner.completeNext()).isTrue();
        assertThat(stream.seal(3)).isPresent();
        List<Long> hints = new ArrayList<>();
        for (ProducerRecord<byte[], byte[]> record : inner.handedOver()) {
            byte[] bytes = requireNonNull(record.headers().lastHeader(Format2Checkpoint.HEADER))
                    .value();
            hints.add(CheckpointCodec.decode(bytes).previousOffsetHint());
        }
        assertThat(hints).containsExactly(-1L, 0L, 1L);
    }

    @Test
    void openToClosingToDoneByArrival() {
        open();
        stream.close(2);
        assertThat(stream.isClosing()).isTrue();
        assertThat(stream.isDone()).isFalse();
        assertThat(inner.completeNext()).isTrue();
        assertThat(stream.isDone()).isTrue();
        assertThat(stream.isRefused()).isFalse();
    }

    @Test
    void openToNothingToClose() {
        stream.close(2);
        assertThat(stream.isDone()).isTrue();
        assertThat(inner.handedOver()).isEmpty();
    }

    @Test
    void closingToNothingToCloseInFormat1() {
        EmittedStream format1 = stream(new Format1Emitter(new EmitterConfig(Map.of(EmitterConfig.FORMAT, 1)), limit()));
        sendEvent(format1);
        sendEvent(format1);
        assertThat(inner.completeNext()).isTrue();
        format1.close(2);
        inner.failNext(new TimeoutException("late"));
        assertThat(format1.isDone()).isFalse();
        format1.close(3);
        assertThat(format1.isDone()).isTrue();
        assertThat(format1.isRefused()).isFalse();
        assertThat(inner.handedOver()).hasSize(3);
    }

    @Test
    void closingToOpenByRollback() {
        open();
        stream.save();
        stream.close(2);
        stream.rollback();
        assertThat(stream.isClosing()).isFalse();
        assertThat(stream.seal(3)).isPresent();
    }

    @Test
    void closingToOpenByARecordIsIllegal() {
        open();
        stream.close(2);
        assertThatThrownBy(() -> sendEvent(stream))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("cannot go from CLOSING to OPEN in t-0");
        assertThatThrownBy(() -> stream.seal(3))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("cannot go from CLOSING to OPEN in t-0");
        assertThat(inner.handedOver()).hasSize(2);
    }

    @Test
    void aCheckpointThatTheProducerFindsTooLargeIsSealedWithoutItsLeaves() throws Exception {
        open();
        for (int i = 0; i < 20; i++) {
            sendEvent(stream);
        }
        inner.maxHeaderBytes = 250;

        assertThat(stream.seal(2)).isPresent();
        ProducerRecord<byte[], byte[]> last =
                inner.handedOver().get(inner.handedOver().size() - 1);
        Format2Checkpoint sealed =
                CheckpointCodec.decode(requireNonNull(last.headers().lastHeader(Format2Checkpoint.HEADER))
                        .value());
        assertThat(sealed.eventCount()).isEqualTo(20);
        assertThat(sealed.leaves()).isEmpty();
        assertThat(totals.checkpoints).isEqualTo(2);
    }

    @Test
    void aRollbackCountsWhatWasRefusedAndForgetsWhatFailed() {
        open();
        stream.save();
        sendAndSeal();
        inner.failNext(new RecordTooLargeException("too large"));
        stream.rollback();
        assertThat(totals.refusedCheckpoints).isEqualTo(1);

        sendEvent(stream);
        inner.failNext(new TimeoutException("late"));
        assertThat(stream.hasFailed()).isTrue();
        stream.rollback();
        assertThat(stream.hasFailed()).isFalse();
    }

    private void sendAndSeal() {
        sendEvent(stream);
        assertThat(inner.completeNext()).isTrue();
        assertThat(stream.seal(2)).isPresent();
    }
}
