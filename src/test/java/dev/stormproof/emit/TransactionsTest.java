package dev.stormproof.emit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.stormproof.emit.testing.Clients;
import dev.stormproof.emit.testing.FailingProducer;
import dev.stormproof.emit.testing.LoggedPartition;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.SequenceRange;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * Named for the transitions of {@link Transactions} that the application causes.
 *
 * <p>The first line of a scenario draws the log: {@code {…}} a transaction, {@code ✗} behind an aborted one, {@code ?} a commit
 * whose outcome is unknown, {@code #n} checkpoint n, {@code #n]} as the closing one, {@code en} the event with sequence n,
 * {@code ⊘} behind a record or call that was refused, {@code ║} the end of a stream.
 */
class TransactionsTest extends TransactionFixture {
    @Test
    void outsideOfATransactionNothingIsSent() {
        // e⊘ init e⊘
        EmitterRig rig = rig();
        assertThatThrownBy(() -> rig.send(0, "a"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Cannot send outside of a transaction");
        rig.producer.initTransactions();
        assertThatThrownBy(() -> rig.send(0, "a")).isInstanceOf(IllegalStateException.class);
        assertThat(rig.inner.handedOver()).isEmpty();
        rig.producer.close();
    }

    @Test
    void openToIdleByCommitSealsFirst() throws Exception {
        // t-0: {#0 e0 e1 #1} {e2 #2} {#3]}   t-1: {#0 e0 #1} {#2]}
        EmitterRig rig = committed(0, "a", "b");
        assertThat(eventCounts(rig)).containsExactly(0, 2);
        rig.producer.beginTransaction();
        rig.sendAll(0, "c");
        rig.sendAll(1, "d");
        rig.producer.commitTransaction();
        assertThat(eventCounts(rig)).containsExactly(0, 2, 1);
        assertThat(rig.log(1).stream().checkpoints).hasSize(2);
        rig.producer.close();
        rig.log(0).assertProven();
        rig.log(1).assertProven();
    }

    @Test
    void openToIdleByAbortRollsSequenceNumberAndChainBack() throws Exception {
        // t-0: {#0 e0 e1 #1 e2 #2} {e3 e4 #3 e5 e6 #4}✗ {e3 #3} {#4]}   t-2: {#0 e0}✗ {#0 e0 #1} {#2]}
        EmitterRig rig = begun(EmitterConfig.MAX_EVENTS, 2);
        rig.sendAll(0, "a", "b", "c");
        rig.producer.commitTransaction();
        rig.producer.beginTransaction();
        rig.sendAll(0, "x", "y", "z", "x");
        rig.sendAll(2, "x");
        rig.producer.abortTransaction();
        assertThat(rig.stats(0).eventsSent()).isEqualTo(3);
        assertThat(rig.stats(2).eventsSent()).isZero();
        assertThat(rig.stats(2).lastNumber()).isEqualTo(-1);
        rig.producer.beginTransaction();
        rig.sendAll(0, "d");
        rig.sendAll(2, "e");
        rig.producer.commitTransaction();
        rig.producer.close();

        assertThat(rig.log(0).assertProven().texts()).containsExactly("a", "b", "c", "d");
        assertThat(rig.log(0).stream().events.keySet()).containsExactly(0L, 1L, 2L, 3L);
        assertThat(rig.log(2).assertProven().texts()).containsExactly("e");
    }

    @Test
    void openToUnknownByAFailedCommitToIdleByCommittingAgain() throws Exception {
        // {#0 e0 #1 ? commit again} {e1 #2} {#3]}
        EmitterRig rig = begun();
        rig.sendAll(0, "a");
        rig.inner.commitTransactionException = new TimeoutException("later");
        assertThatThrownBy(rig.producer::commitTransaction).isInstanceOf(TimeoutException.class);
        assertThatThrownBy(() -> rig.send(0, "b")).isInstanceOf(IllegalStateException.class);
        rig.inner.commitTransactionException = null;
        rig.producer.commitTransaction();
        rig.transact(0, "c");
        rig.producer.close();
        assertThat(rig.log(0).assertProven().texts()).containsExactly("a", "c");
        assertThat(rig.log(0).streams).hasSize(1);
    }

    @Test
    void unknownToIdleByAbortRollsBack() throws Exception {
        // {#0 e0 #1 ?}✗ {#0 e0 #1} {#2]}
        EmitterRig rig = begun();
        rig.sendAll(0, "a");
        rig.inner.commitTransactionException = new KafkaException("a record failed");
        assertThatThrownBy(rig.producer::commitTransaction).hasMessage("a record failed");
        rig.inner.commitTransactionException = null;
        rig.producer.abortTransaction();
        rig.transact(0, "a again");
        rig.producer.close();
        assertThat(rig.log(0).assertProven().texts()).containsExactly("a again");
        assertThat(rig.log(0).streams).hasSize(1);
    }

    @Test
    void unknownToOpenByBeginEndsTheStreamInDoubt() throws Exception {
        // {#0 e0 e1 #1 e2 #2} {e3 e4 #3 e5 #4 ?} ║ {#0 e0 #1} {#3] without e3 to e5, of the first stream} {#2]}
        EmitterRig rig = begun(EmitterConfig.MAX_EVENTS, 2);
        rig.sendAll(0, "a", "b", "c");
        rig.producer.commitTransaction();
        rig.producer.beginTransaction();
        rig.sendAll(0, "d", "e", "f");
        // The commit happens, and its answer is lost.
        rig.inner.commitAndThrow(new KafkaException("who knows"));
        assertThatThrownBy(rig.producer::commitTransaction).hasMessage("who knows");
        rig.transact(0, "g");
        rig.producer.tick();
        assertThat(rig.stats(0).streamsEnded()).isOne();
        rig.producer.close();

        LoggedPartition log = rig.log(0);
        Iterator<LoggedPartition.Stream> streams = log.streams.values().iterator();
        LoggedPartition.Stream first = streams.next();
        // 0; 1 and 2 with a, b, c; 3 and 4 with d, e, f, whose fate the emitter does not know; and the closing one.
        assertThat(first.checkpoints).extracting(Format2Checkpoint::number).containsExactly(0L, 1L, 2L, 3L, 4L, 3L);
        assertThat(first.last().closing()).isTrue();
        assertThat(first.last().previousHash()).isEqualTo(first.chain.get(2));
        assertThat(first.last().uncertain()).containsExactly(new SequenceRange(3, 6));
        LoggedPartition.Stream second = streams.next();
        assertThat(second.events).hasSize(1);
        assertThat(second.last().closing()).isTrue();
        log.assertChainIsTrue(second);
    }

    @Test
    void unknownToOpenByBeginStaysInDoubtThroughAnAbort() throws Exception {
        // {#0 e0 e1 #1 ?} ║ {#0 e0}✗ {#0] without e0 and e1, of the first stream}
        EmitterRig rig = begun();
        rig.sendAll(0, "a", "b");
        rig.inner.commitAndThrow(new KafkaException("who knows"));
        assertThatThrownBy(rig.producer::commitTransaction).hasMessage("who knows");
        rig.producer.beginTransaction();
        rig.sendAll(0, "c");
        rig.producer.abortTransaction();
        rig.producer.close();

        Format2Checkpoint closing = rig.log(0).stream().last();
        assertThat(closing.closing()).isTrue();
        assertThat(closing.number()).isZero();
        assertThat(closing.uncertain()).containsExactly(new SequenceRange(0, 2));
    }

    @Test
    void aCommitWhoseCheckpointIsRefusedDemandsAnAbort() throws Exception {
        // {#0 e0 #1⊘ commit⊘}✗ {#0 e0 #1} {#2]}
        EmitterRig rig = begun();
        rig.sendAll(0, "a");
        rig.inner.refusal = new TimeoutException("buffer");
        assertThatThrownBy(rig.producer::commitTransaction)
                .isInstanceOf(KafkaException.class)
                .hasMessageContaining("abort the transaction")
                .hasCauseInstanceOf(TimeoutException.class);
        rig.inner.refusal = null;
        assertThatThrownBy(rig.producer::commitTransaction).hasMessageContaining("abort the transaction");
        assertThat(rig.inner.commitCount()).isZero();
        rig.producer.abortTransaction();
        rig.transact(0, "a again");
        rig.producer.close();
        assertThat(rig.log(0).assertProven().texts()).containsExactly("a again");
    }

    /** Whoever catches these knows that an abort helps no more. */
    @Test
    void aCommitThatFailsFatallySaysSo() {
        // {#0 e0 #1⊘ commit⊘
        for (ApiException fatal : List.of(
                new ProducerFencedException("fenced"),
                new InvalidProducerEpochException("fenced"),
                new OutOfOrderSequenceException("lost"),
                new TopicAuthorizationException("t"),
                new UnsupportedVersionException("old"))) {
            EmitterRig rig = begun();
            rig.sendAll(0, "a");
            rig.inner.refusal = fatal;
            assertThatThrownBy(rig.producer::commitTransaction).isSameAs(fatal);
            assertThatThrownBy(rig.producer::commitTransaction).isSameAs(fatal);
            rig.producer.close(Duration.ZERO);
        }
    }

    @Test
    void aCommitAfterASendThatNeverReachedKafkaDemandsAnAbort() throws Exception {
        // {e⊘ commit⊘}✗ {}
        EmitterRig rig = begun();
        rig.inner.partitionsForException = new TimeoutException("no metadata");
        assertThat(rig.sendAnywhere("a")).isCompletedExceptionally();
        rig.inner.partitionsForException = null;
        assertThatThrownBy(rig.producer::commitTransaction).hasMessageContaining("abort the transaction");
        rig.producer.abortTransaction();
        rig.producer.beginTransaction();
        rig.producer.commitTransaction();
        rig.producer.close();
    }

    @Test
    void offsetsArePassedOn() {
        EmitterRig rig = begun();
        try (MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest")) {
            rig.producer.sendOffsetsToTransaction(
                    Map.of(new TopicPartition("in", 0), new OffsetAndMetadata(5)), consumer.groupMetadata());
        }
        rig.producer.commitTransaction();
        assertThat(rig.inner.consumerGroupOffsetsHistory()).hasSize(1);
        rig.producer.close();
    }

    @Test
    void everyOtherTransitionIsIllegalAndNamesBothStates() {
        EmitterRig rig = rig();
        assertIllegal(rig.producer::beginTransaction, "Cannot go from FRESH to OPEN");
        assertIllegal(rig.producer::commitTransaction, "Cannot go from FRESH to IDLE by a commit");
        assertIllegal(rig.producer::abortTransaction, "Cannot go from FRESH to IDLE by an abort");
        rig.producer.initTransactions();
        rig.producer.beginTransaction();
        assertIllegal(rig.producer::beginTransaction, "Cannot go from OPEN to OPEN");
        rig.producer.commitTransaction();
        rig.producer.close();
    }

    private static void assertIllegal(ThrowingCallable transition, String message) {
        assertThatThrownBy(transition).isInstanceOf(IllegalStateException.class).hasMessage(message);
    }

    @Test
    void inIdleTheInnerProducerRefusesCommitAndAbort() {
        EmitterRig rig = rig();
        rig.producer.initTransactions();
        assertThatThrownBy(rig.producer::commitTransaction).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(rig.producer::abortTransaction).isInstanceOf(IllegalStateException.class);
        rig.inner.fenceProducer();
        assertThatThrownBy(rig.producer::commitTransaction).isInstanceOf(ProducerFencedException.class);
        assertThatThrownBy(rig.producer::abortTransaction).isInstanceOf(ProducerFencedException.class);
        rig.producer.close();
    }

    @Test
    void openToIdleByCloseAbortsAndClosesTheStreams() throws Exception {
        // t-0: {#0 e0 #1} {e1}✗ {#2]}   t-1: {#0 e0}✗
        EmitterRig rig = committed(0, "a");
        rig.producer.beginTransaction();
        rig.sendAll(0, "b");
        rig.sendAll(1, "c");
        rig.producer.close();
        assertThat(rig.log(0).assertProven().texts()).containsExactly("a");
        assertThat(rig.log(1).streams).isEmpty();
    }

    /** Kafka's rule: an abort that timed out may be called again, and nothing else may. */
    @Test
    void openToIdleByCloseTriesAnAbortThatTimesOutAgain() throws Exception {
        // {#0 e0 #1} {e1 abort? close: abort? abort? abort}✗ {#2]}
        int[] timeouts = {3};
        EmitterRig rig = begun(new FailingProducer(EmitterRig.TOPIC, true) {
            @Override
            public void abortTransaction() {
                if (timeouts[0]-- > 0) {
                    throw new TimeoutException("later");
                }
                super.abortTransaction();
            }
        });
        rig.sendAll(0, "a");
        rig.producer.commitTransaction();
        rig.producer.beginTransaction();
        rig.sendAll(0, "b");
        assertThatThrownBy(rig.producer::abortTransaction).isInstanceOf(TimeoutException.class);
        rig.producer.close();
        assertThat(rig.log(0).assertProven().texts()).containsExactly("a");
        assertThat(rig.log(0).stream().last().closing()).isTrue();
    }

    @Test
    void anAbortThatTimesOutIsNotTriedForLongerThanCloseMayTake() {
        // {#0 e0 #1} {e1 close: abort? abort? …
        EmitterRig rig = committed(0, "a");
        rig.producer.beginTransaction();
        rig.inner.abortTransactionException = new TimeoutException("later");
        assertTimeoutPreemptively(Duration.ofSeconds(30), () -> rig.producer.close(Duration.ofMillis(100)));
        assertThat(rig.inner.closed()).isTrue();
        assertThat(rig.producer.status().trouble())
                .contains("the emitter is closed without the last checkpoint of t-0");
    }

    @Test
    void whoIsInterruptedTriesNoAbortAgain() {
        // {#0 e0 #1} {e1 close: abort⊘
        EmitterRig rig = begun();
        rig.sendAll(0, "a");
        rig.inner.abortTransactionException = new InterruptException("interrupted");
        assertThat(Thread.interrupted()).isTrue();
        assertTimeoutPreemptively(Duration.ofSeconds(30), () -> rig.producer.close());
        assertThat(rig.inner.closed()).isTrue();
    }

    /** Kafka's rule: a commit that timed out may be called again, and an abort must not follow it. */
    @Test
    void unknownToIdleByCloseTriesACommitThatTimedOutAgain() throws Exception {
        // {#0 e0 #1 ? close: commit? commit again} {#2]}
        int[] timeouts = {2};
        EmitterRig rig = begun(new FailingProducer(EmitterRig.TOPIC, true) {
            @Override
            public void commitTransaction() {
                if (timeouts[0]-- > 0) {
                    throw new TimeoutException("later");
                }
                super.commitTransaction();
            }

            @Override
            public void abortTransaction() {
                throw new IllegalStateException("the previous call to `commitTransaction` timed out");
            }
        });
        rig.sendAll(0, "a");
        assertThatThrownBy(rig.producer::commitTransaction).isInstanceOf(TimeoutException.class);
        rig.producer.close();
        assertThat(rig.log(0).assertProven().texts()).containsExactly("a");
        assertThat(rig.log(0).stream().last().closing()).isTrue();
    }

    @Test
    void unknownToIdleByCloseAbortsWhatDidNotTimeOut() throws Exception {
        // t-0: {#0 e0 #1} {e1 #2 ?}✗ {#2]}
        EmitterRig rig = committed(0, "a");
        rig.producer.beginTransaction();
        rig.sendAll(0, "b");
        rig.inner.commitTransactionException = new KafkaException("a record failed");
        assertThatThrownBy(rig.producer::commitTransaction).hasMessage("a record failed");
        rig.inner.commitTransactionException = null;
        rig.producer.close();
        assertThat(rig.log(0).assertProven().texts()).containsExactly("a");
    }

    @Test
    void aTopicThatCannotBeClosedTakesNoOtherItsClosingCheckpoint() throws Exception {
        // t-0: {#0 e0 #1} {#2]}   other-1: {#0 e0 #1} {#2]⊘}✗
        EmitterRig rig = begun();
        rig.sendAll(0, "a");
        Future<RecordMetadata> unused = rig.producer.send(new ProducerRecord<>("other", 1, null, "b"));
        rig.producer.commitTransaction();
        rig.inner.refusedPartition = 1;
        rig.producer.close();
        assertThat(rig.log(0).assertProven().stream().last().closing()).isTrue();
        assertThat(rig.producer.status().trouble())
                .contains("the emitter is closed without the last checkpoint of other-1");
    }

    @Test
    void aPartitionWithoutALeaderIsClosedAfterTheOthers() throws Exception {
        // t-0, t-1: {#0 e0 #1} {#2]}
        EmitterRig rig = begun(new WithoutLeader(1));
        rig.sendAll(0, "a");
        rig.sendAll(1, "a");
        rig.producer.commitTransaction();
        rig.producer.close();
        assertThat(rig.log(1).assertProven().stream().last().closing()).isTrue();
        List<ProducerRecord<byte[], byte[]>> sent = rig.inner.handedOver();
        assertThat(sent.get(sent.size() - 1).partition()).isEqualTo(1);
    }

    @Test
    void aTopicWhoseMetadataDoesNotComeTakesNoOthersTimeToClose() throws Exception {
        // t-0: {#0 e0 #1} {#2]}   gone-0: {#0 e0 #1} …
        CountDownLatch over = new CountDownLatch(1);
        FailingProducer inner = new FailingProducer(EmitterRig.TOPIC, true) {
            @Override
            public List<PartitionInfo> partitionsFor(String topic) {
                if (topic.equals("gone")) {
                    await(over);
                    throw new TimeoutException("no metadata");
                }
                return super.partitionsFor(topic);
            }

            @Override
            public void commitTransaction() {
                super.commitTransaction();
                if (commitCount() == 2) {
                    over.countDown();
                }
            }
        };
        EmitterRig rig = begun(inner);
        rig.sendAll(0, "a");
        Future<RecordMetadata> unused = rig.producer.send(new ProducerRecord<>("gone", 0, null, "b"));
        rig.producer.commitTransaction();
        rig.producer.close(Duration.ofSeconds(Clients.PATIENCE_SECONDS / 2));
        rig.log(0).assertProven();
        assertThat(rig.producer.status().trouble())
                .contains("the emitter is closed without the last checkpoint of gone-0");
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(Clients.PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    @Test
    void whileATransactionEndsSendingIsRefusedAndNeverWaits() throws Exception {
        // {#0 e0 #1 e⊘} {#2]}
        EmitterRig rig = begun();
        rig.sendAll(0, "a");
        rig.inner.duringCommit(() -> {
            CompletableFuture<?> other = CompletableFuture.runAsync(() -> rig.sendAll(0, "b"));
            assertThatThrownBy(() -> other.get(30, TimeUnit.SECONDS))
                    .hasRootCauseInstanceOf(IllegalStateException.class);
        });
        rig.producer.commitTransaction();
        rig.producer.close();
        assertThat(rig.log(0).assertProven().texts()).containsExactly("a");
    }

    @Test
    void whileTheTimerLooksSendingIsNeverRefused() throws Exception {
        // {#0 e0 tick tick … e1 e2 … #1} {#2]}
        EmitterRig rig = begun(EmitterConfig.MAX_EVENTS, 1_000_000);
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Void> ticking = CompletableFuture.runAsync(() -> {
            while (!over.get()) {
                rig.producer.tick();
            }
        });
        assertThatCode(() -> {
                    for (int i = 0; i < 20_000; i++) {
                        rig.sendAll(0, "a");
                    }
                })
                .doesNotThrowAnyException();
        over.set(true);
        ticking.get(30, TimeUnit.SECONDS);
        rig.producer.commitTransaction();
        rig.producer.close();
        assertThat(rig.log(0).assertProven().texts()).hasSize(20_000);
    }

    @Test
    void withoutATransactionalIdKafkaDecides() {
        EmitterRig rig = new EmitterRig(true);
        assertThatThrownBy(rig.producer::beginTransaction).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(rig.producer::commitTransaction).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(rig.producer::abortTransaction).isInstanceOf(IllegalStateException.class);
        rig.producer.close();
    }
}
