package dev.stormproof.task.heads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.task.heads.Heads.Committed;
import dev.stormproof.task.heads.Heads.Update;
import dev.stormproof.verify.fold.SavedHeads;
import dev.stormproof.verify.fold.SavedStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Heads in a topic of Kafka, written with the progress and read by who comes next. */
@OnKafka
@Timeout(120)
class HeadsOnKafkaTest {
    private static final long ID = 77;

    private final long seed = Long.getLong("seed", new SplittableRandom().nextLong());
    private final SplittableRandom random = new SplittableRandom(seed);
    private final EmbeddedKafka kafka;
    private final Admin admin;
    private final String group = SharedKafka.unique("heads-group");
    private final String transactionalId = SharedKafka.unique("heads-task");
    private final ConsumerGroupMetadata ofGroup;
    private final TopicPartition first;
    private final TopicPartition second;
    private final OwnTopic topic;
    private final int partitions;
    private Producer<byte[], byte[]> producer;
    private long offset;

    /** What is committed: of each partition its streams, by their emitters. */
    private final Map<TopicPartition, Map<Long, SavedStream>> committed = new HashMap<>();

    HeadsOnKafkaTest(EmbeddedKafka kafka) {
        this.kafka = kafka;
        this.admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
        try (KafkaConsumer<byte[], byte[]> consumer = SharedKafka.consumer(kafka, "group.id", group)) {
            this.ofGroup = consumer.groupMetadata();
        }
        String input = SharedKafka.createTopic(kafka, "heads-input", 2);
        this.first = new TopicPartition(input, 0);
        this.second = new TopicPartition(input, 1);
        this.topic = OwnTopic.ofHeads(SharedKafka.unique("heads"), kafka.bootstrapServers(), 2);
        this.partitions = topic.demand(admin);
        this.producer = newProducer(transactionalId);
        committed.put(first, new TreeMap<>());
        committed.put(second, new TreeMap<>());
    }

    @AfterEach
    void close() {
        producer.close(Duration.ZERO);
        admin.close();
    }

    private Producer<byte[], byte[]> newProducer(String id) {
        Producer<byte[], byte[]> opened = SharedKafka.producer(kafka, "transactional.id", id);
        opened.initTransactions();
        return opened;
    }

    private HeadsStore newStore() {
        return newStore(Duration.ofSeconds(60));
    }

    private HeadsStore newStore(Duration silence) {
        return new HeadsStore(
                topic.name(),
                partitions,
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                silence);
    }

    private Map<TopicPartition, SavedHeads> read(HeadsStore store) {
        Map<TopicPartition, OffsetAndMetadata> offsets;
        try (KafkaConsumer<byte[], byte[]> consumer =
                SharedKafka.consumer(kafka, "group.id", group, "isolation.level", "read_committed")) {
            offsets = consumer.committed(Set.of(first, second));
        }
        Map<TopicPartition, Heads.Found> found = store.read(Set.of(first, second).stream()
                .collect(Collectors.toMap(
                        partition -> partition,
                        partition -> new Committed(
                                ID,
                                Optional.ofNullable(offsets.get(partition))
                                        .flatMap(one -> HeadsSum.ofText(one.metadata()))))));
        return found.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, one -> one.getValue().heads()));
    }

    private void assertRead(Map<TopicPartition, SavedHeads> heads, String as) {
        committed.forEach((partition, streams) -> {
            assertThat(Objects.requireNonNull(heads.get(partition)).streams())
                    .as("%s of %s, -Dseed=%s", partition, as, seed)
                    .containsExactlyInAnyOrderElementsOf(streams.values());
            assertThat(heads.get(partition).complete()).as(as).isTrue();
        });
    }

    /** The streams of each partition after some were changed, and one is gone. */
    private Map<TopicPartition, Map<Long, SavedStream>> next() {
        Map<TopicPartition, Map<Long, SavedStream>> next =
                new TreeMap<>(Comparator.comparing(TopicPartition::partition));
        committed.forEach((partition, before) -> {
            Map<Long, SavedStream> after = new TreeMap<>(before);
            after.remove((long) random.nextInt(6));
            for (int i = random.nextInt(3); i >= 0; i--) {
                SavedStream stream = DrawnStreams.stream(random.nextInt(6), random);
                after.put(stream.emitter(), stream);
            }
            next.put(partition, after);
        });
        return next;
    }

    private static Update update(HeadsStore store, TopicPartition partition, Collection<SavedStream> streams) {
        return store.update(partition, ID, new SavedHeads(List.copyOf(streams), true));
    }

    private static Map<TopicPartition, Update> updates(
            HeadsStore store, Map<TopicPartition, Map<Long, SavedStream>> next) {
        return next.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        one -> update(store, one.getKey(), one.getValue().values())));
    }

    /** The steps of a transaction with these updates. */
    private List<Runnable> steps(Map<TopicPartition, Update> updates) {
        List<Runnable> steps = new ArrayList<>();
        updates.values()
                .forEach(update -> update.records()
                        .forEach(record -> steps.add(() -> {
                            var unused = producer.send(record);
                            producer.flush();
                        })));
        offset++;
        Map<TopicPartition, OffsetAndMetadata> progress = new HashMap<>();
        updates.forEach((partition, update) -> progress.put(
                partition, new OffsetAndMetadata(offset, update.sum().text())));
        steps.add(() -> producer.sendOffsetsToTransaction(progress, ofGroup));
        steps.add(() -> producer.commitTransaction());
        return steps;
    }

    /** Begins a transaction, and ends it before one of its steps; true if it was committed. */
    private boolean runUpTo(int cut, List<Runnable> steps) {
        producer.beginTransaction();
        steps.subList(0, cut).forEach(Runnable::run);
        return cut == steps.size();
    }

    @Test
    void aTaskThatIsKilledAtAnyStepLosesAndInventsNoHead() {
        HeadsStore store = newStore();
        committed
                .keySet()
                .forEach(partition -> assertThat(committed.get(partition)).isEmpty());
        assertThat(read(store).values()).containsOnly(SavedHeads.NOTHING);
        commit(store, next());
        assertRead(read(newStore()), "the first commit");
        int last = Integer.MAX_VALUE;
        for (int cut = 0; cut <= last; cut++) {
            Map<TopicPartition, Map<Long, SavedStream>> next = next();
            List<Runnable> steps = steps(updates(store, next));
            last = steps.size();
            boolean isCommitted = runUpTo(Math.min(cut, last), steps);
            // Dead: the next one of that id ends its transaction, and reads.
            producer.close(Duration.ZERO);
            producer = newProducer(transactionalId);
            if (isCommitted) {
                committed.putAll(next);
            }
            store = newStore();
            assertRead(read(store), "killed before step " + cut);
        }
    }

    /** Of a partition that is not in the transaction what waits is kept. */
    @Test
    void aCommitCountsForItsPartitionsAlone() {
        HeadsStore store = newStore();
        assertThat(read(store)).hasSize(2);
        List<SavedStream> one = List.of(DrawnStreams.stream(1, random), DrawnStreams.stream(2, random));
        List<SavedStream> other = List.of(DrawnStreams.stream(3, random));
        Update waiting = update(store, first, one);
        runUpTo(Integer.MAX_VALUE, store, Map.of(second, update(store, second, other)));

        Update again = update(store, first, one);

        assertThat(again.sum()).isEqualTo(waiting.sum());
        assertThat(again.records()).hasSize(2);
        assertThat(update(store, second, other).records()).isEmpty();
    }

    private void runUpTo(int cut, HeadsStore store, Map<TopicPartition, Update> updates) {
        List<Runnable> steps = steps(updates);
        if (runUpTo(Math.min(cut, steps.size()), steps)) {
            store.committed(updates.keySet());
        }
    }

    @Test
    void ifAnotherGroupWritesToTheTopicNothingIsKnownAndAllBeginsAnew() {
        HeadsStore store = newStore();
        assertThat(read(store)).hasSize(2);
        commit(store, next());
        try (Producer<byte[], byte[]> other = newProducer(SharedKafka.unique("other"))) {
            HeadsStore others = newStore();
            others.read(Map.of(first, new Committed(ID, Optional.empty())));
            other.beginTransaction();
            for (ProducerRecord<byte[], byte[]> record : update(others, first, List.of(DrawnStreams.stream(99, random)))
                    .records()) {
                var unused = other.send(record);
            }
            other.commitTransaction();
        }

        store = newStore();
        Map<TopicPartition, SavedHeads> heads = read(store);

        assertThat(heads.get(first)).isEqualTo(SavedHeads.NOTHING);
        assertThat(Objects.requireNonNull(heads.get(second)).complete()).isTrue();
        committed.put(first, new TreeMap<>());
        commit(store, next());
        assertRead(read(newStore()), "the commit after that");
    }

    @Test
    void whatIsCommittedAfterTheOpenTransactionOfAnotherTaskIsWaitedFor() throws Exception {
        HeadsStore store = newStore();
        assertThat(read(store)).hasSize(2);
        try (Producer<byte[], byte[]> other = newProducer(SharedKafka.unique("other"))) {
            other.beginTransaction();
            for (int partition = 0; partition < partitions; partition++) {
                var unused = other.send(new ProducerRecord<>(topic.name(), partition, new byte[] {1}, new byte[] {1}));
            }
            other.flush();
            commit(store, next());
            assertThatThrownBy(() -> read(newStore(Duration.ofMillis(500)))).isInstanceOf(TimeoutException.class);

            CompletableFuture<Map<TopicPartition, SavedHeads>> reading =
                    CompletableFuture.supplyAsync(() -> read(newStore()));
            assertThat(reading.copy().completeOnTimeout(Map.of(), 1, TimeUnit.SECONDS))
                    .succeedsWithin(5, TimeUnit.SECONDS)
                    .isEqualTo(Map.of());
            other.abortTransaction();

            assertRead(reading.get(30, TimeUnit.SECONDS), "the commit after an open transaction");
        }
    }

    @Test
    void allRecordsOfAPartitionLieInOnePartitionAndTheNextOnesInTheNext() {
        HeadsStore store = newStore();
        assertThat(read(store)).hasSize(2);
        List<SavedStream> many = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            many.add(DrawnStreams.stream(i, random));
        }
        assertThat(update(store, first, many).records())
                .hasSize(50)
                .extracting(ProducerRecord::partition)
                .containsOnly(Math.floorMod(first.topic().hashCode(), 2));
        assertThat(update(store, second, many).records())
                .extracting(ProducerRecord::partition)
                .containsOnly(Math.floorMod(first.topic().hashCode() + 1, 2));
    }

    @Test
    void aTopicThatCannotBeCreatedIsRefusedWithTheCommandThatCreatesIt() {
        String name = "x".repeat(250);

        assertThatThrownBy(() -> OwnTopic.ofHeads(name, "kafka1:9092", 3).demand(admin))
                .isInstanceOf(ConfigException.class)
                .hasMessageEndingWith("create it: kafka-topics.sh --bootstrap-server kafka1:9092 --create --topic "
                        + name + " --partitions 3 --config cleanup.policy=compact --config segment.bytes=52428800");
    }

    private void commit(HeadsStore store, Map<TopicPartition, Map<Long, SavedStream>> next) {
        runUpTo(Integer.MAX_VALUE, store, updates(store, next));
        committed.putAll(next);
    }
}
