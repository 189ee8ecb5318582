package dev.stormproof.bench;

import static dev.stormproof.bench.AuditCost.Protection.ACCIDENTS;
import static dev.stormproof.bench.AuditCost.Protection.TAMPERING;

import dev.stormproof.emit.CheckpointingProducer;
import dev.stormproof.emit.EmitterConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
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
 * event, by the thread that sends, and how many events a second are acknowledged.
 *
 * <pre>
 *   this JVM    in each round, one producer after the other: sends without a pause, a flush
 *   child JVM   broker
 * </pre>
 */
public final class EmitterCost {
    private static final List<Integer> VALUE_BYTES = List.of(100, 1_000);
    /** As many values as the events differ in; they are made before the clock runs. */
    private static final int VALUES = 4_096;

    /** What is sent with, and a header that is put to each record; of 0 bytes: none. */
    private record Sending(Function<Map<String, Object>, Producer<byte[], byte[]>> producer, int headerBytes) {}

    private final String servers;

    private EmitterCost(String servers) {
        this.servers = servers;
    }

    /** Takes the number of events, and of rounds. */
    public static void main(String[] arguments) throws Exception {
        CostRounds.onABroker(arguments, servers -> new EmitterCost(servers)::run);
    }

    private void run(int events, int rounds) throws Exception {
        Map<String, Sending> all = new LinkedHashMap<>();
        all.put("KafkaProducer", new Sending(EmitterCost::plain, 0));
        all.put("KafkaProducer, header of 32 B", new Sending(EmitterCost::plain, 32));
        all.put("emitter, accidents, root", new Sending(config -> checkpointing(config, ACCIDENTS, "root"), 0));
        all.put("emitter, accidents, leaves", new Sending(config -> checkpointing(config, ACCIDENTS, "leaves"), 0));
        all.put("KafkaProducer, header of 48 B", new Sending(EmitterCost::plain, 48));
        all.put("emitter, tampering, root", new Sending(config -> checkpointing(config, TAMPERING, "root"), 0));
        for (int valueBytes : VALUE_BYTES) {
            int count = (int) Math.min(events, events * 300L / valueBytes);
            byte[][] values = values(valueBytes);
            CostRounds costs = new CostRounds("emitter-" + valueBytes);
            List<String> topics = new ArrayList<>();
            for (Map.Entry<String, Sending> each : all.entrySet()) {
                String topic = "sent-" + valueBytes + "-" + topics.size();
                topics.add(topic);
                costs.add(each.getKey(), () -> send(topic, each.getValue(), count, values));
            }
            try (Admin admin = Admin.create(client())) {
                admin.createTopics(topics.stream()
                                .map(topic -> new NewTopic(topic, 1, (short) 1))
                                .toList())
                        .all()
                        .get();
                costs.run(count, rounds);
                admin.deleteTopics(topics).all().get();
            }
        }
    }

    private Map<String, Object> client() {
        return new HashMap<>(Map.of("bootstrap.servers", servers));
    }

    private static byte[][] values(int valueBytes) {
        SplittableRandom random = new SplittableRandom(1);
        byte[][] values = new byte[VALUES][valueBytes];
        for (byte[] value : values) {
            random.nextBytes(value);
        }
        return values;
    }

    private static Producer<byte[], byte[]> plain(Map<String, Object> config) {
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static Producer<byte[], byte[]> checkpointing(
            Map<String, Object> config, AuditCost.Protection protection, String detail) {
        config.putAll(protection.emitter());
        config.put(EmitterConfig.DETAIL, detail);
        return new CheckpointingProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private long send(String topic, Sending sending, int count, byte[][] values) {
        AtomicLong arrived = new AtomicLong();
        Callback callback = (metadata, failure) -> {
            if (failure == null) {
                arrived.incrementAndGet();
            }
        };
        byte[] header = new byte[sending.headerBytes];
        Map<String, Object> config = client();
        config.put("linger.ms", 20);
        config.put("batch.size", 65_536);
        try (Producer<byte[], byte[]> producer = sending.producer.apply(config)) {
            for (int i = 0; i < count; i++) {
                ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, null, null, values[i % VALUES]);
                if (header.length > 0) {
                    record.headers().add("sp-e", header);
                }
                var unused = producer.send(record, callback);
            }
            producer.flush();
        }
        return arrived.get();
    }
}
