package dev.stormproof.cli;

import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.compare.RecordLog;
import dev.stormproof.feed.HeaderBytes;
import dev.stormproof.kafka.KafkaPartitionReader;
import dev.stormproof.merkle.Hash;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * A partition of Kafka that is compared, as it was at the beginning: each record by SHA-256 over key, value and headers.
 *
 * <pre>
 *   key size (int32), −1 for null | key | value size (int32), −1 for null | value | headers, see {@link HeaderBytes}
 * </pre>
 */
final class ComparedLog implements RecordLog, AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration MAX_SILENCE = Duration.ofSeconds(60);

    private final TopicPartition partition;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final LongSupplier nanoTime;
    private final long begin;
    private final long end;
    private final long writtenEnd;
    private final Queue<ConsumerRecord<byte[], byte[]>> polled = new ArrayDeque<>();
    private final MessageDigest digest;
    private boolean checkpoints;

    /**
     * @param writtenEnd where the log ended just now, with the records of open transactions
     * @param nanoTime the clock by which the brokers' silence is measured
     */
    ComparedLog(Map<String, Object> clientConfig, TopicPartition partition, long writtenEnd, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.partition = partition;
        this.digest = sha256();
        this.consumer = KafkaPartitionReader.newConsumer(clientConfig, "read_committed");
        consumer.assign(Set.of(partition));
        Set<TopicPartition> one = Set.of(partition);
        this.end = Objects.requireNonNull(consumer.endOffsets(one).get(partition));
        this.begin = Math.min(
                end, Objects.requireNonNull(consumer.beginningOffsets(one).get(partition)));
        this.writtenEnd = Math.max(end, writtenEnd);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }

    @Override
    public long beginOffset() {
        return begin;
    }

    @Override
    public long endOffset() {
        return end;
    }

    @Override
    public long writtenEnd() {
        return writtenEnd;
    }

    /** True if a checkpoint was among the records that were read. */
    boolean hasCheckpoints() {
        return checkpoints;
    }

    @Override
    public @Nullable Entry next() {
        long begunNanos = nanoTime.getAsLong();
        while (polled.isEmpty() && consumer.position(partition) < end) {
            poll();
            if (nanoTime.getAsLong() - begunNanos > MAX_SILENCE.toNanos()) {
                throw new TimeoutException(partition + " gave nothing at offset " + consumer.position(partition)
                        + " for " + MAX_SILENCE.toSeconds() + " s; wanted everything up to " + end);
            }
        }
        ConsumerRecord<byte[], byte[]> next = polled.poll();
        return next == null ? null : entry(next);
    }

    private void poll() {
        long position = consumer.position(partition);
        try {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                if (record.offset() < end) {
                    polled.add(record);
                }
            }
        } catch (OffsetOutOfRangeException expired) {
            throw new TimeoutException(
                    partition + " no longer holds offset " + position
                            + ": its records expire faster than they can be compared",
                    expired);
        }
    }

    private Entry entry(ConsumerRecord<byte[], byte[]> record) {
        update(record.key());
        update(record.value());
        HeaderBytes headers = HeaderBytes.of(record.headers(), Header::key, Header::value);
        digest.update(headers.encoded());
        checkpoints |= record.headers().lastHeader(Format2Checkpoint.HEADER) != null;
        return new Entry(record.offset(), Hash.copyOf(digest.digest()));
    }

    private void update(byte @Nullable [] bytes) {
        digest.update(ByteBuffer.allocate(Integer.BYTES)
                .putInt(bytes == null ? -1 : bytes.length)
                .flip());
        if (bytes != null) {
            digest.update(bytes);
        }
    }

    @Override
    public void seek(long offset) {
        polled.clear();
        consumer.seek(partition, offset);
    }

    @Override
    public void close() {
        consumer.close();
    }
}
