package dev.stormproof.cli.fault;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TransactionAbortedException;
import org.junit.jupiter.api.Test;

/**
 * Named for the transitions of {@link PartitionFaults}.
 *
 * <p>The first line of each test draws the log: {@code n} an event, {@code h} the held one, {@code #} a checkpoint, {@code ⊘}
 * behind an event that is refused, {@code ✗} behind one that fails later.
 */
class PartitionFaultsTest extends FaultFixture {
    @Test
    void aLostEventIsAcknowledged() throws Exception {
        // 0 1 2 [3 lost] 4 …, each acknowledged
        FaultPlan plan = plan(FaultKind.LOSE, 3);
        FaultInjector injector = new FaultInjector(log, plan);
        List<RecordMetadata> reported = new ArrayList<>();
        for (long sequence = 0; sequence < EVENTS; sequence++) {
            Future<RecordMetadata> future = injector.send(event(sequence), (metadata, exception) -> {
                assertThat(exception).isNull();
                reported.add(metadata);
            });
            assertThat(future.get().hasOffset()).isTrue();
        }
        assertThat(reported).hasSize(EVENTS);
        RecordMetadata lost = reported.get((int) siteOf(plan).ordinal());
        assertThat(lost.topic()).isEqualTo("t");
        assertThat(lost.partition()).isEqualTo(1);
        assertThat(lost.offset()).isEqualTo(siteOf(plan).ordinal());
        assertThat(lost.serializedValueSize()).isPositive();
    }

    @Test
    void holdingToPassingByItsLastFollowerAcknowledgesTheHeldEvent() throws Exception {
        // 0 … [h held] h+1 … h+d h
        FaultPlan plan = plan(FaultKind.MOVE, 3);
        FaultInjector injector = new FaultInjector(log, plan);
        FaultSite site = siteOf(plan);
        List<Long> reported = new ArrayList<>();
        Future<RecordMetadata> held = null;
        for (long sequence = 0; sequence < site.end(); sequence++) {
            long sent = sequence;
            Future<RecordMetadata> future = injector.send(event(sequence), (metadata, exception) -> reported.add(sent));
            if (sequence == site.ordinal()) {
                held = future;
            } else if (sequence > site.ordinal() && sequence < site.end() - 1) {
                assertThat(requireNonNull(held).isDone()).isFalse();
            }
        }
        assertThat(requireNonNull(held).get().offset()).isEqualTo(site.end() - 1);
        assertThat(reported).endsWith(site.ordinal());
    }

    @Test
    void aReleasedEventThatFailsReportsThatToItsSender() {
        // 0 … [h held] h+1✗ h✗
        MockProducer<byte[], byte[]> slow = mock(false);
        FaultPlan plan = plan(FaultKind.SWAP, 3);
        FaultInjector injector = new FaultInjector(slow, plan);
        List<Exception> reported = new ArrayList<>();
        Future<RecordMetadata> held = null;
        for (long sequence = 0; sequence < siteOf(plan).end(); sequence++) {
            Future<RecordMetadata> future =
                    injector.send(event(sequence), (metadata, exception) -> reported.add(exception));
            held = sequence == siteOf(plan).ordinal() ? future : held;
        }
        KafkaException failure = new KafkaException("no");
        while (slow.errorNext(failure)) {
            assertThat(reported).last().isEqualTo(failure);
        }
        assertThat(reported).hasSize((int) siteOf(plan).end());
        assertThatThrownBy(requireNonNull(held)::get)
                .isInstanceOf(ExecutionException.class)
                .hasCause(failure);
    }

    @Test
    void anEventThatIsRefusedIsNotCounted() throws Exception {
        // 0⊘ 0 1⊘ 1 … [n lost]
        FaultPlan plan = plan(FaultKind.LOSE, 3);
        long lost = siteOf(plan).ordinal();
        FaultInjector injector = new FaultInjector(log, plan);
        for (long sequence = 0; sequence < lost; sequence++) {
            long same = sequence;
            log.sendException = new KafkaException("refused");
            assertThatThrownBy(() -> injector.send(event(same))).hasMessage("refused");
            log.sendException = null;
            send(injector, event(sequence));
        }
        send(injector, event(lost));
        assertThat(sequences()).hasSize((int) lost).doesNotContain(lost);
        assertThat(injector.injected()).containsExactly(fault(FaultKind.LOSE, lost, -1));
    }

    @Test
    void anEventThatOnlyACheckpointHasPassedWasMoved() throws Exception {
        // 0 … [h held] # flush() h
        FaultPlan plan = longMove();
        long held = siteOf(plan).ordinal();
        FaultInjector injector = new FaultInjector(log, plan);
        for (long sequence = 0; sequence <= held; sequence++) {
            send(injector, event(sequence));
        }
        send(injector, checkpoint());
        injector.flush();

        assertThat(sequences()).endsWith(-1L, held);
        assertThat(injector.injected()).containsExactly(fault(FaultKind.MOVE, held, -1));
    }

    @Test
    void noEventIsMovedPastTwoCheckpoints() throws Exception {
        // 0 … [h held] # h+1 h #
        FaultPlan plan = longMove();
        long held = siteOf(plan).ordinal();
        FaultInjector injector = new FaultInjector(log, plan);
        for (long sequence = 0; sequence <= held; sequence++) {
            send(injector, event(sequence));
        }
        send(injector, checkpoint());
        send(injector, event(held + 1));
        send(injector, checkpoint());

        assertThat(sequences()).endsWith(-1L, held + 1, held, -1L);
        assertThat(injector.injected()).containsExactly(fault(FaultKind.SWAP, held, held + 1));
    }

    @Test
    void holdingToPassingByFlushRecordsTheFaultThatHappened() throws Exception {
        // 0 … [h held] flush() h | [h held] h+1 flush() h | [h held] h+1 h+2 flush() h
        FaultPlan plan = longMove();
        FaultSite site = siteOf(plan);
        for (int passed = 0; passed < 3; passed++) {
            log.clear();
            FaultInjector injector = new FaultInjector(log, plan);
            for (long sequence = 0; sequence <= site.ordinal() + passed; sequence++) {
                send(injector, event(sequence));
            }
            assertThat(sequences()).doesNotContain(site.ordinal());
            injector.flush();
            assertThat(sequences()).endsWith(site.ordinal());
            switch (passed) {
                case 0 -> assertThat(injector.injected()).isEmpty();
                case 1 ->
                    assertThat(injector.injected())
                            .containsExactly(fault(FaultKind.SWAP, site.ordinal(), site.ordinal() + 1));
                default -> assertThat(injector.injected()).containsExactly(fault(FaultKind.MOVE, site.ordinal(), -1));
            }
        }
    }

    @Test
    void holdingToPassingByClose() throws Exception {
        // 0 … [h held] close() h
        FaultPlan plan = plan(FaultKind.SWAP, 3);
        FaultInjector injector = new FaultInjector(log, plan);
        for (long sequence = 0; sequence <= siteOf(plan).ordinal(); sequence++) {
            send(injector, event(sequence));
        }
        injector.close();
        assertThat(log.closed()).isTrue();
        assertThat(sequences()).endsWith(siteOf(plan).ordinal());
    }

    @Test
    void holdingToPassingByCommit() throws Exception {
        // begin() 0 … [h held] commit() h
        FaultPlan plan = plan(FaultKind.SWAP, 3);
        FaultInjector injector = new FaultInjector(log, plan);
        injector.initTransactions();
        injector.beginTransaction();
        for (long sequence = 0; sequence <= siteOf(plan).ordinal(); sequence++) {
            send(injector, event(sequence));
        }
        injector.commitTransaction();
        assertThat(sequences()).endsWith(siteOf(plan).ordinal());
    }

    @Test
    void holdingToPassingByAbortForgetsFaultsAndUsesTheirSitesAgain() throws Exception {
        // begin() 0 … [h held] abort() begin() 0 … h+1 h abort() begin() 0 … h+1 h … commit()
        FaultPlan plan = plan(FaultKind.SWAP, 3);
        FaultSite site = siteOf(plan);
        FaultInjector injector = new FaultInjector(log, plan);
        injector.initTransactions();
        for (long end : new long[] {site.ordinal() + 1, site.end() + 1}) {
            List<Exception> reported = new ArrayList<>();
            injector.beginTransaction();
            for (long sequence = 0; sequence < end; sequence++) {
                send(injector, event(sequence), (metadata, e) -> reported.add(e));
            }
            injector.abortTransaction();
            assertThat(reported).hasSize((int) end);
            assertThat(injector.injected()).isEmpty();
            if (end == site.ordinal() + 1) {
                assertThat(reported).last().isInstanceOf(TransactionAbortedException.class);
            }
        }
        injector.beginTransaction();
        for (long sequence = 0; sequence < EVENTS; sequence++) {
            send(injector, event(sequence));
        }
        injector.commitTransaction();
        assertThat(injector.injected()).containsExactly(fault(FaultKind.SWAP, site.ordinal(), site.ordinal() + 1));
        assertThat(sequences()).hasSize(EVENTS);
    }
}
