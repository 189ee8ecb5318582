package dev.stormproof.cli.fault;

import static java.util.Objects.requireNonNull;

import dev.stormproof.proof.checkpoint.EventHeader;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** The fixture of tests of the injector: plans of one fault, events, and the log that they are sent to. */
abstract class FaultFixture {
    static final long EMITTER = 77;
    static final TopicPartition PARTITION = new TopicPartition("t", 1);
    static final int EVENTS = 40;
    static final int EVERY = 10;

    final MockProducer<byte[], byte[]> log = mock(true);

    static MockProducer<byte[], byte[]> mock(boolean autoComplete) {
        Node node = new Node(0, "localhost", 9092);
        List<PartitionInfo> partitions = new ArrayList<>();
        for (int p = 0; p < 3; p++) {
            partitions.add(new PartitionInfo("t", p, node, new Node[] {node}, new Node[] {node}));
        }
        Cluster cluster = new Cluster("c", List.of(node), partitions, Set.of(), Set.of());
        return new MockProducer<>(cluster, autoComplete, null, new ByteArraySerializer(), new ByteArraySerializer());
    }

    static FaultPlan plan(FaultKind kind, long seed) {
        return FaultPlan.of(Map.of(PARTITION, EVENTS), Map.of(kind, 1), EVERY, seed);
    }

    static FaultSite siteOf(FaultPlan plan) {
        return plan.sitesOf(PARTITION).firstEntry().getValue();
    }

    static ProducerRecord<byte[], byte[]> event(long sequence, byte @Nullable [] value) {
        RecordHeaders headers = new RecordHeaders();
        headers.add(
                EventHeader.NAME,
                new EventHeader(EMITTER, sequence, TreeHash.XXH3, 128, Hash.copyOf(new byte[] {1})).encode());
        return new ProducerRecord<>(PARTITION.topic(), PARTITION.partition(), null, null, value, headers);
    }

    static ProducerRecord<byte[], byte[]> event(long sequence) {
        return event(sequence, ("value " + sequence).getBytes(StandardCharsets.UTF_8));
    }

    static ProducerRecord<byte[], byte[]> checkpoint() {
        RecordHeaders headers = new RecordHeaders();
        headers.add(Format2Checkpoint.HEADER, new byte[] {0});
        return new ProducerRecord<>(PARTITION.topic(), PARTITION.partition(), null, null, null, headers);
    }

    static void send(FaultInjector injector, ProducerRecord<byte[], byte[]> record) {
        send(injector, record, null);
    }

    static void send(FaultInjector injector, ProducerRecord<byte[], byte[]> record, @Nullable Callback callback) {
        Future<RecordMetadata> unused = injector.send(record, callback);
    }

    /** Sends all planned events, with a checkpoint after each interval. */
    static void sendAll(FaultInjector injector) {
        for (long sequence = 0; sequence < EVENTS; sequence++) {
            send(injector, event(sequence));
            if (sequence % EVERY == EVERY - 1) {
                send(injector, checkpoint());
            }
        }
    }

    /** Sequences in the order of the log; -1 is a checkpoint. */
    List<Long> sequences() throws Exception {
        List<Long> sequences = new ArrayList<>();
        for (ProducerRecord<byte[], byte[]> record : log.history()) {
            boolean isEvent = record.headers().lastHeader(EventHeader.NAME) != null;
            sequences.add(isEvent ? headerOf(record).sequence() : -1L);
        }
        return sequences;
    }

    static EventHeader headerOf(ProducerRecord<byte[], byte[]> record) throws Exception {
        return EventHeader.decode(
                requireNonNull(record.headers().lastHeader(EventHeader.NAME)).value());
    }

    static List<Long> untouched() {
        List<Long> sequences = new ArrayList<>();
        for (long sequence = 0; sequence < EVENTS; sequence++) {
            sequences.add(sequence);
            if (sequence % EVERY == EVERY - 1) {
                sequences.add(-1L);
            }
        }
        return sequences;
    }

    static InjectedFault fault(FaultKind kind, long sequence, long other) {
        return new InjectedFault(kind, PARTITION.topic(), PARTITION.partition(), sequence, other, EMITTER);
    }

    static FaultPlan longMove() {
        return LongStream.range(0, 100)
                .mapToObj(seed -> plan(FaultKind.MOVE, seed))
                .filter(candidate -> siteOf(candidate).distance() > 3)
                .findFirst()
                .orElseThrow();
    }
}
