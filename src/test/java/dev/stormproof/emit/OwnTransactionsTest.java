package dev.stormproof.emit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

/**
 * Named for the transitions of {@link Transactions} through own transactions, and after them.
 *
 * <p>The first line of a scenario draws the log: {@code {…}} a transaction, {@code ✗} behind an aborted one, {@code ?} a commit
 * whose outcome is unknown, {@code #n} checkpoint n, {@code #n]} as the closing one, {@code en} the event with sequence n,
 * {@code ⊘} behind a record or call that was refused, {@code ║} the end of a stream.
 */
class OwnTransactionsTest extends TransactionFixture {
    @Test
    void idleToIdleByAnOwnTransactionOfHeartbeats() throws Exception {
        // {#0 e0 #1} tick {#2} tick {#3]}
        EmitterRig rig = begun();
        rig.sendAll(0, "a");
        rig.producer.commitTransaction();
        rig.producer.tick();
        assertThat(eventCounts(rig)).containsExactly(0, 1);
        rig.clock.addAndGet(5_000);
        rig.producer.tick();
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
        rig.clock.addAndGet(5_000);
        rig.producer.tick();
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
            EmitterRig rig = begun();
            rig.sendAll(0, "a");
            rig.producer.commitTransaction();
            rig.clock.addAndGet(5_000);
            rig.inner.commitTransactionException = new TimeoutException("later");
            rig.producer.tick();
            rig.producer.tick();
            assertThat(rig.inner.transactionInFlight()).isTrue();
            rig.inner.commitTransactionException = null;
            if (byBegin) {
                rig.producer.beginTransaction();
                rig.sendAll(0, "b");
                rig.producer.commitTransaction();
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
        EmitterRig rig = begun();
        rig.sendAll(0, "a");
        rig.producer.commitTransaction();
        rig.clock.addAndGet(5_000);
        rig.inner.refusal = new TimeoutException("buffer");
        rig.producer.tick();
        assertThat(rig.inner.transactionInFlight()).isFalse();
        rig.inner.refusal = null;
        rig.inner.commitTransactionException = new KafkaException("a record failed");
        rig.producer.tick();
        rig.inner.commitTransactionException = null;
        assertThat(rig.inner.transactionInFlight()).isFalse();
        assertThat(eventCounts(rig)).containsExactly(0, 1);
        rig.producer.tick();
        assertThat(eventCounts(rig)).containsExactly(0, 1, 0);
        rig.producer.close();
        rig.log(0).assertProven();
    }

    @Test
    void idleToBrokenEndsHeartbeats() {
        // {#0 e0 #1} tick {#2 commit⊘ abort⊘ tick
        EmitterRig rig = begun();
        rig.sendAll(0, "a");
        rig.producer.commitTransaction();
        rig.clock.addAndGet(5_000);
        rig.inner.commitTransactionException = new ProducerFencedException("fenced");
        rig.inner.abortTransactionException = new ProducerFencedException("fenced");
        rig.producer.tick();
        int handedOver = rig.inner.handedOver().size();
        rig.clock.addAndGet(5_000);
        rig.producer.tick();
        assertThat(rig.inner.handedOver()).hasSize(handedOver);
        rig.producer.close();
        assertThat(rig.inner.closed()).isTrue();
    }

    @Test
    void ownCommitPendingToIdleByClose() throws Exception {
        // {#0 e0 #1} tick {#2 ? close() commits again} {#3]}
        EmitterRig rig = ownCommitPending();
        rig.inner.commitTransactionException = null;
        rig.producer.close();
        assertThat(rig.log(0).assertProven().stream().checkpoints).hasSize(4);
    }

    @Test
    void ownCommitPendingToOpenIsIllegal() {
        // {#0 e0 #1} tick {#2 ? begin⊘
        EmitterRig rig = ownCommitPending();
        assertThatThrownBy(rig.producer::beginTransaction)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Cannot go from OWN_COMMIT_PENDING to OPEN");
        rig.inner.commitTransactionException = null;
        rig.producer.beginTransaction();
        rig.producer.commitTransaction();
        rig.producer.close();
    }

    @Test
    void inBrokenTheInnerProducerAnswers() {
        // {#0 e0 #1} tick {#2 commit⊘ abort⊘ commit⊘ abort⊘ abort}✗ begin⊘
        EmitterRig rig = begun();
        rig.sendAll(0, "a");
        rig.producer.commitTransaction();
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

    private static EmitterRig ownCommitPending() {
        EmitterRig rig = begun();
        rig.sendAll(0, "a");
        rig.producer.commitTransaction();
        rig.clock.addAndGet(5_000);
        rig.inner.commitTransactionException = new TimeoutException("later");
        rig.producer.tick();
        return rig;
    }
}
