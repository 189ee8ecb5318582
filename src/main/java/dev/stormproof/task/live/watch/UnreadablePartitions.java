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
 * The partitions whose next batch a consumer cannot read, because the log holds other bytes than were written and the checksum does not match.
 * Every poll would throw for such a partition, so that no other one is read.
 *
 * <pre>
 *   READ   ──a poll throws, and names the partition──► PAUSED
 *   READ   ──its position was not in the log─────────► RESTS
 *   PAUSED ──{@value #RETRY_SECONDS} s─────────────────────────────────────► READ
 *   RESTS  ──{@value #REST_SECONDS} s──────────────────────────────────────► READ
 * </pre>
 *
 * <p>For one thread.
 */
public final class UnreadablePartitions {
    /** After how long it is tried again: another replica may lead by then, or the batch may have expired. */
    static final long RETRY_SECONDS = 60;

    /** By then the topics were looked at: another one may have the name, whose records continue nothing. */
    static final long REST_SECONDS = 5;

    private static final Logger LOG = LoggerFactory.getLogger(UnreadablePartitions.class);

    private final Map<TopicPartition, Long> retryNanos = new HashMap<>();

    /**
     * Pauses the partition for which a poll failed, and returns it; throws any other failure.
     *
     * <p>The consumer names the partition only in the message. Answers of brokers, and positions that are not in the log, are not about a
     * batch.
     */
    public TopicPartition pause(Consumer<?, ?> consumer, KafkaException failure, long nowNanos) {
        String text = String.valueOf(failure.getMessage());
        if (failure instanceof ApiException || failure instanceof InvalidOffsetException) {
            throw failure;
        }
        TopicPartition unreadable = consumer.assignment().stream()
                .filter(partition -> text.contains(" " + partition))
                // A text with orders-11 contains orders-1.
                .max(Comparator.comparingInt(partition -> partition.toString().length()))
                .orElseThrow(() -> failure);
        LOG.warn(
                "{} cannot be read; the next attempt is in {} s, and the other partitions go on",
                unreadable,
                RETRY_SECONDS,
                failure);
        consumer.pause(Set.of(unreadable));
        retryNanos.put(unreadable, nowNanos + TimeUnit.SECONDS.toNanos(RETRY_SECONDS));
        return unreadable;
    }

    /** Pauses a partition whose position was not in the log. */
    public void rest(Consumer<?, ?> consumer, TopicPartition partition, long nowNanos) {
        consumer.pause(Set.of(partition));
        retryNanos.put(partition, nowNanos + TimeUnit.SECONDS.toNanos(REST_SECONDS));
    }

    /** Resumes partitions after their pause; to be called before each poll. */
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
