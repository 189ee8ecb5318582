package dev.stormproof.bench;

import dev.stormproof.emit.CheckpointingProducer;
import dev.stormproof.emit.EmitterConfig;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The way of one event from the application to the inner producer, which takes it and does nothing: time and bytes of ours alone,
 * with those of the record and of its share of a checkpoint over 1,000.
 */
@State(Scope.Thread)
public class SentEvent {
    private static final String TOPIC = "orders";
    private static final Node BROKER = new Node(0, "localhost", 9092);

    @Param({"100", "1000"})
    public int valueBytes;

    /** What is sent with: nothing of ours, which is a KafkaProducer that does nothing, or a detail of checkpoints. */
    @Param({"none", "root", "leaves"})
    public String detail = "";

    /** The hash of content and tree. */
    @Param({"xxh3", "sha256"})
    public String hash = "";

    private byte[] value = {};
    private Producer<byte[], byte[]> producer = new Sink();
    private long arrived;

    @Setup
    public void open() {
        value = new byte[valueBytes];
        new SplittableRandom(1).nextBytes(value);
        if (!detail.equals("none")) {
            Map<String, Object> config = new HashMap<>(Map.of(
                    "bootstrap.servers",
                    "localhost:1",
                    EmitterConfig.DETAIL,
                    detail,
                    EmitterConfig.EVENT_SIGNER,
                    hash + "-key-value",
                    EmitterConfig.TREE_HASH,
                    hash,
                    EmitterConfig.MAX_EVENTS,
                    1_000));
            producer = new CheckpointingProducer<>(
                    config, new ByteArraySerializer(), new ByteArraySerializer(), settings -> new Sink());
        }
    }

    @Benchmark
    public Future<RecordMetadata> send() {
        return producer.send(new ProducerRecord<>(TOPIC, null, null, value), (metadata, failure) -> arrived++);
    }

    @TearDown
    public void close() {
        producer.close();
    }

    /** An inner producer that lets records arrive a little later, and keeps none. */
    private static final class Sink extends MockProducer<byte[], byte[]> {
        private static final RecordMetadata METADATA = new RecordMetadata(new TopicPartition(TOPIC, 0), 0, 0, 0, 0, 0);
        private static final Future<RecordMetadata> DONE = CompletableFuture.completedFuture(METADATA);

        private final Callback[] inFlight = new Callback[8];
        private int next;

        Sink() {
            super(
                    new Cluster(
                            "bench",
                            List.of(BROKER),
                            List.of(new PartitionInfo(TOPIC, 0, BROKER, new Node[] {BROKER}, new Node[] {BROKER})),
                            Set.of(),
                            Set.of()),
                    true,
                    null,
                    new ByteArraySerializer(),
                    new ByteArraySerializer());
        }

        @Override
        public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
            Callback before = inFlight[next];
            inFlight[next] = callback;
            next = (next + 1) % inFlight.length;
            if (before != null) {
                before.onCompletion(METADATA, null);
            }
            return DONE;
        }

        @Override
        public synchronized void flush() {
            for (int i = 0; i < inFlight.length; i++) {
                if (inFlight[i] != null) {
                    inFlight[i].onCompletion(METADATA, null);
                    inFlight[i] = null;
                }
            }
        }
    }
}
