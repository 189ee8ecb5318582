package dev.stormproof.emit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.emit.testing.Clients;
import dev.stormproof.emit.testing.FailingProducer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The producer in its application's hands: callbacks, and close.
 *
 * <p>The first line of each test draws the log: {@code #n} checkpoint n, {@code #n]} as the closing one, {@code en} the event
 * with sequence n, {@code ✗} behind a record that failed late, {@code ⊘} behind one that was refused, {@code …} a wait,
 * {@code ║} the end of a stream.
 */
class CheckpointingProducerTest {
    private final TimeoutException late = new TimeoutException("delivery timed out");

    @Test
    void aCallbackMaySendAgain() throws Exception {
        // #0 e0 e1⊘ e1 e2 #1]
        EmitterRig rig = new EmitterRig(true);
        rig.sendAll(0, "a");
        rig.inner.refusal = new TimeoutException("buffer");
        List<String> order = new ArrayList<>();
        Future<RecordMetadata> refused = rig.send(0, "b", (metadata, exception) -> {
            order.add("called back");
            rig.inner.refusal = null;
            Future<RecordMetadata> unused = rig.send(0, "b again", (m, e) -> order.add("arrived"));
        });
        assertThat(refused.isDone()).isTrue();
        assertThat(order).containsExactly("called back", "arrived");
        rig.sendAll(0, "c");
        rig.producer.close();
        assertThat(rig.log(0).assertProven().texts()).containsExactly("a", "b again", "c");
    }

    @Test
    void aCallbackMayClose() throws Exception {
        // #0 e0 close()
        EmitterRig rig = new EmitterRig(true);
        Future<RecordMetadata> sent = rig.send(0, "a", (metadata, exception) -> rig.producer.close());
        assertThat(sent.isDone()).isTrue();
        assertThat(rig.inner.closed()).isTrue();
        // It cannot wait for the records in flight, and so cannot say how the stream ended.
        assertThat(rig.log(0).stream().checkpoints).hasSize(1);
    }

    @Test
    void aCallbackNeverWaitsForASender() throws Exception {
        // #0 e0✗ while e1 is being sent
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        FailingProducer slow = new FailingProducer(EmitterRig.TOPIC, false) {
            @Override
            @SuppressWarnings("UnsynchronizedOverridesSynchronized") // Callbacks must get through meanwhile.
            public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, @Nullable Callback callback) {
                if (record.value() != null && record.value()[0] == 'b') {
                    blocked.countDown();
                    awaitUninterrupted(release);
                }
                return super.send(record, callback);
            }
        };
        EmitterRig rig = new EmitterRig(slow);
        rig.sendAll(0, "a");
        CompletableFuture<Void> sender = CompletableFuture.runAsync(() -> rig.sendAll(0, "b"));
        assertThat(blocked.await(30, TimeUnit.SECONDS)).isTrue();

        CompletableFuture<Void> callbacks = CompletableFuture.runAsync(() -> {
            slow.errorNext(late);
        });
        callbacks.get(30, TimeUnit.SECONDS);
        rig.producer.tick(); // finds the lane busy and does not wait either
        assertThat(sender).isNotDone();
        release.countDown();
        sender.get(30, TimeUnit.SECONDS);
        rig.producer.close();
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void closingWithoutTimeWritesNothingMore() throws Exception {
        // #0 e0 close(0)
        EmitterRig rig = new EmitterRig(false);
        rig.sendAll(0, "a");
        rig.producer.close(Duration.ZERO);
        assertThat(rig.logWithFailed(0).stream().checkpoints).hasSize(1);
        assertThat(rig.inner.closed()).isTrue();
    }

    @Test
    void afterCloseSendingIsRefusedAndClosingDoesNothing() throws Exception {
        // #0 e0 #1] close() close() e⊘
        EmitterRig rig = new EmitterRig(true);
        rig.sendAll(0, "a");
        rig.producer.close();
        rig.producer.close();
        assertThatThrownBy(() -> rig.send(0, "b")).isInstanceOf(IllegalStateException.class);
        rig.clock.addAndGet(1_000_000);
        rig.producer.tick();
        assertThat(rig.log(0).assertProven().texts()).containsExactly("a");
        assertThatThrownBy(() -> rig.producer.close(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** Whoever has passed the look at whether it is closed, and comes to a new partition behind the closing checkpoints. */
    @Test
    void anEventThatComesBehindTheClosingCheckpointsIsRefused() throws Exception {
        CountDownLatch asking = new CountDownLatch(1);
        CountDownLatch streamsClosed = new CountDownLatch(1);
        List<CompletableFuture<?>> sending = new CopyOnWriteArrayList<>();
        EmitterRig rig = new EmitterRig(new FailingProducer(EmitterRig.TOPIC, true) {
            @Override
            public List<PartitionInfo> partitionsFor(String topic) {
                asking.countDown();
                Clients.await("the end of the streams", () -> streamsClosed.getCount() == 0);
                return super.partitionsFor(topic);
            }

            @Override
            public void close(Duration timeout) {
                streamsClosed.countDown();
                Clients.await("the event", () -> sending.get(0).isDone());
                super.close(timeout);
            }
        });
        sending.add(CompletableFuture.runAsync(() -> {
            var unused = rig.sendAnywhere("late");
        }));
        assertThat(asking.await(Clients.PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        rig.producer.close();
        assertThat(rig.inner.handedOver()).isEmpty();
        assertThatThrownBy(() -> sending.get(0).get()).hasCauseInstanceOf(IllegalStateException.class);
    }
}
