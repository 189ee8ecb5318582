package dev.stormproof.task.live.run;

import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertLedger;
import dev.stormproof.alert.AlertLedger.Place;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.progress.GroupProgress;
import dev.stormproof.task.live.progress.Progress;
import dev.stormproof.task.live.progress.TopicIds;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Verdict;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicPartition;

/**
 * The published alerts about some partitions that may be found again, in a ledger for each topic that had the name.
 *
 * <pre>
 *   a partition exists when the task starts ─┐
 *   one is added, or seen only later ────────┴─► its alerts are read back ──► it is verified
 *   its topic is deleted ──► forgotten
 * </pre>
 *
 * <p>For one thread at a time; any may ask {@link #has}.
 */
public final class PublishedAlerts {
    private final Map<TopicPartition, Map<Long, AlertLedger>> ledgers = new ConcurrentHashMap<>();
    private final String group;
    private long records;

    /** @param group the consumer group whose alerts count as found */
    public PublishedAlerts(String group) {
        this.group = group;
    }

    /** Reads back the alerts about some partitions that are anchored after the progress there. */
    public static PublishedAlerts read(
            StormproofConfig config, GroupProgress progress, Set<TopicPartition> partitions, LongSupplier nanoTime) {
        PublishedAlerts read = new PublishedAlerts(config.groupId());
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
     * Takes an alert that is in the alerts topic already. An alert without a topic id is about the topic of the progress. What another group says
     * of its own reading or output is nothing here.
     *
     * @param progress the progress of the alert's partition: alerts anchored before it cannot be found again
     */
    void restore(Alert alert, Place place, Progress progress) {
        boolean own = alert.group().filter(group::equals).isPresent();
        boolean ofTheLog = alert.finding() instanceof Verdict || alert.finding() instanceof StrayRecord;
        if (!own && !ofTheLog) {
            return;
        }
        if (alert.finding().isOpen() || alert.finding().anchorOffset() >= progress.offset()) {
            AlertLedger ledger = ledger(
                    partitionOf(alert.finding()),
                    alert.topicId() == Alert.NO_TOPIC_ID ? progress.topicId() : alert.topicId());
            ledger.publish(alert.finding());
            if (own) {
                ledger.count(alert.finding());
            }
            ledger.written(alert.finding(), place);
        }
    }

    /** Adds the alerts about further partitions; a known partition stays as it is. */
    public void takeOn(PublishedAlerts further) {
        further.ledgers.forEach(ledgers::putIfAbsent);
    }

    /** True if the alerts about a partition are known. */
    public boolean has(TopicPartition partition) {
        return ledgers.containsKey(partition);
    }

    public long records() {
        return records;
    }

    /** The ledger of a topic id. Alerts that were published while the id was unknown belong to the first known one. */
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
     * @param before the partitions of the last progress
     */
    void forgetBefore(Map<TopicPartition, Progress> progress, Set<TopicPartition> before) {
        progress.forEach((partition, now) -> {
            AlertLedger ledger = ledger(partition, now.topicId());
            ledger.forgetBefore(now.offset());
            // Nothing can be found in an earlier topic of the name.
            ledgers.put(partition, new HashMap<>(Map.of(now.topicId(), ledger)));
        });
        // Nothing can be found in a deleted topic.
        ledgers.keySet().removeIf(partition -> before.contains(partition) && !progress.containsKey(partition));
    }

    static TopicPartition partitionOf(Finding finding) {
        return new TopicPartition(
                finding.partition().topic(), finding.partition().partition());
    }
}
