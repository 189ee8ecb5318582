package dev.stormproof.emit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.emit.testing.Clients;
import dev.stormproof.emit.testing.FailingProducer;
import dev.stormproof.emit.testing.LoggedPartition;
import dev.stormproof.proof.checkpoint.SequenceRange;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The closing of a producer without transactions.
 *
 * <p>The first line of each test draws the log: {@code #n} checkpoint n, {@code #n]} as the closing one, {@code en} the event
 * with sequence n, {@code ✗} behind a record that failed late, {@code ⊘} behind one that was refused, {@code …} a wait,
 * {@code ║} the end of a stream.
 */
class StreamClosingTest {
    /** Long enough to close, and not for ever. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final TimeoutException late = new TimeoutException("delivery timed out");

    @Test
    void closeRestatesNothingAfterTheDeadline() throws Exception {
        // #0 e0 close() #1]✗ #1]✗ … within 200 ms
        EmitterRig rig = new EmitterRig(false, EmitterConfig.MAX_INTERVAL_MS, 100, EmitterConfig.DEADLINE_MS, 200);
        rig.sendAll(0, "a");
        rig.arrive(1);
        rig.inner.failOnFlush(late);
        CompletableFuture.runAsync(rig.producer::close).get(Clients.PATIENCE_SECONDS, TimeUnit.SECONDS);
        // Number 0, the event, and the closing checkpoint after 0, 50, 150 and 200 ms, or more seldom on a slow
        // machine.
        assertThat(rig.inner.handedOver()).hasSizeBetween(3, 6);
        assertThat(rig.inner.closed()).isTrue();
    }

    @Test
    void closeWaitsForNothingIfTheInnerProducerWasClosedBefore() throws Exception {
        // #0 e0 inner.close() close() #1]⊘, though the deadline is 60 s
        EmitterRig rig = new EmitterRig(false);
        rig.sendAll(0, "a");
        rig.arrive(1);
        rig.inner.close();

        CompletableFuture.runAsync(rig.producer::close).get(Clients.PATIENCE_SECONDS, TimeUnit.SECONDS);

        assertThat(rig.log(0).stream().last().closing()).isFalse();
    }

    @Test
    void whereOnePartitionsClosingCheckpointIsRefusedTheOthersAreWritten() throws Exception {
        // t-0: #0 e0 close() #1]⊘   t-1, t-2: #0 e0 close() #1]
        EmitterRig rig = new EmitterRig(false, EmitterConfig.MAX_INTERVAL_MS, 100, EmitterConfig.DEADLINE_MS, 200);
        for (int partition = 0; partition < 3; partition++) {
            rig.sendAll(partition, "a");
        }
        rig.inner.refusedPartition = 0;
        rig.producer.close();
        assertThat(rig.log(0).stream().last().closing()).isFalse();
        for (int partition = 1; partition < 3; partition++) {
            assertThat(rig.log(partition).assertProven().stream().last().closing())
                    .isTrue();
        }
    }

    @Test
    void aTopicThatBlocksTakesNoOthersChanceToRestate() throws Exception {
        // t-0: #0 e0 close() #1]✗ #1]   gone-1: #0 e0 close() … until t-0 is closed #1]
        BlockingTopic inner = new BlockingTopic();
        EmitterRig rig =
                new EmitterRig(inner, EmitterConfig.MAX_INTERVAL_MS, 10_000, EmitterConfig.DEADLINE_MS, 20_000);
        rig.sendAll(0, "a");
        Future<RecordMetadata> unused = rig.producer.send(new ProducerRecord<>("gone", 1, null, "a"));
        rig.inner.flush();
        inner.mayBlock = true;
        inner.failOnFlush(0, late);
        // Long enough for a restatement, and not for ever where there is none.
        rig.producer.close(Duration.ofSeconds(8));
        LoggedPartition.Stream stream = rig.log(0).assertProven().stream();
        assertThat(stream.last().closing()).isTrue();
        assertThat(inner.handedOver()).hasSize(7);
    }

    /** A producer that blocks what is sent to one topic until the closing checkpoint of the other was sent twice. */
    private static final class BlockingTopic extends FailingProducer {
        private volatile boolean mayBlock;
        private final CountDownLatch closed = new CountDownLatch(2);

        BlockingTopic() {
            super(EmitterRig.TOPIC, false);
        }

        @Override
        @SuppressWarnings("UnsynchronizedOverridesSynchronized") // It waits outside the lock.
        public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, @Nullable Callback callback) {
            try {
                if (mayBlock && !record.topic().equals("gone")) {
                    closed.countDown();
                } else if (mayBlock && !closed.await(Clients.PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                    throw new TimeoutException("no metadata");
                }
            } catch (InterruptedException e) {
                throw new InterruptException(e);
            }
            return super.send(record, callback);
        }
    }

    @Test
    void closeWaitsForNoRecordThatFailsAgainAfterItsSendThrew() throws Exception {
        // #0 e0⊘ close() #1]
        BrokenSend inner = new BrokenSend();
        EmitterRig rig = new EmitterRig(inner);
        rig.sendAll(0, "a");
        rig.arrive(1);
        inner.broken = () -> {};
        assertThatThrownBy(() -> rig.send(0, "b")).hasMessage("error state");
        rig.fail(new ClusterAuthorizationException("refused"));
        rig.producer.close(PATIENCE);
        assertThat(rig.log(0).assertProven().texts()).containsExactly("a");
        assertThat(rig.log(0).stream().last().uncertain()).isEmpty();
    }

    @Test
    void closeWaitsForNoRecordThatFailedBeforeItsSendThrew() throws Exception {
        // #0 e0✗⊘ close() #1] without e0
        BrokenSend inner = new BrokenSend();
        EmitterRig rig = new EmitterRig(inner);
        rig.sendAll(0, "a");
        rig.arrive(1);
        inner.broken = () -> CompletableFuture.runAsync(() -> rig.fail(new ClusterAuthorizationException("refused")))
                .join();
        assertThatThrownBy(() -> rig.send(0, "b")).hasMessage("error state");
        rig.producer.close(PATIENCE);
        assertThat(rig.log(0).assertProven().texts()).containsExactly("a");
        assertThat(rig.log(0).stream().last().uncertain()).containsExactly(new SequenceRange(1, 2));
    }

    /** A producer that throws behind the append once, as KafkaProducer does in an error state. */
    private static final class BrokenSend extends FailingProducer {
        /** Done between the append and the throw; null: nothing is thrown. */
        private volatile @Nullable Runnable broken;

        BrokenSend() {
            super(EmitterRig.TOPIC, false);
        }

        @Override
        @SuppressWarnings("UnsynchronizedOverridesSynchronized") // A callback comes meanwhile.
        public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, @Nullable Callback callback) {
            Future<RecordMetadata> sent = super.send(record, callback);
            Runnable before = broken;
            if (before != null) {
                broken = null;
                before.run();
                throw new KafkaException("error state");
            }
            return sent;
        }
    }

    @Test
    void whoClosesMeanwhileWaitsForTheClosingCheckpoints() throws Exception {
        // #0 e0 close() { … close(1 ms), close() … } #1]
        HeldFlush inner = new HeldFlush();
        EmitterRig rig = new EmitterRig(inner);
        rig.sendAll(0, "a");
        Thread first = closing(rig);
        inner.awaitFlush();
        // Whose time does not suffice leaves the first one alone.
        rig.producer.close(Duration.ofMillis(1));
        Thread second = closing(rig);
        while (second.getState() != Thread.State.TIMED_WAITING && second.isAlive()) {
            Thread.onSpinWait();
        }
        assertThat(inner.closed()).isFalse();
        inner.release.countDown();
        first.join(TimeUnit.SECONDS.toMillis(Clients.PATIENCE_SECONDS));
        second.join(TimeUnit.SECONDS.toMillis(Clients.PATIENCE_SECONDS));
        assertThat(rig.log(0).assertProven().stream().last().closing()).isTrue();
        assertThat(inner.closed()).isTrue();
    }

    @Test
    void whoClosesMeanwhileWithoutTimeCutsTheFirstShort() throws Exception {
        // #0 e0 close() { … close(0) }
        HeldFlush inner = new HeldFlush();
        EmitterRig rig = new EmitterRig(inner);
        rig.sendAll(0, "a");
        Thread first = closing(rig);
        inner.awaitFlush();
        rig.producer.close(Duration.ZERO);
        assertThat(inner.closed()).isTrue();
        inner.release.countDown();
        first.join(TimeUnit.SECONDS.toMillis(Clients.PATIENCE_SECONDS));
        assertThat(first.isAlive()).isFalse();
    }

    /** A producer whose flushes stand until they are released. */
    private static final class HeldFlush extends FailingProducer {
        private final CountDownLatch flushing = new CountDownLatch(1);
        private final CountDownLatch release = new CountDownLatch(1);

        HeldFlush() {
            super(EmitterRig.TOPIC, false);
        }

        @Override
        @SuppressWarnings("UnsynchronizedOverridesSynchronized") // It waits outside the lock.
        public void flush() {
            flushing.countDown();
            await(release);
            super.flush();
        }

        void awaitFlush() {
            await(flushing);
        }

        private static void await(CountDownLatch latch) {
            try {
                assertThat(latch.await(Clients.PATIENCE_SECONDS, TimeUnit.SECONDS))
                        .isTrue();
            } catch (InterruptedException e) {
                throw new InterruptException(e);
            }
        }
    }

    private static Thread closing(EmitterRig rig) {
        Thread thread = new Thread(rig.producer::close);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    @Test
    void whatClosesKeepsNoProgramAlive() {
        CompletableFuture<Boolean> isDaemon = new CompletableFuture<>();
        StreamClosing.startThread(() -> isDaemon.complete(Thread.currentThread().isDaemon()));

        assertThat(isDaemon).succeedsWithin(PATIENCE).isEqualTo(true);
    }
}
