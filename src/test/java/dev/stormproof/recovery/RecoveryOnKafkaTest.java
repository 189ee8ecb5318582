package dev.stormproof.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stormproof.checkpoint.CheckpointCodec;
import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.emit.CheckpointingProducer;
import dev.stormproof.emit.EmitterConfig;
import dev.stormproof.local.EmbeddedKafka;
import dev.stormproof.local.OnKafka;
import dev.stormproof.local.SharedKafka;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Emitters that die before a broker, and the next ones of their names. */
@OnKafka
@Timeout(120)
class RecoveryOnKafkaTest {
    private static final String NAME = "billing";
    private static final long PROMISE_MILLIS = 1_000;
    private static final long DELIVERY_MILLIS = 1_500;

    private final EmbeddedKafka kafka;
    private final String topic;
    private final List<AutoCloseable> open = new ArrayList<>();

    RecoveryOnKafkaTest(EmbeddedKafka kafka) {
        this.kafka = kafka;
        this.topic = SharedKafka.createTopic(kafka, "recovery", 1);
    }

    /** An emitter that can be cut off from Kafka at once, as a kill does; it never hears of it. */
    private static final class Mortal {
        private final CheckpointingProducer<String, String> producer;
        private @Nullable Producer<byte[], byte[]> inner;

        Mortal(Map<String, Object> settings, Predicate<Integer> isLost) {
            int[] events = {0};
            this.producer =
                    new CheckpointingProducer<>(settings, new StringSerializer(), new StringSerializer(), inside -> {
                        Producer<byte[], byte[]> real =
                                new KafkaProducer<>(inside, new ByteArraySerializer(), new ByteArraySerializer()) {
                                    @Override
                                    public Future<RecordMetadata> send(
                                            ProducerRecord<byte[], byte[]> record, @Nullable Callback callback) {
                                        boolean event = record.value() != null;
                                        return event && isLost.test(events[0]++)
                                                ? lost(record, callback)
                                                : super.send(record, callback);
                                    }
                                };
                        inner = real;
                        return real;
                    });
        }

        /** An event that the producer believes to have arrived. */
        private static Future<RecordMetadata> lost(ProducerRecord<byte[], byte[]> record, @Nullable Callback callback) {
            RecordMetadata nowhere =
                    new RecordMetadata(new TopicPartition(record.topic(), record.partition()), 0, 0, 0, 0, 0);
            if (callback != null) {
                callback.onCompletion(nowhere, null);
            }
            return java.util.concurrent.CompletableFuture.completedFuture(nowhere);
        }

        void kill() {
            Objects.requireNonNull(inner).close(Duration.ZERO);
        }
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : open) {
            one.close();
        }
    }

    @Test
    void whatAKilledEmitterLeftOpenIsRecoveredByTheNextOneOfItsName() throws Exception {
        Mortal first = mortal(Map.of(), event -> false);
        send(first.producer, 0, 5);
        first.kill();
        assertThat(audit().exitCode()).isEqualTo(ExitCode.INCONCLUSIVE);

        CheckpointingProducer<String, String> second = producer(Map.of());
        send(second, 5, 8);
        Format2Checkpoint end = awaitRecovered(1).get(0);
        second.close();

        Shell.Result audit = audit("--json", "--all");
        assertThat(audit.exitCode()).as(audit.toString()).isEqualTo(ExitCode.VERIFIED);
        assertThat(end.eventCount()).isEqualTo(5);
        assertThat(end.emitterName()).isEqualTo(NAME);
        JsonNode verdict = verdictOf(audit, end);
        assertThat(verdict.get("finding").asText()).isEqualTo("verified");
        assertThat(verdict.get("recovery").asText()).isEqualTo("recovered");
        assertThat(verdict.get("summary").asText()).contains("recovered: its emitter was gone", "nobody can say");
        String beside = "1 stream's end is recovered: whether more was sent there, nobody can say";
        assertThat(audit.out().lines().reduce((line, last) -> last).orElseThrow())
                .contains(beside);
        assertThat(audit().out()).contains("VERIFIED: ", "; " + beside);
    }

    @Test
    void aLossInTheMiddleOfTheEndIsNamed() throws Exception {
        Mortal first = mortal(Map.of(), event -> event == 2 || event == 3);
        send(first.producer, 0, 6);
        first.kill();

        CheckpointingProducer<String, String> second = producer(Map.of());
        send(second, 6, 7);
        Format2Checkpoint end = awaitRecovered(1).get(0);
        second.close();

        Shell.Result audit = audit("--json");
        assertThat(audit.exitCode()).as(audit.toString()).isEqualTo(ExitCode.VIOLATED);
        JsonNode verdict = verdictOf(audit, end);
        assertThat(verdict.get("anomalies")).hasSize(1);
        JsonNode lost = verdict.get("anomalies").get(0);
        assertThat(lost.get("kind").asText()).isEqualTo("lost");
        assertThat(lost.get("begin").asLong()).isEqualTo(2);
        assertThat(lost.get("end").asLong()).isEqualTo(4);
    }

    @Test
    void withTransactionsTheFenceIsEnoughAndNobodyWaits() throws Exception {
        Map<String, Object> settings = Map.of("transactional.id", NAME, "delivery.timeout.ms", 100_000);
        Mortal first = mortal(settings, event -> false);
        first.producer.initTransactions();
        first.producer.beginTransaction();
        send(first.producer, 0, 5);
        first.producer.commitTransaction();
        first.producer.beginTransaction();
        send(first.producer, 5, 7);
        first.producer.flush();
        first.kill();

        CheckpointingProducer<String, String> second = producer(settings);
        second.initTransactions();
        second.beginTransaction();
        send(second, 7, 9);
        second.commitTransaction();
        Format2Checkpoint end = awaitRecovered(1).get(0);
        second.close();

        assertThat(end.eventCount()).isZero();
        Shell.Result audit = audit();
        assertThat(audit.exitCode()).as(audit.toString()).isEqualTo(ExitCode.VERIFIED);
    }

    @Test
    void whoIsAlwaysInATransactionRecoversAllTheSame() throws Exception {
        Map<String, Object> settings = Map.of("transactional.id", NAME);
        Mortal first = mortal(settings, event -> false);
        first.producer.initTransactions();
        first.producer.beginTransaction();
        send(first.producer, 0, 5);
        first.producer.commitTransaction();
        first.kill();

        CheckpointingProducer<String, String> second = producer(settings);
        second.initTransactions();
        second.beginTransaction();
        for (int event = 5; recovered().isEmpty(); event++) {
            send(second, event, event + 1);
            second.commitTransaction();
            second.beginTransaction();
        }
        second.commitTransaction();
        second.close();

        Shell.Result audit = audit();
        assertThat(audit.exitCode()).as(audit.toString()).isEqualTo(ExitCode.VERIFIED);
    }

    /** Each topic is recovered, though there are more of them than threads. */
    @Test
    void whoWritesToManyTopicsRecoversEachOfThem() throws Exception {
        Map<String, Object> settings = Map.of("transactional.id", NAME, "delivery.timeout.ms", 100_000);
        List<String> topics = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            topics.add(SharedKafka.createTopic(kafka, "recovery", 1));
        }
        Mortal first = mortal(settings, event -> false);
        first.producer.initTransactions();
        sendEach(first.producer, topics);
        first.kill();

        CheckpointingProducer<String, String> second = producer(settings);
        second.initTransactions();
        sendEach(second, topics);
        for (String one : topics) {
            while (recovered(one).isEmpty()) {
                Thread.onSpinWait();
            }
        }
        second.close();
    }

    private static void sendEach(CheckpointingProducer<String, String> producer, List<String> topics) {
        producer.beginTransaction();
        topics.forEach(one -> {
            var unused = producer.send(new ProducerRecord<>(one, 0, "key", "event"));
        });
        producer.commitTransaction();
    }

    /** Both live, write and beat; the third one waits until one of them ends by itself. */
    @Test
    void twoThatLiveRecoverNobody() throws Exception {
        CheckpointingProducer<String, String> first = producer(Map.of());
        CheckpointingProducer<String, String> second = producer(Map.of());
        long untilNanos = System.nanoTime()
                + Duration.ofMillis(2 * (PROMISE_MILLIS + DELIVERY_MILLIS)).toNanos();
        int events = 0;
        while (System.nanoTime() < untilNanos) {
            send(first, events, events + 1);
            send(second, events + 1, events + 2);
            events += 2;
        }
        first.close();
        second.close();

        assertThat(recovered()).isEmpty();
        Shell.Result audit = audit();
        assertThat(audit.exitCode()).as(audit.toString()).isEqualTo(ExitCode.VERIFIED);
    }

    /** A pause longer than any wait, behind which the emitter goes on as if nothing had been. */
    @Test
    void whoIsTakenForGoneAndGoesOnIsVerifiedByItsOwnWordAndSaysSo() throws Exception {
        Map<String, Object> patient = Map.of(EmitterConfig.PROMISE_MS, 60_000L);
        CheckpointingProducer<String, String> paused = producer(patient);
        send(paused, 0, 4);
        // What the paused one promised is what is waited for, so that the end is stated here by hand, as a third one
        // would.
        ends();

        send(paused, 4, 6);
        paused.close();

        Shell.Result audit = audit("--json", "--all");
        assertThat(audit.exitCode()).as(audit.toString()).isEqualTo(ExitCode.VERIFIED);
        assertThat(findings(audit))
                .anyMatch(node -> node.path("recovery").asText().equals("recovered"));
        assertThat(findings(audit))
                .anyMatch(node -> node.path("recovery").asText().equals("outlived")
                        && node.path("summary").asText().contains("two of one name lived"));
    }

    @Test
    void nobodyWithoutANameRecovers() {
        assertThat(new EmitterConfig(Map.of(EmitterConfig.RECOVER, true, "client.id", "c"))
                        .getBoolean(EmitterConfig.RECOVER))
                .isTrue();
        try (CheckpointingProducer<String, String> unnamed = producer(Map.of(EmitterConfig.EMITTER_NAME, ""))) {
            send(unnamed, 0, 1);
        }
        assertThat(Thread.getAllStackTraces().values().stream()
                        .flatMap(java.util.Arrays::stream)
                        .anyMatch(frame -> frame.getClassName().contains("emit.Recovery")))
                .isFalse();
    }

    @Test
    void aDoubtfulRecoveryIsRefused() throws Exception {
        Map<String, Object> named = settings(Map.of("transactional.id", "another"));
        assertThatThrownBy(() -> new EmitterConfig(named))
                .hasMessageContaining("has to be the transactional.id (another)");
        java.security.KeyPair pair =
                java.security.KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        Map<String, Object> tampering = settings(Map.of(
                EmitterConfig.PROTECT_AGAINST,
                "tampering",
                EmitterConfig.KEY_ID,
                "k",
                EmitterConfig.KEY_PRIVATE,
                java.util.Base64.getEncoder().encodeToString(pair.getPrivate().getEncoded())));
        assertThatThrownBy(() -> new EmitterConfig(tampering)).hasMessageContaining("does not go with");
    }

    /** States the end of a stream as if its emitter were gone. */
    private void ends() throws Exception {
        List<ConsumerRecord<byte[], byte[]>> records = records(topic);
        Format2Checkpoint zero = null;
        byte[] bytes = null;
        dev.stormproof.checkpoint.Interval found = null;
        for (ConsumerRecord<byte[], byte[]> record : records) {
            Header checkpoint = record.headers().lastHeader(Format2Checkpoint.HEADER);
            Header event = record.headers().lastHeader(dev.stormproof.checkpoint.EventHeader.NAME);
            if (checkpoint != null) {
                bytes = checkpoint.value();
                zero = CheckpointCodec.decode(bytes);
                found = new dev.stormproof.checkpoint.Interval(zero.treeHash(), zero.nextSequence(), true);
            } else if (event != null && found != null) {
                dev.stormproof.checkpoint.EventHeader header =
                        dev.stormproof.checkpoint.EventHeader.decode(event.value());
                found.add(header.sequence(), header.signature());
            }
        }
        Format2Checkpoint last = Objects.requireNonNull(zero);
        dev.stormproof.checkpoint.Interval tail = Objects.requireNonNull(found);
        Format2Checkpoint end = new Format2Checkpoint(
                last.stream(),
                NAME,
                last.number() + 1,
                last.nextSequence(),
                tail.count(),
                last.treeHash(),
                last.signatureAlgorithm(),
                last.signatureSizeBytes(),
                tail.root(),
                CheckpointCodec.chainHash(last.treeHash(), Objects.requireNonNull(bytes)),
                1,
                0,
                Format2Checkpoint.Ending.RECOVERED,
                List.of(),
                -1,
                java.util.Optional.of(tail.leaves()),
                java.util.Optional.empty());
        try (KafkaProducer<byte[], byte[]> third = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, 0, null, null);
            record.headers().add(Format2Checkpoint.HEADER, CheckpointCodec.encode(end));
            third.send(record).get();
        }
    }

    private Map<String, Object> settings(Map<String, Object> more) {
        Map<String, Object> settings = new HashMap<>(Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                EmitterConfig.EMITTER_NAME,
                NAME,
                EmitterConfig.RECOVER,
                true,
                EmitterConfig.MAX_INTERVAL_MS,
                600_000L,
                EmitterConfig.PROMISE_MS,
                PROMISE_MILLIS,
                "delivery.timeout.ms",
                (int) DELIVERY_MILLIS,
                "request.timeout.ms",
                1_000,
                "linger.ms",
                0));
        settings.putAll(more);
        return settings;
    }

    private Mortal mortal(Map<String, Object> more, Predicate<Integer> isLost) {
        Mortal mortal = new Mortal(settings(more), isLost);
        open.add(() -> mortal.producer.close(Duration.ZERO));
        return mortal;
    }

    private CheckpointingProducer<String, String> producer(Map<String, Object> more) {
        CheckpointingProducer<String, String> producer =
                new CheckpointingProducer<>(settings(more), new StringSerializer(), new StringSerializer());
        open.add(() -> producer.close(Duration.ofSeconds(5)));
        return producer;
    }

    private void send(CheckpointingProducer<String, String> producer, int from, int to) {
        for (int event = from; event < to; event++) {
            var unused = producer.send(new ProducerRecord<>(topic, 0, "key " + event, "event " + event));
        }
        producer.flush();
    }

    private List<Format2Checkpoint> awaitRecovered(int count) throws Exception {
        List<Format2Checkpoint> found = recovered();
        while (found.size() < count) {
            Thread.onSpinWait();
            found = recovered();
        }
        return found;
    }

    private List<Format2Checkpoint> recovered() throws Exception {
        return recovered(topic);
    }

    private List<Format2Checkpoint> recovered(String from) throws Exception {
        List<Format2Checkpoint> found = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : records(from)) {
            Header header = record.headers().lastHeader(Format2Checkpoint.HEADER);
            if (header != null && CheckpointCodec.decode(header.value()).recovered()) {
                found.add(CheckpointCodec.decode(header.value()));
            }
        }
        return found;
    }

    private List<ConsumerRecord<byte[], byte[]>> records(String from) {
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers(), "isolation.level", "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            TopicPartition partition = new TopicPartition(from, 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = Objects.requireNonNull(
                    consumer.endOffsets(List.of(partition)).get(partition));
            List<ConsumerRecord<byte[], byte[]>> read = new ArrayList<>();
            while (consumer.position(partition) < end) {
                consumer.poll(Duration.ofMillis(100)).forEach(read::add);
            }
            return read;
        }
    }

    private Shell.Result audit(String... more) {
        List<String> arguments =
                new ArrayList<>(List.of("audit", "--bootstrap-server", kafka.bootstrapServers(), "--topic", topic));
        arguments.addAll(List.of(more));
        return Shell.here(arguments.toArray(String[]::new));
    }

    private static List<JsonNode> findings(Shell.Result audit) throws Exception {
        List<JsonNode> found = new ArrayList<>();
        for (String line : audit.out().lines().toList()) {
            JsonNode node = new ObjectMapper().readTree(line);
            if (node.has("alertId")) {
                found.add(node);
            }
        }
        return found;
    }

    private static JsonNode verdictOf(Shell.Result audit, Format2Checkpoint end) throws Exception {
        String emitter = end.stream().emitterHex();
        return findings(audit).stream()
                .filter(node -> node.path("emitter").asText().equals(emitter)
                        && node.path("checkpoint").asLong() == end.number())
                .findFirst()
                .orElseThrow(() -> new AssertionError(audit));
    }
}
