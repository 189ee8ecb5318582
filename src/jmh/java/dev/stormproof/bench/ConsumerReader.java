package dev.stormproof.bench;

import dev.stormproof.log.audit.LogReader;
import dev.stormproof.log.audit.PartitionReader;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.proof.sign.ByteSlice;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.EpochEnd;
import dev.stormproof.verify.feed.HeaderBytes;
import dev.stormproof.verify.feed.RecordContent;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteBufferDeserializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/**
 * A reader of the log by KafkaConsumer, made as cheap as its public API allows: key and value are signed where the answer lies, without
 * a copy.
 *
 * <p>For measuring alone: a poll unpacks as many records as it may return before anybody sees how large they are. Belongs to one
 * thread.
 */
final class ConsumerReader implements LogReader, PartitionReader {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final int FETCH_BYTES = 1 << 20;
    private static final int RECEIVE_BYTES = 1 << 20;

    private final KafkaConsumer<ByteBuffer, Value> consumer;
    private final LogRecordParser parser;
    private final Signed signed;
    private final ByteSlice key = new ByteSlice();
    private final ByteSlice value = new ByteSlice();
    private @Nullable TopicPartition assigned;

    /** Where an event's signature is computed. */
    enum Signed {
        BEHIND_THE_POLL("signed behind it"),
        IN_THE_DESERIALIZER("signed in it");

        private final String label;

        Signed(String label) {
            this.label = label;
        }

        String label() {
            return label;
        }
    }

    /** @param pollRecords how many records a poll returns at most */
    ConsumerReader(Map<String, Object> clientConfig, LogRecordParser parser, int pollRecords, Signed signed) {
        Map<String, Object> config = new HashMap<>(clientConfig);
        config.put("max.poll.records", pollRecords);
        config.put("max.partition.fetch.bytes", FETCH_BYTES);
        config.put("fetch.max.bytes", FETCH_BYTES);
        config.put("receive.buffer.bytes", RECEIVE_BYTES);
        config.put("fetch.max.wait.ms", 10);
        config.put("enable.auto.commit", "false");
        config.put("auto.offset.reset", "none");
        config.put("isolation.level", "read_committed");
        config.put("allow.auto.create.topics", "false");
        KeyDeserializer keys = new KeyDeserializer();
        this.consumer = new KafkaConsumer<>(config, keys, new ValueDeserializer(keys));
        this.parser = parser;
        this.signed = signed;
    }

    /** A record's value where it lies, and the record as it was parsed there, but for its place; null if it was not. */
    private record Value(ByteBuffer bytes, @Nullable LogRecord parsed) {}

    /** Leaves a key where it lies, and keeps the last one, with the headers that came with it. */
    private static final class KeyDeserializer extends ByteBufferDeserializer {
        private @Nullable ByteBuffer last;
        private @Nullable Headers lastHeaders;

        @Override
        public ByteBuffer deserialize(String topic, Headers headers, ByteBuffer data) {
            last = data;
            lastHeaders = headers;
            return data;
        }

        /** The key of the record with these headers; null if it has none, for then nobody asks for it. */
        @Nullable
        ByteBuffer of(Headers headers) {
            return headers == lastHeaders ? last : null;
        }
    }

    /** Leaves a value where it lies, and signs it there. */
    private final class ValueDeserializer implements Deserializer<Value> {
        private final KeyDeserializer keys;

        ValueDeserializer(KeyDeserializer keys) {
            this.keys = keys;
        }

        @Override
        public Value deserialize(String topic, byte[] data) {
            return new Value(ByteBuffer.wrap(data), null);
        }

        @Override
        public Value deserialize(String topic, Headers headers, ByteBuffer data) {
            return new Value(
                    data,
                    signed == Signed.BEHIND_THE_POLL ? null : parse(topic, 0, 0, 0, keys.of(headers), data, headers));
        }
    }

    private LogRecord parse(
            String topic,
            int partition,
            long offset,
            long millis,
            @Nullable ByteBuffer keyBytes,
            @Nullable ByteBuffer valueBytes,
            Headers headers) {
        set(key, keyBytes);
        set(value, valueBytes);
        return parser.parseInPlace(topic, partition, offset, millis, key, value, new FewHeaders(headers), null);
    }

    private static void set(ByteSlice part, @Nullable ByteBuffer bytes) {
        if (bytes == null) {
            part.setNull();
        } else {
            part.set(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
        }
    }

    /** The headers of a record; mostly there is one, whose name is looked at once for all questions. */
    private static final class FewHeaders implements LogRecordParser.Headers {
        private final Headers all;
        private final @Nullable Header only;
        private final String onlyName;

        FewHeaders(Headers headers) {
            Iterator<Header> each = headers.iterator();
            Header first = each.hasNext() ? each.next() : null;
            all = headers;
            only = each.hasNext() ? null : first;
            onlyName = only == null ? "" : only.key();
        }

        @Override
        public byte @Nullable [] last(String name) {
            Header found = only == null ? all.lastHeader(name) : onlyName.equals(name) ? only : null;
            return found == null ? null : found.value();
        }
    }

    @Override
    public PartitionReader of(TopicPartition partition) {
        assigned = partition;
        consumer.assign(Set.of(partition));
        return this;
    }

    private TopicPartition partition() {
        return Objects.requireNonNull(assigned, "no partition is assigned");
    }

    @Override
    public Bounds bounds() {
        long begin = known(consumer.beginningOffsets(Set.of(partition())));
        long end = endOffset();
        return new Bounds(begin, end, end);
    }

    private long endOffset() {
        return known(consumer.endOffsets(Set.of(partition())));
    }

    private long known(Map<TopicPartition, Long> offsets) {
        return Objects.requireNonNull(offsets.get(partition()));
    }

    @Override
    public long offsetForTime(long millis) {
        OffsetAndTimestamp found =
                consumer.offsetsForTimes(Map.of(partition(), millis)).get(partition());
        return found == null ? endOffset() : found.offset();
    }

    @Override
    public long scan(long beginOffset, long endOffset, Taker taker) throws ExpiredRangeException {
        consumer.seek(partition(), beginOffset);
        long bytes = 0;
        while (consumer.position(partition()) < endOffset) {
            try {
                for (ConsumerRecord<ByteBuffer, Value> record : consumer.poll(POLL)) {
                    bytes += Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize());
                    if (record.offset() < endOffset && !hand(record, taker)) {
                        return bytes;
                    }
                }
            } catch (OffsetOutOfRangeException expired) {
                throw new ExpiredRangeException(partition() + " no longer holds offset " + beginOffset);
            }
        }
        return bytes;
    }

    private boolean hand(ConsumerRecord<ByteBuffer, Value> record, Taker taker) {
        Optional<Integer> epoch = record.leaderEpoch();
        return taker.take(
                parsed(record),
                epoch.isPresent() ? epoch.get() : DeliveryLink.NO_EPOCH,
                record.timestamp(),
                () -> content(record));
    }

    private LogRecord parsed(ConsumerRecord<ByteBuffer, Value> record) {
        Value read = record.value();
        if (read != null && read.parsed() instanceof Event event) {
            return new Event(
                    record.offset(),
                    event.emitter(),
                    event.sequence(),
                    event.treeHash(),
                    event.signatureAlgorithm(),
                    event.stated(),
                    event.observed(),
                    event.content(),
                    record.timestamp());
        }
        return parse(
                record.topic(),
                record.partition(),
                record.offset(),
                record.timestamp(),
                record.key(),
                read == null ? null : read.bytes(),
                record.headers());
    }

    private static RecordContent content(ConsumerRecord<ByteBuffer, Value> record) {
        ByteSlice part = new ByteSlice();
        set(part, record.key());
        byte[] keyBytes = part.toByteArray();
        set(part, record.value() == null ? null : record.value().bytes());
        return new RecordContent(
                keyBytes,
                part.toByteArray(),
                HeaderBytes.of(record.headers(), Header::key, Header::value),
                record.timestamp(),
                false);
    }

    @Override
    public EpochEnd endOfEpoch(long offset, int leaderEpoch) {
        endOffset();
        consumer.seek(partition(), new OffsetAndMetadata(offset, Optional.of(leaderEpoch), ""));
        try {
            return new EpochEnd(leaderEpoch, Math.min(offset, consumer.position(partition())));
        } catch (LogTruncationException truncated) {
            OffsetAndMetadata end = truncated.divergentOffsets().get(partition());
            return new EpochEnd(leaderEpoch, end == null ? 0 : Math.min(offset, end.offset()));
        }
    }

    @Override
    public Uuid topicId() {
        return Uuid.ZERO_UUID;
    }

    @Override
    public void close() {
        consumer.close();
    }
}
