package dev.stormproof.fault;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.checkpoint.EventHeader;
import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.fault.FaultPlan.Site;
import dev.stormproof.merkle.Hash;
import dev.stormproof.merkle.TreeHash;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TransactionAbortedException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FaultInjectorTest {
    private static final long EMITTER = 77;
    private static final TopicPartition PARTITION = new TopicPartition("t", 1);
    private static final int EVENTS = 40;
    private static final int EVERY = 10;

    private final MockProducer<byte[], byte[]> log = mock(true);

    private static MockProducer<byte[], byte[]> mock(boolean autoComplete) {
        Node node = new Node(0, "localhost", 9092);
        List<PartitionInfo> partitions = new ArrayList<>();
        for (int p = 0; p < 3; p++) {
            partitions.add(new PartitionInfo("t", p, node, new Node[] {node}, new Node[] {node}));
        }
        Cluster cluster = new Cluster("c", List.of(node), partitions, Set.of(), Set.of());
        return new MockProducer<>(cluster, autoComplete, null, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static FaultPlan plan(FaultKind kind, long seed) {
        return FaultPlan.of(Map.of(PARTITION, EVENTS), Map.of(kind, 1), EVERY, seed);
    }

    private static Site siteOf(FaultPlan plan) {
        return plan.sitesOf(PARTITION).get(0);
    }

    private static ProducerRecord<byte[], byte[]> event(long sequence, byte @Nullable [] value) {
        RecordHeaders headers = new RecordHeaders();
        headers.add(
                EventHeader.NAME,
                new EventHeader(EMITTER, sequence, TreeHash.XXH3, 128, Hash.copyOf(new byte[] {1})).encode());
        return new ProducerRecord<>(PARTITION.topic(), PARTITION.partition(), null, null, value, headers);
    }

    private static ProducerRecord<byte[], byte[]> event(long sequence) {
        return event(sequence, ("value " + sequence).getBytes(StandardCharsets.UTF_8));
    }

    private static ProducerRecord<byte[], byte[]> checkpoint() {
        RecordHeaders headers = new RecordHeaders();
        headers.add(Format2Checkpoint.HEADER, new byte[] {0});
        return new ProducerRecord<>(PARTITION.topic(), PARTITION.partition(), null, null, null, headers);
    }

    private static void send(FaultInjector injector, ProducerRecord<byte[], byte[]> record) {
        send(injector, record, null);
    }

    private static void send(
            FaultInjector injector, ProducerRecord<byte[], byte[]> record, @Nullable Callback callback) {
        Future<RecordMetadata> unused = injector.send(record, callback);
    }

    /** Sends all planned events, with a checkpoint after each interval. */
    private static void sendAll(FaultInjector injector) {
        for (long sequence = 0; sequence < EVENTS; sequence++) {
            send(injector, event(sequence));
            if (sequence % EVERY == EVERY - 1) {
                send(injector, checkpoint());
            }
        }
    }

    /** Sequences in the order of the log; -1 is a checkpoint. */
    private List<Long> sequences() throws Exception {
        List<Long> sequences = new ArrayList<>();
        for (ProducerRecord<byte[], byte[]> record : log.history()) {
            boolean isEvent = record.headers().lastHeader(EventHeader.NAME) != null;
            sequences.add(isEvent ? headerOf(record).sequence() : -1L);
        }
        return sequences;
    }

    private static EventHeader headerOf(ProducerRecord<byte[], byte[]> record) throws Exception {
        return EventHeader.decode(
                requireNonNull(record.headers().lastHeader(EventHeader.NAME)).value());
    }

    private static List<Long> untouched() {
        List<Long> sequences = new ArrayList<>();
        for (long sequence = 0; sequence < EVENTS; sequence++) {
            sequences.add(sequence);
            if (sequence % EVERY == EVERY - 1) {
                sequences.add(-1L);
            }
        }
        return sequences;
    }

    private static InjectedFault fault(FaultKind kind, long sequence, long other) {
        return new InjectedFault(kind, PARTITION.topic(), PARTITION.partition(), sequence, other, EMITTER);
    }

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
            Site site = siteOf(plan);
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
                        int distance =
                                requireNonNull(plan.siteOf(PARTITION, sequence)).distance();
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
    void theSenderOfALostEventIsToldThatItArrived() throws Exception {
        FaultPlan plan = plan(FaultKind.LOSE, 3);
        FaultInjector injector = new FaultInjector(log, plan);
        List<RecordMetadata> told = new ArrayList<>();
        for (long sequence = 0; sequence < EVENTS; sequence++) {
            Future<RecordMetadata> future = injector.send(event(sequence), (metadata, exception) -> {
                assertThat(exception).isNull();
                told.add(metadata);
            });
            assertThat(future.get().hasOffset()).isTrue();
        }
        assertThat(told).hasSize(EVENTS);
        RecordMetadata lost = told.get((int) siteOf(plan).ordinal());
        assertThat(lost.topic()).isEqualTo("t");
        assertThat(lost.partition()).isEqualTo(1);
        assertThat(lost.offset()).isEqualTo(siteOf(plan).ordinal());
        assertThat(lost.serializedValueSize()).isPositive();
    }

    @Test
    void theSenderOfAHeldEventIsToldWhenItIsWritten() throws Exception {
        FaultPlan plan = plan(FaultKind.MOVE, 3);
        FaultInjector injector = new FaultInjector(log, plan);
        Site site = siteOf(plan);
        List<Long> told = new ArrayList<>();
        Future<RecordMetadata> held = null;
        for (long sequence = 0; sequence < site.end(); sequence++) {
            long sent = sequence;
            Future<RecordMetadata> future = injector.send(event(sequence), (metadata, exception) -> told.add(sent));
            if (sequence == site.ordinal()) {
                held = future;
            } else if (sequence > site.ordinal() && sequence < site.end() - 1) {
                assertThat(requireNonNull(held).isDone()).isFalse();
            }
        }
        assertThat(requireNonNull(held).get().offset()).isEqualTo(site.end() - 1);
        assertThat(told).endsWith(site.ordinal());
    }

    @Test
    void aFailureOfAHeldEventReachesItsSender() {
        MockProducer<byte[], byte[]> slow = mock(false);
        FaultPlan plan = plan(FaultKind.SWAP, 3);
        FaultInjector injector = new FaultInjector(slow, plan);
        List<Exception> told = new ArrayList<>();
        Future<RecordMetadata> held = null;
        for (long sequence = 0; sequence < siteOf(plan).end(); sequence++) {
            Future<RecordMetadata> future =
                    injector.send(event(sequence), (metadata, exception) -> told.add(exception));
            held = sequence == siteOf(plan).ordinal() ? future : held;
        }
        KafkaException failure = new KafkaException("no");
        while (slow.errorNext(failure)) {
            assertThat(told).last().isEqualTo(failure);
        }
        assertThat(told).hasSize((int) siteOf(plan).end());
        assertThatThrownBy(requireNonNull(held)::get)
                .isInstanceOf(ExecutionException.class)
                .hasCause(failure);
    }

    @Test
    void anEventThatIsRefusedIsNotCounted() throws Exception {
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

    private static FaultPlan longMove() {
        return LongStream.range(0, 100)
                .mapToObj(seed -> plan(FaultKind.MOVE, seed))
                .filter(candidate -> siteOf(candidate).distance() > 3)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void anEventThatOnlyACheckpointHasPassedWasMoved() throws Exception {
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
    void flushReleasesWhatIsHeldAndRecordsWhatThatDid() throws Exception {
        FaultPlan plan = longMove();
        Site site = siteOf(plan);
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
    void closeReleasesWhatIsHeld() throws Exception {
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
    void commitReleasesWhatIsHeld() throws Exception {
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
    void abortForgetsFaultsAndUsesTheirSitesAgain() throws Exception {
        FaultPlan plan = plan(FaultKind.SWAP, 3);
        Site site = siteOf(plan);
        FaultInjector injector = new FaultInjector(log, plan);
        injector.initTransactions();
        for (long end : new long[] {site.ordinal() + 1, site.end() + 1}) {
            List<Exception> told = new ArrayList<>();
            injector.beginTransaction();
            for (long sequence = 0; sequence < end; sequence++) {
                send(injector, event(sequence), (metadata, e) -> told.add(e));
            }
            injector.abortTransaction();
            assertThat(told).hasSize((int) end);
            assertThat(injector.injected()).isEmpty();
            if (end == site.ordinal() + 1) {
                assertThat(told).last().isInstanceOf(TransactionAbortedException.class);
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
