package dev.stormproof.cli.fault;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

/** The log holds the faults of the plan, and no others. */
class FaultInjectorTest extends FaultFixture {
    @Test
    void withoutFaultsEverythingPasses() throws Exception {
        FaultInjector injector = new FaultInjector(log, FaultPlan.none());
        sendAll(injector);
        assertThat(sequences()).isEqualTo(untouched());
        assertThat(injector.injected()).isEmpty();
    }

    @Test
    void allKindsTogetherDoWhatIsRecorded() throws Exception {
        for (long seed = 0; seed < 200; seed++) {
            log.clear();
            Map<FaultKind, Integer> one = Map.of(
                    FaultKind.LOSE,
                    1,
                    FaultKind.DUPLICATE,
                    1,
                    FaultKind.SWAP,
                    1,
                    FaultKind.MOVE,
                    1,
                    FaultKind.ALTER,
                    1);
            FaultPlan plan = FaultPlan.of(Map.of(PARTITION, EVENTS), one, EVERY, seed);
            FaultInjector injector = new FaultInjector(log, plan);
            sendAll(injector);
            List<Long> expected = untouched();
            for (InjectedFault fault : injector.injected()) {
                Long sequence = fault.sequence();
                switch (fault.kind()) {
                    case LOSE -> expected.remove(sequence);
                    case DUPLICATE -> expected.add(expected.indexOf(sequence), sequence);
                    case SWAP -> {
                        expected.remove(sequence);
                        expected.add(expected.indexOf(fault.otherSequence()) + 1, sequence);
                    }
                    case MOVE -> {
                        int distance = requireNonNull(plan.sitesOf(PARTITION).get(sequence))
                                .distance();
                        expected.remove(sequence);
                        expected.add(expected.indexOf(sequence + distance) + 1, sequence);
                    }
                    case ALTER -> {}
                }
            }
            assertThat(injector.injected()).hasSize(5);
            assertThat(sequences()).as("seed " + seed).isEqualTo(expected);
        }
    }

    @Test
    void anEventOfFormat1IsCountedAndItsCheckpointPasses() {
        FaultPlan plan = plan(FaultKind.LOSE, 3);
        FaultInjector injector = new FaultInjector(log, plan);
        byte[] checkpoint = {(byte) 0xcd, (byte) 0xaa, (byte) 0xce, (byte) 0x99, 0, 0, 0, 3};
        for (int i = 0; i < EVENTS; i++) {
            send(injector, new ProducerRecord<>("t", 1, null, new byte[] {(byte) i}));
            send(injector, new ProducerRecord<>("t", 1, null, checkpoint));
        }
        assertThat(log.history()).hasSize(2 * EVENTS - 1);
        assertThat(injector.injected())
                .containsExactly(
                        new InjectedFault(FaultKind.LOSE, "t", 1, siteOf(plan).ordinal(), -1, 0));
    }

    @Test
    void aRecordWithoutAPartitionIsRefused() {
        FaultInjector injector = new FaultInjector(log, FaultPlan.none());
        assertThatThrownBy(() -> injector.send(new ProducerRecord<>("t", new byte[0])))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
