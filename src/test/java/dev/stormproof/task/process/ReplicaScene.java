package dev.stormproof.task.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertJson;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.task.live.testing.PaperLog;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.MissedRecords;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Topics with signed events before replicas, and a reader of all that they told. */
final class ReplicaScene implements AutoCloseable {
    static final int PARTITIONS = 3;

    private static final int EVERY = 10;
    private static final long PATIENCE_SECONDS = 60;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    final String topic;
    final String group;
    private final Map<String, String> properties = new HashMap<>();
    final Admin admin;
    private final KafkaProducer<byte[], byte[]> producer;
    private final KafkaConsumer<byte[], byte[]> reader;
    private final List<String> alerts = new ArrayList<>();
    private final Map<String, Finding> alerted = new HashMap<>();
    /** What was told of records that were never verified. */
    final Set<MissedRecords> missed = new HashSet<>();

    private final Set<String> verified = new HashSet<>();
    private final Set<String> others = new HashSet<>();
    /** How many intervals were written that are as they should be, and how many that lost an event. */
    private int sound;

    private int lossy;

    ReplicaScene(String servers) {
        admin = Admin.create(Map.of("bootstrap.servers", servers));
        topic = SharedKafka.unique("replicas");
        group = topic + "-group";
        properties.put("bootstrap.servers", servers);
        properties.put("group.id", group);
        properties.put("input.topics", topic);
        properties.put("alerts.topic", topic + "-alerts");
        properties.put("verdicts.topic", topic + "-verdicts");
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", servers), new ByteArraySerializer(), new ByteArraySerializer());
        reader = new KafkaConsumer<>(
                Map.of("bootstrap.servers", servers, "isolation.level", "read_committed", "fetch.max.wait.ms", 50),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    /** Reads what is told from now on; the topics are there. */
    void read() {
        Set<TopicPartition> told =
                Set.of(new TopicPartition(topic + "-alerts", 0), new TopicPartition(topic + "-verdicts", 0));
        reader.assign(told);
        reader.seekToBeginning(told);
    }

    Map<String, String> with(String... more) {
        Map<String, String> all = new HashMap<>(properties);
        for (int i = 0; i < more.length; i += 2) {
            all.put(more[i], more[i + 1]);
        }
        return all;
    }

    /** Sends a new emitter's events, so many in each of so many partitions; returns how many intervals these are. */
    int send(String to, int partitions, int events) {
        int before = sound;
        sendAll(PaperLog.of(to, partitions, partitions * events, EVERY, Map.of()));
        return sound - before;
    }

    /** The same for the topic and one partition, of which an event is lost on the way. */
    void sendLossy(int events) {
        List<ProducerRecord<byte[], byte[]>> records = PaperLog.of(topic, 1, events, EVERY, Map.of());
        records.remove(records.size() / 2);
        lossy++;
        sound--;
        sendAll(records);
    }

    /** Sends a record of so many zero bytes, which takes little room in the log, to partition 0. */
    void sendZeros(int bytes) throws Exception {
        Map<String, Object> packing = Map.of(
                "bootstrap.servers",
                properties.get("bootstrap.servers"),
                "compression.type",
                "gzip",
                "max.request.size",
                Integer.MAX_VALUE,
                "buffer.memory",
                2L * bytes);
        try (KafkaProducer<byte[], byte[]> large =
                new KafkaProducer<>(packing, new ByteArraySerializer(), new ByteArraySerializer())) {
            var unused = large.send(new ProducerRecord<>(topic, 0, null, new byte[bytes]))
                    .get();
        }
    }

    /** True if there is an alert with a word in its id. */
    boolean hasTold(String word) {
        return alerted.keySet().stream().anyMatch(id -> id.contains(word));
    }

    private void sendAll(List<ProducerRecord<byte[], byte[]>> records) {
        for (ProducerRecord<byte[], byte[]> record : records) {
            var unused = producer.send(record);
            sound += record.headers().lastHeader("stormproof-checkpoint") == null ? 0 : 1;
        }
        producer.flush();
    }

    /** Waits until each interval that was written has its verdict, and holds that no other was found, and no alert twice. */
    void awaitAllToldOnce() {
        await("all verdicts", () -> verified.size() >= sound && alerted.size() >= lossy);
        assertThat(others).isEmpty();
        assertThat(verified).hasSize(sound);
        assertThat(alerted.values())
                .hasSize(lossy)
                .allSatisfy(finding -> assertThat(finding)
                        .isInstanceOfSatisfying(
                                Violated.class,
                                violated -> assertThat(violated.anomalies())
                                        .singleElement()
                                        .satisfies(anomaly ->
                                                assertThat(anomaly.kind()).isEqualTo(Anomaly.Kind.LOST))));
        assertThat(alerts).as("each revision once").doesNotHaveDuplicates();
    }

    /** Deletes what a partition holds, as an operator does; returns the offset that its log begins at then. */
    long deleteRecords(int partition) throws Exception {
        TopicPartition one = new TopicPartition(topic, partition);
        return Objects.requireNonNull(admin.deleteRecords(Map.of(one, RecordsToDelete.beforeOffset(-1)))
                        .lowWatermarks()
                        .get(one))
                .get()
                .lowWatermark();
    }

    long end(int partition) throws Exception {
        TopicPartition one = new TopicPartition(topic, partition);
        return admin.listOffsets(Map.of(one, OffsetSpec.latest()))
                .partitionResult(one)
                .get()
                .offset();
    }

    /** Moves the group's offset to the end of a partition, as an operator does; returns that. */
    long moveToEnd(int partition) throws Exception {
        TopicPartition one = new TopicPartition(topic, partition);
        long end = end(partition);
        admin.alterConsumerGroupOffsets(group, Map.of(one, new OffsetAndMetadata(end)))
                .all()
                .get();
        return end;
    }

    /** Forbids everybody to write alerts, as long as the broker has a rule; returns that. */
    AclBindingFilter forbidAlerts() throws Exception {
        ResourcePattern alertsTopic = new ResourcePattern(ResourceType.TOPIC, topic + "-alerts", PatternType.LITERAL);
        AclBinding allowed = new AclBinding(
                alertsTopic, new AccessControlEntry("User:*", "*", AclOperation.ALL, AclPermissionType.ALLOW));
        AclBinding denied = new AclBinding(
                alertsTopic, new AccessControlEntry("User:*", "*", AclOperation.WRITE, AclPermissionType.DENY));
        admin.createAcls(List.of(allowed, denied)).all().get();
        return denied.toFilter();
    }

    /** Forgets intervals that cannot be verified any more. */
    void deleted(int intervals) {
        sound -= intervals;
    }

    /** How many intervals are verified. */
    int verified() {
        poll();
        return verified.size();
    }

    void await(String what, BooleanSupplier done) {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!done.getAsBoolean()) {
            assertThat(System.nanoTime())
                    .as(
                            "waiting for %s; verified %s of %s, alerts %s of %s, else %s",
                            what, verified.size(), sound, alerted.size(), lossy, others)
                    .isLessThan(deadlineNanos);
            poll();
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private void poll() {
        if (reader.assignment().isEmpty()) {
            return;
        }
        for (ConsumerRecord<byte[], byte[]> record : reader.poll(Duration.ofMillis(20))) {
            try {
                Alert told = AlertJson.read(Objects.requireNonNull(record.value()));
                if (record.topic().endsWith("-alerts")) {
                    alerts.add(told.finding().id() + " " + told.finding().revision());
                }
                if (told.finding() instanceof MissedRecords records) {
                    missed.add(records);
                } else if (record.topic().endsWith("-alerts")) {
                    alerted.put(told.finding().id(), told.finding());
                } else if (told.finding().type() == Finding.Type.VERIFIED) {
                    verified.add(told.finding().id());
                } else if (told.finding().type() != Finding.Type.VIOLATED) {
                    others.add(told.finding().toString());
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public void close() {
        admin.close();
        producer.close();
        reader.close();
    }
}
