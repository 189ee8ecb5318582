package dev.stormproof.task.live.run;

import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertLedger;
import dev.stormproof.alert.AlertLedger.Place;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.progress.GroupProgress;
import dev.stormproof.task.live.progress.Progress;
import dev.stormproof.task.live.progress.TopicIds;
import dev.stormproof.verify.judge.Finding;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicPartition;

/**
 * The published alerts about some partitions that may be found again, in a ledger for each topic that bore the name.
 *
 * <pre>
 *   a partition is there when the task starts ─┐
 *   one is added, or is seen only later ───────┴─► read back from the alerts topic ──► taken on with what was read
 *   its topic is no more ──► let go
 * </pre>
 *
 * <p>For one thread at a time; any may ask {@link #has}.
 */
public final class PublishedAlerts {
    private final Map<TopicPartition, Map<Long, AlertLedger>> ledgers = new ConcurrentHashMap<>();
    private long records;

    /** Reads those about some partitions back, as far as they lie behind the progress there. */
    public static PublishedAlerts read(
            StormproofConfig config, GroupProgress progress, Set<TopicPartition> partitions, LongSupplier nanoTime) {
        PublishedAlerts read = new PublishedAlerts();
        partitions.forEach(partition -> read.ledgers.put(partition, new HashMap<>()));
        read.records = AlertsTopic.read(
                config,
                progress.published(partitions),
                partitions::contains,
                (alert, place) -> read.restore(alert, place, progress.of(partitionOf(alert.finding()))),
                nanoTime);
        return read;
    }

    /**
     * Notes an alert that stands in the alerts topic already. One that does not say its topic's id is about the topic that the
     * progress is in.
     *
     * @param progress the progress of the alert's partition: alerts anchored before it cannot be found again
     */
    void restore(Alert alert, Place place, Progress progress) {
        boolean unsealed = alert.finding().revision() == Finding.UNSEALED_REVISION;
        if (unsealed || alert.finding().anchorOffset() >= progress.offset()) {
            AlertLedger ledger = ledger(
                    partitionOf(alert.finding()),
                    alert.topicId() == Alert.NO_TOPIC_ID ? progress.topicId() : alert.topicId());
            ledger.publish(alert.finding());
            ledger.written(alert.finding(), place);
        }
    }

    /** Takes those about further partitions; what is known of a partition already stays. */
    public void takeOn(PublishedAlerts further) {
        further.ledgers.forEach(ledgers::putIfAbsent);
    }

    /** True if it is known what was published about a partition. */
    public boolean has(TopicPartition partition) {
        return ledgers.containsKey(partition);
    }

    /** How many records were read for it. */
    public long records() {
        return records;
    }

    /** The ledger of the topic with an id; what was published while the id was unknown is of the first one that is known. */
    AlertLedger ledger(TopicPartition partition, long topicId) {
        Map<Long, AlertLedger> byTopicId = ledgers.computeIfAbsent(partition, first -> new HashMap<>());
        AlertLedger ledger = byTopicId.get(topicId);
        if (ledger == null) {
            ledger = Objects.requireNonNullElseGet(byTopicId.remove(TopicIds.UNKNOWN), AlertLedger::new);
            byTopicId.put(topicId, ledger);
        }
        return ledger;
    }

    /**
     * Forgets what cannot be found again.
     *
     * @param before the partitions of the progress before
     */
    void forgetBefore(Map<TopicPartition, Progress> progress, Set<TopicPartition> before) {
        progress.forEach((partition, now) -> {
            AlertLedger ledger = ledger(partition, now.topicId());
            ledger.forgetBefore(now.offset());
            // Of a topic that bore the name before, nothing can be found any more.
            ledgers.put(partition, new HashMap<>(Map.of(now.topicId(), ledger)));
        });
        // Of a topic that was deleted, nothing comes any more.
        ledgers.keySet().removeIf(partition -> before.contains(partition) && !progress.containsKey(partition));
    }

    static TopicPartition partitionOf(Finding finding) {
        return new TopicPartition(
                finding.partition().topic(), finding.partition().partition());
    }
}
