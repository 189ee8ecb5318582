package dev.stormproof.task.notary;

import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The partitions that a notary's task cannot read now, while the others get their notes.
 *
 * <pre>
 *   ABSENT    the topic is not described, or the partition has no leader: costs nothing, and is looked for in each round
 *   FAILING   reading it or its last note failed, which may take long: one of them is tried again every {@value #PAUSE_SECONDS} s
 * </pre>
 *
 * <p>Each is logged. For one thread.
 */
final class UnreadPartitions {
    static final long PAUSE_SECONDS = 30;

    private static final Logger LOG = LoggerFactory.getLogger(UnreadPartitions.class);

    private final LongSupplier nanoTime;
    private final Set<TopicPartition> failing = new HashSet<>();
    private Map<String, KafkaException> absent = new TreeMap<>();
    private long againNanos;

    UnreadPartitions(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * Logs what is newly absent, and what is back.
     *
     * @param found the reasons, by topic or partition
     * @param there the existing partitions, failing or not
     */
    void lookedFor(Map<String, KafkaException> found, Collection<TopicPartition> there) {
        found.forEach((what, why) -> {
            if (!absent.containsKey(what)) {
                LOG.warn("{}: {}; no notes on it until it exists", what, why.toString());
            }
        });
        absent.keySet().stream().filter(what -> !found.containsKey(what)).forEach(what -> LOG.info("{} is back", what));
        absent = new TreeMap<>(found);
        failing.retainAll(there);
    }

    /** True if it is not tried again yet. */
    boolean rests(TopicPartition partition) {
        return failing.contains(partition) && nanoTime.getAsLong() - againNanos < 0;
    }

    void failed(TopicPartition partition, KafkaException failure) {
        failing.add(partition);
        againNanos = nanoTime.getAsLong() + TimeUnit.SECONDS.toNanos(PAUSE_SECONDS);
        LOG.warn("{} gets no notes until its log and its last note can be read; trying again", partition, failure);
    }

    void wasRead(TopicPartition partition) {
        if (failing.remove(partition)) {
            LOG.info("{} can be read again", partition);
        }
    }

    Set<TopicPartition> failing() {
        return Set.copyOf(failing);
    }

    boolean areAll(Collection<TopicPartition> partitions) {
        return failing.containsAll(partitions);
    }
}
