package dev.stormproof.task.live.run;

import dev.stormproof.log.audit.SearchedLog;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * What a task's audits read of its partitions' logs and keep for the next ones, bounded in all: the partition that was read
 * least recently makes room.
 *
 * <p>Owned by one thread; what it hands out goes with a partition's only job to another.
 */
final class LogCache {
    /** About how much memory all of it may take between jobs. */
    static final long MOST_BYTES = 64 << 20;

    private final Map<TopicPartition, SearchedLog> logs = new LinkedHashMap<>();
    /** How much each of them took when its last job ended. */
    private final Map<TopicPartition, Long> bytes = new LinkedHashMap<>();

    /** The log of a partition, for its next job. */
    SearchedLog of(TopicPartition partition) {
        return logs.computeIfAbsent(partition, any -> new SearchedLog());
    }

    /** Notes that a partition's job has ended. */
    void read(TopicPartition partition) {
        bytes.remove(partition);
        bytes.put(partition, of(partition).sizeBytes());
        long sum = bytes.values().stream().mapToLong(Long::longValue).sum();
        Iterator<TopicPartition> eldest = bytes.keySet().iterator();
        while (sum > MOST_BYTES) {
            TopicPartition dropped = eldest.next();
            sum -= bytes.getOrDefault(dropped, 0L);
            logs.remove(dropped);
            eldest.remove();
        }
    }

    void remove(TopicPartition partition) {
        logs.remove(partition);
        bytes.remove(partition);
    }

    /** How much is kept. */
    public long sizeBytes() {
        return bytes.values().stream().mapToLong(Long::longValue).sum();
    }
}
