package dev.stormproof.emit;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Visits the writers of a producer at each tick, each topic in a thread of its own, so that a topic without metadata does not hold up others.
 *
 * <pre>
 *   timer ─▶ for each topic, unless its last visit still runs ─▶ background ─▶ writers, one after the other
 *                                            in transactions ─▶ background ─▶ has a leader?   ─▶ the own transaction
 * </pre>
 *
 * <p>An own transaction takes only writers whose partition had a leader at the last visit: a writer that blocks would hold up all others in the
 * transaction. Only the timer's thread calls {@link #run}.
 */
final class HeartbeatTimer {
    private static final Logger LOG = LoggerFactory.getLogger(HeartbeatTimer.class);

    private final Producer<byte[], byte[]> inner;
    private final Map<TopicPartition, PartitionWriter> writers;
    private final Optional<Transactions> transactions;
    private final ExecutorService background;
    private final Set<String> visited = ConcurrentHashMap.newKeySet();
    /** Partitions that had a leader since the last own transaction. */
    private final Set<TopicPartition> reachable = ConcurrentHashMap.newKeySet();

    /** @param writers a live view */
    HeartbeatTimer(
            Producer<byte[], byte[]> inner,
            Map<TopicPartition, PartitionWriter> writers,
            Optional<Transactions> transactions,
            ExecutorService background) {
        this.inner = inner;
        this.writers = writers;
        this.transactions = transactions;
        this.background = background;
    }

    void run(long nowMillis) {
        if (transactions.isPresent()) {
            runIn(transactions.get(), nowMillis);
        } else {
            byTopic(writers.values()).forEach((topic, ofTopic) -> visit(topic, () -> tick(ofTopic, nowMillis)));
        }
    }

    private static void tick(List<PartitionWriter> ofTopic, long nowMillis) {
        ofTopic.forEach(writer -> writer.tick(nowMillis));
    }

    private void runIn(Transactions own, long nowMillis) {
        List<PartitionWriter> due = writers.values().stream()
                .filter(writer -> writer.isDue(nowMillis))
                .toList();
        byTopic(due)
                .keySet()
                .forEach(topic -> visit(topic, () -> reachable.addAll(WritablePartitions.of(inner, topic))));
        Set<TopicPartition> reached = Set.copyOf(reachable);
        reachable.clear();
        own.tick(due.stream()
                .filter(writer -> reached.contains(writer.partition()))
                .toList());
    }

    private static Map<String, List<PartitionWriter>> byTopic(Collection<PartitionWriter> writers) {
        return writers.stream().collect(Collectors.groupingBy(PartitionWriter::topic));
    }

    /** Runs the work in another thread, unless the last visit to the topic is still running. */
    private void visit(String topic, Runnable work) {
        if (!visited.add(topic)) {
            return;
        }
        try {
            background.execute(() -> {
                try {
                    work.run();
                } catch (RuntimeException e) { // After any failure: the next tick tries again.
                    LOG.debug("{}: checkpoints have to wait", topic, e);
                } finally {
                    visited.remove(topic);
                }
            });
        } catch (RejectedExecutionException e) {
            visited.remove(topic);
            LOG.debug("{}: checkpoints have to wait for a thread", topic, e);
        }
    }
}
