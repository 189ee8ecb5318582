package dev.stormproof.consume;

import static dev.stormproof.consume.VerifiedReads.metric;
import static dev.stormproof.consume.VerifiedReads.records;
import static dev.stormproof.consume.VerifiedReads.texts;
import static dev.stormproof.emit.testing.Clients.await;
import static dev.stormproof.emit.testing.Clients.producer;
import static dev.stormproof.emit.testing.Clients.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.checkpoint.EventHeader;
import dev.stormproof.checkpoint.MalformedCheckpointException;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.emit.CheckpointingProducer;
import dev.stormproof.emit.testing.Clients;
import dev.stormproof.judge.Verdict.Violated;
import dev.stormproof.local.EmbeddedKafka;
import dev.stormproof.local.OnKafka;
import dev.stormproof.local.SharedKafka;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is handed out, before a real broker, by a verifier that is written by hand. */
@OnKafka
@Timeout(120)
class VerifiedConsumerTest {
    /** Long enough for some looks at the progress. */
    private static final Duration A_WHILE = Duration.ofMillis(700);

    private PaperVerifier verifier;
    private EmbeddedKafka kafka;
    private String topic;
    private TopicPartition partition;

    @BeforeEach
    void begin(EmbeddedKafka shared) {
        kafka = shared;
        verifier = new PaperVerifier(kafka);
        topic = SharedKafka.createTopic(kafka, "verified", 1);
        partition = new TopicPartition(topic, 0);
    }

    @AfterEach
    void closeVerifier() {
        verifier.close();
    }

    @Test
    void whatTheProgressHasPassedIsHandedOutAndNothingElse() {
        emit("a", "b");
        emit("c");
        try (VerifiedConsumer<String, String> consumer = consumer()) {
            assertThat(consumer.poll(A_WHILE)).as("before anything is verified").isEmpty();

            // #0 a b #1
            verifier.judged(topic, 0, 4);
            assertThat(texts(consumer, 2)).containsExactly("a", "b");
            assertThat(consumer.poll(A_WHILE)).isEmpty();

            verifier.judged(topic, 0, 7);
            assertThat(texts(consumer, 1)).containsExactly("c");
            assertThat(consumer.poll(A_WHILE)).as("no checkpoint").isEmpty();
            assertThat(consumer.position(partition)).isEqualTo(end());
        }
    }

    @Test
    void atAViolatedIntervalItHaltsSaysWhyAndGoesOnBehindIt() {
        Violated violated = violated(emit("a", "b"), 1, 3, 0, 2);
        emit("c");
        verifier.judged(topic, 0, end(), violated);
        try (VerifiedConsumer<String, String> consumer = consumer()) {
            for (int again = 0; again < 2; again++) {
                assertThatThrownBy(() -> texts(consumer, 1))
                        .isInstanceOfSatisfying(UnverifiedRecordException.class, halt -> {
                            assertThat(halt.topicPartition()).isEqualTo(partition);
                            assertThat(halt.offset()).isEqualTo(1);
                            assertThat(halt.endOffset()).isEqualTo(4);
                            assertThat(halt.alertId()).contains(violated.id());
                            assertThat(halt).hasMessageContaining(violated.id());
                        });
                assertThat(consumer.position(partition)).isEqualTo(1);
            }

            consumer.seek(partition, 4);
            assertThat(texts(consumer, 1)).containsExactly("c");
        }
    }

    @Test
    void whatStandsBeforeAViolatedIntervalIsHandedOutFirst() {
        emit("a", "b");
        StreamId later = emit("c");
        verifier.judged(topic, 0, end(), violated(later, 1, 6, 0, 1));
        try (VerifiedConsumer<String, String> consumer = consumer()) {
            assertThat(texts(consumer, 2)).containsExactly("a", "b");
            assertThatThrownBy(() -> texts(consumer, 1)).isInstanceOf(UnverifiedRecordException.class);
        }
    }

    @Test
    void aViolatedIntervalIsSkippedWhereThatIsAskedFor() {
        Violated violated = violated(emit("a", "b"), 1, 3, 0, 2);
        emit("c");
        verifier.judged(topic, 0, end(), violated);
        try (VerifiedConsumer<String, String> consumer = consumer(VerifiedConsumerConfig.ON_VIOLATION, "skip")) {
            assertThat(texts(consumer, 1)).containsExactly("c");
            assertThat(metric(consumer, "unverified-records-total")).isEqualTo(2L);
        }
    }

    @Test
    void aViolatedIntervalIsMarkedWhereThatIsAskedFor() {
        Violated violated = violated(emit("a"), 1, 2, 0, 1);
        emit("b");
        verifier.judged(topic, 0, end(), violated);
        try (VerifiedConsumer<String, String> consumer = consumer(VerifiedConsumerConfig.ON_VIOLATION, "mark")) {
            List<ConsumerRecord<String, String>> records = records(consumer, 2);
            assertThat(records).extracting(VerifiedConsumerTest::mark).containsExactly(violated.id(), "");
            assertThat(records).extracting(ConsumerRecord::value).containsExactly("a", "b");
        }
    }

    @Test
    void anAlertBehindAnotherTasksOpenTransactionIsWaitedFor() {
        StreamId stream = emit("a");
        try (KafkaProducer<byte[], byte[]> other = verifier.transactional(verifier.group + "-other")) {
            other.beginTransaction();
            verifier.send(other, violated(new StreamId("elsewhere", 0, 7), 1, 2, 0, 1), 0);
            other.flush();
            verifier.judged(topic, 0, end(), violated(stream, 1, 2, 0, 1));
            try (VerifiedConsumer<String, String> consumer = consumer()) {
                assertThat(consumer.poll(A_WHILE)).isEmpty();

                other.commitTransaction();

                assertThatThrownBy(() -> texts(consumer, 1)).isInstanceOf(UnverifiedRecordException.class);
            }
        }
    }

    @Test
    void whatAnOrdinaryConsumerCommittedIsNoProgress() {
        emit("a");
        try (KafkaConsumer<String, String> ordinary = Clients.consumer(kafka, verifier.group)) {
            ordinary.assign(Set.of(partition));
            ordinary.commitSync(Map.of(partition, new OffsetAndMetadata(end())));
        }
        try (VerifiedConsumer<String, String> consumer = consumer()) {
            assertThat(consumer.poll(A_WHILE)).isEmpty();
        }
    }

    @Test
    void aRecordOfNoStreamIsNotVerifiedWithOrWithoutAnAlert() throws Exception {
        try (KafkaProducer<String, String> plain = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new StringSerializer(),
                new StringSerializer())) {
            plain.send(new ProducerRecord<>(topic, 0, "key", "unsigned")).get();
        }
        emit("a");
        verifier.judged(topic, 0, end());
        try (VerifiedConsumer<String, String> consumer = consumer(VerifiedConsumerConfig.ON_VIOLATION, "mark")) {
            assertThat(records(consumer, 2))
                    .extracting(VerifiedConsumerTest::mark)
                    .containsExactly("it has no event header, so that no checkpoint states it", "");
        }
    }

    @Test
    void whatIsHeldIsNeitherCommittedNorThePosition() {
        emit("a");
        emit("b");
        verifier.judged(topic, 0, 3);
        String group = SharedKafka.unique("readers");
        try (VerifiedConsumer<String, String> consumer = consumerOf(group)) {
            assertThat(texts(consumer, 1)).containsExactly("a");
            await("the rest is fetched", () -> {
                consumer.poll(Duration.ofMillis(10));
                return metric(consumer, "records-held").equals(3L);
            });
            assertThat(consumer.position(partition)).isEqualTo(3);
            assertThat(consumer.currentLag(partition)).hasValue(3);
            consumer.commitSync();
            assertThat(consumer.committed(Set.of(partition)))
                    .hasEntrySatisfying(partition, at -> assertThat(at.offset()).isEqualTo(3));
        }
        verifier.judged(topic, 0, end());
        try (VerifiedConsumer<String, String> consumer = consumerOf(group)) {
            assertThat(texts(consumer, 1)).containsExactly("b");
        }
    }

    @Test
    void whatIsHeldIsNotCommittedByItselfEither() {
        emit("a");
        emit("b");
        verifier.judged(topic, 0, 3);
        String group = SharedKafka.unique("readers");
        try (VerifiedConsumer<String, String> consumer = consumerOf(group, "enable.auto.commit", true)) {
            assertThat(texts(consumer, 1)).containsExactly("a");
            await("the rest is fetched", () -> {
                consumer.poll(Duration.ofMillis(10));
                return metric(consumer, "records-held").equals(3L);
            });
        }
        try (KafkaConsumer<String, String> plain = Clients.consumer(kafka, group)) {
            assertThat(plain.committed(Set.of(partition)))
                    .hasEntrySatisfying(partition, at -> assertThat(at.offset()).isEqualTo(3));
        }
    }

    @Test
    void withoutAVerifierNothingComesAndThePollSaysSo() {
        emit("a");
        try (VerifiedConsumer<String, String> consumer =
                consumer(VerifiedConsumerConfig.VERIFIED_TIMEOUT_MS, 300, "default.api.timeout.ms", 5_000)) {
            assertThatThrownBy(() -> texts(consumer, 1))
                    .isInstanceOf(TimeoutException.class)
                    .hasMessageContaining("group.id=" + verifier.group);
            assertThat((Long) metric(consumer, "verification-wait-ms")).isGreaterThanOrEqualTo(300);

            verifier.judged(topic, 0, end());
            await("the verifier's return", () -> {
                try {
                    return !consumer.poll(Duration.ofMillis(50)).isEmpty();
                } catch (TimeoutException stillWaits) {
                    return false;
                }
            });
        }
    }

    @Test
    void anIntervalThatIsLargerThanItsShareIsFetchedToItsEnd() {
        String[] values = new String[200];
        for (int i = 0; i < values.length; i++) {
            values[i] = "value-" + i;
        }
        emit(values);
        verifier.judged(topic, 0, end());
        try (VerifiedConsumer<String, String> consumer = consumer("max.poll.records", 10)) {
            assertThat(texts(consumer, values.length)).containsExactly(values);
        }
    }

    @Test
    void whatIsHeldIsBoundedAndThatIsSaid() {
        String[] values = new String[200];
        for (int i = 0; i < values.length; i++) {
            values[i] = "value-" + i;
        }
        emit(values);
        try (VerifiedConsumer<String, String> consumer =
                consumer("max.poll.records", 10, VerifiedConsumerConfig.HELD_MAX_BYTES, 5_000)) {
            await("enough is held", () -> {
                consumer.poll(Duration.ofMillis(10));
                return (Long) metric(consumer, "bytes-held") >= 5_000;
            });
            for (int more = 0; more < 20; more++) {
                consumer.poll(Duration.ofMillis(10));
            }
            assertThat((Long) metric(consumer, "bytes-held")).isLessThan(5_000 + 10 * 300);
            assertThat(consumer.paused()).isEmpty();

            verifier.judged(topic, 0, end());
            assertThatThrownBy(() -> texts(consumer, 1))
                    .isInstanceOf(UnverifiedRecordException.class)
                    .hasMessageContaining(VerifiedConsumerConfig.HELD_MAX_BYTES);
        }
    }

    @Test
    void recordsThatAreNotCommittedAreRefused() {
        assertThatThrownBy(() -> consumer("isolation.level", "read_uncommitted"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("isolation.level");
    }

    @Test
    void anUnknownSettingIsRefused() {
        assertThatThrownBy(() -> consumer("stormproof.on.violations", "halt"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("stormproof.on.violation,");
    }

    private VerifiedConsumer<String, String> consumer(Object... more) {
        return consumerOf(SharedKafka.unique("readers"), more);
    }

    private VerifiedConsumer<String, String> consumerOf(String group, Object... more) {
        VerifiedConsumer<String, String> consumer = new VerifiedConsumer<>(
                verifier.settings(group, more), new StringDeserializer(), new StringDeserializer());
        consumer.subscribe(Set.of(topic));
        return consumer;
    }

    /** A stream of its own with these events, which is sealed at its end: #0, the events, #1. */
    private StreamId emit(String... values) {
        long at = end();
        try (CheckpointingProducer<String, String> emitter = producer(kafka)) {
            for (String value : values) {
                send(emitter, topic, 0, value);
            }
        }
        return streamAt(at + 1);
    }

    private StreamId streamAt(long offset) {
        try (KafkaConsumer<String, String> plain = Clients.consumer(kafka, SharedKafka.unique("looks"))) {
            plain.assign(Set.of(partition));
            plain.seek(partition, offset);
            byte[] header = Clients.poll(plain, 1)
                    .get(0)
                    .headers()
                    .lastHeader(EventHeader.NAME)
                    .value();
            return new StreamId(topic, 0, EventHeader.decode(header).emitter());
        } catch (MalformedCheckpointException e) {
            throw new AssertionError(e);
        }
    }

    private long end() {
        try (KafkaConsumer<String, String> plain = Clients.consumer(kafka, SharedKafka.unique("looks"))) {
            return Objects.requireNonNull(plain.endOffsets(Set.of(partition)).get(partition));
        }
    }

    private static Violated violated(StreamId stream, long number, long checkpointOffset, long first, long count) {
        return PaperVerifier.violated(stream, number, checkpointOffset, first, count);
    }

    private static String mark(ConsumerRecord<?, ?> record) {
        var header = record.headers().lastHeader(VerifiedConsumer.UNVERIFIED_HEADER);
        return header == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
    }
}
