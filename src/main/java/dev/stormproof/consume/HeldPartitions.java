package dev.stormproof.consume;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.checkpoint.TransformedHeader;
import dev.stormproof.consume.HeldRecords.Judged;
import dev.stormproof.consume.VerifiedConsumerConfig.OnViolation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordDeserializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is held of all assigned partitions: fetched, judged, and handed out when its turn has come.
 *
 * <pre>
 *   fetch ──► held, by partition ──collect: judged──► handed out, skipped, or a reason to stop
 *     ▲                │
 *     └── makeRoom ────┘ partitions of which enough is held are not fetched
 * </pre>
 *
 * <p>A fetch takes more than is handed out at once, so that Kafka's part of a poll is paid for less often.
 *
 * <p>For the consumer's thread; any thread may read the metrics.
 */
final class HeldPartitions<K, V> {
    /** What a record takes in memory beside its key and value, about. */
    private static final int RECORD_OVERHEAD_BYTES = 200;

    /** After how long the group and the brokers are looked after, though enough is held to be handed out. */
    private static final long FETCH_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** How long after it was fetched again a partition may be so once more. */
    static final long FETCH_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final long WARNING_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final Logger LOG = LoggerFactory.getLogger(HeldPartitions.class);

    private final VerifiedConsumerConfig config;
    private final Consumer<byte[], byte[]> inner;
    private final Deserialization<K, V> deserialization;
    private final ProgressWatch watch;
    private final FetchedHeaders fetchedHeaders;
    private final Map<TopicPartition, ConsumedPartition> partitions = new LinkedHashMap<>();
    private final Set<TopicPartition> paused = new HashSet<>();
    private final Map<TopicPartition, Long> fetchedAgainAtNanos = new HashMap<>();
    /** Since when the first record of a partition waits that is about to be fetched again: it waits on. */
    private final Map<TopicPartition, Long> waitsOnSinceNanos = new HashMap<>();
    /** The partition that may hold more than its share, to find the checkpoint that its first record waits for. */
    private @Nullable ConsumedPartition beyondItsShare;
    /** The partition that the next poll begins with. */
    private @Nullable TopicPartition next;

    private long fetchedAtNanos;
    private long warnedAtNanos;
    /** Written by the consumer's thread, read by whoever reads metrics. */
    private volatile long heldRecords;

    private volatile long heldBytes;
    private volatile long waitingMillis;
    private volatile boolean woken = true;
    private final AtomicLong unverified = new AtomicLong();

    HeldPartitions(
            VerifiedConsumerConfig config,
            Consumer<byte[], byte[]> inner,
            FetchedHeaders fetchedHeaders,
            Deserialization<K, V> deserialization,
            ProgressWatch watch,
            VerifiedMetrics metrics) {
        this.config = config;
        this.inner = inner;
        this.fetchedHeaders = fetchedHeaders;
        this.deserialization = deserialization;
        this.watch = watch;
        metrics.add("records-held", "Records that wait for their verification.", () -> heldRecords);
        metrics.add("bytes-held", "Bytes that wait for their verification, about.", () -> heldBytes);
        metrics.add(
                "verification-wait-ms", "For how long the first record that waits has waited.", () -> waitingMillis);
        metrics.add("unverified-records-total", "Records that were skipped or marked.", unverified::get);
    }

    /** Has the next poll fetch, and so hear of a wakeup; any thread may call. */
    void wakeup() {
        woken = true;
    }

    /** True if the group and the brokers are to be looked after, whatever is held. */
    boolean isFetchDue() {
        return woken || System.nanoTime() - fetchedAtNanos >= FETCH_NANOS;
    }

    /** True if nothing is held. */
    boolean isEmpty() {
        return heldRecords == 0;
    }

    /** Fetches what comes within a time. */
    void fetch(Duration wait) {
        woken = false;
        fetchedHeaders.clear();
        ConsumerRecords<byte[], byte[]> fetched = inner.poll(wait);
        fetchedAtNanos = System.nanoTime();
        retainAssigned();
        for (TopicPartition id : fetched.partitions()) {
            ConsumedPartition partition =
                    partitions.computeIfAbsent(id, first -> new ConsumedPartition(first, watch.lastLook()));
            Long waitsOnSince = waitsOnSinceNanos.remove(id);
            if (waitsOnSince != null) {
                partition.waitingSinceNanos = waitsOnSince;
            }
            List<ConsumerRecord<byte[], byte[]>> records = fetched.records(id);
            partition.fetches(records.get(0).offset(), watch.lastLook());
            records.forEach(record -> hold(partition, record));
            partition.fetched(records.get(records.size() - 1).offset() + 1);
        }
        partitions.values().forEach(this::noteEnd);
        watch.follow(partitions.keySet());
    }

    /** Notes how far a partition is fetched: now, since nothing may fail once records are taken out to be handed out. */
    private void noteEnd(ConsumedPartition partition) {
        try {
            long end = inner.position(partition.id, Duration.ZERO);
            partition.fetches(end, watch.lastLook());
            partition.fetched(end);
        } catch (TimeoutException e) {
            LOG.debug("{} is about to be set to another position", partition.id, e);
        }
    }

    private void hold(ConsumedPartition partition, ConsumerRecord<byte[], byte[]> record) {
        long offset = record.offset();
        int epoch = record.leaderEpoch().orElse(ProgressPoint.NO_EPOCH);
        int bytes = Math.max(0, record.serializedKeySize())
                + Math.max(0, record.serializedValueSize())
                + RECORD_OVERHEAD_BYTES;
        Headers headers = record.headers();
        if (record.value() != null && fetchedHeaders.find(headers)) {
            partition.held.addEvent(
                    offset,
                    epoch,
                    bytes + fetchedHeaders.foundBytes(),
                    fetchedHeaders.emitter(),
                    fetchedHeaders.sequence(),
                    record);
            return;
        }
        fetchedHeaders.read(headers);
        partition.held.add(offset, epoch, bytes + fetchedHeaders.readBytes(), fetchedHeaders.entry(), record);
        if (fetchedHeaders.isMarked()) {
            // An upstream that writes the header itself says nothing.
            headers.remove(TransformedHeader.UNVERIFIED);
        }
    }

    /** Takes out what may be handed out, partition by partition. */
    void collect(HandOut<K, V> out) {
        boolean waits = false;
        for (ConsumedPartition partition : inTurn()) {
            partition.needsMore = false;
            if (paused.contains(partition.id) || partition.held.first() == null) {
                partition.waitingSinceNanos = 0;
                continue;
            }
            if (out.isFull()) {
                next = next == null ? partition.id : next;
                break;
            }
            collect(partition, out);
            waits |= partition.waitingSinceNanos != 0;
        }
        count();
        KafkaException failure = watch.failure();
        if (waits && out.isEmpty() && failure != null) {
            throw failure;
        }
        if (waits) {
            watch.want();
        }
    }

    private List<ConsumedPartition> inTurn() {
        List<ConsumedPartition> all = new ArrayList<>(partitions.values());
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).id.equals(next)) {
                Collections.rotate(all, -i);
                break;
            }
        }
        next = null;
        return all;
    }

    private void collect(ConsumedPartition partition, HandOut<K, V> out) {
        ProgressWatch.Known known = watch.of(partition.id, partition.beganAtLook());
        if (known == null) {
            waits(partition);
            return;
        }
        if (partition.isOfAnother(known.topicId())) {
            fetchAgain(partition, "the topic was created anew");
            return;
        }
        long fetchedEnd = partition.fetchedEnd();
        boolean noMore = partition.held.sizeBytes() >= config.heldMaxBytes;
        while (partition.held.first() != null && !out.isFull()) {
            Judged judged = partition.held.judgeFirst(known.progress(), fetchedEnd, noMore, known.findings());
            switch (judged.fate()) {
                case WAITS -> {
                    waits(partition);
                    return;
                }
                case CUT_OFF -> {
                    fetchOtherLeaders(partition);
                    return;
                }
                case NEEDS_MORE -> {
                    partition.needsMore = true;
                    waits(partition);
                    return;
                }
                case PASSED -> partition.removeFirst();
                case VERIFIED -> {
                    if (!handOut(partition, Math.min(judged.count(), out.room()), out)) {
                        return;
                    }
                }
                case UNVERIFIED -> {
                    if (!unverified(partition, Objects.requireNonNull(judged.unverified()), out)) {
                        return;
                    }
                }
            }
        }
    }

    /**
     * Fetches again where another leader wrote: Kafka's consumer does not notice that where a replica that was away brings an earlier
     * leader's records back. One that was voted out may not have heard of it, so that it is not asked at each poll.
     */
    private void fetchOtherLeaders(ConsumedPartition partition) {
        waits(partition);
        long nowNanos = System.nanoTime();
        Long last = fetchedAgainAtNanos.get(partition.id);
        if (last != null && nowNanos - last < FETCH_AGAIN_NANOS) {
            return;
        }
        fetchedAgainAtNanos.put(partition.id, nowNanos);
        fetchAgain(partition, "another leader wrote where this was fetched");
        waitsOnSinceNanos.put(partition.id, partition.waitingSinceNanos);
    }

    /** Drops what is held of a log that is another one now, and goes on at the same place of that. */
    private void fetchAgain(ConsumedPartition partition, String why) {
        LOG.warn("{}: {}: what is held of it is dropped, and fetched again", partition.id, why);
        partition.position().ifPresent(offset -> inner.seek(partition.id, offset));
        moved(Set.of(partition.id));
    }

    /** Hands verified events out; false if one cannot be read, and those before it are to be returned first. */
    private boolean handOut(ConsumedPartition partition, int count, HandOut<K, V> out) {
        Iterator<ConsumerRecord<byte[], byte[]>> verified = partition.held.records();
        int read = 0;
        while (read < count && isTaken(partition, verified.next(), out)) {
            read++;
        }
        if (read > 0) {
            partition.handOut(read);
        }
        return read == count;
    }

    /** Hands the first record out with a mark; false if it cannot be read, and those before it are to be returned first. */
    private boolean handOutMarked(
            ConsumedPartition partition, ConsumerRecord<byte[], byte[]> record, Unverified mark, HandOut<K, V> out) {
        // It was tried before, if it could not be read.
        record.headers().remove(TransformedHeader.UNVERIFIED);
        String text = mark.alertId().isEmpty() ? mark.why() : mark.alertId();
        record.headers().add(TransformedHeader.UNVERIFIED, text.getBytes(UTF_8));
        if (!isTaken(partition, record, out)) {
            return false;
        }
        partition.removeFirst();
        return true;
    }

    /** Reads a record to be handed out; false if that fails, and those before it are to be returned first. */
    private boolean isTaken(ConsumedPartition partition, ConsumerRecord<byte[], byte[]> record, HandOut<K, V> out) {
        try {
            out.add(partition.id, deserialization.of(record));
            return true;
        } catch (RecordDeserializationException e) {
            next = partition.id;
            if (out.isEmpty()) {
                throw e;
            }
            return false;
        }
    }

    /** Does what is to be done at a first record that is not verified; false if those before it are to be returned first. */
    private boolean unverified(ConsumedPartition partition, Unverified why, HandOut<K, V> out) {
        ConsumerRecord<byte[], byte[]> record = partition.held.records().next();
        if (config.onViolation == OnViolation.HALT) {
            next = partition.id;
            if (out.isEmpty()) {
                throw new UnverifiedRecordException(partition.id, record.offset(), why);
            }
            return false;
        }
        if (config.onViolation == OnViolation.MARK) {
            if (handOutMarked(partition, record, why, out)) {
                unverified.incrementAndGet();
                return true;
            }
            return false;
        }
        LOG.warn(
                "the record at offset {} of {} is skipped, it is not verified: {}",
                record.offset(),
                partition.id,
                why.why());
        unverified.incrementAndGet();
        partition.removeFirst();
        return true;
    }

    private static void waits(ConsumedPartition partition) {
        if (partition.waitingSinceNanos == 0) {
            partition.waitingSinceNanos = System.nanoTime();
        }
    }

    private void count() {
        long records = 0;
        long bytes = 0;
        long sinceNanos = Long.MAX_VALUE;
        long nowNanos = System.nanoTime();
        for (ConsumedPartition partition : partitions.values()) {
            records += partition.held.size();
            bytes += partition.held.sizeBytes();
            if (partition.waitingSinceNanos != 0) {
                sinceNanos = Math.min(sinceNanos, partition.waitingSinceNanos);
            }
        }
        heldRecords = records;
        heldBytes = bytes;
        waitingMillis = sinceNanos == Long.MAX_VALUE ? 0 : TimeUnit.NANOSECONDS.toMillis(nowNanos - sinceNanos);
    }

    /** Stops fetching partitions of which enough is held, and goes on with those of which enough was handed out. */
    void makeRoom() {
        long share = config.heldMaxBytes / Math.max(1, partitions.size());
        ConsumedPartition before = beyondItsShare;
        if (before == null || !before.needsMore || !partitions.containsKey(before.id)) {
            beyondItsShare = partitions.values().stream()
                    .filter(partition -> partition.needsMore && partition.held.sizeBytes() >= share)
                    .findFirst()
                    .orElse(null);
        }
        for (ConsumedPartition partition : partitions.values()) {
            boolean full = partition.held.sizeBytes() >= share && partition != beyondItsShare;
            if (full && !partition.full) {
                inner.pause(Set.of(partition.id));
            } else if (!full && partition.full && !paused.contains(partition.id)) {
                inner.resume(Set.of(partition.id));
            }
            partition.full = full;
        }
    }

    /** Says that nobody verifies, from time to time; throws if that lasts too long. */
    void warnAndTimeOut() {
        long waited = waitingMillis;
        if (waited == 0) {
            return;
        }
        if (config.verifiedTimeoutMillis > 0 && waited >= config.verifiedTimeoutMillis) {
            throw new TimeoutException(waiting(waited));
        }
        long nowNanos = System.nanoTime();
        if (TimeUnit.MILLISECONDS.toNanos(waited) >= WARNING_NANOS && nowNanos - warnedAtNanos >= WARNING_NANOS) {
            warnedAtNanos = nowNanos;
            LOG.warn("{}", waiting(waited));
        }
    }

    private String waiting(long waited) {
        String trouble = watch.trouble();
        return "records wait for their verification for " + waited / 1_000 + " s: does what verifies with group.id="
                + config.verifiedGroup + " run, and cover " + partitions.keySet() + "?"
                + (trouble.isEmpty() ? "" : " It could not be asked: " + trouble);
    }

    void forget(Collection<TopicPartition> gone) {
        gone.forEach(id -> {
            partitions.remove(id);
            paused.remove(id);
            fetchedAgainAtNanos.remove(id);
            waitsOnSinceNanos.remove(id);
        });
    }

    /** Forgets what is held of partitions whose position was set. */
    void moved(Collection<TopicPartition> ids) {
        for (TopicPartition id : ids) {
            waitsOnSinceNanos.remove(id);
            ConsumedPartition before = partitions.remove(id);
            if (before != null && before.full && !paused.contains(id)) {
                inner.resume(Set.of(id));
            }
        }
    }

    /** The position of a partition as it was fetched and handed out, without a word to Kafka. */
    OptionalLong position(TopicPartition id) {
        ConsumedPartition partition = partitions.get(id);
        return partition == null ? OptionalLong.empty() : partition.position();
    }

    /** How many offsets lie between the position of a partition and the end of what was fetched. */
    long heldOffsets(TopicPartition id) {
        ConsumedPartition partition = partitions.get(id);
        return partition == null || partition.held.first() == null
                ? 0
                : partition.fetchedEnd() - partition.position().orElse(partition.fetchedEnd());
    }

    OptionalLong firstHeld(TopicPartition id) {
        ConsumedPartition partition = partitions.get(id);
        HeldRecords.Run first = partition == null ? null : partition.held.first();
        return first == null ? OptionalLong.empty() : OptionalLong.of(first.offset());
    }

    /** Forgets what is not ours any more: Kafka takes partitions away although the application's listener throws. */
    void retainAssigned() {
        retain(inner.assignment());
    }

    /** Forgets all partitions but these. */
    void retain(Collection<TopicPartition> assigned) {
        partitions.keySet().retainAll(assigned);
        paused.retainAll(assigned);
        fetchedAgainAtNanos.keySet().retainAll(assigned);
        waitsOnSinceNanos.keySet().retainAll(assigned);
    }

    Set<TopicPartition> paused() {
        return Set.copyOf(paused);
    }

    void pause(Collection<TopicPartition> ids) {
        inner.pause(ids);
        paused.addAll(ids);
        waitsOnSinceNanos.keySet().removeAll(ids);
    }

    void resume(Collection<TopicPartition> ids) {
        inner.resume(ids.stream()
                .filter(id -> partitions.get(id) == null || !partitions.get(id).full)
                .toList());
        ids.forEach(paused::remove);
    }

    /** The leader epoch of the last record of a partition that was handed out or passed over. */
    Optional<Integer> lastEpoch(TopicPartition id) {
        ConsumedPartition partition = partitions.get(id);
        return partition == null ? Optional.empty() : partition.lastEpoch();
    }
}
