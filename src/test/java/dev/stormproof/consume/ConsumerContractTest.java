package dev.stormproof.consume;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.LONG;

import dev.stormproof.emit.CheckpointingProducer;
import dev.stormproof.emit.HideCheckpoints;
import dev.stormproof.emit.testing.Clients;
import dev.stormproof.local.EmbeddedKafka;
import dev.stormproof.local.OnKafka;
import dev.stormproof.local.SharedKafka;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidGroupIdException;
import org.apache.kafka.common.errors.RecordDeserializationException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What applications rely on in KafkaConsumer, asked of it and of VerifiedConsumer alike, over a log of which all is verified. Its
 * checkpoints are hidden from KafkaConsumer by {@link HideCheckpoints}.
 */
@OnKafka
@Timeout(120)
class ConsumerContractTest {
    private static final int EVENTS = 6;
    private static final Duration POLL = Duration.ofMillis(100);

    private final List<Consumer<?, ?>> open = new ArrayList<>();
    private EmbeddedKafka kafka;
    private PaperVerifier verifier;
    private String topic;
    private TopicPartition first;
    private TopicPartition second;

    /** Which consumer is asked. */
    enum Kind {
        KAFKA,
        VERIFIED
    }

    /** Six events in each of two partitions, sealed: #0 e0 … e5 #1. */
    @BeforeEach
    void write(EmbeddedKafka shared) {
        kafka = shared;
        verifier = new PaperVerifier(kafka);
        topic = SharedKafka.createTopic(kafka, "contract", 2);
        first = new TopicPartition(topic, 0);
        second = new TopicPartition(topic, 1);
        try (CheckpointingProducer<String, String> emitter = Clients.producer(kafka)) {
            for (int i = 0; i < EVENTS; i++) {
                Clients.send(emitter, topic, 0, "a" + i);
                Clients.send(emitter, topic, 1, "b" + i);
            }
        }
        verifier.judged(topic, 0, EVENTS + 2L);
        verifier.judged(topic, 1, EVENTS + 2L);
    }

    @AfterEach
    void close() {
        open.forEach(Consumer::close);
        verifier.close();
    }

    @ParameterizedTest
    @EnumSource
    void recordsComeInOrderWithTheirPlacesAndTheirTimes(Kind kind) {
        Consumer<String, String> consumer = subscribed(kind);

        List<ConsumerRecord<String, String>> records = records(consumer, 2 * EVENTS);

        assertThat(of(first, records)).containsExactly("a0@1", "a1@2", "a2@3", "a3@4", "a4@5", "a5@6");
        assertThat(of(second, records)).containsExactly("b0@1", "b1@2", "b2@3", "b3@4", "b4@5", "b5@6");
        assertThat(records).allSatisfy(record -> {
            assertThat(record.key()).isEqualTo("key");
            assertThat(record.timestamp()).isPositive();
            assertThat(record.serializedKeySize()).isEqualTo(3);
            assertThat(record.serializedValueSize()).isEqualTo(2);
            assertThat(record.leaderEpoch()).isPresent();
        });
        assertThat(consumer.assignment()).containsExactlyInAnyOrder(first, second);
        assertThat(consumer.subscription()).containsExactly(topic);
        assertThat(consumer.position(first)).isGreaterThan(EVENTS);
    }

    @ParameterizedTest
    @EnumSource
    void noMoreRecordsAreReturnedThanAreAskedFor(Kind kind) {
        Consumer<String, String> consumer = subscribed(kind, "max.poll.records", 2);

        int polls = 0;
        for (int found = 0; found < 2 * EVENTS; ) {
            int now = consumer.poll(POLL).count();
            assertThat(now).isLessThanOrEqualTo(2);
            found += now;
            polls += now > 0 ? 1 : 0;
        }
        assertThat(polls).isGreaterThanOrEqualTo(EVENTS);
    }

    @ParameterizedTest
    @EnumSource
    void itGoesOnWhereItIsSetTo(Kind kind) {
        Consumer<String, String> consumer = assigned(kind, first);
        assertThat(of(first, records(consumer, EVENTS))).hasSize(EVENTS);

        consumer.seek(first, 4);
        assertThat(consumer.position(first)).isEqualTo(4);
        assertThat(of(first, records(consumer, 3))).containsExactly("a3@4", "a4@5", "a5@6");
        consumer.seek(first, new OffsetAndMetadata(6, "note"));
        assertThat(of(first, records(consumer, 1))).containsExactly("a5@6");
        consumer.seekToBeginning(Set.of(first));
        assertThat(consumer.position(first)).isZero();
        assertThat(of(first, records(consumer, EVENTS))).startsWith("a0@1");
        consumer.seekToEnd(Set.of(first));
        assertThat(consumer.position(first)).isEqualTo(EVENTS + 2L);
        assertThat(consumer.poll(POLL)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void whatIsPausedDoesNotComeAndStandsWhereItStood(Kind kind) {
        Consumer<String, String> consumer = assigned(kind, first, second);
        consumer.pause(Set.of(first));

        assertThat(consumer.paused()).containsExactly(first);
        assertThat(of(second, records(consumer, EVENTS))).hasSize(EVENTS);
        assertThat(consumer.poll(POLL)).isEmpty();
        assertThat(consumer.position(first)).isZero();

        consumer.resume(Set.of(first));
        assertThat(consumer.paused()).isEmpty();
        assertThat(of(first, records(consumer, EVENTS))).hasSize(EVENTS);
    }

    @ParameterizedTest
    @EnumSource
    void theNextOfTheGroupGoesOnBehindWhatWasCommitted(Kind kind) throws Exception {
        String group = SharedKafka.unique("contract");
        Consumer<String, String> one = assignedOf(kind, group, first);
        records(one, EVENTS);
        one.commitSync(Map.of(first, new OffsetAndMetadata(3, "so far")));
        assertThat(one.committed(Set.of(first))).containsEntry(first, new OffsetAndMetadata(3, "so far"));
        one.close();

        Consumer<String, String> two = assignedOf(kind, group, first);
        assertThat(of(first, records(two, 4))).containsExactly("a2@3", "a3@4", "a4@5", "a5@6");
        CompletableFuture<Map<TopicPartition, OffsetAndMetadata>> told = new CompletableFuture<>();
        two.commitAsync((offsets, failure) -> {
            if (failure == null) {
                told.complete(offsets);
            } else {
                told.completeExceptionally(failure);
            }
        });
        while (!told.isDone()) {
            two.poll(POLL);
        }
        assertThat(told.get()).containsOnlyKeys(first);
        assertThat(told.get().get(first))
                .isNotNull()
                .extracting(OffsetAndMetadata::offset)
                .asInstanceOf(LONG)
                .isGreaterThan(EVENTS);
        two.close();

        Consumer<String, String> three = assignedOf(kind, group, first);
        assertThat(three.poll(POLL)).isEmpty();
        assertThat(three.position(first)).isGreaterThan(EVENTS);
    }

    @ParameterizedTest
    @EnumSource
    void aCommitWithoutOffsetsIsOfWhatWasReturnedAndNotOfWhatWasFetched(Kind kind) {
        String group = SharedKafka.unique("contract");
        Consumer<String, String> one = assignedOf(kind, group, first, "max.poll.records", 2);
        List<ConsumerRecord<String, String>> before = records(one, 2);
        one.commitSync();
        one.close();

        // A record that is hidden counts among those that KafkaConsumer polls.
        assertThat(before).hasSizeLessThan(EVENTS);
        List<ConsumerRecord<String, String>> after = records(assignedOf(kind, group, first), EVENTS - before.size());
        assertThat(after.get(0).offset())
                .isEqualTo(before.get(before.size() - 1).offset() + 1);
    }

    @ParameterizedTest
    @EnumSource
    void closingCommitsWhatWasReturnedIfThatIsAskedFor(Kind kind) {
        String group = SharedKafka.unique("contract");
        Consumer<String, String> one = consumerOf(kind, group, "enable.auto.commit", true, "max.poll.records", 2);
        one.subscribe(Set.of(topic));
        int before = records(one, 2).size();
        one.close();

        Consumer<String, String> two = consumerOf(kind, group);
        two.subscribe(Set.of(topic));
        assertThat(records(two, 2 * EVENTS - before)).hasSize(2 * EVENTS - before);
        assertThat(two.poll(POLL)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void whatWasReturnedIsCommittedWhileALaterPollWaits(Kind kind) {
        String group = SharedKafka.unique("contract");
        Consumer<String, String> one =
                assignedOf(kind, group, first, "enable.auto.commit", true, "auto.commit.interval.ms", 3_000);
        records(one, EVENTS);
        assertThat(one.poll(Duration.ofSeconds(5))).isEmpty();

        try (KafkaConsumer<String, String> other = Clients.consumer(kafka, group)) {
            assertThat(other.committed(Set.of(first)).get(first))
                    .isNotNull()
                    .extracting(OffsetAndMetadata::offset)
                    .asInstanceOf(LONG)
                    .isGreaterThan(EVENTS);
        }
    }

    @ParameterizedTest
    @EnumSource
    void twoOfAGroupShareThePartitionsAndEachRecordComesOnce(Kind kind) {
        String group = SharedKafka.unique("contract");
        Listening listening = new Listening();
        Consumer<String, String> one = consumerOf(kind, group);
        one.subscribe(Set.of(topic), listening);
        List<ConsumerRecord<String, String>> seen = new ArrayList<>(records(one, 2 * EVENTS));
        one.commitSync();
        assertThat(listening.assigned).containsExactlyInAnyOrder(first, second);

        Consumer<String, String> two = consumerOf(kind, group);
        two.subscribe(Set.of(topic));
        Clients.await("a share for each", () -> {
            one.poll(POLL).forEach(seen::add);
            two.poll(POLL).forEach(seen::add);
            return one.assignment().size() == 1 && two.assignment().size() == 1;
        });
        assertThat(listening.revoked).isNotEmpty();

        try (CheckpointingProducer<String, String> emitter = Clients.producer(kafka)) {
            Clients.send(emitter, topic, 0, "a6");
            Clients.send(emitter, topic, 1, "b6");
        }
        verifier.judged(topic, 0, EVENTS + 5L);
        verifier.judged(topic, 1, EVENTS + 5L);
        Clients.await("what came later", () -> {
            one.poll(POLL).forEach(seen::add);
            two.poll(POLL).forEach(seen::add);
            return seen.size() >= 2 * EVENTS + 2;
        });
        assertThat(seen.stream().map(ConsumerRecord::value)).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @EnumSource
    void aListenerThatFailsOnceIsToldOnceAndEachPartitionComesOn(Kind kind) {
        String group = SharedKafka.unique("contract");
        Consumer<String, String> one = consumerOf(kind, group);
        AtomicBoolean failed = new AtomicBoolean();
        one.subscribe(Set.of(topic), new ConsumerRebalanceListener() {
            @Override
            public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
                if (!failed.getAndSet(true)) {
                    throw new IllegalArgumentException("the application's");
                }
            }

            @Override
            public void onPartitionsAssigned(Collection<TopicPartition> partitions) {}
        });
        records(one, 2 * EVENTS);
        Consumer<String, String> two = consumerOf(kind, group);
        two.subscribe(Set.of(topic));
        List<KafkaException> failures = new ArrayList<>();
        Clients.await("a share for each", () -> {
            List<ConsumerRecord<String, String>> again = new ArrayList<>();
            pollBoth(one, two, again, failures);
            return failures.size() > 1
                    || (one.assignment().size() == 1 && two.assignment().size() == 1);
        });
        assertThat(failures)
                .singleElement()
                .satisfies(failure -> assertThat(failure).hasRootCauseMessage("the application's"));

        try (CheckpointingProducer<String, String> emitter = Clients.producer(kafka)) {
            Clients.send(emitter, topic, 0, "a6");
            Clients.send(emitter, topic, 1, "b6");
        }
        verifier.judged(topic, 0, EVENTS + 5L);
        verifier.judged(topic, 1, EVENTS + 5L);
        List<ConsumerRecord<String, String>> later = new ArrayList<>();
        Clients.await("what came later", () -> {
            pollBoth(one, two, later, failures);
            return later.stream().map(ConsumerRecord::value).toList().containsAll(List.of("a6", "b6"));
        });
        assertThat(failures).hasSize(1);
    }

    /** Polls both; takes what fails in the first. */
    private static void pollBoth(
            Consumer<String, String> one,
            Consumer<String, String> two,
            List<ConsumerRecord<String, String>> found,
            List<KafkaException> failures) {
        try {
            one.poll(POLL).forEach(found::add);
        } catch (KafkaException e) {
            failures.add(e);
        } catch (IllegalStateException e) {
            failures.add(new KafkaException(e));
        }
        two.poll(POLL).forEach(found::add);
    }

    @ParameterizedTest
    @EnumSource
    void topicsOfAPatternAreRead(Kind kind) {
        Consumer<String, String> consumer = consumer(kind);
        consumer.subscribe(Pattern.compile(Pattern.quote(topic) + ".*"));

        assertThat(records(consumer, 2 * EVENTS)).hasSize(2 * EVENTS);
        consumer.unsubscribe();
        assertThat(consumer.assignment()).isEmpty();
        assertThat(consumer.subscription()).isEmpty();
        assertThatIllegalStateException().isThrownBy(() -> consumer.poll(POLL));
    }

    @ParameterizedTest
    @EnumSource
    void whatTheLogHoldsIsTold(Kind kind) {
        Consumer<String, String> consumer = assigned(kind, first);
        ConsumerRecord<String, String> third = records(consumer, EVENTS).get(2);

        assertThat(consumer.beginningOffsets(Set.of(first))).containsEntry(first, 0L);
        assertThat(consumer.endOffsets(Set.of(first, second)))
                .containsEntry(first, EVENTS + 2L)
                .containsEntry(second, EVENTS + 2L);
        assertThat(consumer.offsetsForTimes(Map.of(first, third.timestamp())).get(first))
                .isNotNull()
                .extracting(OffsetAndTimestamp::offset)
                .asInstanceOf(LONG)
                .isLessThanOrEqualTo(third.offset());
        assertThat(consumer.partitionsFor(topic)).hasSize(2);
        assertThat(consumer.listTopics()).containsKey(topic);
        assertThat(consumer.groupMetadata().groupId()).startsWith("contract");
        assertThat(consumer.metrics()).isNotEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void misuseIsRefused(Kind kind) {
        Consumer<String, String> consumer = consumer(kind);
        assertThatIllegalStateException().isThrownBy(() -> consumer.poll(POLL));
        assertThatIllegalStateException().isThrownBy(() -> consumer.position(first));
        assertThatIllegalStateException().isThrownBy(() -> consumer.seek(first, 1));
        assertThatIllegalStateException().isThrownBy(() -> consumer.pause(Set.of(first)));
        consumer.assign(Set.of(first));
        assertThatIllegalArgumentException().isThrownBy(() -> consumer.seek(first, -1));
        assertThatIllegalStateException().isThrownBy(() -> consumer.subscribe(Set.of(topic)));
        consumer.close();
        consumer.close();
        assertThatIllegalStateException().isThrownBy(() -> consumer.poll(POLL));
        assertThatIllegalStateException().isThrownBy(() -> consumer.commitSync());

        assertThatThrownBy(() -> consumerOf(kind, "")).hasRootCauseInstanceOf(InvalidGroupIdException.class);
    }

    @ParameterizedTest
    @EnumSource
    void aPollIsWokenByAnotherThreadAndRefusedToASecondOne(Kind kind) throws Exception {
        Consumer<String, String> consumer = assigned(kind, first);
        records(consumer, EVENTS);
        CountDownLatch polls = new CountDownLatch(1);
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            polls.countDown();
            try {
                while (true) {
                    consumer.poll(Duration.ofSeconds(30));
                }
            } catch (WakeupException e) {
                ended.complete(e);
            } catch (RuntimeException e) {
                ended.completeExceptionally(e);
            }
        });
        thread.start();
        polls.await();
        AtomicReference<RuntimeException> refused = new AtomicReference<>();
        Clients.await("a refusal", () -> {
            try {
                consumer.position(first);
            } catch (ConcurrentModificationException e) {
                refused.set(e);
            }
            return refused.get() != null || ended.isDone();
        });
        assertThat(refused.get()).isInstanceOf(ConcurrentModificationException.class);

        consumer.wakeup();

        assertThat(ended.get(30, TimeUnit.SECONDS)).isInstanceOf(WakeupException.class);
        thread.join();
        assertThat(consumer.position(first)).isGreaterThan(EVENTS);
    }

    @ParameterizedTest
    @EnumSource
    void withoutAPlaceToBeginAtItSaysSo(Kind kind) {
        Consumer<String, String> consumer = consumer(kind, "auto.offset.reset", "none");
        consumer.assign(Set.of(first));
        assertThatThrownBy(() -> records(consumer, 1)).isInstanceOf(NoOffsetForPartitionException.class);
        consumer.seek(first, 99);
        assertThatThrownBy(() -> records(consumer, 1))
                .isInstanceOfSatisfying(
                        OffsetOutOfRangeException.class,
                        failure ->
                                assertThat(failure.offsetOutOfRangePartitions()).containsEntry(first, 99L));
    }

    @ParameterizedTest
    @EnumSource
    void aRecordThatCannotBeReadIsNamedWithItsPlace(Kind kind) {
        Deserializer<String> picky = (name, data) -> {
            String text = new String(data, UTF_8);
            if (text.equals("a2")) {
                throw new SerializationException("not this one");
            }
            return text;
        };
        Map<String, Object> settings = settings(kind, SharedKafka.unique("contract"));
        Consumer<String, String> consumer = kind == Kind.KAFKA
                ? new KafkaConsumer<>(settings, new StringDeserializer(), skippingNull(picky))
                : new VerifiedConsumer<>(settings, new StringDeserializer(), picky);
        open.add(consumer);
        consumer.assign(Set.of(first));
        assertThat(of(first, records(consumer, 2))).containsExactly("a0@1", "a1@2");

        for (int again = 0; again < 2; again++) {
            assertThatThrownBy(() -> records(consumer, 1))
                    .isInstanceOfSatisfying(RecordDeserializationException.class, failure -> {
                        assertThat(failure.topicPartition()).isEqualTo(first);
                        assertThat(failure.offset()).isEqualTo(3);
                    });
        }
        consumer.seek(first, 4);
        assertThat(of(first, records(consumer, 3))).containsExactly("a3@4", "a4@5", "a5@6");
    }

    /** KafkaConsumer reads checkpoints too, before the interceptor hides them. */
    private static Deserializer<String> skippingNull(Deserializer<String> inner) {
        return (name, data) -> data == null ? null : inner.deserialize(name, data);
    }

    @ParameterizedTest
    @EnumSource
    void interceptorsSeeWhatIsReturnedAndWhatIsCommitted(Kind kind) {
        String id = SharedKafka.unique("interceptor");
        Consumer<String, String> consumer = consumer(
                kind,
                "interceptor.classes",
                (kind == Kind.KAFKA ? HideCheckpoints.class.getName() + "," : "") + Noting.class.getName(),
                Noting.ID,
                id);
        consumer.assign(Set.of(first));
        records(consumer, EVENTS);
        consumer.commitSync(Map.of(first, new OffsetAndMetadata(5)));

        assertThat(Noting.SEEN.get(id)).containsExactly("a0", "a1", "a2", "a3", "a4", "a5", "committed 5");
    }

    /** Notes what it is shown. */
    public static final class Noting implements ConsumerInterceptor<String, String> {
        static final String ID = "noting.id";
        static final Map<String, List<String>> SEEN = new ConcurrentHashMap<>();

        private List<String> seen = List.of();

        @Override
        public void configure(Map<String, ?> configs) {
            seen = SEEN.computeIfAbsent(String.valueOf(configs.get(ID)), id -> new CopyOnWriteArrayList<>());
        }

        @Override
        public ConsumerRecords<String, String> onConsume(ConsumerRecords<String, String> records) {
            records.forEach(record -> seen.add(record.value()));
            return records;
        }

        @Override
        public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {
            offsets.values().forEach(offset -> seen.add("committed " + offset.offset()));
        }

        @Override
        public void close() {}
    }

    /** Remembers what was assigned and revoked. */
    private static final class Listening implements ConsumerRebalanceListener {
        private final Set<TopicPartition> assigned =
                new TreeSet<>(Comparator.comparing(TopicPartition::topic).thenComparing(TopicPartition::partition));
        private final List<TopicPartition> revoked = new ArrayList<>();

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            revoked.addAll(partitions);
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            assigned.addAll(partitions);
        }
    }

    private Consumer<String, String> subscribed(Kind kind, Object... more) {
        Consumer<String, String> consumer = consumer(kind, more);
        consumer.subscribe(Set.of(topic));
        return consumer;
    }

    private Consumer<String, String> assigned(Kind kind, TopicPartition... partitions) {
        Consumer<String, String> consumer = consumer(kind);
        consumer.assign(List.of(partitions));
        return consumer;
    }

    private Consumer<String, String> assignedOf(Kind kind, String group, TopicPartition partition, Object... more) {
        Consumer<String, String> consumer = consumerOf(kind, group, more);
        consumer.assign(Set.of(partition));
        return consumer;
    }

    private Consumer<String, String> consumer(Kind kind, Object... more) {
        return consumerOf(kind, SharedKafka.unique("contract"), more);
    }

    private Consumer<String, String> consumerOf(Kind kind, String group, Object... more) {
        Map<String, Object> settings = settings(kind, group, more);
        Consumer<String, String> consumer = kind == Kind.KAFKA
                ? new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())
                : new VerifiedConsumer<>(settings, new StringDeserializer(), new StringDeserializer());
        open.add(consumer);
        return consumer;
    }

    private Map<String, Object> settings(Kind kind, String group, Object... more) {
        Map<String, Object> settings = new HashMap<>();
        if (kind == Kind.KAFKA) {
            settings.put("interceptor.classes", HideCheckpoints.class.getName());
            settings.put("isolation.level", "read_committed");
            settings.putAll(Clients.consumerSettings(kafka, group, more));
        } else {
            settings.putAll(verifier.settings(group, more));
        }
        return settings;
    }

    private static List<String> of(TopicPartition partition, List<ConsumerRecord<String, String>> records) {
        return records.stream()
                .filter(record ->
                        record.topic().equals(partition.topic()) && record.partition() == partition.partition())
                .map(record -> record.value() + "@" + record.offset())
                .toList();
    }

    private static List<ConsumerRecord<String, String>> records(Consumer<String, String> consumer, int count) {
        List<ConsumerRecord<String, String>> found = new ArrayList<>();
        Clients.await(count + " records", () -> {
            consumer.poll(POLL).forEach(found::add);
            return found.size() >= count;
        });
        return found;
    }
}
