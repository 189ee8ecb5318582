package dev.stormproof.bench;

import dev.stormproof.log.audit.LogReader;
import dev.stormproof.log.kafka.KafkaLogReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The cost of an audit for each event as the log takes another shape: over more partitions, of more streams, with shorter or longer
 * intervals, with larger events. Each axis is measured against its first value, the others at the base: one partition, one stream, 1,000
 * events between checkpoints, 100 bytes.
 */
public final class ScalingCost {
    private static final Shape BASE = new Shape(1, 1, 1_000, 100);
    private static final int VALUES = 1_024;

    private final String servers;

    private ScalingCost(String servers) {
        this.servers = servers;
    }

    /** The shape of a log. */
    private record Shape(int partitions, int streams, int intervalEvents, int valueBytes) {}

    /** Takes the number of events, and of rounds. */
    public static void main(String[] arguments) throws Exception {
        CostRounds.onABroker(arguments, servers -> new ScalingCost(servers)::run);
    }

    private void run(int events, int rounds) throws Exception {
        Map<String, Shape> partitions = new LinkedHashMap<>();
        for (int n : new int[] {1, 4, 16, 64}) {
            partitions.put(n + " partitions", new Shape(n, 1, BASE.intervalEvents, BASE.valueBytes));
        }
        measure("partitions", partitions, events, rounds);
        Map<String, Shape> streams = new LinkedHashMap<>();
        for (int n : new int[] {1, 10, 100, 1_000, 10_000}) {
            streams.put(n + " streams", new Shape(1, n, 50, BASE.valueBytes));
        }
        measure("streams", streams, events, rounds);
        Map<String, Shape> intervals = new LinkedHashMap<>();
        for (int n : new int[] {1_000, 16, 100, 10_000, 100_000, 1_000_000}) {
            intervals.put(n + " events an interval", new Shape(1, 1, n, BASE.valueBytes));
        }
        measure("intervals", intervals, events, rounds);
        Map<String, Shape> sizes = new LinkedHashMap<>();
        for (int n : new int[] {100, 16, 1_000, 10_000}) {
            sizes.put(n + " bytes", new Shape(1, 1, BASE.intervalEvents, n));
        }
        measure("sizes", sizes, events / 8, rounds);
    }

    private void measure(String axis, Map<String, Shape> shapes, int events, int rounds) throws Exception {
        if (!axis.contains(System.getProperty("bench.only", ""))) {
            return;
        }
        CostRounds costs = new CostRounds("scaling-" + axis);
        for (Map.Entry<String, Shape> shape : shapes.entrySet()) {
            List<TopicPartition> log = write(axis, shape.getValue(), events);
            costs.add(shape.getKey(), () -> audit(log));
        }
        costs.run(events, rounds);
    }

    private long audit(List<TopicPartition> log) {
        long seen = 0;
        // As a thread of an audit does: over clients that go from partition to partition.
        try (LogReader ahead = new KafkaLogReader(client(), AuditCost.parser());
                LogReader back = new KafkaLogReader(client(), AuditCost.parser())) {
            for (TopicPartition partition : log) {
                seen += AuditCost.auditOne(partition, ahead, back);
            }
        }
        return seen;
    }

    private Map<String, Object> client() {
        return new HashMap<>(Map.of("bootstrap.servers", servers));
    }

    private List<TopicPartition> write(String axis, Shape shape, int events) throws Exception {
        String topic = "scaling-" + axis + "-" + shape.partitions + "-" + shape.streams + "-" + shape.intervalEvents
                + "-" + shape.valueBytes;
        try (Admin admin = Admin.create(client())) {
            admin.createTopics(List.of(new NewTopic(topic, shape.partitions, (short) 1)))
                    .all()
                    .get();
        }
        SplittableRandom random = new SplittableRandom(1);
        byte[][] values = new byte[VALUES][shape.valueBytes];
        for (byte[] value : values) {
            random.nextBytes(value);
        }
        Map<String, Object> config = client();
        config.put("linger.ms", 20);
        config.put("batch.size", 65_536);
        List<TopicPartition> log = new ArrayList<>();
        List<SignedStream> streams = new ArrayList<>();
        for (int partition = 0; partition < shape.partitions; partition++) {
            log.add(new TopicPartition(topic, partition));
            for (int i = 1; i <= shape.streams; i++) {
                streams.add(new SignedStream(log.get(partition), i));
            }
        }
        AtomicReference<Exception> failure = new AtomicReference<>();
        try (Producer<byte[], byte[]> producer =
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            Consumer<ProducerRecord<byte[], byte[]>> sending = record -> {
                var unused = producer.send(record, (metadata, e) -> failure.compareAndSet(null, e));
            };
            streams.forEach(stream -> sending.accept(stream.checkpoint(false)));
            // A partition that is being created loses what comes behind a first request that it refused.
            producer.flush();
            for (int i = 0; i < events; i++) {
                SignedStream stream = streams.get(i % streams.size());
                sending.accept(stream.event(values[i % VALUES]));
                if (stream.open() == shape.intervalEvents) {
                    sending.accept(stream.checkpoint(false));
                }
            }
            streams.forEach(stream -> sending.accept(stream.checkpoint(true)));
        }
        if (failure.get() != null) {
            throw failure.get();
        }
        return log;
    }
}
