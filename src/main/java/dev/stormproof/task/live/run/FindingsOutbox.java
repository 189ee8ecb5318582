package dev.stormproof.task.live.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertJson;
import dev.stormproof.alert.AlertLedger;
import dev.stormproof.alert.AlertLedger.Place;
import dev.stormproof.alert.Links;
import dev.stormproof.log.kafka.KafkaAnswers;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.heads.Heads;
import dev.stormproof.task.live.progress.AlertSpan;
import dev.stormproof.task.live.progress.Progress;
import dev.stormproof.task.live.progress.ProgressMetadata;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.fold.SavedHeads;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.Undelivered;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes findings and verified progress to Kafka. Each flush ends a {@linkplain TaskTransaction transaction}, so progress never passes a
 * finding that cannot be read yet, and no alert is written twice. Verdicts that are no alerts may be: a task that restarts from the committed
 * progress finds them again.
 *
 * <pre>
 *   begin ── heads ── alerts ── verdicts ── offsets of the spout's group ── commit ──► nothing waits
 *     │ an alert is too large           abort ──► everything waits, and goes into the next flush, cut shorter
 *     │ output is refused               abort ──► as above, without what was made of that record and those after it
 *     │ the transaction fails           abort ──► as above, after a pause that gets longer with each failure
 *     │ the commit's outcome is unknown commit again
 *     └ fenced, forbidden, corrupt, or failing for {@value #MAX_FAILING_MILLIS} ms ──► exception: the task must end
 * </pre>
 *
 * <p>The group has no members, so its offsets are committed without a generation. Kafka deletes such offsets after
 * {@code offsets.retention.minutes} (a week by default), so they are committed again once a day.
 *
 * <p>Not thread-safe: one task, one thread.
 */
public final class FindingsOutbox implements AutoCloseable {
    /** For how long flushes may fail in a row. */
    static final long MAX_FAILING_MILLIS = 600_000;

    /** The pauses after flushes that fail. */
    public static final Backoff BACKOFF = new Backoff(100, 10_000);

    /** After how long unchanged progress is committed again. */
    static final long RECOMMIT_MILLIS = 24L * 3_600 * 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(FindingsOutbox.class);

    private final TaskTransaction transaction;
    private final StormproofConfig config;
    private final Function<ProgressMetadata, String> encoding;
    private final RecordLimits limits;
    private final List<Waiting> waiting = new ArrayList<>();
    private boolean hasAlerts;
    private final LongSupplier timeMillis;
    private final String writer;
    private final Links links;
    private final PublishedAlerts published;
    private final Heads heads;
    private Map<TopicPartition, Progress> reached = new HashMap<>();
    private final Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>();
    /** When the progress of all partitions was last committed, changed or not. */
    private long wholeAtMillis;

    private long pauseMillis;
    private long failingSinceMillis;
    private long retryAtMillis;

    /**
     * A finding about the topic with an id.
     *
     * @param alert whether it goes to the alerts topic as well
     * @param earlier the place of an open one on the same subject there
     */
    private record Waiting(Finding finding, long topicId, boolean alert, Optional<Place> earlier) {}

    /** What a finding adds to those of this consumer group. */
    public enum News {
        /** Nothing: the group found it before. */
        NONE,
        /** Nothing: the configuration ignores it. */
        IGNORED,
        /** The verdict on an open one, of the same type. */
        CONFIRMED,
        /** A first finding on its subject, or one of another type than the open one. */
        FIRST
    }

    private record Sent(Alert alert, ProducerRecord<byte[], byte[]> record, Sending sending) {}

    /**
     * @param transaction closed with this
     * @param encoding makes the text beside a committed offset
     * @param published what was published before
     * @param heads keeps the heads of the task's partitions
     * @param timeMillis the time that is written into alerts, in milliseconds since 1970
     * @param writer see {@link ProgressMetadata#writer()}
     */
    public FindingsOutbox(
            TaskTransaction transaction,
            StormproofConfig config,
            Function<ProgressMetadata, String> encoding,
            RecordLimits limits,
            PublishedAlerts published,
            Heads heads,
            LongSupplier timeMillis,
            String writer) {
        this.transaction = transaction;
        this.config = config;
        this.encoding = encoding;
        this.limits = limits;
        this.published = published;
        this.heads = heads;
        this.timeMillis = timeMillis;
        this.writer = writer;
        this.links = new Links(
                config.alerts.runbookBaseUrl(),
                config.alerts.auditCommand(),
                config.input.originOptions(),
                config.alerts.recordUrl()::at);
    }

    /**
     * Takes a finding and drops one that this group found before. A verdict that ends an alarm is an alert as well. If another group published the
     * alert, it is not written again; it counts, and goes to the verdicts topic.
     */
    public News add(Finding finding, long topicId) {
        AlertLedger ledger = published.ledger(PublishedAlerts.partitionOf(finding), topicId);
        News news = ledger.confirms(finding) ? News.CONFIRMED : News.FIRST;
        Optional<Place> earlier = ledger.earlierPlace(finding);
        if (finding.type() == Finding.Type.VERIFIED) {
            add(new Waiting(finding, topicId, ledger.resolve(finding), earlier));
            return news;
        }
        boolean unpublished = ledger.publish(finding);
        if (!ledger.count(finding)) {
            return News.NONE;
        }
        add(new Waiting(finding, topicId, unpublished, earlier));
        return news;
    }

    private void add(Waiting one) {
        waiting.add(one);
        hasAlerts |= one.alert();
    }

    int size() {
        return waiting.size();
    }

    /** True if an alert waits, or did since the last flush. */
    boolean hasAlerts() {
        return hasAlerts;
    }

    /**
     * Writes what waits, together with the progress that it leads to.
     *
     * @param progress per partition, the point up to which the findings so far judge it
     * @param saved per partition, what is to be kept of its streams at that point
     * @param nowMillis the time of a monotonic clock
     * @return false if the transaction failed and should be tried again
     */
    public boolean flush(
            Map<TopicPartition, Progress> progress, Map<TopicPartition, SavedHeads> saved, long nowMillis) {
        Map<TopicPartition, Heads.Update> updates = updates(progress, saved);
        if (isFailing() && nowMillis < retryAtMillis) {
            return false;
        }
        boolean stale = nowMillis - wholeAtMillis >= RECOMMIT_MILLIS;
        boolean headsStay =
                updates.values().stream().allMatch(update -> update.records().isEmpty());
        boolean nothing = waiting.isEmpty() && transaction.appended() == 0 && headsStay;
        if (nothing && (progress.isEmpty() || (!stale && progress.equals(reached)))) {
            return true;
        }
        List<Sent> sent = new ArrayList<>();
        try {
            transaction.begin();
            updates.values().forEach(update -> update.records().forEach(one -> transaction.send(one, new Sending())));
            sendAll(sent);
            place(sent);
            Map<TopicPartition, OffsetAndMetadata> offsets = offsets(progress, updates);
            if (!stale) {
                // A deleted topic among the offsets fails the whole transaction, so only changed ones are named.
                offsets.entrySet().removeAll(committed.entrySet());
            }
            transaction.commit(offsets);
        } catch (InterruptException | TaskTransaction.OutcomeUnknownException e) {
            throw e;
        } catch (KafkaException e) {
            abortAfter(e, sent, nowMillis);
            return false;
        }
        waiting.clear();
        hasAlerts = false;
        published.forgetBefore(progress, reached.keySet());
        committed.keySet().retainAll(progress.keySet());
        reached = Map.copyOf(progress);
        committed.putAll(offsets(progress, updates));
        heads.committed(updates.keySet());
        wholeAtMillis = stale ? nowMillis : wholeAtMillis;
        pauseMillis = 0;
        return true;
    }

    private Map<TopicPartition, Heads.Update> updates(
            Map<TopicPartition, Progress> progress, Map<TopicPartition, SavedHeads> saved) {
        Map<TopicPartition, Heads.Update> updates = new HashMap<>();
        progress.forEach((partition, at) -> {
            updates.put(partition, heads.update(partition, at.topicId(), Objects.requireNonNull(saved.get(partition))));
        });
        return updates;
    }

    /** The last committed progress of a partition; empty if there is none. */
    public Optional<Progress> reached(TopicPartition partition) {
        return Optional.ofNullable(reached.get(partition));
    }

    /** True if the last flush failed; nothing more should be added then. */
    public boolean isFailing() {
        return pauseMillis > 0;
    }

    long failingMillis(long nowMillis) {
        return isFailing() ? nowMillis - failingSinceMillis : 0;
    }

    /** Ends the pause after a failure whose cause was removed. */
    void mended() {
        pauseMillis = 0;
    }

    /** Removes the waiting findings about the output of a partition from an offset: that output was removed as well. */
    void takeOut(TopicPartition partition, long offset) {
        waiting.removeIf(one -> {
            boolean out = one.finding() instanceof Undelivered undelivered
                    && undelivered.offset() >= offset
                    && PublishedAlerts.partitionOf(undelivered).equals(partition);
            if (out) {
                published.ledger(partition, one.topicId()).retract(one.finding());
            }
            return out;
        });
    }

    @Override
    public void close() {
        transaction.close();
    }

    private void abortAfter(KafkaException failure, List<Sent> sent, long nowMillis) {
        try {
            transaction.abort();
        } catch (KafkaException e) {
            // Fenced, forbidden or broken: this producer can do nothing more.
            failure.addSuppressed(e);
            throw failure;
        }
        // After a refusal the producer may have failed later records with another exception.
        if (sent.stream().anyMatch(this::isCut)) {
            return;
        }
        failingSinceMillis = isFailing() ? failingSinceMillis : nowMillis;
        if (nowMillis - failingSinceMillis >= MAX_FAILING_MILLIS) {
            throw failure;
        }
        pauseMillis = BACKOFF.after(pauseMillis);
        retryAtMillis = nowMillis + pauseMillis;
        LOG.warn("could not write {} findings, will try again in {} ms", waiting.size(), pauseMillis, failure);
    }

    private Map<TopicPartition, OffsetAndMetadata> offsets(
            Map<TopicPartition, Progress> progressed, Map<TopicPartition, Heads.Update> updates) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        progressed.forEach((partition, progress) -> {
            List<AlertSpan> spans = AlertSpan.over(
                    published.ledger(partition, progress.topicId()).places(progress.offset()),
                    ProgressMetadata.MOST_SPANS);
            String metadata = encoding.apply(new ProgressMetadata(
                    progress.topicId(),
                    Optional.of(spans),
                    Optional.ofNullable(progress.written()),
                    writer,
                    progress.leaders(),
                    Optional.of(Objects.requireNonNull(updates.get(partition)).sum())));
            Optional<Integer> epoch =
                    Optional.of(progress.leaderEpoch()).filter(known -> known != DeliveryLink.NO_EPOCH);
            offsets.put(partition, new OffsetAndMetadata(progress.offset(), epoch, metadata));
        });
        return offsets;
    }

    private void sendAll(List<Sent> sent) {
        String source = "/stormproof/" + URLEncoder.encode(config.groupId(), UTF_8);
        for (Waiting one : waiting) {
            Alert alert = new Alert(
                    source,
                    timeMillis.getAsLong(),
                    one.topicId(),
                    config.input.isCanary(one.finding().partition().topic()),
                    one.finding());
            if (one.alert()) {
                // A reader of one partition of alerts also sees what settles them, even if partitions were added.
                sent.add(send(config.alerts.topic(), partitionOf(one), alert));
            }
            config.alerts.verdictsTopic().ifPresent(topic -> sent.add(send(topic, null, alert)));
        }
    }

    private @Nullable Integer partitionOf(Waiting one) {
        return one.earlier()
                .map(Place::partition)
                .filter(partition -> transaction.hasPartition(new TopicPartition(config.alerts.topic(), partition)))
                .orElse(null);
    }

    private Sent send(String topic, @Nullable Integer partition, Alert alert) {
        byte[] key = alert.finding().id().getBytes(UTF_8);
        byte[] value = AlertJson.write(alert, limits.of(topic) - key.length, links);
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, partition, key, value);
        record.headers().add("content-type", AlertJson.CONTENT_TYPE.getBytes(UTF_8));
        Sending sending = new Sending();
        transaction.send(record, sending);
        return new Sent(alert, record, sending);
    }

    /** Waits until everything is written. The ledgers keep the places of alerts, and the commit stores them for the next task. */
    private void place(List<Sent> all) {
        if (all.isEmpty()) {
            return;
        }
        transaction.flush();
        for (Sent sent : all) {
            Exception failure = sent.sending().failure();
            if (failure != null) {
                throw KafkaAnswers.failure(failure);
            }
            RecordMetadata written = sent.sending().written();
            if (written != null && sent.record().topic().equals(config.alerts.topic())) {
                Finding finding = sent.alert().finding();
                published
                        .ledger(
                                PublishedAlerts.partitionOf(finding),
                                sent.alert().topicId())
                        .written(finding, new Place(written.partition(), written.offset()));
            }
        }
    }

    /** True if the topic refused a record for its size, and the next attempt writes a shorter one. */
    private boolean isCut(Sent sent) {
        int valueBytes = sent.record().value().length;
        boolean refused =
                sent.sending().failure() instanceof RecordTooLargeException && transaction.failedFirst(sent.sending());
        boolean canBeShorter = refused && AlertJson.write(sent.alert(), 0, links).length < valueBytes;
        if (!canBeShorter) {
            return false;
        }
        limits.refused(sent.record().topic(), sent.record().key().length + valueBytes);
        return true;
    }
}
