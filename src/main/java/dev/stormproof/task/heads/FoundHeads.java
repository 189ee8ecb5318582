package dev.stormproof.task.heads;

import dev.stormproof.task.heads.Heads.Committed;
import dev.stormproof.verify.fold.SavedHeads;
import dev.stormproof.verify.fold.SavedStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is found in one partition of the topic of heads, of some partitions of the inputs. Of each stream its last record counts.
 *
 * <pre>
 *   the sum of a partition's records is not that of its progress ──► nothing is known of it, and all its records are removed
 *   the progress has no sum, so that no verifier wrote it         ──► the same, and where its heads end something was skipped
 *   a record is of another topic of that name                    ──► it is removed
 *   a record cannot be read, or is one too many                  ──► it is removed, and what is known is not complete
 * </pre>
 */
final class FoundHeads {
    /** Of how many streams of a partition heads are kept. */
    static final int MOST_STREAMS = 100_000;

    private static final Logger LOG = LoggerFactory.getLogger(FoundHeads.class);

    private final TopicPartition place;
    private final int mostStreams;
    private final Map<TopicPartition, Map<Long, Found>> records;
    private long strange;

    /**
     * The last record of a stream.
     *
     * @param value null if it is one too many
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record Found(long hash, byte @Nullable [] value) {}

    /**
     * What is known of a partition.
     *
     * @param kept its records, with the removal of those that do not count
     */
    record Known(Heads.Found found, PartitionHeads kept) {}

    /**
     * @param place where they are found
     * @param wanted the partitions of the inputs
     */
    FoundHeads(TopicPartition place, Set<TopicPartition> wanted) {
        this(place, wanted, MOST_STREAMS);
    }

    FoundHeads(TopicPartition place, Set<TopicPartition> wanted, int mostStreams) {
        this.place = place;
        this.mostStreams = mostStreams;
        this.records =
                wanted.stream().collect(Collectors.toMap(partition -> partition, partition -> new LinkedHashMap<>()));
    }

    /** Takes the next record. */
    void take(long offset, byte @Nullable [] key, byte @Nullable [] value) {
        HeadsCodec.Key read;
        try {
            read = HeadsCodec.readKey(key == null ? new byte[0] : key);
        } catch (MalformedHeadsException e) {
            if (strange++ == 0) {
                LOG.warn("{}@{} is no record of heads: {}", place, offset, e.getMessage());
            }
            return;
        }
        Map<Long, Found> found = records.get(read.partition());
        if (found == null || key == null) {
            return;
        }
        if (value == null) {
            found.remove(read.emitter());
        } else {
            boolean isOneTooMany = found.size() >= mostStreams && !found.containsKey(read.emitter());
            found.put(read.emitter(), new Found(PartitionHeads.hash(key, value), isOneTooMany ? null : value.clone()));
        }
    }

    /** What is known of one of the partitions once all was taken. */
    Known known(TopicPartition partition, Committed progress) {
        Map<Long, Found> found = records.getOrDefault(partition, Map.of());
        Map<Long, Long> hashes = new HashMap<>();
        found.forEach((emitter, one) -> hashes.put(emitter, one.hash()));
        PartitionHeads kept = new PartitionHeads(partition, progress.topicId(), hashes);
        boolean isOfProgress =
                progress.sum().filter(sum -> sum.sum() == kept.sum()).isPresent();
        if (!isOfProgress) {
            if (progress.sum().isPresent()) {
                LOG.warn(
                        "the heads of {} in {}, of {} streams, are not those of its progress: the first interval of each of its"
                                + " streams will be inconclusive",
                        partition,
                        place,
                        found.size());
            }
            kept.removeAll();
            long end = progress.sum().isPresent() ? Long.MAX_VALUE : endOffset(partition, found, progress.topicId());
            return new Known(new Heads.Found(SavedHeads.NOTHING, end), kept);
        }
        List<SavedStream> streams = new ArrayList<>(found.size());
        int dropped = 0;
        for (Map.Entry<Long, Found> one : found.entrySet()) {
            HeadsCodec.Value value =
                    read(partition, one.getKey(), one.getValue().value());
            if (value != null && !PartitionHeads.isOfAnother(value.topicId(), progress.topicId())) {
                streams.add(value.stream());
                kept.knows(value.stream());
            } else {
                dropped += value == null ? 1 : 0;
                kept.remove(one.getKey());
            }
        }
        if (dropped > 0) {
            LOG.warn("of {} the heads of {} streams in {} are dropped", partition, dropped, place);
        }
        boolean complete = dropped == 0 && progress.sum().orElseThrow().complete();
        return new Known(new Heads.Found(new SavedHeads(streams, complete), Long.MAX_VALUE), kept);
    }

    /** The offset after the last head of a topic; {@link Long#MAX_VALUE} if there is none. */
    private long endOffset(TopicPartition partition, Map<Long, Found> found, long topicId) {
        return found.entrySet().stream()
                .flatMap(one -> Stream.ofNullable(
                        read(partition, one.getKey(), one.getValue().value())))
                .filter(value -> value.topicId() == topicId && topicId != Heads.UNKNOWN_TOPIC)
                .flatMap(value -> value.stream().heads().stream())
                .mapToLong(head -> Math.max(head.offset(), head.offset() + 1))
                .max()
                .orElse(Long.MAX_VALUE);
    }

    private HeadsCodec.@Nullable Value read(TopicPartition partition, long emitter, byte @Nullable [] value) {
        if (value == null) {
            return null;
        }
        try {
            return HeadsCodec.readValue(HeadsCodec.key(partition, emitter), value);
        } catch (MalformedHeadsException e) {
            LOG.warn("the heads of {} in {} cannot be read: {}", partition, place, e.getMessage());
            return null;
        }
    }
}
