package dev.stormproof.emit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.emit.testing.Clients;
import dev.stormproof.emit.testing.FailingProducer;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.sign.Xxh3Signer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A partition's writer alone: who holds its lock, and what a transaction that is aborted leaves. */
class PartitionWriterLockTest {
    private static final long DEADLINE_MILLIS = 10_000;

    private final AtomicLong clock = new AtomicLong(1_000);
    private final HookedProducer inner = new HookedProducer();

    /** A producer that does something while a record is handed over, which the writer's lock guards. */
    private static final class HookedProducer extends FailingProducer {
        private Runnable duringSend = () -> {};

        HookedProducer() {
            super(EmitterRig.TOPIC, true);
        }

        @Override
        @SuppressWarnings("UnsynchronizedOverridesSynchronized") // Another thread looks meanwhile.
        public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, @Nullable Callback callback) {
            duringSend.run();
            return super.send(record, callback);
        }
    }

    private PartitionWriter writer(boolean transactional) {
        EmitterConfig config = new EmitterConfig(Map.of(
                EmitterConfig.FORMAT,
                2,
                EmitterConfig.MAX_INTERVAL_MS,
                5_000L,
                EmitterConfig.DEADLINE_MS,
                DEADLINE_MILLIS));
        MaxMessageBytes limit = new MaxMessageBytes(EmitterRig.TOPIC, 900_000, () -> {});
        limit.answered();
        AtomicLong emitters = new AtomicLong();
        return new PartitionWriter(
                new TopicPartition(EmitterRig.TOPIC, 0),
                inner,
                () -> new Format2Emitter(new StreamId(EmitterRig.TOPIC, 0, emitters.incrementAndGet()), config, limit),
                clock::get,
                transactional,
                10_000);
    }

    private static void send(PartitionWriter writer) {
        byte[] value = {1};
        Future<RecordMetadata> unused = writer.send(
                new ProducerRecord<>(EmitterRig.TOPIC, 0, null, value),
                new Xxh3Signer().sign(null, value).toByteArray(),
                null);
    }

    private static CloseTimeout noTime() {
        return new CloseTimeout(Duration.ZERO);
    }

    private static <T> T onAnotherThread(Supplier<T> look) {
        CompletableFuture<T> seen = new CompletableFuture<>();
        Thread thread = new Thread(() -> seen.complete(look.get()));
        thread.setDaemon(true);
        thread.start();
        assertThat(seen).succeedsWithin(Duration.ofSeconds(Clients.PATIENCE_SECONDS));
        return seen.join();
    }

    @Test
    void whoLooksOrWritesLeavesTheLockToOthers() {
        PartitionWriter writer = writer(true);
        List<Consumer<PartitionWriter>> all = List.of(
                PartitionWriterLockTest::send,
                PartitionWriter::stats,
                PartitionWriter::isInTransaction,
                PartitionWriter::isTransactionLate,
                PartitionWriter::sealBeforeCommit,
                PartitionWriter::committed,
                one -> one.isDue(clock.get()),
                one -> one.tick(clock.get()),
                one -> one.hasInFlight(noTime()),
                PartitionWriter::isSealed,
                PartitionWriter::isClosed,
                one -> one.close(noTime()));
        for (int i = 0; i < all.size(); i++) {
            all.get(i).accept(writer);
            assertThat(onAnotherThread(() -> writer.hasInFlight(noTime())))
                    .as("after call %d", i)
                    .isFalse();
        }
    }

    @Test
    void whileAThreadSendsItsRecordsAreInFlightAndNothingIsDueOrSealed() {
        PartitionWriter writer = writer(false);
        boolean[] seen = new boolean[3];
        inner.duringSend = () -> {
            seen[0] = onAnotherThread(() -> writer.hasInFlight(noTime()));
            seen[1] = onAnotherThread(() -> writer.isDue(clock.get() + DEADLINE_MILLIS));
            seen[2] = onAnotherThread(writer::isSealed);
        };
        send(writer);

        assertThat(seen).containsExactly(true, false, false);
    }

    @Test
    void aTransactionComesToItWithItsFirstRecordAndLeavesWithItsEnd() {
        PartitionWriter writer = writer(true);
        assertThat(writer.isInTransaction()).isFalse();
        inner.initTransactions();
        inner.beginTransaction();
        send(writer);
        assertThat(writer.isInTransaction()).isTrue();
        writer.committed();
        assertThat(writer.isInTransaction()).isFalse();
    }

    @Test
    void anOwnTransactionThatFailedHereIsNotTriedAgainForAQuarterOfTheDeadline() {
        PartitionWriter writer = committed();
        long now = clock.addAndGet(5_000);
        assertThat(writer.isDue(now)).isTrue();
        inner.sendException = new KafkaException("buffer");
        assertThatThrownBy(() -> writer.tickInTransaction(now)).hasMessage("buffer");
        writer.rolledBack();

        assertThat(writer.isDue(now)).isFalse();
        assertThat(writer.isDue(now + DEADLINE_MILLIS / 4)).isTrue();
    }

    @Test
    void anAbortBringsBackTheClosingCheckpointsOfEndedStreams() {
        PartitionWriter writer = committed();
        inner.beginTransaction();
        send(writer);
        writer.endInDoubt();
        long now = clock.get();
        for (int i = 0; i < 2; i++) {
            assertThat(writer.isDue(now)).isTrue();
            int before = inner.handedOver().size();
            writer.tickInTransaction(now);
            assertThat(inner.handedOver()).hasSizeGreaterThan(before);
            writer.rolledBack();
        }
        writer.tickInTransaction(now);
        writer.committed();
        assertThat(writer.isDue(now)).isFalse();
    }

    @Test
    void anAbortedCloseLeavesTheWriterOpen() {
        PartitionWriter writer = committed();
        inner.beginTransaction();
        writer.close(noTime());
        writer.rolledBack();
        int before = inner.handedOver().size();

        send(writer);
        assertThat(inner.handedOver()).hasSizeGreaterThan(before);
    }

    @Test
    void howLongACheckpointIsOwedCountsFromTheFirstMoment() {
        PartitionWriter writer = writer(false);
        send(writer);
        assertThat(writer.stats().eventsSent()).isEqualTo(1);
        clock.set(3_000);
        assertThat(writer.stats().eventsSent()).isEqualTo(1);

        assertThat(writer.waitingMillis(4_000)).isEqualTo(3_000);
    }

    private PartitionWriter committed() {
        PartitionWriter writer = writer(true);
        inner.initTransactions();
        inner.beginTransaction();
        send(writer);
        writer.sealBeforeCommit();
        inner.commitTransaction();
        writer.committed();
        return writer;
    }
}
