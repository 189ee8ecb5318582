package dev.stormproof.fault;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
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
    void aLostEventIsMissing() throws Exception {
        for (long seed = 0; seed < 50; seed++) {
            log.clear();
            FaultPlan plan = plan(FaultKind.LOSE, seed);
            FaultInjector injector = new FaultInjector(log, plan);
            sendAll(injector);
            List<Long> expected = untouched();
            expected.remove(siteOf(plan).ordinal());
            assertThat(sequences()).isEqualTo(expected);
            assertThat(injector.injected())
                    .containsExactly(fault(FaultKind.LOSE, siteOf(plan).ordinal(), -1));
        }
    }

    @Test
    void aDuplicatedEventFollowsItself() throws Exception {
        for (long seed = 0; seed < 50; seed++) {
            log.clear();
            FaultPlan plan = plan(FaultKind.DUPLICATE, seed);
            FaultInjector injector = new FaultInjector(log, plan);
            sendAll(injector);
            long sequence = siteOf(plan).ordinal();
            List<Long> expected = untouched();
            expected.add(expected.indexOf(sequence), sequence);
            assertThat(sequences()).isEqualTo(expected);
            assertThat(injector.injected()).containsExactly(fault(FaultKind.DUPLICATE, sequence, -1));
        }
    }

    @Test
    void aSwappedEventFollowsTheNextAlsoAcrossACheckpoint() throws Exception {
        boolean acrossSeen = false;
        for (long seed = 0; seed < 100; seed++) {
            log.clear();
            FaultPlan plan = plan(FaultKind.SWAP, seed);
            FaultInjector injector = new FaultInjector(log, plan);
            sendAll(injector);
            long sequence = siteOf(plan).ordinal();
            List<Long> expected = untouched();
            expected.remove(sequence);
            expected.add(expected.indexOf(sequence + 1) + 1, sequence);
            assertThat(sequences()).as("seed " + seed).isEqualTo(expected);
            assertThat(injector.injected()).containsExactly(fault(FaultKind.SWAP, sequence, sequence + 1));
            acrossSeen |= sequence % EVERY == EVERY - 1;
        }
        assertThat(acrossSeen).isTrue();
    }

    @Test
    void aMovedEventFollowsTheEventsOfItsDistance() throws Exception {
        boolean acrossSeen = false;
        for (long seed = 0; seed < 100; seed++) {
            log.clear();
            FaultPlan plan = plan(FaultKind.MOVE, seed);
            FaultInjector injector = new FaultInjector(log, plan);
            sendAll(injector);
            FaultSite site = siteOf(plan);
            List<Long> expected = untouched();
            expected.remove(site.ordinal());
            expected.add(expected.indexOf(site.ordinal() + site.distance()) + 1, site.ordinal());
            assertThat(sequences()).as("seed " + seed).isEqualTo(expected);
            assertThat(injector.injected()).containsExactly(fault(FaultKind.MOVE, site.ordinal(), -1));
            acrossSeen |= site.ordinal() / EVERY != (site.ordinal() + site.distance()) / EVERY;
        }
        assertThat(acrossSeen).isTrue();
    }

    @Test
    void anAlteredEventHasAnotherValueAndItsHeaders() throws Exception {
        byte[][] values = {null, {}, {5}, "a longer value".getBytes(StandardCharsets.UTF_8)};
        for (long seed = 0; seed < 50; seed++) {
            for (byte[] value : values) {
                log.clear();
                FaultPlan plan = plan(FaultKind.ALTER, seed);
                FaultInjector injector = new FaultInjector(log, plan);
                for (long sequence = 0; sequence < EVENTS; sequence++) {
                    send(injector, event(sequence, value));
                }
                for (ProducerRecord<byte[], byte[]> record : log.history()) {
                    if (headerOf(record).sequence() == siteOf(plan).ordinal()) {
                        assertThat(record.value()).isNotNull().isNotEqualTo(value);
                    } else {
                        assertThat(record.value()).isEqualTo(value);
                    }
                }
                assertThat(injector.injected())
                        .containsExactly(fault(FaultKind.ALTER, siteOf(plan).ordinal(), -1));
            }
        }
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
