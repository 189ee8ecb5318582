package dev.stormproof.bench;

import dev.stormproof.emit.CheckpointingProducer;
import dev.stormproof.emit.EmitterConfig;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The cost of sending with signatures and checkpoints, against a KafkaProducer with a callback: CPU time and bytes allocated for each
 * event, by the thread that sends.
 *
 * <pre>
 *   this JVM    for each round and producer: a topic, sends without a pause, a flush; the topic is deleted
 *   child JVM   broker
 * </pre>
 */
public final class EmitterCost {
    private static final List<Integer> VALUE_BYTES = List.of(100, 1_000);
    /** As many values as the events differ in; they are made before the clock runs. */
    private static final int VALUES = 4_096;
    /** Beside its name, which both have: about what an event's header takes on the wire. */
    private static final byte[] HEADER = new byte[32];

    private final String servers;
    private int topics;

    private EmitterCost(String servers) {
        this.servers = servers;
    }

    /** Takes the number of events, and of rounds. */
    public static void main(String[] arguments) throws Exception {
        CostRounds.onABroker(arguments, servers -> new EmitterCost(servers)::run);
    }

    private void run(int events, int rounds) throws Exception {
        for (int valueBytes : VALUE_BYTES) {
            int count = (int) Math.min(events, events * 300L / valueBytes);
            byte[][] values = values(valueBytes);
            new CostRounds("emitter-" + valueBytes)
                    .add("KafkaProducer", () -> send(this::plain, count, values, false))
                    .add("KafkaProducer, with a header", () -> send(this::plain, count, values, true))
                    .add("CheckpointingProducer, root", () -> send(this::checkpointing, count, values, false))
                    .add("CheckpointingProducer, leaves", () -> send(this::withLeaves, count, values, false))
                    .run(count, rounds);
        }
    }

    private static byte[][] values(int valueBytes) {
        SplittableRandom random = new SplittableRandom(1);
        byte[][] values = new byte[VALUES][valueBytes];
        for (byte[] value : values) {
            random.nextBytes(value);
        }
        return values;
    }

    private Producer<byte[], byte[]> plain(Map<String, Object> config) {
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private Producer<byte[], byte[]> checkpointing(Map<String, Object> config) {
        config.put(EmitterConfig.DETAIL, "root");
        return new CheckpointingProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private Producer<byte[], byte[]> withLeaves(Map<String, Object> config) {
        config.put(EmitterConfig.DETAIL, "leaves");
        return new CheckpointingProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private long send(
            Function<Map<String, Object>, Producer<byte[], byte[]>> producers,
            int count,
            byte[][] values,
            boolean withHeader)
            throws Exception {
        String topic = "sent-" + topics++;
        AtomicLong arrived = new AtomicLong();
        Callback callback = (metadata, failure) -> {
            if (failure == null) {
                arrived.incrementAndGet();
            }
        };
        Map<String, Object> client = Map.of("bootstrap.servers", servers);
        try (Admin admin = Admin.create(client)) {
            admin.createTopics(
                            List.of(new NewTopic(topic, 1, (short) 1).configs(Map.of("file.delete.delay.ms", "1000"))))
                    .all()
                    .get();
            Map<String, Object> config = new HashMap<>(client);
            config.put("linger.ms", 20);
            config.put("batch.size", 65_536);
            try (Producer<byte[], byte[]> producer = producers.apply(config)) {
                for (int i = 0; i < count; i++) {
                    ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, null, null, values[i % VALUES]);
                    if (withHeader) {
                        record.headers().add("sp-e", HEADER);
                    }
                    var unused = producer.send(record, callback);
                }
                producer.flush();
            }
            admin.deleteTopics(List.of(topic)).all().get();
        }
        return arrived.get();
    }
}
