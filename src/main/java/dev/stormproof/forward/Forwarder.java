package dev.stormproof.forward;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The forwarding of an alerts topic: each change of an alert goes to a receiver at least once.
 *
 * <pre>
 *   begins with a partition:  its first record ──► what is known ──► the group's offset      nothing is sent
 *   goes on behind that:      record ──► OpenAlerts ──► changed ──► waits ──► receiver ──2xx──► the group's offset
 *                                            └── told before, or no alert ───────────────────► the group's offset
 *   the receiver fails:       again after a pause, and ever longer ones, up to so many attempts; then it ends.
 *                             What is read meanwhile waits, up to so many bytes of a partition
 *   it ends anyhow:           what was sent, and not committed, is sent again by the next one: one request at most
 * </pre>
 *
 * <p>Several of one group share the partitions. A partition that is taken away while the receiver fails is left to its new owner.
 *
 * <p>One thread runs it; any thread may ask for its numbers.
 */
public final class Forwarder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Forwarder.class);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final int MOST_POLLED = 64;

    /** A partition of which so many bytes of records wait for the receiver is not read on. */
    private static final long MOST_WAITING_BYTES = 8L << 20;

    /** How often Kafka is asked whether it answers, and for how long it may take. */
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final Duration LOOK_TIMEOUT = Duration.ofSeconds(5);

    private final String topic;
    private final boolean fromBeginning;
    private final Receiver receiver;
    private final Backoff backoff;
    private final long repeatNanos;
    private final Consumer<String> troubles;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Map<TopicPartition, Followed> followed = new ConcurrentHashMap<>();
    /** Those of ours that are not followed yet: Kafka has not told where they begin. */
    private final Set<TopicPartition> unbegun = new HashSet<>();

    private final AtomicLong forwarded = new AtomicLong();
    private volatile long failingSinceNanos;
    private volatile boolean failing;
    private volatile long unheardSinceNanos;
    private volatile boolean unheard;
    private long lookedNanos = System.nanoTime();
    /** True once partitions were ours: the group has begun. */
    private boolean begun;

    /** How often the receiver has failed to take what waits. */
    private int failures;

    private long retryNanos = System.nanoTime();
    private long repeatedNanos = System.nanoTime();

    private static final Pattern LEADER_EPOCH = Pattern.compile("leader-epoch=([0-9]{1,9})");

    /** A partition of ours. */
    static final class Followed {
        private final OpenAlerts alerts = new OpenAlerts();
        private final TopicPartition partition;
        private final Deque<Waiting> waiting = new ArrayDeque<>();
        /** What lies before it was sent already, or is none of ours. */
        private long sendsFrom;
        /** Behind the last record that was taken, and behind what was passed over since. */
        private long next;
        /** What {@link #alerts} come to, for other threads. */
        private volatile List<Standing> standings = List.of();

        /** What is known before it was read up to here would call open what was accepted since. */
        private long showsFrom;

        private OffsetAndMetadata committed;
        /** True once it was read up to what is to be sent: the leader of the last record is then the one to commit. */
        private boolean replayed;
        /** The leader epochs of what was sent already are none later. */
        private final int sentEpoch;
        /** The leader epoch of the record that was taken last. */
        private Optional<Integer> lastEpoch;

        /**
         * @param begin where to begin to send, with the leader epoch that was the last when it was committed
         * @param showsFrom where what it shows is no longer of the past alone
         */
        Followed(TopicPartition partition, OffsetAndMetadata begin, long showsFrom) {
            this.partition = partition;
            this.sendsFrom = begin.offset();
            this.showsFrom = showsFrom;
            this.committed = begin;
            this.lastEpoch = epochIn(begin.metadata());
            this.sentEpoch = lastEpoch.orElse(Integer.MAX_VALUE);
        }

        private static Optional<Integer> epochIn(String metadata) {
            Matcher named = LEADER_EPOCH.matcher(metadata);
            return named.matches() ? Optional.of(Integer.parseInt(named.group(1))) : Optional.empty();
        }

        /** Takes where the partition ends now: it may have been created anew, or have lost its end. */
        void endsAt(long offset) {
            if (offset < showsFrom) {
                showsFrom = offset;
                readTo(next);
            }
        }

        /** Takes where the partition begins now; what was deleted of what nobody has sent, in words, if anything was. */
        Optional<String> beginsAt(long offset) {
            long unsent = Math.max(sendsFrom, next);
            if (offset > unsent) {
                sendsFrom = offset;
                return Optional.of(partition + ": alerts of [" + unsent + ", " + offset
                        + ") were deleted before they were forwarded; 'stormproof audit' finds what they told");
            }
            return Optional.empty();
        }

        /** Takes the value of a record; the change that it makes, if any. */
        Optional<Change> take(byte[] record) throws IOException {
            return alerts.take(record);
        }

        List<Standing> standings() {
            return standings;
        }

        /** Takes how far it was read, for now. */
        void readTo(long offset) {
            // Behind the last record of a transaction is its end, which is no alert.
            next = Math.max(next, offset);
            replayed |= offset >= sendsFrom;
            // One that is not read on until its receiver takes something says what it knows.
            if (offset >= showsFrom || isFull()) {
                showsFrom = 0;
                standings = alerts.all();
            }
        }

        /** Takes the next record's place; true if the record is to be sent. */
        boolean sends(long offset, Optional<Integer> leaderEpoch) {
            // Where the topic was created anew, or has lost its end, what stands there now was never sent.
            sendsFrom = offset < next || leaderEpoch.orElse(-1) > sentEpoch ? Math.min(sendsFrom, offset) : sendsFrom;
            lastEpoch = leaderEpoch.or(() -> lastEpoch);
            next = offset + 1;
            return offset >= sendsFrom;
        }

        /** Has a change wait for its receiver. */
        void await(Change change, long offset, int bytes) {
            waiting.add(new Waiting(this, change, offset, bytes));
        }

        /**
         * What is to be committed: the log may lose its end while nobody reads it, and a later leader writes there then. The epoch stands in the
         * metadata: a consumer that is told one of a topic before believes no leader of the topic that is created in its place.
         */
        OffsetAndMetadata position() {
            String metadata = lastEpoch.map(epoch -> "leader-epoch=" + epoch).orElse("");
            return new OffsetAndMetadata(done(), metadata);
        }

        /** True if that is not committed yet. A group that begins has committed an offset without its leader. */
        boolean isToCommit() {
            return position().offset() != committed.offset()
                    || (replayed && !position().equals(committed));
        }

        /** The offset before which nothing is to be sent any more. */
        long done() {
            return waiting.stream().mapToLong(Waiting::offset).min().orElse(Math.max(sendsFrom, next));
        }

        boolean isFull() {
            return waiting.stream().mapToLong(Waiting::bytes).sum() >= MOST_WAITING_BYTES;
        }
    }

    /** A change that the receiver does not have yet. */
    private record Waiting(Followed of, Change change, long offset, int bytes) {}

    /**
     * @param clientProperties for the consumer, {@code group.id} among them
     * @param fromBeginning where a group without offsets begins; else it begins with what comes from now on
     * @param repeatMillis how often open alerts are told again to a receiver that forgets
     * @param troubles takes what people should know, a line each
     */
    Forwarder(
            Map<String, ?> clientProperties,
            String topic,
            boolean fromBeginning,
            Receiver receiver,
            Backoff backoff,
            long repeatMillis,
            Consumer<String> troubles) {
        this.topic = topic;
        this.fromBeginning = fromBeginning;
        this.receiver = receiver;
        this.backoff = backoff;
        this.repeatNanos = TimeUnit.MILLISECONDS.toNanos(repeatMillis);
        this.troubles = troubles;
        Map<String, Object> settings = new HashMap<>(clientProperties);
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        settings.putIfAbsent(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, MOST_POLLED);
        this.consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /**
     * Forwards until it is told to end.
     *
     * @throws IOException if the receiver took an alert in none of the attempts; nothing of it is committed
     */
    void run(BooleanSupplier ending) throws IOException, InterruptedException {
        consumer.subscribe(List.of(topic), new Ours());
        while (!ending.getAsBoolean()) {
            read();
            deliver();
            repeat();
            look();
        }
    }

    /** Reads on, also while the receiver fails: what is open is counted, and it stays a member of the group. */
    private void read() {
        consumer.resume(followed.keySet());
        consumer.pause(followed.values().stream()
                .filter(Followed::isFull)
                .map(one -> one.partition)
                .toList());
        ConsumerRecords<byte[], byte[]> records = consumer.poll(waits() && isDue() ? Duration.ZERO : POLL);
        records.forEach(this::add);
        records.nextOffsets()
                .forEach((partition, next) ->
                        Objects.requireNonNull(followed.get(partition)).readTo(next.offset()));
    }

    private boolean waits() {
        return followed.values().stream().anyMatch(one -> !one.waiting.isEmpty());
    }

    /** False during the pause after an attempt that failed. */
    private boolean isDue() {
        return System.nanoTime() - retryNanos >= 0;
    }

    /** Asks for something: a poll brings nothing, and says nothing, where Kafka does not answer. */
    private void look() {
        if (System.nanoTime() - lookedNanos < LOOK_NANOS) {
            return;
        }
        Set<TopicPartition> some = new HashSet<>(followed.keySet());
        some.add(new TopicPartition(topic, 0)); // A standby has none.
        try {
            consumer.endOffsets(some, LOOK_TIMEOUT).forEach((partition, end) -> {
                Followed one = followed.get(partition);
                if (one != null) {
                    one.endsAt(end);
                }
            });
            consumer.beginningOffsets(followed.keySet(), LOOK_TIMEOUT)
                    .forEach((partition, begin) -> Objects.requireNonNull(followed.get(partition))
                            .beginsAt(begin)
                            .ifPresent(troubles));
            begin();
            if (unheard) {
                troubles.accept("Kafka answers again");
            }
            unheard = false;
        } catch (RetriableException | CommitFailedException | RebalanceInProgressException e) {
            isUnheard(e);
        }
        lookedNanos = System.nanoTime();
    }

    private void isUnheard(KafkaException e) {
        if (!unheard) {
            unheardSinceNanos = System.nanoTime();
            troubles.accept("Kafka does not answer, not all alerts are read: " + e.getMessage());
        }
        unheard = true;
    }

    /** Begins with those of our partitions that have a leader; throws if there are others, which are begun once they have one. */
    private void begin() {
        if (unbegun.isEmpty()) {
            return;
        }
        Set<TopicPartition> led = consumer.partitionsFor(topic, LOOK_TIMEOUT).stream()
                .filter(one -> one.leader() != null)
                .map(one -> new TopicPartition(topic, one.partition()))
                .filter(unbegun::contains)
                .collect(Collectors.toSet());
        if (!led.isEmpty()) {
            begin(led);
            unbegun.removeAll(led);
        }
        if (!unbegun.isEmpty()) {
            throw new TimeoutException(unbegun + " without a leader");
        }
    }

    private void begin(Set<TopicPartition> led) {
        Map<TopicPartition, OffsetAndMetadata> committed = committed(led);
        // A group that has begun misses nothing: what has no offset has come since, and nobody has sent its alerts.
        boolean begins = fromBeginning || begun || committed.values().stream().anyMatch(Objects::nonNull);
        Map<TopicPartition, Long> firsts = consumer.beginningOffsets(led, LOOK_TIMEOUT);
        Map<TopicPartition, Long> ends = consumer.endOffsets(led, LOOK_TIMEOUT);
        Map<TopicPartition, OffsetAndMetadata> first = new HashMap<>();
        Map<TopicPartition, Followed> ours = new HashMap<>();
        for (TopicPartition partition : led) {
            OffsetAndMetadata known = committed.get(partition);
            OffsetAndMetadata begin = known != null
                    ? known
                    : new OffsetAndMetadata(Objects.requireNonNull((begins ? firsts : ends).get(partition)));
            ours.put(partition, new Followed(partition, begin, Objects.requireNonNull(ends.get(partition))));
            if (known == null) {
                first.put(partition, begin);
            }
        }
        if (!first.isEmpty()) {
            consumer.commitSync(first, LOOK_TIMEOUT);
        }
        begun = true;
        followed.putAll(ours);
        ours.forEach((partition, one) ->
                one.beginsAt(Objects.requireNonNull(firsts.get(partition))).ifPresent(troubles));
    }

    /** The group's offsets of these partitions, and of all others that the topic has. */
    private Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> led) {
        Set<TopicPartition> all = new HashSet<>(led);
        consumer.partitionsFor(topic, LOOK_TIMEOUT).forEach(one -> all.add(new TopicPartition(topic, one.partition())));
        return consumer.committed(all, LOOK_TIMEOUT);
    }

    /** How many changes of alerts the receiver has taken. */
    long forwarded() {
        return forwarded.get();
    }

    /** For how long the receiver has taken nothing that was sent, or Kafka has not answered; 0 if both did at last. */
    long failingSeconds() {
        long nowNanos = System.nanoTime();
        long receiverNanos = failing ? nowNanos - failingSinceNanos : 0;
        long kafkaNanos = unheard ? nowNanos - unheardSinceNanos : 0;
        return failing || unheard
                ? Math.max(1, TimeUnit.NANOSECONDS.toSeconds(Math.max(receiverNanos, kafkaNanos)))
                : 0;
    }

    /** The alerts of the partitions that are ours. */
    List<Standing> standings() {
        return followed.values().stream()
                .flatMap(one -> one.standings().stream())
                .toList();
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(Duration.ofSeconds(5)));
    }

    private void add(ConsumerRecord<byte[], byte[]> record) {
        TopicPartition partition = new TopicPartition(record.topic(), record.partition());
        Followed one = Objects.requireNonNull(followed.get(partition));
        boolean sends = one.sends(record.offset(), record.leaderEpoch());
        try {
            if (record.value() == null) {
                throw new IOException("no value");
            }
            one.take(record.value())
                    .filter(change -> sends)
                    .ifPresent(change -> one.await(change, record.offset(), record.serializedValueSize()));
        } catch (IOException e) {
            if (sends) {
                troubles.accept(
                        partition + "@" + record.offset() + " is no alert and is passed over: " + e.getMessage());
            }
        }
    }

    /** Sends what waits, as much as goes into one request. */
    private void deliver() throws IOException, InterruptedException {
        if (!isDue()) {
            return;
        }
        List<Waiting> parcel = followed.values().stream()
                .flatMap(one -> one.waiting.stream())
                .limit(receiver.mostAtOnce())
                .toList();
        if (!parcel.isEmpty()) {
            try {
                receiver.send(parcel.stream().map(Waiting::change).toList());
            } catch (IOException e) {
                failures++;
                fails(e);
                retryNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(backoff.pauseMillis(failures));
                return;
            }
            succeeds();
            forwarded.addAndGet(parcel.size());
            parcel.forEach(sent -> sent.of().waiting.remove());
        }
        commit();
    }

    private void succeeds() {
        if (failing) {
            troubles.accept("the receiver takes alerts again");
        }
        failing = false;
        failures = 0;
    }

    private void fails() {
        if (!failing) {
            failingSinceNanos = System.nanoTime();
            failing = true;
        }
    }

    private void fails(IOException e) throws IOException {
        fails();
        String reason = e.getMessage() == null ? e.toString() : e.getMessage();
        if (!backoff.goesOn(failures)) {
            throw new IOException("the receiver took nothing in " + failures + " attempts: " + reason, e);
        }
        troubles.accept("the receiver fails: " + reason + "; tried again in " + backoff.pauseMillis(failures) + " ms");
    }

    private void commit() {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        for (Followed one : followed.values()) {
            if (one.isToCommit()) {
                offsets.put(one.partition, one.position());
            }
        }
        if (offsets.isEmpty()) {
            return;
        }
        try {
            consumer.commitSync(offsets);
            offsets.forEach(
                    (partition, position) -> Objects.requireNonNull(followed.get(partition)).committed = position);
        } catch (KafkaException e) {
            // The next commit holds this one; until then, the next owner of the partition sends once more what was
            // sent.
            LOG.warn("the offsets {} cannot be committed now", offsets, e);
        }
    }

    /** Tells open alerts again, which is no delivery: the next time will do. It fails all the same: they end unheard. */
    private void repeat() throws InterruptedException {
        if (!receiver.forgets() || failures > 0 || System.nanoTime() - repeatedNanos < repeatNanos) {
            return;
        }
        repeatedNanos = System.nanoTime();
        List<Standing> open = standings().stream()
                .filter(standing -> standing.state() == Standing.State.OPEN)
                .toList();
        if (open.isEmpty()) {
            failing = false; // Those that could not be told are another's now.
            return;
        }
        try {
            for (int begin = 0; begin < open.size(); begin += receiver.mostAtOnce()) {
                int end = Math.min(open.size(), begin + receiver.mostAtOnce());
                receiver.send(
                        open.subList(begin, end).stream().map(Change::again).toList());
            }
            succeeds();
        } catch (IOException e) {
            fails();
            troubles.accept("open alerts could not be told again: " + e.getMessage());
        }
    }

    /** Where partitions begin that become ours. */
    private final class Ours implements ConsumerRebalanceListener {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
            unbegun.addAll(assigned);
            consumer.pause(assigned);
            consumer.seekToBeginning(assigned);
            try {
                begin();
            } catch (RetriableException | CommitFailedException | RebalanceInProgressException e) {
                isUnheard(e);
            }
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
            revoked.forEach(followed::remove);
            unbegun.removeAll(revoked);
            if (!waits()) {
                failing = false;
                failures = 0;
                retryNanos = System.nanoTime();
            }
        }
    }
}
