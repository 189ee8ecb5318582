package dev.stormproof.task.live.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.cli.fault.FaultInjector;
import dev.stormproof.cli.fault.FaultPlan;
import dev.stormproof.emit.CheckpointingProducer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** What the real emitter writes, on paper: to be changed at will before it is sent. */
public final class PaperLog {
    private PaperLog() {}

    /**
     * The records of so many events, one partition after the other, checkpoint 0 and the closing one included.
     *
     * @param every how many events an interval has
     * @param settings more settings of the emitter
     */
    public static List<ProducerRecord<byte[], byte[]>> of(
            String topic, int partitions, int events, int every, Map<String, Object> settings) {
        return of(topic, partitions, events, every, settings, FaultPlan.none());
    }

    /** The same with faults behind the signer. */
    public static List<ProducerRecord<byte[], byte[]>> of(
            String topic, int partitions, int events, int every, Map<String, Object> settings, FaultPlan faults) {
        return of(topic, partitions, events, every, settings, faults, event -> null);
    }

    /** The same of events with keys. */
    public static List<ProducerRecord<byte[], byte[]>> of(
            String topic,
            int partitions,
            int events,
            int every,
            Map<String, Object> settings,
            FaultPlan faults,
            IntFunction<byte @Nullable []> keys) {
        IntFunction<byte[]> lines = event -> ("2015-07-29 17:41:44,747 - INFO " + event).getBytes(UTF_8);
        return of(topic, partitions, events, every, settings, faults, keys, lines);
    }

    /** The same of events with keys and values. */
    public static List<ProducerRecord<byte[], byte[]>> of(
            String topic,
            int partitions,
            int events,
            int every,
            Map<String, Object> settings,
            FaultPlan faults,
            IntFunction<byte @Nullable []> keys,
            IntFunction<byte[]> values) {
        Node node = new Node(0, "localhost", 1);
        List<PartitionInfo> infos = new ArrayList<>();
        for (int partition = 0; partition < partitions; partition++) {
            infos.add(new PartitionInfo(topic, partition, node, new Node[] {node}, new Node[] {node}));
        }
        MockProducer<byte[], byte[]> paper = new MockProducer<>(
                new Cluster("c", List.of(node), infos, Set.of(), Set.of()),
                true,
                null,
                new ByteArraySerializer(),
                new ByteArraySerializer());
        Map<String, Object> all = new HashMap<>(settings);
        all.put("bootstrap.servers", "localhost:1");
        // Nobody answers there: what may be asked of a cluster is not waited for.
        all.put("max.block.ms", 1L);
        all.put("stormproof.checkpoint.max.events", every);
        all.put("stormproof.checkpoint.max.interval.ms", 600_000L);
        try (CheckpointingProducer<byte[], byte[]> producer = new CheckpointingProducer<>(
                all,
                new ByteArraySerializer(),
                new ByteArraySerializer(),
                properties -> new FaultInjector(paper, faults))) {
            for (int event = 0; event < events; event++) {
                var unused = producer.send(
                        new ProducerRecord<>(topic, event % partitions, keys.apply(event), values.apply(event)));
            }
        }
        return new ArrayList<>(paper.history());
    }
}
