package dev.stormproof.boot;

import dev.stormproof.emit.CheckpointingProducer;
import dev.stormproof.emit.EmitterStats;
import dev.stormproof.emit.EmitterStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.apache.kafka.common.TopicPartition;

/**
 * The emitters of an application are watched by its health and its meters, from the first event to the end of each.
 *
 * <p>One that is closed stays until another one takes its place; then its counts are kept, and it is forgotten. While another one is open,
 * it is no trouble, unless it has ended without its last checkpoint: a pool of transactional producers closes some of them. An application
 * that has a CheckpointingProducer of its own gives it to {@link #watch}. Safe for many threads.
 */
public class Emitters {
    private final List<CheckpointingProducer<?, ?>> watched = new ArrayList<>();
    private long endedEvents;
    private long endedCheckpoints;
    private long endedStreams;

    public synchronized <K, V> CheckpointingProducer<K, V> watch(CheckpointingProducer<K, V> emitter) {
        for (CheckpointingProducer<?, ?> each : List.copyOf(watched)) {
            if (each.status().closed()) {
                endedEvents += sum(each, EmitterStats::eventsSent);
                endedCheckpoints += sum(each, EmitterStats::checkpointsSent);
                endedStreams += sum(each, EmitterStats::streamsEnded);
                watched.remove(each);
            }
        }
        watched.add(emitter);
        return emitter;
    }

    /** What is wrong with each that misses its deadline. */
    synchronized List<String> troubles() {
        return counted().stream()
                .flatMap(each -> each.status().trouble().stream())
                .toList();
    }

    synchronized boolean anyStopped() {
        return counted().stream().anyMatch(each -> each.status().closed());
    }

    /** Those that say how the application is. */
    private List<CheckpointingProducer<?, ?>> counted() {
        boolean anyOpen = watched.stream().anyMatch(each -> !each.status().closed());
        return watched.stream()
                .filter(each -> !anyOpen || !each.status().closed() || endedUnsealed(each.status()))
                .toList();
    }

    private static boolean endedUnsealed(EmitterStatus status) {
        return status.trouble().orElse("").contains("without the last checkpoint");
    }

    /** The numbers of each partition that is written to, in order; of two emitters that write to one, those of the later one. */
    synchronized Map<String, EmitterStats> partitions() {
        Map<String, EmitterStats> partitions = new TreeMap<>();
        for (CheckpointingProducer<?, ?> each : watched) {
            for (Map.Entry<TopicPartition, EmitterStats> of : each.stats().entrySet()) {
                partitions.put(of.getKey().toString(), of.getValue());
            }
        }
        return partitions;
    }

    synchronized long events() {
        return endedEvents + total(EmitterStats::eventsSent);
    }

    synchronized long checkpoints() {
        return endedCheckpoints + total(EmitterStats::checkpointsSent);
    }

    /** Streams that a failed record has ended. */
    synchronized long failures() {
        return endedStreams + total(EmitterStats::streamsEnded);
    }

    synchronized long openEvents() {
        return total(EmitterStats::openEvents);
    }

    /** When the partition that waits longest got its last checkpoint, in Unix milliseconds; empty before the first. */
    synchronized Optional<Long> oldestCheckpoint() {
        return counted().stream()
                .flatMap(each -> each.stats().values().stream())
                .map(EmitterStats::lastCheckpointMillis)
                .filter(millis -> millis >= 0)
                .min(Long::compare);
    }

    private long total(ToLongFunction<EmitterStats> number) {
        return watched.stream().mapToLong(each -> sum(each, number)).sum();
    }

    private static long sum(CheckpointingProducer<?, ?> emitter, ToLongFunction<EmitterStats> number) {
        return emitter.stats().values().stream().mapToLong(number).sum();
    }
}
