package dev.stormproof.emit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.checkpoint.SequenceRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What becomes of a stream when sending fails, at once or later. */
class FailureTest {
    private final TimeoutException late = new TimeoutException("delivery timed out");

    @Test
    void anEventWhoseSendThrowsLeavesItsSequenceToTheNext() throws Exception {
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
        EmitterRig rig = new EmitterRig(true);
        List<Exception> told = new ArrayList<>();
        rig.sendAll(0, "a");
        rig.inner.refusal = new RecordTooLargeException("too large");
        Future<RecordMetadata> refused = rig.send(0, "b", (metadata, exception) -> told.add(exception));
        rig.inner.refusal = null;
        rig.sendAll(0, "c");
        rig.producer.close();

        assertThatThrownBy(refused::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(RecordTooLargeException.class);
        assertThat(told).hasSize(1).first().isInstanceOf(RecordTooLargeException.class);
        LoggedPartition log = rig.log(0).assertProven();
        assertThat(log.texts()).containsExactly("a", "c");
        assertThat(rig.stats(0).streamsEnded()).isZero();
    }

    @Test
    void anEventWhoseNumber0IsRefusedIsRefused() throws Exception {
        EmitterRig rig = new EmitterRig(true);
        List<Exception> told = new ArrayList<>();
        rig.inner.refusal = new TimeoutException("no metadata");
        Future<RecordMetadata> refused = rig.send(0, "a", (metadata, exception) -> told.add(exception));
        assertThatThrownBy(refused::get).hasCauseInstanceOf(TimeoutException.class);
        assertThat(told).hasSize(1);
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
    void anEventIsRefusedWhileNumber0DoesNotArrive() throws Exception {
        EmitterRig rig = new EmitterRig(false, "max.block.ms", 10);
        rig.inner.opensAtOnce = false;
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(rig.send(0, "a")::get)
                    .hasCauseInstanceOf(TimeoutException.class)
                    .hasMessageContaining("the first checkpoint of t-0 did not arrive within 10 ms");
        }
        assertThat(rig.inner.handedOver()).hasSize(1);
        rig.arrive(1);
        rig.sendAll(0, "b");
        rig.producer.close();
        assertThat(rig.log(0).assertProven().texts()).containsExactly("b");
    }

    @Test
    void ifNumber0FailsItsEventIsRefusedAndTheNextBeginsAnew() throws Exception {
        EmitterRig rig = new EmitterRig(false);
        rig.inner.opensAtOnce = false;
        CompletableFuture<Exception> refusal = new CompletableFuture<>();
        CompletableFuture<Void> sender = CompletableFuture.runAsync(() -> {
            Future<RecordMetadata> unused = rig.send(0, "a", (metadata, exception) -> refusal.complete(exception));
        });
        Clients.await("number 0", () -> rig.inner.handedOver().size() == 1);
        rig.fail(late);
        assertThat(refusal.get(30, TimeUnit.SECONDS)).isEqualTo(late);
        sender.get(30, TimeUnit.SECONDS);
        CompletableFuture<Void> again = CompletableFuture.runAsync(() -> rig.sendAll(0, "b"));
        Clients.await("another number 0", () -> {
            rig.inner.completeNext();
            return again.isDone();
        });
        rig.producer.close();

        LoggedPartition log = rig.log(0).assertProven();
        assertThat(log.texts()).containsExactly("b");
        // The first stream is just its restated number 0, which closes it.
        assertThat(log.streams.values().stream().map(stream -> stream.checkpoints.size()))
                .containsExactlyInAnyOrder(1, 2);
    }

    @Test
    void aCheckpointThatIsRefusedIsWrittenWithTheNextEvent() throws Exception {
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

    @Test
    void aLateFailureEndsTheStreamAndListsTheEventAsUncertain() throws Exception {
        EmitterRig rig = new EmitterRig(false);
        rig.sendAll(0, "a", "b", "c", "d");
        rig.arrive(1); // a
        rig.fail(late); // b
        rig.sendAll(0, "e");
        assertThat(rig.stats(0).streamsEnded()).isOne();
        rig.producer.tick();
        // c and d are still under way: their stream is not closed yet.
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
    void aLateFailureIsFoundByTheTimerToo() throws Exception {
        EmitterRig rig = new EmitterRig(false);
        rig.sendAll(0, "a");
        rig.fail(late);
        rig.producer.tick();
        LoggedPartition.Stream ended = rig.log(0).stream();
        assertThat(ended.last().closing()).isTrue();
        assertThat(ended.last().uncertain()).containsExactly(new SequenceRange(0, 1));
        // No event, no new stream.
        rig.producer.close();
        assertThat(rig.log(0).assertProven().streams).hasSize(1);
    }

    @Test
    void aCheckpointThatFailsLateIsRestatedByTheClosingOne() throws Exception {
        EmitterRig rig = new EmitterRig(false, EmitterConfig.MAX_EVENTS, 2);
        rig.sendAll(0, "a", "b", "c", "d", "e");
        rig.arrive(3); // a, b, number 1
        rig.arrive(1); // c
        rig.fail(late); // d
        rig.fail(late); // number 2
        rig.fail(late); // e
        rig.producer.close();

        LoggedPartition.Stream stream = rig.log(0).assertProven().stream();
        assertThat(stream.last().number()).isEqualTo(2);
        assertThat(stream.last().uncertain()).containsExactly(new SequenceRange(2, 5));
        assertThat(stream.last().eventCount()).isZero();
    }

    @Test
    void aClosingCheckpointThatFailsIsStatedAgainUntilOneArrives() throws Exception {
        EmitterRig rig = new EmitterRig(false);
        rig.sendAll(0, "a", "b");
        rig.arrive(1); // a
        rig.fail(late); // b
        rig.producer.tick();
        for (RuntimeException why : List.of(late, new OutOfOrderSequenceException("gap"))) {
            rig.fail(why); // The closing checkpoint.
            rig.producer.tick();
        }
        // While one is under way, there is no other.
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
    void aClosingCheckpointThatFailsWhileItFlushesIsStatedAgainByClose() throws Exception {
        EmitterRig rig = new EmitterRig(false);
        rig.sendAll(0, "a");
        rig.fail(late);
        rig.producer.tick();
        rig.inner.failOnFlush(0, late); // The closing checkpoint.
        rig.producer.close();
        LoggedPartition.Stream stream = rig.log(0).assertProven().stream();
        assertThat(stream.last().closing()).isTrue();
        assertThat(stream.last().uncertain()).containsExactly(new SequenceRange(0, 1));
    }

    @Test
    void aClosingCheckpointThatCloseWritesIsStatedAgainToo() throws Exception {
        EmitterRig rig = new EmitterRig(false);
        rig.sendAll(0, "a");
        rig.arrive(1);
        rig.inner.failOnFlush(0, late);
        rig.producer.close();
        assertThat(rig.inner.handedOver()).hasSize(4);
        LoggedPartition.Stream stream = rig.log(0).assertProven().stream();
        assertThat(stream.last().closing()).isTrue();
        assertThat(stream.last().eventCount()).isOne();
    }

    @Test
    void closeStatesNothingAgainForLongerThanWasPromised() throws Exception {
        EmitterRig rig = new EmitterRig(false, EmitterConfig.MAX_INTERVAL_MS, 100, EmitterConfig.PROMISE_MS, 200);
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
    void aClosingCheckpointThatIsRefusedForGoodIsNotStatedAgain() {
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
    void whereOnePartitionsClosingCheckpointIsRefusedTheOthersAreWritten() throws Exception {
        EmitterRig rig = new EmitterRig(false, EmitterConfig.MAX_INTERVAL_MS, 100, EmitterConfig.PROMISE_MS, 200);
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
    void ofTooManyEndedStreamsThoseWithoutEventsGiveWay() throws Exception {
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

    @Test
    void whatAnArrivedCheckpointStatesStaysStated() throws Exception {
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
    void closeListsWhatFailsWhileItFlushes() throws Exception {
        EmitterRig rig = new EmitterRig(false);
        rig.sendAll(0, "a", "b");
        rig.inner.failOnFlush(0, late); // a
        rig.producer.close();
        LoggedPartition.Stream stream = rig.log(0).assertProven().stream();
        assertThat(stream.last().uncertain()).containsExactly(new SequenceRange(0, 1));
        assertThat(stream.last().eventCount()).isOne();
    }

    @Test
    void aFailureOnTheSendingThreadAfterSendReturnedIsLate() throws Exception {
        EmitterRig rig = new EmitterRig(false);
        rig.sendAll(0, "a");
        // This thread sent it, and this thread is told.
        rig.fail(new NetworkException("gone"));
        rig.sendAll(0, "b");
        rig.producer.close();
        assertThat(rig.stats(0).streamsEnded()).isOne();
        assertThat(rig.log(0).assertProven().streams).hasSize(2);
    }

    @Test
    void otherPartitionsGoOn() throws Exception {
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
        EmitterRig rig = new EmitterRig(false, EmitterConfig.FORMAT, 1, EmitterConfig.MAX_EVENTS, 2);
        rig.inner.opensAtOnce = false;
        rig.sendAll(0, "a");
        rig.fail(late);
        rig.sendAll(0, "b");
        rig.producer.close();
        assertThat(rig.inner.history()).hasSize(3);
        assertThat(rig.stats(0)).isEqualTo(new EmitterStats(0, 2, 1, 0, 0));
    }

    @Test
    void inFormat1TheLastCheckpointIsWrittenOnce() {
        EmitterRig rig = new EmitterRig(false, EmitterConfig.FORMAT, 1);
        rig.sendAll(0, "a", "b");
        rig.arrive(1);
        rig.inner.failOnFlush(late);
        rig.producer.close();
        assertThat(rig.inner.handedOver()).hasSize(3);
    }

    @Test
    void aCallbackMaySendAgain() throws Exception {
        EmitterRig rig = new EmitterRig(true);
        rig.sendAll(0, "a");
        rig.inner.refusal = new TimeoutException("buffer");
        List<String> order = new ArrayList<>();
        Future<RecordMetadata> refused = rig.send(0, "b", (metadata, exception) -> {
            order.add("told");
            rig.inner.refusal = null;
            Future<RecordMetadata> unused = rig.send(0, "b again", (m, e) -> order.add("arrived"));
        });
        assertThat(refused.isDone()).isTrue();
        assertThat(order).containsExactly("told", "arrived");
        rig.sendAll(0, "c");
        rig.producer.close();
        assertThat(rig.log(0).assertProven().texts()).containsExactly("a", "b again", "c");
    }

    @Test
    void aCallbackMayClose() throws Exception {
        EmitterRig rig = new EmitterRig(true);
        Future<RecordMetadata> sent = rig.send(0, "a", (metadata, exception) -> rig.producer.close());
        assertThat(sent.isDone()).isTrue();
        assertThat(rig.inner.closed()).isTrue();
        // It cannot wait for what is under way, and so cannot say how the stream ended.
        assertThat(rig.log(0).stream().checkpoints).hasSize(1);
    }

    @Test
    void aCallbackNeverWaitsForASender() throws Exception {
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        EmitterRig.FailingProducer slow = new EmitterRig.FailingProducer(false) {
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
        EmitterRig rig = new EmitterRig(false);
        rig.sendAll(0, "a");
        rig.producer.close(Duration.ZERO);
        assertThat(rig.logWithFailed(0).stream().checkpoints).hasSize(1);
        assertThat(rig.inner.closed()).isTrue();
    }

    @Test
    void afterCloseSendingIsRefusedAndClosingDoesNothing() throws Exception {
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
}
