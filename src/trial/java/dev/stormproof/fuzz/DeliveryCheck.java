package dev.stormproof.fuzz;

import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.HeaderName;
import dev.stormproof.proof.checkpoint.MalformedCheckpointException;
import dev.stormproof.proof.checkpoint.TransformedHeader;
import dev.stormproof.task.transform.InputEvent;
import dev.stormproof.task.transform.Transformed;
import dev.stormproof.verify.feed.HeaderBytes;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * A check of one partition of an output, record by record: what the transform makes of the input, a checkpoint as it is, or a marker
 * of a record that an alert calls diverted.
 *
 * <p>For one thread.
 */
final class DeliveryCheck implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(50);
    private static final HeaderName MARKER = new HeaderName(TransformedHeader.DIVERTED);
    private static final int FORMAT_1_MAGIC = 0xcdaace99;

    private final FussyTransform transform = new FussyTransform();
    private final Alerts alerts;
    private final Cursor input;
    private final Cursor output;
    private long same;
    private long diverted;

    DeliveryCheck(String servers, TopicPartition input, String outputTopic, Alerts alerts) {
        this.alerts = alerts;
        this.input = new Cursor(servers, input);
        this.output = new Cursor(servers, new TopicPartition(outputTopic, input.partition()));
    }

    /** Compares what is there; returns what is wrong with the first record that is not as it should be. */
    Optional<String> compare() {
        while (true) {
            ConsumerRecord<byte[], byte[]> in = input.peek();
            ConsumerRecord<byte[], byte[]> out = output.peek();
            if (out == null) {
                return Optional.empty();
            }
            if (in == null) {
                return Optional.of(out + " is made of nothing");
            }
            if (isMarkerOf(in, out)) {
                if (!alerts.tellOf(in)) {
                    return Optional.empty(); // The alert of the same transaction is read soon.
                }
                diverted++;
            } else if (isUnaltered(in, out) || isTransformed(in, out)) {
                same++;
            } else {
                return Optional.of("not the output of " + in + ": " + out);
            }
            input.take();
            output.take();
        }
    }

    /** The first offset of the input without an output; empty if there is none. */
    OptionalLong next() {
        ConsumerRecord<byte[], byte[]> in = input.peek();
        return in == null ? OptionalLong.empty() : OptionalLong.of(in.offset());
    }

    /** What comes next in the input, for a message; empty if nothing does. */
    Optional<String> nextText() {
        return Optional.ofNullable(input.peek())
                .map(ConsumerRecord::toString)
                .map(text -> text.substring(0, Math.min(text.length(), 600)));
    }

    long same() {
        return same;
    }

    long diverted() {
        return diverted;
    }

    @Override
    public void close() {
        input.consumer.close();
        output.consumer.close();
    }

    private static boolean isMarkerOf(ConsumerRecord<byte[], byte[]> in, ConsumerRecord<byte[], byte[]> out) {
        Header marker = out.headers().lastHeader(TransformedHeader.DIVERTED);
        return marker != null && out.value() == null && inputOffset(out) == in.offset();
    }

    /** True of what says that it is a checkpoint, and passed as it was. */
    private static boolean isUnaltered(ConsumerRecord<byte[], byte[]> in, ConsumerRecord<byte[], byte[]> out) {
        boolean checkpoint = in.headers().lastHeader(Format2Checkpoint.HEADER) != null
                || (in.value() != null
                        && in.value().length >= Integer.BYTES
                        && ByteBuffer.wrap(in.value()).getInt() == FORMAT_1_MAGIC);
        return checkpoint
                && isTimely(in, out)
                && Arrays.equals(in.key(), out.key())
                && Arrays.equals(in.value(), out.value())
                && Arrays.equals(headers(in).encoded(), headers(out).encoded());
    }

    private boolean isTransformed(ConsumerRecord<byte[], byte[]> in, ConsumerRecord<byte[], byte[]> out) {
        if ((in.value() != null && FussyTransform.fails(in.value()))
                || inputOffset(out) != in.offset()
                || !isTimely(in, out)) {
            return false;
        }
        InputEvent event = new InputEvent(
                in.topic(), in.partition(), in.offset(), in.timestamp(), in.key(), in.value(), headers(in));
        Transformed made = transform.apply(event);
        byte[] header = out.headers().lastHeader(TransformedHeader.NAME).value();
        return Arrays.equals(made.contentFor(event).key(), out.key())
                && Arrays.equals(made.value(), out.value())
                && Arrays.equals(
                        made.contentFor(event)
                                .headers()
                                .without(MARKER)
                                .plus(TransformedHeader.NAME, header)
                                .encoded(),
                        headers(out).encoded());
    }

    private static boolean isTimely(ConsumerRecord<byte[], byte[]> in, ConsumerRecord<byte[], byte[]> out) {
        return in.timestamp() < 0 ? out.timestamp() >= 0 : in.timestamp() == out.timestamp();
    }

    private static long inputOffset(ConsumerRecord<byte[], byte[]> out) {
        Header header = out.headers().lastHeader(TransformedHeader.NAME);
        try {
            return header == null || header.value() == null
                    ? -1
                    : TransformedHeader.decode(header.value()).inputOffset();
        } catch (MalformedCheckpointException e) {
            return -1;
        }
    }

    private static HeaderBytes headers(ConsumerRecord<byte[], byte[]> record) {
        return HeaderBytes.of(record.headers(), Header::key, Header::value);
    }

    /** A reader of one partition's committed records. */
    private static final class Cursor {
        private final KafkaConsumer<byte[], byte[]> consumer;
        private final TopicPartition partition;
        private final Deque<ConsumerRecord<byte[], byte[]>> polled = new ArrayDeque<>();

        Cursor(String servers, TopicPartition partition) {
            this.partition = partition;
            this.consumer = new KafkaConsumer<>(
                    Map.of(
                            "bootstrap.servers",
                            servers,
                            "isolation.level",
                            "read_committed",
                            "auto.offset.reset",
                            "none",
                            "max.poll.records",
                            100),
                    new ByteArrayDeserializer(),
                    new ByteArrayDeserializer());
            consumer.assign(Set.of(partition));
            consumer.seek(partition, 0);
        }

        /** The next record; null if none is committed yet. */
        @Nullable
        ConsumerRecord<byte[], byte[]> peek() {
            while (polled.isEmpty()) {
                long end = Objects.requireNonNull(
                        consumer.endOffsets(Set.of(partition)).get(partition));
                if (consumer.position(partition) >= end) {
                    return null;
                }
                consumer.poll(POLL).forEach(polled::add);
            }
            return polled.peek();
        }

        void take() {
            polled.remove();
        }
    }
}
