package dev.stormproof.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.emit.CheckpointingProducer;
import dev.stormproof.soak.TopologyProcess;
import dev.stormproof.task.config.TrackerPlacement;
import dev.stormproof.task.live.run.Release;
import dev.stormproof.task.live.testing.RawProducer;
import dev.stormproof.trial.Arguments;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Extreme records against a topology with an output, honest events between them.
 *
 * <pre>
 *   ExtremeRecords ──► partitions 0 and 1 ──┐                       ┌──► output = transformed input, or stands with an alert
 *   honest emitter ──► partitions 0 to 3 ───┴──► topology, a JVM ───┼──► partitions 2 and 3: no alert
 *                                                ✗ must not end     └──► progress reaches the end everywhere
 * </pre>
 *
 * <p>Where the output stands, the record is released as a person would release it. Exits with 1 if anything else happens.
 */
public final class RecordFuzz {
    private static final String USAGE = """
            Sends records with every field at its extremes to a topology with an output, honest events between them. The output must be the
            transformed input or stand with an alert, every other partition goes on, and the topology stays alive. Exits with 1 if not.

              scripts/trial record-fuzz [RECORDS [SEED [PLACEMENT [ON_ERROR]]]]

            RECORDS is 100000 and SEED is 1 if not given. PLACEMENT is where the topology verifies, bolt or source; bolt if not given. ON_ERROR
            is divert or halt; divert if not given. Needs a JDK 17 or newer (JAVA_HOME, or java in PATH), and the network for the first build.
            """;

    private static final int PARTITIONS = 4;
    private static final int HOSTILE = 2;
    private static final int BOMB_BYTES = 70_000_000;
    private static final long PATIENCE_SECONDS = 180;
    private static final long RELEASED_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final EmbeddedKafka kafka;
    private final String topic;
    private final int records;
    private final SplittableRandom random;
    private final TrackerPlacement placement;
    private final boolean diverts;
    private final PrintStream out;
    private final Map<Errors, Integer> answers = new TreeMap<>();
    private final Map<TopicPartition, Long> releasedAt = new HashMap<>();
    private final Map<TopicPartition, Long> releasedNanos = new HashMap<>();
    private int releases;

    /**
     * @param topic how the names of its topics begin
     * @param records how many extreme records it sends, about
     */
    RecordFuzz(
            EmbeddedKafka kafka,
            String topic,
            int records,
            long seed,
            TrackerPlacement placement,
            boolean diverts,
            PrintStream out) {
        this.kafka = kafka;
        this.topic = topic;
        this.records = records;
        this.random = new SplittableRandom(seed);
        this.placement = placement;
        this.diverts = diverts;
        this.out = out;
    }

    public static void main(String[] args) throws Exception {
        Arguments arguments = Arguments.of(USAGE, 4, args);
        int records = Math.toIntExact(arguments.number(0, 100_000));
        long seed = arguments.number(1, 1);
        TrackerPlacement placement = TrackerPlacement.of(arguments.word(2, "bolt", "source"));
        boolean diverts = arguments.word(3, "divert", "halt").equals("divert");
        List<String> faults;
        try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
            faults = new RecordFuzz(kafka, "fuzz", records, seed, placement, diverts, System.out).run();
        }
        faults.forEach(System.out::println);
        System.out.println(faults.isEmpty() ? "nothing stopped, nothing is missing" : faults.size() + " faults");
        System.exit(faults.isEmpty() ? 0 : 1);
    }

    /** Runs it and returns what was not as it should be. */
    List<String> run() throws Exception {
        kafka.createTopic(topic, PARTITIONS, Map.of());
        kafka.createTopic(topic + "-output", PARTITIONS, Map.of());
        kafka.createTopic(topic + "-diverted", 1, Map.of());
        kafka.createTopic(topic + "-alerts", 1, Map.of());
        Path config = Files.createTempFile("stormproof-fuzz-", ".properties");
        try {
            Files.write(config, configuration(), UTF_8);
            try (TopologyProcess topology = TopologyProcess.start(config)) {
                topology.awaitStarted();
                widen();
                emit();
                out.printf("sent; the broker answered %s%n", answers);
                return checked(topology);
            }
        } finally {
            Files.deleteIfExists(config);
        }
    }

    private List<String> configuration() {
        List<String> lines = new ArrayList<>(List.of(
                "bootstrap.servers=" + kafka.bootstrapServers(),
                "group.id=" + topic + "-group",
                "input.topics=" + topic,
                "alerts.topic=" + topic + "-alerts",
                "output.topic=" + topic + "-output",
                "diverted.topic=" + topic + "-diverted",
                "transform=" + FussyTransform.class.getName(),
                "transform.retries=0",
                "transform.on.error=" + (diverts ? "divert" : "halt"),
                "tracker.placement=" + placement.label(),
                // Of the emitters that only forged headers name nothing more comes.
                "silence.grace.ms=2000",
                "silence.deadline.max.ms=5000",
                "silence.without.deadline.ms=5000",
                "spout.tasks=2"));
        if (placement == TrackerPlacement.BOLT) {
            lines.add("transform.tasks=2");
            lines.add("checkpoint.tasks=2");
        }
        return lines;
    }

    /** Lets the input take what its output does not, as an operator may: any time, and in one of two runs larger batches. */
    private void widen() throws Exception {
        Map<String, String> wide = new HashMap<>();
        wide.put(TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG, Long.toString(Long.MAX_VALUE));
        if (random.nextBoolean()) {
            wide.put(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, "6000000");
        }
        List<AlterConfigOp> changes = wide.entrySet().stream()
                .map(one -> new AlterConfigOp(new ConfigEntry(one.getKey(), one.getValue()), AlterConfigOp.OpType.SET))
                .toList();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.incrementalAlterConfigs(Map.of(new ConfigResource(ConfigResource.Type.TOPIC, topic), changes))
                    .all()
                    .get();
        }
    }

    private void emit() throws Exception {
        ExtremeRecords extremes = new ExtremeRecords(random.split());
        Map<String, Object> settings = Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                "stormproof.checkpoint.max.events",
                50,
                "stormproof.checkpoint.max.interval.ms",
                300L);
        AtomicReference<Exception> refused = new AtomicReference<>();
        int sent = 0;
        int honest = 0;
        int bombs = 0;
        try (RawProducer raw = new RawProducer(kafka.port());
                KafkaConsumer<byte[], byte[]> sampler = sampler();
                CheckpointingProducer<byte[], byte[]> producer =
                        new CheckpointingProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            while (sent < records) {
                for (int i = random.nextInt(4); i > 0; i--) {
                    byte[] value = ("honest event " + honest + "-".repeat(40)).getBytes(UTF_8);
                    value = FussyTransform.fails(value) ? "honest".getBytes(UTF_8) : value;
                    var unused = producer.send(
                            new ProducerRecord<>(topic, honest++ % PARTITIONS, null, value), (written, failure) -> {
                                if (failure != null) {
                                    refused.set(failure);
                                }
                            });
                }
                sampler.poll(Duration.ZERO).forEach(extremes::learn);
                boolean bomb = bombs < HOSTILE && sent > (bombs + 1) * records / (HOSTILE + 1);
                MemoryRecords batch = bomb ? extremes.bomb(BOMB_BYTES) : extremes.next();
                int partition = bomb ? bombs++ : random.nextInt(HOSTILE);
                sent += (int) batch.batches().iterator().next().lastOffset() + 1;
                answers.merge(raw.send(topic, partition, batch), 1, Integer::sum);
            }
        }
        if (refused.get() != null) {
            throw new IllegalStateException("an honest event was refused", refused.get());
        }
        out.printf("%,d extreme records and %,d honest events, %d bombs%n", sent, honest, bombs);
    }

    /** Reads an honest partition, for headers to forge others with. */
    private KafkaConsumer<byte[], byte[]> sampler() {
        KafkaConsumer<byte[], byte[]> sampler = new KafkaConsumer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        List<TopicPartition> honest = List.of(new TopicPartition(topic, PARTITIONS - 1));
        sampler.assign(honest);
        sampler.seekToBeginning(honest);
        return sampler;
    }

    private List<String> checked(TopologyProcess topology) throws Exception {
        List<String> faults = new ArrayList<>();
        List<DeliveryCheck> checks = new ArrayList<>();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
                Alerts alerts = new Alerts(kafka.bootstrapServers(), topic + "-alerts")) {
            for (int partition = 0; partition < PARTITIONS; partition++) {
                checks.add(new DeliveryCheck(kafka.bootstrapServers(), input(partition), topic + "-output", alerts));
            }
            String state = "";
            long changedNanos = System.nanoTime();
            while (faults.isEmpty()) {
                alerts.poll();
                for (int partition = 0; partition < PARTITIONS; partition++) {
                    int one = partition;
                    checks.get(partition)
                            .compare()
                            .ifPresent(fault -> faults.add(input(one) + ": " + shortened(fault)));
                    OptionalLong next = checks.get(partition).next();
                    if (next.isPresent() && alerts.haltAt(input(partition), next.getAsLong())) {
                        release(admin, input(partition), next.getAsLong());
                    }
                }
                Map<Integer, Long> progress = progress(admin);
                if (checks.stream().allMatch(check -> check.next().isEmpty()) && progress.equals(ends(admin))) {
                    break;
                }
                String now = progress + " "
                        + checks.stream().map(DeliveryCheck::next).toList();
                if (!now.equals(state)) {
                    state = now;
                    changedNanos = System.nanoTime();
                }
                if (!topology.isAlive()) {
                    faults.add("the topology has ended, at " + now);
                } else if (System.nanoTime() - changedNanos > TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)) {
                    faults.add("nothing goes on, at progress " + now + " of " + ends(admin) + "; next "
                            + checks.stream().map(DeliveryCheck::nextText).toList());
                }
            }
            for (int partition = HOSTILE; partition < PARTITIONS; partition++) {
                if (!alerts.countsOf(input(partition)).isEmpty()) {
                    faults.add(input(partition) + " is honest, and has " + alerts.countsOf(input(partition)));
                }
            }
            for (int partition = 0; partition < PARTITIONS; partition++) {
                DeliveryCheck check = checks.get(partition);
                out.printf(
                        "%s: %,d records as they should be, %,d diverted; alerts %s%n",
                        input(partition), check.same(), check.diverted(), alerts.countsOf(input(partition)));
            }
            out.printf("%d releases%n", releases);
        } finally {
            checks.forEach(DeliveryCheck::close);
        }
        return faults;
    }

    private TopicPartition input(int partition) {
        return new TopicPartition(topic, partition);
    }

    private static String shortened(String text) {
        return text.substring(0, Math.min(text.length(), 2_000));
    }

    /** Diverts the record that an output stands at, as {@code stormproof output resume --divert} does. */
    private void release(Admin admin, TopicPartition partition, long offset) throws Exception {
        long nowNanos = System.nanoTime();
        boolean again = Objects.equals(releasedAt.put(partition, offset), offset);
        if (again && nowNanos - releasedNanos.getOrDefault(partition, nowNanos) < RELEASED_AGAIN_NANOS) {
            return;
        }
        releasedNanos.put(partition, nowNanos);
        releases++;
        OffsetAndMetadata release = new Release(offset, Release.Action.DIVERT, Instant.now(), "the fuzzer").encode();
        admin.alterConsumerGroupOffsets(topic + "-group-release", Map.of(partition, release))
                .all()
                .get();
    }

    private Map<Integer, Long> progress(Admin admin) throws Exception {
        Map<Integer, Long> progress = new TreeMap<>();
        admin.listConsumerGroupOffsets(topic + "-group")
                .partitionsToOffsetAndMetadata()
                .get()
                .forEach((partition, offset) -> progress.put(partition.partition(), offset.offset()));
        return progress;
    }

    private Map<Integer, Long> ends(Admin admin) throws Exception {
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        IntStream.range(0, PARTITIONS).forEach(partition -> asked.put(input(partition), OffsetSpec.latest()));
        Map<Integer, Long> ends = new TreeMap<>();
        admin.listOffsets(asked).all().get().forEach((partition, end) -> ends.put(partition.partition(), end.offset()));
        return ends;
    }
}
