package dev.stormproof.consume;

import static dev.stormproof.consume.VerifiedReads.metric;
import static dev.stormproof.consume.VerifiedReads.texts;
import static dev.stormproof.emit.testing.Clients.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.emit.CheckpointingProducer;
import dev.stormproof.emit.testing.Clients;
import dev.stormproof.leader.Leaders;
import dev.stormproof.local.EmbeddedKafka;
import dev.stormproof.local.OnKafka;
import dev.stormproof.local.SharedKafka;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is handed out when the topic is exchanged, the consumer is woken, headers are large, or the broker is away. */
@OnKafka
@Timeout(180)
class DisturbedConsumerTest {
    private static final Duration A_WHILE = Duration.ofMillis(700);
    private static final Duration FETCHED_AGAIN = Duration.ofNanos(HeldPartitions.FETCH_AGAIN_NANOS);

    private EmbeddedKafka kafka;
    private PaperVerifier verifier;
    private String topic;
    private TopicPartition partition;

    @BeforeEach
    void begin(EmbeddedKafka shared) {
        kafka = shared;
        verifier = new PaperVerifier(kafka);
        topic = SharedKafka.createTopic(kafka, "disturbed", 1);
        partition = new TopicPartition(topic, 0);
    }

    @AfterEach
    void closeVerifier() {
        verifier.close();
    }

    /** A poll takes out without a fetch if the last one was just now: some of these do. */
    @Test
    void whatAPollHasTakenOutIsReturnedThoughAWakeupComesMeanwhile() {
        AtomicReference<Consumer<?, ?>> reader = new AtomicReference<>();
        AtomicReference<String> woke = new AtomicReference<>();
        Deserializer<String> waking = (name, data) -> {
            String text = new String(data, UTF_8);
            if (text.endsWith("last")) {
                woke.set(text);
                Objects.requireNonNull(reader.get()).wakeup();
            }
            return text;
        };
        List<String> sent = new ArrayList<>();
        for (int stream = 0; stream < 5; stream++) {
            String[] values = {stream + " a", stream + " b", stream + " c", stream + " last"};
            emit(values);
            sent.addAll(List.of(values));
        }
        try (VerifiedConsumer<String, String> consumer = new VerifiedConsumer<>(
                verifier.settings(SharedKafka.unique("readers"), "max.poll.records", 3),
                new StringDeserializer(),
                waking)) {
            reader.set(consumer);
            consumer.assign(Set.of(partition));
            List<String> seen = new ArrayList<>();
            for (int stream = 1; stream <= 5; stream++) {
                verifier.judged(topic, 0, stream * 6L);
                int end = stream * 4;
                await("the end of a stream", () -> {
                    try {
                        consumer.poll(Duration.ofMillis(100)).forEach(record -> seen.add(record.value()));
                    } catch (WakeupException e) {
                        assertThat(seen).as("before the wakeup").contains(woke.get());
                    }
                    return seen.size() >= end;
                });
            }
            assertThat(seen).isEqualTo(sent);
        }
    }

    @Test
    void aWakeupThatACommitOfItsOwnMeetsIsForTheNextPoll() {
        emit("a");
        verifier.judged(topic, 0, 3);
        String group = SharedKafka.unique("readers");
        try (VerifiedConsumer<String, String> consumer =
                consumerOf(group, "enable.auto.commit", true, "auto.commit.interval.ms", 3_600_000)) {
            consumer.subscribe(Set.of(topic));
            assertThat(texts(consumer, 1)).containsExactly("a");

            consumer.wakeup();
            consumer.unsubscribe();

            try (KafkaConsumer<String, String> plain = Clients.consumer(kafka, group)) {
                assertThat(plain.committed(Set.of(partition)))
                        .hasEntrySatisfying(
                                partition, at -> assertThat(at.offset()).isGreaterThanOrEqualTo(2));
            }
            consumer.subscribe(Set.of(topic));
            assertThatThrownBy(() -> consumer.poll(A_WHILE)).isInstanceOf(WakeupException.class);
        }
    }

    @Test
    void theProgressInATopicOfBeforeVerifiesNothingInTheOneThatBearsItsNameNow() throws Exception {
        emit("a", "b");
        verifier.judged(topic, 0, 4);
        try (VerifiedConsumer<String, String> consumer = assigned()) {
            assertThat(texts(consumer, 2)).containsExactly("a", "b");
            assertThat(consumer.poll(A_WHILE)).isEmpty();
            assertThat(consumer.position(partition)).isEqualTo(4);

            createAnew();
            emit("x");

            List<String> unverified = new ArrayList<>();
            await("the new topic is fetched", () -> {
                consumer.poll(Duration.ofMillis(50)).forEach(record -> unverified.add(record.value()));
                return !unverified.isEmpty() || metric(consumer, "records-held").equals(3L);
            });
            consumer.poll(A_WHILE).forEach(record -> unverified.add(record.value()));
            assertThat(unverified).as("before anybody verified them").isEmpty();

            verifier.judged(topic, 0, 3);
            assertThat(texts(consumer, 1)).containsExactly("x");
        }
    }

    @Test
    void whatIsHeldOfATopicOfBeforeIsNotVerifiedByTheProgressInTheNewOne() throws Exception {
        emit("a", "b");
        try (VerifiedConsumer<String, String> consumer = assigned()) {
            await("all is held", () -> {
                consumer.poll(Duration.ofMillis(50));
                return metric(consumer, "records-held").equals(4L);
            });
            assertThat(consumer.poll(A_WHILE)).as("some looks at the progress").isEmpty();

            createAnew();
            emit("x", "y", "z");
            verifier.judged(topic, 0, 5);

            assertThat(texts(consumer, 3)).containsExactly("x", "y", "z");
        }
    }

    /** One broker has one leader: what another one wrote is said of it, and then is not. */
    @Test
    void whatIsHeldOfAnotherLeaderThanWasVerifiedIsFetchedAgain() {
        emit("a", "b");
        try (VerifiedConsumer<String, String> consumer = assigned()) {
            await("all is held", () -> {
                consumer.poll(Duration.ofMillis(50));
                return metric(consumer, "records-held").equals(4L);
            });
            long fetchedBefore = fetched(consumer);

            long begunNanos = System.nanoTime();
            verifier.judgedOf(Leaders.of(0, 7), partition, 4);
            await("it is fetched again, four times", () -> {
                assertThat(consumer.poll(Duration.ofMillis(10)))
                        .as("of a leader that did not write what was verified")
                        .isEmpty();
                return fetched(consumer) >= fetchedBefore + 16;
            });
            assertThat((fetched(consumer) - fetchedBefore) / 4 - 1)
                    .as("times behind the first one")
                    .isLessThanOrEqualTo((System.nanoTime() - begunNanos) / HeldPartitions.FETCH_AGAIN_NANOS);

            verifier.judgedOf(Leaders.of(0, 0), partition, 4);
            assertThat(texts(consumer, 2)).containsExactly("a", "b");
        }
    }

    @Test
    void aWaitForWhoVerifiesEndsInTimeThoughWhatIsHeldIsFetchedAgainAllTheWhile() {
        emit("a", "b");
        verifier.judgedOf(Leaders.of(0, 7), partition, 4);
        try (VerifiedConsumer<String, String> consumer =
                assigned(VerifiedConsumerConfig.VERIFIED_TIMEOUT_MS, 3 * FETCHED_AGAIN.toMillis())) {
            long endNanos = System.nanoTime() + 20 * FETCHED_AGAIN.toNanos();
            assertThatThrownBy(() -> {
                        while (System.nanoTime() < endNanos) {
                            consumer.poll(Duration.ofMillis(50));
                        }
                    })
                    .isInstanceOf(TimeoutException.class);
        }
    }

    /** How many records Kafka's client has fetched. */
    private static long fetched(Consumer<?, ?> consumer) {
        return consumer.metrics().values().stream()
                .filter(metric -> metric.metricName().name().equals("records-consumed-total")
                        && metric.metricName().tags().size() == 1)
                .mapToLong(metric -> ((Double) metric.metricValue()).longValue())
                .sum();
    }

    @Test
    void headersCountAmongTheBytesThatAreHeld() throws Exception {
        try (KafkaProducer<String, String> plain = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new StringSerializer(),
                new StringSerializer())) {
            for (int i = 0; i < 100; i++) {
                var unused = plain.send(new ProducerRecord<>(
                        topic, 0, null, "key", "", List.of(new RecordHeader("note", new byte[2_000]))));
            }
        }
        try (VerifiedConsumer<String, String> consumer =
                assigned("max.poll.records", 10, VerifiedConsumerConfig.HELD_MAX_BYTES, 50_000)) {
            await("some are held", () -> {
                consumer.poll(Duration.ofMillis(20));
                return (Long) metric(consumer, "records-held") >= 20;
            });
            for (int more = 0; more < 20; more++) {
                consumer.poll(Duration.ofMillis(20));
            }
            assertThat((Long) metric(consumer, "records-held")).isLessThanOrEqualTo(40);
        }
    }

    @Test
    @SuppressWarnings("try") // The broker goes away in the middle of it.
    void closingEndsInTimeThoughTheBrokerIsAway() throws Exception {
        long calls = TimeUnit.SECONDS.toMillis(30);
        try (EmbeddedKafka own = EmbeddedKafka.start()) {
            kafka = own;
            try (PaperVerifier here = new PaperVerifier(own)) {
                verifier.close();
                verifier = here;
                topic = SharedKafka.createTopic(own, "disturbed", 1);
                partition = new TopicPartition(topic, 0);
                emit("a");
                here.judged(topic, 0, 3);
            }
            VerifiedConsumer<String, String> consumer = assigned(
                    "enable.auto.commit",
                    true,
                    "auto.commit.interval.ms",
                    3_600_000,
                    "request.timeout.ms",
                    (int) calls,
                    "default.api.timeout.ms",
                    (int) calls);
            assertThat(texts(consumer, 1)).containsExactly("a");
            own.close();

            long begunNanos = System.nanoTime();
            consumer.close(Duration.ofMillis(500));

            assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNanos))
                    .as("half a second, on a busy machine")
                    .isLessThan(calls / 2);
        }
    }

    private void createAnew() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.deleteTopics(Set.of(topic)).all().get(Clients.PATIENCE_SECONDS, TimeUnit.SECONDS);
            await("the name is free", () -> {
                try {
                    return !admin.listTopics().names().get().contains(topic);
                } catch (ExecutionException | InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
        }
        kafka.createTopic(topic, 1, Map.of());
    }

    private VerifiedConsumer<String, String> assigned(Object... more) {
        VerifiedConsumer<String, String> consumer = consumerOf(SharedKafka.unique("readers"), more);
        consumer.assign(Set.of(partition));
        return consumer;
    }

    private VerifiedConsumer<String, String> consumerOf(String group, Object... more) {
        return new VerifiedConsumer<>(
                verifier.settings(group, more), new StringDeserializer(), new StringDeserializer());
    }

    /** A stream of its own with these events, which is sealed at its end: #0, the events, #1. */
    private void emit(String... values) {
        try (CheckpointingProducer<String, String> emitter = Clients.producer(kafka)) {
            for (String value : values) {
                Clients.send(emitter, topic, 0, value);
            }
        }
    }
}
