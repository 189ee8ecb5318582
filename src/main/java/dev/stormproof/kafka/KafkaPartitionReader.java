package dev.stormproof.kafka;

import dev.stormproof.checkpoint.LogRecordParser;
import dev.stormproof.feed.Link;
import dev.stormproof.feed.RecordContent;
import dev.stormproof.log.PartitionReader;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * A reader of one partition of Kafka, by assignment and seek, beside all consumer groups.
 *
 * <p>A range has been read when the consumer's position passes its end: offsets may have gaps (transaction markers,
 * aborted transactions), and an empty poll says nothing. Not thread-safe, as the consumer is not.
 */
public final class KafkaPartitionReader implements PartitionReader, AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);
    /** The wait of a broker at the log's end, which delays the next seek as well; half a second by Kafka's default. */
    private static final int MAX_WAIT_MILLIS = 10;

    /**
     * How many records are in memory at once: a compressed batch of a megabyte may hold thousands as large as the topic
     * allows, and only a poll bounds how many of them are unpacked.
     */
    private static final int MAX_POLL_RECORDS = 32;

    /** How much is fetched at once, compressed; a single batch may be larger. */
    private static final int FETCH_BYTES = 1 << 20;

    /** A whole answer on its way: with the consumer's 64 KB, broker and reader wait for each other, and each read brings little. */
    public static final int RECEIVE_BYTES = 1 << 20;

    static final Duration MAX_SILENCE = Duration.ofSeconds(60);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final TopicPartition partition;
    private final LogRecordParser parser;
    private final Duration maxSilence;
    private final LongSupplier nanoTime;

    /**
     * @param consumer one with {@code enable.auto.commit=false}, {@code auto.offset.reset=none} and the isolation level
     *     of the reader whose work is audited; closed with this
     */
    public KafkaPartitionReader(
            KafkaConsumer<byte[], byte[]> consumer, TopicPartition partition, LogRecordParser parser) {
        this(consumer, partition, parser, MAX_SILENCE, System::nanoTime);
    }

    /** @param maxSilence for how long the log may give nothing of what it holds */
    KafkaPartitionReader(
            KafkaConsumer<byte[], byte[]> consumer,
            TopicPartition partition,
            LogRecordParser parser,
            Duration maxSilence,
            LongSupplier nanoTime) {
        this.consumer = consumer;
        this.partition = partition;
        this.parser = parser;
        this.maxSilence = maxSilence;
        this.nanoTime = nanoTime;
        consumer.assign(Set.of(partition));
    }

    /** A consumer that reads exactly what it is assigned, a little at a time, with the given client configuration. */
    public static KafkaConsumer<byte[], byte[]> newConsumer(Map<String, Object> clientConfig, String isolationLevel) {
        return new KafkaConsumer<>(
                configOf(clientConfig, isolationLevel), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    static Map<String, Object> configOf(Map<String, Object> clientConfig, String isolationLevel) {
        Map<String, Object> config = new HashMap<>(clientConfig);
        config.remove("group.id");
        config.put("max.poll.records", MAX_POLL_RECORDS);
        config.put("max.partition.fetch.bytes", FETCH_BYTES);
        config.put("fetch.max.bytes", FETCH_BYTES);
        config.putIfAbsent("fetch.max.wait.ms", MAX_WAIT_MILLIS);
        config.putIfAbsent("receive.buffer.bytes", RECEIVE_BYTES);
        config.put("enable.auto.commit", "false");
        config.put("auto.offset.reset", "none");
        config.put("isolation.level", isolationLevel);
        config.put("allow.auto.create.topics", "false");
        return config;
    }

    @Override
    public Bounds bounds() {
        long begin = offsetOf(consumer.beginningOffsets(Set.of(partition)));
        long end = endOffset();
        return new Bounds(begin, end, end);
    }

    private long endOffset() {
        return offsetOf(consumer.endOffsets(Set.of(partition)));
    }

    @Override
    public long offsetForTime(long millis) {
        OffsetAndTimestamp found =
                consumer.offsetsForTimes(Map.of(partition, millis)).get(partition);
        return found == null ? endOffset() : found.offset();
    }

    /** Counts the content alone, unpacked: more the consumer does not tell. */
    @Override
    public long scan(long beginOffset, long endOffset, Taker taker) throws ExpiredRangeException {
        consumer.seek(partition, beginOffset);
        long lastAdvanceNanos = nanoTime.getAsLong();
        long position = beginOffset;
        long bytes = 0;
        while (position < endOffset) {
            try {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    long recordBytes = RecordLimit.countedBytes(record);
                    bytes += recordBytes;
                    if (record.offset() < endOffset && !hand(record, recordBytes > RecordLimit.MAX_BYTES, taker)) {
                        return bytes;
                    }
                }
            } catch (OffsetOutOfRangeException expired) {
                throw new ExpiredRangeException(partition + " no longer holds offset " + beginOffset);
            }
            long now = consumer.position(partition);
            if (now > position) {
                position = now;
                lastAdvanceNanos = nanoTime.getAsLong();
            } else if (nanoTime.getAsLong() - lastAdvanceNanos > maxSilence.toNanos()) {
                throw new TimeoutException(partition + " gave nothing at offset " + position + " for "
                        + maxSilence.toMillis() + " ms; wanted everything up to " + endOffset);
            }
        }
        return bytes;
    }

    private boolean hand(ConsumerRecord<byte[], byte[]> record, boolean oversized, Taker taker) {
        return taker.take(
                oversized ? RecordLimit.unread(record) : ConsumedRecords.parsed(record, parser),
                record.leaderEpoch().orElse(Link.NO_EPOCH),
                record.timestamp(),
                () -> oversized ? RecordContent.unread(record.timestamp()) : ConsumedRecords.content(record));
    }

    /** Kafka's consumer asks the leader where an epoch ends before it reads from a position that has one (KIP-320). */
    @Override
    public long endOffsetOfEpoch(long offset, int leaderEpoch) {
        // The consumer asks a leader only once it knows one.
        consumer.endOffsets(Set.of(partition));
        consumer.seek(partition, new OffsetAndMetadata(offset, Optional.of(leaderEpoch), ""));
        try {
            return Math.min(offset, consumer.position(partition));
        } catch (LogTruncationException truncated) {
            OffsetAndMetadata end = truncated.divergentOffsets().get(partition);
            return end == null ? 0 : Math.min(offset, end.offset());
        }
    }

    @Override
    public void close() {
        consumer.close();
    }

    private long offsetOf(Map<TopicPartition, Long> offsets) {
        Long offset = offsets.get(partition);
        if (offset == null) {
            throw new UnknownTopicOrPartitionException(partition + " is not known to the broker");
        }
        return offset;
    }
}
