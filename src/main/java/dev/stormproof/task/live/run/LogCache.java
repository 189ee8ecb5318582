package dev.stormproof.task.live.run;

import dev.stormproof.log.audit.SearchedLog;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * The cached logs of a task's partitions, which audits reuse; bounded in all.
 *
 * <p>Owned by one thread; a log that it hands out goes with the partition's only job to another.
 */
final class LogCache {
    /** About how much memory all logs may take between jobs. */
    static final long MOST_BYTES = 64 << 20;

    private final Map<TopicPartition, SearchedLog> logs = new LinkedHashMap<>();
    /** What each log took when its last job ended, the least recently read first. */
    private final Map<TopicPartition, Long> bytes = new LinkedHashMap<>();

    SearchedLog of(TopicPartition partition) {
        return logs.computeIfAbsent(partition, any -> new SearchedLog());
    }

    /** A partition's job has ended: if all take too much together, the logs go that were read least recently. */
    void read(TopicPartition partition) {
        bytes.remove(partition);
        bytes.put(partition, of(partition).sizeBytes());
        long sum = sizeBytes();
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

    long sizeBytes() {
        return bytes.values().stream().mapToLong(Long::longValue).sum();
    }
}
