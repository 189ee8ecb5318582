package dev.stormproof.task.heads;

import dev.stormproof.verify.fold.SavedHeads;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Where a task keeps the heads of its partitions.
 *
 * <pre>
 *   read ──► update ──► transaction: records, progress with the sum ──committed──► {@link #committed} ──► update ──► …
 *              ▲                                  │
 *              └──────────────aborted─────────────┘ what was not committed is handed out again
 * </pre>
 *
 * <p>For one thread.
 */
public interface Heads {
    /** The id of a topic of which none is known. */
    long UNKNOWN_TOPIC = 0;

    /**
     * What is beside the committed progress of a partition.
     *
     * @param topicId distinguishes its topic, as it is now, from others that had the name; {@link #UNKNOWN_TOPIC} if unknown
     * @param sum that of its heads; empty if there is no progress, if another topic bears the name now, or if the writer of the
     *     progress kept no heads
     */
    record Committed(long topicId, Optional<HeadsSum> sum) {}

    /**
     * What the next transaction is to have of a partition.
     *
     * @param records to be sent in it
     * @param sum to be beside the progress that it commits
     */
    record Update(List<ProducerRecord<byte[], byte[]>> records, HeadsSum sum) {}

    /**
     * What is found of a partition.
     *
     * @param heads those at its progress: {@link SavedHeads#NOTHING} if what is found is not what the progress says
     * @param endOffset if the progress says nothing of heads and some of its topic are there, the offset after the last of them: up to
     *     there the partition was verified; else {@link Long#MAX_VALUE}
     */
    record Found(SavedHeads heads, long endOffset) {}

    /** Reads the heads of partitions; to be called once their former owners are fenced. */
    Map<TopicPartition, Found> read(Map<TopicPartition, Committed> partitions);

    /**
     * Takes all that is to be kept of a partition that was read, for each transaction that commits progress of it: also if nothing has
     * changed. What differs from what was committed is handed out, so that no change can be forgotten.
     *
     * @param topicId that of its topic; of another one than before nothing is kept
     * @param heads those at the next progress
     */
    Update update(TopicPartition partition, long topicId, SavedHeads heads);

    /** Notes that a transaction was committed which had the last updates of these partitions. */
    void committed(Set<TopicPartition> partitions);
}
