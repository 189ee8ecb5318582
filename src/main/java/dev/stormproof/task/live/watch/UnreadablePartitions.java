package dev.stormproof.task.live.watch;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The partitions of a consumer that stand before a batch that it cannot read: the log holds other bytes than were written, and their
 * checksum tells. Every poll throws for one of them, so that it would keep all others from being read.
 *
 * <pre>
 *   READ   ──a poll throws, and names the partition──► PAUSED
 *   PAUSED ──{@value #RETRY_SECONDS} s─────────────────────────────────────► READ
 * </pre>
 *
 * <p>For one thread.
 */
public final class UnreadablePartitions {
    /** After how long it is tried again: another replica may lead by then, or the batch have expired. */
    static final long RETRY_SECONDS = 60;

    private static final Logger LOG = LoggerFactory.getLogger(UnreadablePartitions.class);

    private final Map<TopicPartition, Long> retryNanos = new HashMap<>();

    /**
     * Pauses the partition for which a poll failed, and returns it; throws what is due to none.
     *
     * <p>The consumer says which it is in the text alone. Brokers' answers, and positions that are not in the log, are no matter of a batch.
     */
    public TopicPartition pause(Consumer<?, ?> consumer, KafkaException failure, long nowNanos) {
        String text = String.valueOf(failure.getMessage());
        if (failure instanceof ApiException || failure instanceof InvalidOffsetException) {
            throw failure;
        }
        TopicPartition unreadable = consumer.assignment().stream()
                .filter(partition -> text.contains(" " + partition))
                // Of orders-1 and orders-11 the text may hold both.
                .max(Comparator.comparingInt(partition -> partition.toString().length()))
                .orElseThrow(() -> failure);
        LOG.warn(
                "{} cannot be read on now; the others are, and it is tried again in {} s",
                unreadable,
                RETRY_SECONDS,
                failure);
        consumer.pause(Set.of(unreadable));
        retryNanos.put(unreadable, nowNanos + TimeUnit.SECONDS.toNanos(RETRY_SECONDS));
        return unreadable;
    }

    /** Has those read again whose time has come; to be called before each poll. */
    public void resume(Consumer<?, ?> consumer, long nowNanos) {
        if (retryNanos.isEmpty()) {
            return;
        }
        retryNanos.keySet().retainAll(consumer.assignment());
        retryNanos.entrySet().removeIf(one -> {
            boolean due = nowNanos - one.getValue() >= 0;
            if (due) {
                consumer.resume(Set.of(one.getKey()));
            }
            return due;
        });
    }
}
