package dev.stormproof.emit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.emit.testing.Clients;
import dev.stormproof.emit.testing.FailingProducer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Named for the transitions of {@link Transactions} through own transactions, and after them.
 *
 * <p>The first line of a scenario draws the log: {@code {…}} a transaction, {@code ✗} behind an aborted one, {@code ?} a commit
 * whose outcome is unknown, {@code #n} checkpoint n, {@code #n]} as the closing one, {@code en} the event with sequence n,
 * {@code ⊘} behind a record or call that was refused, {@code ║} the end of a stream.
 */
class OwnTransactionsTest extends TransactionFixture {
    /** For how long own transactions leave out a partition that held one up. */
    private static final long PAUSE_MILLIS = 2_500;

    @Test
    void idleToIdleByAnOwnTransactionOfHeartbeats() throws Exception {
        // {#0 e0 #1} tick {#2} tick {#3]}
        EmitterRig rig = committed(0, "a");
        rig.producer.tick();
        assertThat(eventCounts(rig)).containsExactly(0, 1);
        rig.tickAfter(5_000);
        rig.producer.tick();
        assertThat(eventCounts(rig)).containsExactly(0, 1, 0);
        assertThat(rig.inner.transactionInFlight()).isFalse();
        assertThat(rig.inner.commitCount()).isEqualTo(2);
        rig.producer.close();
        rig.log(0).assertProven();
    }

    @Test
    void inTheApplicationsTransactionThereAreNoHeartbeats() throws Exception {
        // {#0 e0 tick #1} {#2]}
        EmitterRig rig = begun();
        rig.sendAll(0, "a");
        rig.tickAfter(5_000);
        assertThat(rig.inner.uncommittedRecords()).hasSize(2);
        rig.producer.commitTransaction();
        rig.producer.close();
        rig.log(0).assertProven();
    }

    @Test
    void ownCommitPendingToIdleByCommittingAgain() throws Exception {
        // {#0 e0 #1} tick {#2 ? tick ? commit again} {e1 #3} {#4]}   or {#0 e0 #1} tick {#2 ? tick ? commit again}
        // {#3]}
        for (boolean byBegin : new boolean[] {true, false}) {
            EmitterRig rig = committed(0, "a");
            rig.clock.addAndGet(5_000);
            rig.inner.commitTransactionException = new TimeoutException("later");
            rig.producer.tick();
            rig.producer.tick();
            assertThat(rig.inner.transactionInFlight()).isTrue();
            rig.inner.commitTransactionException = null;
            if (byBegin) {
                rig.transact(0, "b");
            } else {
                rig.producer.tick();
            }
            assertThat(rig.inner.transactionInFlight()).isFalse();
            rig.producer.close();
            assertThat(rig.log(0).assertProven().stream().checkpoints).hasSize(byBegin ? 5 : 4);
        }
    }

    @Test
    void idleToIdleByAnOwnTransactionThatIsAborted() throws Exception {
        // {#0 e0 #1} tick {#2⊘}✗ tick {#2 commit⊘}✗ tick {#2} {#3]}
        EmitterRig rig = committed(0, "a");
        rig.clock.addAndGet(5_000);
        rig.inner.refusal = new TimeoutException("buffer");
        rig.producer.tick();
        assertThat(rig.inner.transactionInFlight()).isFalse();
        rig.inner.refusal = null;
        rig.inner.commitTransactionException = new KafkaException("a record failed");
        rig.tickAfter(PAUSE_MILLIS);
        rig.inner.commitTransactionException = null;
        assertThat(rig.inner.transactionInFlight()).isFalse();
        assertThat(eventCounts(rig)).containsExactly(0, 1);
        rig.tickAfter(PAUSE_MILLIS);
        assertThat(eventCounts(rig)).containsExactly(0, 1, 0);
        rig.producer.close();
        rig.log(0).assertProven();
    }

    @Test
    void idleToBrokenEndsHeartbeats() {
        // {#0 e0 #1} tick {#2 commit⊘ abort⊘ tick
        EmitterRig rig = committed(0, "a");
        rig.clock.addAndGet(5_000);
        rig.inner.commitTransactionException = new ProducerFencedException("fenced");
        rig.inner.abortTransactionException = new ProducerFencedException("fenced");
        rig.producer.tick();
        int handedOver = rig.inner.handedOver().size();
        rig.tickAfter(5_000);
        assertThat(rig.inner.handedOver()).hasSize(handedOver);
        rig.producer.close();
        assertThat(rig.inner.closed()).isTrue();
    }

    /** An own commit that waits for a partition that is away costs no topic behind it its closing checkpoint. */
    @Test
    void closingCommitPendingToIdleByCommittingAgain() throws Exception {
        // {#0 e0 #1} close {#2] ? ? commit again}
        int[] timeouts = {3};
        EmitterRig rig = begun(new FailingProducer(EmitterRig.TOPIC, true) {
            @Override
            public void commitTransaction() {
                if (commitCount() > 0 && timeouts[0]-- > 0) {
                    throw new TimeoutException("later");
                }
                super.commitTransaction();
            }
        });
        rig.sendAll(0, "a");
        rig.producer.commitTransaction();
        rig.producer.close();
        assertThat(rig.log(0).assertProven().stream().last().closing()).isTrue();
        assertThat(rig.producer.status().trouble()).contains("the emitter is closed; every event has its checkpoint");
    }

    @Test
    void ownCommitPendingToOpenThrowsWhatMayBeTriedAgain() {
        // {#0 e0 #1} tick {#2 ? begin⊘ begin⊘ commit again} {…}
        EmitterRig rig = ownCommitPending();
        assertThatThrownBy(rig.producer::beginTransaction).isSameAs(rig.inner.commitTransactionException);
        rig.inner.commitTransactionException = new InterruptException("interrupted");
        assertThatThrownBy(rig.producer::beginTransaction).isSameAs(rig.inner.commitTransactionException);
        assertThat(Thread.interrupted()).isTrue();
        rig.inner.commitTransactionException = null;
        rig.producer.beginTransaction();
        rig.producer.commitTransaction();
        rig.producer.close();
    }

    /** As many applications do: whatever Kafka throws but a fatal error is followed by an abort. */
    @Test
    void anAbortBehindABeginThatTimedOutEndsWhatIsPending() throws Exception {
        // {#0 e0 #1} tick {#2 ? begin⊘ abort⊘ abort} {e1 #3} {#4]}
        EmitterRig rig = ownCommitPending();
        assertThatThrownBy(rig.producer::beginTransaction).isInstanceOf(TimeoutException.class);
        assertThatThrownBy(rig.producer::abortTransaction).isInstanceOf(TimeoutException.class);
        rig.inner.commitTransactionException = null;
        rig.producer.abortTransaction();
        rig.transact(0, "b");
        rig.producer.close();
        assertThat(rig.log(0).assertProven().texts()).containsExactly("a", "b");
    }

    @Test
    void ownAbortPendingToIdleByAbortingAgain() throws Exception {
        // {#0 e0 #1} tick {#2 commit⊘ abort? tick, begin or close() abort again}✗ {#2]}
        for (String by : List.of("tick", "begin", "close")) {
            EmitterRig rig = committed(0, "a");
            rig.clock.addAndGet(5_000);
            rig.inner.commitTransactionException = new KafkaException("a record failed");
            rig.inner.abortTransactionException = new TimeoutException("later");
            rig.producer.tick();
            assertThatThrownBy(rig.producer::beginTransaction).isSameAs(rig.inner.abortTransactionException);
            rig.inner.commitTransactionException = null;
            rig.inner.abortTransactionException = null;
            if (by.equals("tick")) {
                rig.producer.tick();
                assertThat(rig.inner.transactionInFlight()).isFalse();
            } else if (by.equals("begin")) {
                rig.producer.beginTransaction();
                rig.producer.commitTransaction();
            }
            rig.producer.close();
            assertThat(rig.log(0).assertProven().stream().checkpoints).as(by).hasSize(3);
        }
    }

    @Test
    void aPartitionThatHoldsUpAnOwnTransactionCostsOneBeginAndNoOtherItsHeartbeats() throws Exception {
        // t-0: {#0 e0 #1} {e1 #2} …   t-1: {#0 e0 #1} {#2 ? …}✗   t-2: {#0 e0 #1} {#2 ? …}✗ {#2}
        AwayPartition inner = new AwayPartition();
        EmitterRig rig = begun(inner);
        for (int partition = 0; partition < 3; partition++) {
            rig.sendAll(partition, "a");
        }
        rig.producer.commitTransaction();
        inner.isAway = true;
        rig.clock.addAndGet(5_000);
        int failed = 0;
        for (int round = 0; round < 4; round++) {
            try {
                rig.producer.beginTransaction();
            } catch (TimeoutException e) {
                failed++;
                continue;
            }
            rig.sendAll(0, "b");
            rig.producer.tick();
            rig.producer.commitTransaction();
        }
        assertThat(failed).isOne();
        assertThat(rig.log(2).stream().checkpoints).hasSize(3);
        inner.isAway = false;
        rig.tickAfter(PAUSE_MILLIS);
        assertThat(rig.log(1).stream().checkpoints).hasSize(3);
        rig.producer.close();
        for (int partition = 0; partition < 3; partition++) {
            rig.log(partition).assertProven();
        }
    }

    /** A producer whose partition 1 is away at times: records wait there until their batch expires with the second commit. */
    private static final class AwayPartition extends FailingProducer {
        private boolean isAway;
        private final List<Callback> waiting = new ArrayList<>();
        private int commits;

        AwayPartition() {
            super(EmitterRig.TOPIC, true);
        }

        @Override
        public synchronized Future<RecordMetadata> send(
                ProducerRecord<byte[], byte[]> record, @Nullable Callback callback) {
            if (!isAway || record.partition() != 1) {
                return super.send(record, callback);
            }
            waiting.add(Objects.requireNonNull(callback));
            return new CompletableFuture<>();
        }

        @Override
        public void commitTransaction() {
            if (!waiting.isEmpty() && commits++ % 2 == 0) {
                throw new TimeoutException("later");
            }
            if (!waiting.isEmpty()) {
                KafkaException expired = new TimeoutException("the batch expired");
                waiting.forEach(callback -> callback.onCompletion(null, expired));
                waiting.clear();
                throw new KafkaException("a record failed", expired);
            }
            super.commitTransaction();
        }
    }

    @Test
    void whereNobodyKnowsWhoHoldsUpAnOwnTransactionAllMakeAPause() {
        // t-0: {#0 e0 #1} {e1 tick #2} begin⊘ …   t-1: {#0 e0 #1} {#2 ? …}✗
        FailingProducer inner = new FailingProducer(EmitterRig.TOPIC, true) {
            private int commits;

            @Override
            public void commitTransaction() {
                if (commitCount() > 0 && uncommittedRecords().stream().anyMatch(record -> record.partition() == 1)) {
                    throw commits++ % 2 == 0 ? new TimeoutException("later") : new KafkaException("a record failed");
                }
                super.commitTransaction();
            }
        };
        EmitterRig rig = begun(inner);
        rig.sendAll(0, "a");
        rig.sendAll(1, "b");
        rig.producer.commitTransaction();
        rig.producer.beginTransaction();
        rig.sendAll(0, "c");
        rig.tickAfter(5_000);
        rig.producer.commitTransaction();
        assertThatThrownBy(rig.producer::beginTransaction).isInstanceOf(TimeoutException.class);
        for (int round = 0; round < 4; round++) {
            rig.producer.beginTransaction();
            rig.producer.tick();
            rig.producer.commitTransaction();
        }
        rig.producer.close(Duration.ZERO);
    }

    @Test
    void aPartitionWithoutALeaderGetsNoHeartbeat() throws Exception {
        // t-0: {#0 e0 #1} tick {#2}   t-1: {#0 e0 #1} tick
        EmitterRig rig = begun(new WithoutLeader(1));
        rig.sendAll(0, "a");
        rig.sendAll(1, "b");
        rig.producer.commitTransaction();
        rig.tickAfter(5_000);
        assertThat(rig.log(0).stream().checkpoints).hasSize(3);
        assertThat(rig.log(1).stream().checkpoints).hasSize(2);
        rig.producer.close();
    }

    @Test
    void inBrokenTheInnerProducerAnswers() {
        // {#0 e0 #1} tick {#2 commit⊘ abort⊘ commit⊘ abort⊘ abort}✗ begin⊘
        EmitterRig rig = committed(0, "a");
        rig.clock.addAndGet(5_000);
        rig.inner.commitTransactionException = new ProducerFencedException("fenced");
        rig.inner.abortTransactionException = new ProducerFencedException("fenced");
        rig.producer.tick();
        assertThatThrownBy(rig.producer::commitTransaction).isInstanceOf(ProducerFencedException.class);
        assertThatThrownBy(rig.producer::abortTransaction).isInstanceOf(ProducerFencedException.class);
        rig.inner.abortTransactionException = null;
        rig.producer.abortTransaction();
        assertThat(rig.stats(0).checkpointsSent()).isEqualTo(2);
        rig.inner.fenceProducer();
        assertThatThrownBy(rig.producer::beginTransaction).isInstanceOf(ProducerFencedException.class);
        rig.producer.close();
    }

    @Test
    void whoBeginsTheNextTransactionAtOnceLeavesNoPartitionWithoutHeartbeats() throws Exception {
        // t-0: {#0 e0 #1} {#2} {#3]}   t-1: {#0 e0 #1} {e1 tick #2} {#3]}
        EmitterRig rig = begun();
        rig.sendAll(0, "a");
        rig.sendAll(1, "b");
        rig.producer.commitTransaction();
        rig.producer.beginTransaction();
        rig.sendAll(1, "c");
        rig.tickAfter(5_000);
        rig.producer.commitTransaction();
        rig.producer.beginTransaction();
        assertThat(eventCounts(rig)).containsExactly(0, 1, 0);
        rig.producer.close();
        rig.log(0).assertProven();
        rig.log(1).assertProven();
    }

    private static EmitterRig ownCommitPending() {
        EmitterRig rig = committed(0, "a");
        rig.clock.addAndGet(5_000);
        rig.inner.commitTransactionException = new TimeoutException("later");
        rig.producer.tick();
        return rig;
    }

    @Test
    void whereNothingIsDueNoTransactionBeginsAndOthersMayBeginOne() {
        EmitterRig rig = committed(0, "a");
        rig.producer.tick();
        rig.producer.tick();
        assertThat(rig.inner.commitCount()).isEqualTo(1);

        assertThat(CompletableFuture.runAsync(rig.producer::beginTransaction))
                .succeedsWithin(Duration.ofSeconds(Clients.PATIENCE_SECONDS));
        assertThat(rig.inner.transactionInFlight()).isTrue();
    }
}
