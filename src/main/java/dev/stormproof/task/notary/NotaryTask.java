package dev.stormproof.task.notary;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.evidence.notary.MalformedNoteException;
import dev.stormproof.evidence.notary.Note;
import dev.stormproof.evidence.notary.NoteState;
import dev.stormproof.evidence.notary.NoteState.Place;
import dev.stormproof.evidence.notary.NoteTaking;
import dev.stormproof.evidence.notary.Origin;
import dev.stormproof.log.audit.PartitionReader.Bounds;
import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.log.kafka.KafkaAnswers;
import dev.stormproof.log.kafka.KafkaLogReader;
import dev.stormproof.log.kafka.KafkaPartitionReader;
import dev.stormproof.log.kafka.StoredRecord;
import dev.stormproof.log.kafka.WrittenEnd;
import dev.stormproof.proof.sign.CheckpointKey;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.task.config.NotarySettings;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.open.TaskPlacement;
import dev.stormproof.task.live.run.ProducerLimits;
import dev.stormproof.task.live.run.TaskProducer;
import dev.stormproof.task.live.run.TransactionalIds;
import dev.stormproof.task.metrics.Metric;
import dev.stormproof.task.metrics.WorkerMetrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.LeaderNotAvailableException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The notary of one task's partitions: reads on in each log, and writes notes, tiles and progress in one transaction.
 *
 * <pre>
 *   log ──► NoteTaking ──► tiles ─┐
 *                     └──► note ──┴─► one transaction with the progress: offset after the note, place of the note
 *   begins again at:       progress ──► note at that place ──► its state; without progress, the last note of the tree in the topic
 * </pre>
 *
 * <p>A deleted topic or an unreadable partition does not keep others from their notes: {@link UnreadPartitions}.
 *
 * <p>Only the producer with the task's transactional id can write, so there is one chain of notes. If Kafka refuses anything, the task ends,
 * and the next one begins after the last committed note. For one thread.
 */
public final class NotaryTask implements AutoCloseable {
    /** The suffix of the group whose offsets are the notary's progress. */
    public static final String SUFFIX = "-notary";

    /** The most records of one note, so that an audit can hold their hashes in memory. */
    static final int MOST_OF_A_NOTE = 250_000;

    /** About how many records a round reads: their hashes are in memory. */
    private static final int MOST_OF_A_ROUND = 1_000_000;

    private static final Logger LOG = LoggerFactory.getLogger(NotaryTask.class);
    private static final Duration SILENCE = Duration.ofSeconds(30);
    /** How long a partition that does not answer may keep the others waiting. */
    private static final String TIMEOUT_MILLIS = "10000";

    private static final Duration CLOSE = Duration.ofSeconds(1);

    /** The partitions on which the tasks of this process take no notes now. */
    private static final Map<NotaryTask, Set<TopicPartition>> RESTING = new ConcurrentHashMap<>();

    static {
        WorkerMetrics.ofThisProcess().show(Metric.NOTARY_FAILING, NotaryTask::resting);
    }

    private final StormproofConfig config;
    private final int index;
    private final int mostOfANote;
    private final long mostOfARound;
    private final CheckpointKey key;
    private final Admin admin;
    private final Producer<byte[], byte[]> producer;
    private final KafkaLogReader log;
    private final NotesTopic notes;
    private final ConsumerGroupMetadata group;
    private final String clusterId;
    private final Map<TopicPartition, NoteTaking> takings = new HashMap<>();
    private final UnreadPartitions unread = new UnreadPartitions(System::nanoTime);
    private final StoredLeaves leaves = new StoredLeaves();
    private int firstOfRound;

    /**
     * Begins for a task; waits for Kafka.
     *
     * @param index the task's place among those that share the partitions, from 0
     */
    public NotaryTask(StormproofConfig config, int index, CheckpointKey key) {
        this(config, index, key, MOST_OF_A_NOTE, MOST_OF_A_ROUND);
    }

    NotaryTask(StormproofConfig config, int index, CheckpointKey key, int mostOfANote, long mostOfARound) {
        this.mostOfANote = mostOfANote;
        this.mostOfARound = mostOfARound;
        this.config = config;
        this.index = index;
        this.key = key;
        this.group = groupMetadata(config);
        this.admin = Admin.create(config.kafkaAdmin());
        try {
            this.clusterId = KafkaAnswers.get(admin.describeCluster().clusterId());
            // The producer first: it ends the transaction that a dead predecessor left open, and with it settles the
            // progress.
            this.producer =
                    TaskProducer.open(config, ProducerLimits.of(config, 0), TransactionalIds.ofNotary(config, index));
            Map<String, Object> reader = config.kafkaConsumer();
            reader.putIfAbsent(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS);
            this.log = KafkaLogReader.ofStored(reader, SILENCE);
        } catch (RuntimeException e) {
            admin.close(CLOSE);
            throw e;
        }
        this.notes = new NotesTopic(log, config.notary.notesTopic(), key.publicKey());
    }

    /** The private key that a configuration names; throws {@link ConfigException} if it cannot be read. */
    public static CheckpointKey key(StormproofConfig config) {
        Path file = config.notary.keyFile();
        try {
            return CheckpointKey.ofText(config.notary.keyId(), Files.readString(file));
        } catch (NoSuchFileException e) {
            throw new ConfigException(NotarySettings.NOTARY_KEY + ": there is no file " + file);
        } catch (IOException e) {
            throw new ConfigException(NotarySettings.NOTARY_KEY + ": " + file + " cannot be read: " + e);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(NotarySettings.NOTARY_KEY + ": " + e.getMessage());
        }
    }

    /** The group whose offsets are the notary's progress. */
    public static String group(StormproofConfig config) {
        return config.groupId() + SUFFIX;
    }

    /** 1 for each partition that rests, by group, topic and partition. */
    static Map<List<String>, Double> resting() {
        Map<List<String>, Double> all = new HashMap<>();
        RESTING.forEach((task, partitions) -> partitions.forEach(
                one -> all.put(List.of(task.config.groupId(), one.topic(), Integer.toString(one.partition())), 1.0)));
        return all;
    }

    private void fenceOthers(Set<TopicPartition> partitions) {
        Set<String> writers = new HashSet<>();
        progress(partitions).values().forEach(one -> writers.add(one.writer()));
        boolean unused = TransactionalIds.fenceOtherNotaries(config, writers);
    }

    /**
     * Reads new records, and writes a note on each partition that has any.
     *
     * <p>Throws Kafka's exception if no partition can be read; if only some cannot, they are tried again later.
     *
     * <p>A partition whose tree cannot be continued now, since its last note cannot be read, rests alone.
     *
     * @return true if there is more to read at once
     */
    public boolean round() {
        Map<TopicPartition, Origin> mine = partitions();
        open(mine);
        List<TopicPartition> order = new ArrayList<>(takings.keySet());
        order.sort((one, other) -> one.toString().compareTo(other.toString()));
        long left = mostOfARound;
        boolean more = false;
        int next = firstOfRound;
        KafkaException failure = null;
        for (int i = 0; i < order.size(); i++) {
            TopicPartition partition = order.get((firstOfRound + i) % order.size());
            if (left <= 0) {
                next = (firstOfRound + i) % order.size();
                more = true;
                break;
            }
            if (unread.rests(partition)) {
                continue;
            }
            NoteTaking taking = taking(partition);
            long before = taking.size();
            try {
                more |= readOn(partition, taking, (int) Math.min(left, mostOfANote));
                unread.wasRead(partition);
            } catch (InterruptException e) {
                throw e;
            } catch (KafkaException e) {
                // Records before the failure are taken. The next round asks again which partitions can be read.
                unread.failed(partition, e);
                failure = e;
                next = (firstOfRound + i + 1) % order.size();
                more = true;
                break;
            }
            left -= taking.size() - before;
        }
        firstOfRound = next;
        write(order);
        RESTING.put(this, unread.failing());
        if (failure != null && unread.areAll(mine.keySet())) {
            throw failure;
        }
        return more;
    }

    private NoteTaking taking(TopicPartition partition) {
        NoteTaking taking = takings.get(partition);
        if (taking == null) {
            throw new IllegalStateException("no tree of " + partition);
        }
        return taking;
    }

    /** Reads at most {@code most} records; true if the log has more. */
    private boolean readOn(TopicPartition partition, NoteTaking taking, int most) {
        KafkaPartitionReader reader = log.of(partition);
        Bounds bounds = reader.bounds();
        long noted = taking.next();
        switch (taking.findOn(bounds.begin(), bounds.end(), reader::endOfEpoch)) {
            case EXPIRED ->
                LOG.warn("{}: records at [{}, {}) expired before they were noted", partition, noted, taking.next());
            case CUT -> LOG.warn("{}: the log was cut to {}, and {} was noted up to", partition, taking.next(), noted);
            case GOES_ON -> {}
        }
        if (taking.next() >= bounds.end()) {
            return false;
        }
        Taking taker = new Taking(taking, most);
        try {
            reader.scanStored(taking.next(), bounds.end(), taker);
        } catch (ExpiredRangeException e) {
            return true; // The next round finds where the log begins now.
        }
        if (taker.isFull) {
            return true;
        }
        taking.passedUpTo(bounds.end());
        return false;
    }

    private final class Taking implements Predicate<StoredRecord> {
        private final NoteTaking taking;
        private final long most;
        private boolean isFull;

        Taking(NoteTaking taking, int most) {
            this.taking = taking;
            this.most = taking.size() + most;
        }

        @Override
        public boolean test(StoredRecord record) {
            if (taking.size() >= most) {
                isFull = true;
                return false;
            }
            if (record.unreadCount() > 0) {
                taking.takeUnread(record.offset(), record.unreadCount(), record.leaderEpoch(), leaves.of(record));
            } else {
                taking.take(record.offset(), record.leaderEpoch(), leaves.of(record));
            }
            return true;
        }
    }

    private void write(List<TopicPartition> partitions) {
        List<TopicPartition> news = partitions.stream()
                .filter(partition -> taking(partition).hasNews())
                .toList();
        if (news.isEmpty()) {
            return;
        }
        producer.beginTransaction();
        Map<TopicPartition, Future<RecordMetadata>> unfinished = sendTiles(news);
        producer.flush();
        Map<TopicPartition, Future<RecordMetadata>> sent = new HashMap<>();
        for (TopicPartition partition : news) {
            NoteTaking taking = taking(partition);
            Future<RecordMetadata> tile = unfinished.get(partition);
            Note.Written written =
                    taking.note(System.currentTimeMillis(), tile == null ? Place.NONE : place(tile), key);
            ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                    config.notary.notesTopic(),
                    taking.origin().text().getBytes(UTF_8),
                    written.value().toByteArray());
            record.headers()
                    .add(new RecordHeader(NoteState.HEADER, written.stateBytes().toByteArray()));
            sent.put(partition, producer.send(record));
        }
        producer.flush();
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        sent.forEach((partition, note) -> {
            NoteTaking taking = taking(partition);
            NotaryProgress progress = new NotaryProgress(
                    taking.next(), taking.origin().text(), place(note), TransactionalIds.writer(config, index));
            offsets.put(partition, progress.at(taking.leaderEpoch()));
        });
        producer.sendOffsetsToTransaction(offsets, group);
        producer.commitTransaction();
    }

    /** Sends the tiles that are new; returns the unfinished ones. */
    private Map<TopicPartition, Future<RecordMetadata>> sendTiles(List<TopicPartition> partitions) {
        Map<TopicPartition, Future<RecordMetadata>> unfinished = new HashMap<>();
        config.notary.tiles().ifPresent(topic -> {
            for (TopicPartition partition : partitions) {
                NoteTaking taking = taking(partition);
                for (NoteTaking.Tile tile : taking.tiles()) {
                    Future<RecordMetadata> sent = producer.send(new ProducerRecord<>(
                            topic,
                            TilesTopic.key(taking.origin(), tile.index()),
                            tile.hashes().toByteArray()));
                    if (!tile.isFull()) {
                        unfinished.put(partition, sent);
                    }
                }
            }
        });
        return unfinished;
    }

    private static Place place(Future<RecordMetadata> sent) {
        RecordMetadata metadata = KafkaAnswers.get(sent);
        return new Place(metadata.partition(), metadata.offset());
    }

    /** Continues each partition's last tree; a topic that was created again begins another one. */
    private void open(Map<TopicPartition, Origin> mine) {
        takings.entrySet().removeIf(one -> !one.getValue().origin().equals(mine.get(one.getKey())));
        Map<TopicPartition, Origin> added = new HashMap<>(mine);
        added.keySet().removeAll(takings.keySet());
        added.keySet().removeIf(unread::rests);
        if (!added.isEmpty()) {
            fenceOthers(added.keySet());
            Map<TopicPartition, NotaryProgress> progress = progress(added.keySet());
            Map<TopicPartition, Note> last = new HashMap<>();
            Map<String, TopicPartition> sought = new HashMap<>();
            Map.copyOf(added).forEach((partition, origin) -> {
                NotaryProgress known = progress.get(partition);
                if (known != null && known.isOf(origin)) {
                    orRest(List.of(partition), added, () -> last.put(partition, lastNote(partition, known)));
                } else {
                    sought.put(origin.text(), partition);
                }
            });
            orRest(sought.values(), added, () -> seek(sought, last));
            Map.copyOf(added)
                    .forEach((partition, origin) -> orRest(List.of(partition), added, () -> {
                        Note note = last.get(partition);
                        NoteTaking taking = note == null ? begin(partition, origin) : after(partition, note);
                        NotaryProgress known = progress.get(partition);
                        taking.passedUpTo(known != null && known.isOf(origin) ? known.next() : 0);
                        takings.put(partition, taking);
                        unread.wasRead(partition);
                    }));
        }
    }

    /** Leaves partitions out for a while if their last notes cannot be read now. */
    private void orRest(Collection<TopicPartition> partitions, Map<TopicPartition, Origin> added, Runnable attempt) {
        try {
            attempt.run();
        } catch (LastNoteUnreadException e) {
            partitions.forEach(partition -> unread.failed(partition, e));
            added.keySet().removeAll(List.copyOf(partitions));
        }
    }

    /** The note that the progress names. Continuing any other one would begin a second chain. */
    private Note lastNote(TopicPartition partition, NotaryProgress known) {
        TopicPartition notesOf =
                new TopicPartition(config.notary.notesTopic(), known.note().partition());
        boolean readable =
                WrittenEnd.becomesReadable(log.of(notesOf), known.note().offset() + 1);
        return notes.at(known.note())
                .filter(note -> known.isOf(note.origin()))
                .orElseThrow(() -> new LastNoteUnreadException("the last note on " + partition + " was written to "
                        + notesOf + "@" + known.note().offset()
                        + (readable
                                ? ", and is gone, or not signed by the key '" + key.id()
                                        + "': its tree cannot be continued. Another id in "
                                        + NotarySettings.NOTARY_KEY + " begins another tree"
                                : ", where an open transaction hides it, or is cut off: waiting for it")));
    }

    private NoteTaking begin(TopicPartition partition, Origin origin) {
        long offset = log.of(partition).begin();
        LOG.info("{}: the tree {} begins at {}", partition, origin, offset);
        return NoteTaking.begin(origin, offset, config.notary.tiles().isPresent());
    }

    private NoteTaking after(TopicPartition partition, Note note) {
        Optional<String> tiles = config.notary.tiles();
        if (tiles.isEmpty()) {
            return NoteTaking.after(note);
        }
        Place place = note.state().tile();
        Hash unfinished = place.equals(Place.NONE)
                ? Hash.empty()
                : new TilesTopic(log, tiles.get()).at(place, admin).orElse(Hash.empty());
        try {
            return NoteTaking.after(note, unfinished);
        } catch (MalformedNoteException e) {
            LOG.warn(
                    "{}: {} does not hold the unfinished tile of the last note; going on with the next one: an audit"
                            + " names no record of this one",
                    partition,
                    tiles.get(),
                    e);
            return NoteTaking.afterLostTile(note);
        }
    }

    /** Looks for the last notes of trees without progress. */
    private void seek(Map<String, TopicPartition> sought, Map<TopicPartition, Note> last) {
        if (sought.isEmpty()) {
            return;
        }
        int partitions =
                KafkaAnswers.get(admin.describeTopics(List.of(config.notary.notesTopic()))
                                .allTopicNames())
                        .values()
                        .stream()
                        .mapToInt(topic -> topic.partitions().size())
                        .sum();
        for (int i = 0; i < partitions; i++) {
            demandAllReadable(new TopicPartition(config.notary.notesTopic(), i));
        }
        notes.read(partitions, sought::containsKey, (note, refused) -> {
            if (note == null) {
                LOG.warn("{}", refused);
                return;
            }
            TopicPartition partition = sought.get(note.origin().text());
            if (partition != null) {
                last.merge(
                        partition,
                        note,
                        (one, other) -> one.state().number() > other.state().number() ? one : other);
            }
        });
    }

    /** Throws if an open transaction hides the end of a log of notes: the last note may be there. */
    private void demandAllReadable(TopicPartition partition) {
        boolean readable = WrittenEnd.becomesReadable(log.of(partition), WrittenEnd.of(admin, partition));
        if (!readable) {
            throw new LastNoteUnreadException(partition
                    + ": a transaction is open there, and the last notes may come after it; waiting for its end");
        }
    }

    private Map<TopicPartition, NotaryProgress> progress(Set<TopicPartition> partitions) {
        Map<TopicPartition, NotaryProgress> progress = new HashMap<>();
        try (KafkaConsumer<byte[], byte[]> consumer = member(config)) {
            consumer.committed(partitions).forEach((partition, committed) -> {
                if (committed != null) {
                    NotaryProgress.parse(committed).ifPresent(one -> progress.put(partition, one));
                }
            });
        }
        return progress;
    }

    private static ConsumerGroupMetadata groupMetadata(StormproofConfig config) {
        try (KafkaConsumer<byte[], byte[]> consumer = member(config)) {
            return consumer.groupMetadata();
        }
    }

    private static KafkaConsumer<byte[], byte[]> member(StormproofConfig config) {
        Map<String, Object> properties = config.kafkaReader();
        properties.put(ConsumerConfig.GROUP_ID_CONFIG, group(config));
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        return new KafkaConsumer<>(properties);
    }

    /** The task's partitions of existing topics that have a leader. */
    private Map<TopicPartition, Origin> partitions() {
        Map<TopicPartition, Origin> mine = new HashMap<>();
        Map<String, KafkaException> absent = new HashMap<>();
        admin.describeTopics(config.notary.topics()).topicNameValues().forEach((name, described) -> {
            try {
                addPartitions(KafkaAnswers.get(described), mine, absent);
            } catch (InterruptException e) {
                throw e;
            } catch (KafkaException e) {
                absent.put(name, e);
            }
        });
        unread.lookedFor(absent, mine.keySet());
        for (KafkaException failure : absent.values()) {
            if (mine.isEmpty() && !(failure instanceof UnknownTopicOrPartitionException)) {
                throw failure;
            }
        }
        return mine;
    }

    private void addPartitions(
            TopicDescription topic, Map<TopicPartition, Origin> mine, Map<String, KafkaException> absent) {
        String id = topic.topicId().toString();
        for (TopicPartitionInfo info : topic.partitions()) {
            TopicPartition partition = new TopicPartition(topic.name(), info.partition());
            if (TaskPlacement.taskIndex(partition, config.tasks.verifying()) != index) {
                continue;
            }
            if (info.leader() == null) {
                absent.put(partition.toString(), new LeaderNotAvailableException("it has no leader"));
            } else {
                mine.put(partition, new Origin(key.id(), clusterId, topic.name(), id, info.partition()));
            }
        }
    }

    @Override
    public void close() {
        RESTING.remove(this);
        producer.close(CLOSE);
        log.close();
        admin.close(CLOSE);
    }
}
