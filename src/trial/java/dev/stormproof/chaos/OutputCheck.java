package dev.stormproof.chaos;

import dev.stormproof.checkpoint.CheckpointVerifier;
import dev.stormproof.checkpoint.Format1Expected;
import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.checkpoint.LogRecordParser;
import dev.stormproof.checkpoint.MalformedCheckpointException;
import dev.stormproof.checkpoint.Origins;
import dev.stormproof.checkpoint.TransformedHeader;
import dev.stormproof.feed.HeaderBytes;
import dev.stormproof.judge.Anomaly;
import dev.stormproof.judge.Finding;
import dev.stormproof.judge.Verdict.Violated;
import dev.stormproof.kafka.KafkaLogReader;
import dev.stormproof.log.OriginAudit;
import dev.stormproof.log.PartitionReader;
import dev.stormproof.log.RangeAudit;
import dev.stormproof.sign.TrustedKeys;
import dev.stormproof.transform.EventTransform;
import dev.stormproof.transform.EventTransforms;
import dev.stormproof.transform.InputEvent;
import dev.stormproof.transform.Transformed;
import dev.stormproof.verify.InactivityTimeouts;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * A check of an output topic: record by record it is the transformed input, as a consumer of committed records reads both. It
 * goes on where the last one ended.
 */
public final class OutputCheck implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final long PATIENCE_NANOS = 60_000_000_000L;
    private static final int MOST_COMPLAINTS = 20;

    private final String servers;
    private final String inputTopic;
    private final String outputTopic;
    private final EventTransform transform;
    private final List<Pair> pairs = new ArrayList<>();
    private final List<String> complaints = new ArrayList<>();
    private long compared;
    private long faults;
    private boolean deleted;

    /** A check of every partition from its beginning on. */
    public OutputCheck(String servers, String inputTopic, String outputTopic, int partitions, String transform) {
        this.servers = servers;
        this.inputTopic = inputTopic;
        this.outputTopic = outputTopic;
        this.transform = EventTransforms.named(transform);
        widen(partitions);
    }

    /** Compares so many partitions from now on. */
    void widen(int partitions) {
        while (pairs.size() < partitions) {
            pairs.add(new Pair(pairs.size()));
        }
    }

    String topic() {
        return outputTopic;
    }

    /** Reads the input up to these offsets, before which it will be deleted. */
    void hold(Map<TopicPartition, Long> inputEnds) {
        deleted = true;
        for (Pair pair : pairs) {
            pair.input.hold(inputEnds.getOrDefault(pair.input.partition, 0L));
        }
    }

    /** Compares the input up to these offsets, which are delivered, with the output up to its end. */
    void compare(Map<TopicPartition, Long> inputEnds) {
        compared = 0;
        faults = 0;
        complaints.clear();
        for (Pair pair : pairs) {
            pair.compare(inputEnds.getOrDefault(pair.input.partition, 0L));
        }
    }

    /** How many records of the output the last comparison saw. */
    long compared() {
        return compared;
    }

    /** How many of them were not what they should be, or missing, or too many. */
    long faults() {
        return faults;
    }

    List<String> complaints() {
        return complaints;
    }

    /**
     * The anomalies that an audit of the output names and one of the input does not, or the other way round; only the latter
     * if some of the input was deleted. An event whose own interval was deleted there is out of reach, whatever it is named in the output.
     */
    public Set<String> differencesOfAudits() {
        Set<String> input = anomalies(inputTopic, Origins.NONE);
        Set<String> output = anomalies(outputTopic, new Origins(Map.of(outputTopic, inputTopic), Map.of()));
        Set<String> differences = new TreeSet<>();
        input.stream()
                .filter(one -> !output.contains(one))
                .filter(one -> !deleted || !isNamedOtherwise(one, output))
                .forEach(one -> differences.add("not in the output: " + one));
        if (!deleted) {
            output.stream()
                    .filter(one -> !input.contains(one))
                    .forEach(one -> differences.add("in the output: " + one));
        }
        return differences;
    }

    /** True of an event that is out of reach, and that others call something else. */
    private static boolean isNamedOtherwise(String anomaly, Set<String> others) {
        String outOfReach = Anomaly.Kind.OUT_OF_REACH + " ";
        return anomaly.startsWith(outOfReach)
                && others.stream().anyMatch(other -> other.endsWith(anomaly.substring(outOfReach.length() - 1)));
    }

    private Set<String> anomalies(String topic, Origins origins) {
        Set<String> named = new TreeSet<>();
        for (int partition = 0; partition < pairs.size(); partition++) {
            LogRecordParser parser = new LogRecordParser(
                    origins,
                    Format1Expected.everywhere(),
                    List.of(),
                    new CheckpointVerifier(TrustedKeys.none(), false));
            TopicPartition one = new TopicPartition(topic, partition);
            try (KafkaLogReader ahead = new KafkaLogReader(Map.of("bootstrap.servers", servers), parser);
                    KafkaLogReader back = new KafkaLogReader(Map.of("bootstrap.servers", servers), parser)) {
                PartitionReader reader = ahead.of(one);
                long end = reader.bounds().end();
                new RangeAudit(
                                reader,
                                back.of(one),
                                OriginAudit.NONE,
                                new RangeAudit.Range(one, 0, end, end, System.currentTimeMillis(), false),
                                InactivityTimeouts.DEFAULT,
                                finding -> note(finding, named),
                                page -> {},
                                (offset, bytes) -> {})
                        .run();
            }
        }
        return named;
    }

    private static void note(Finding finding, Set<String> named) {
        if (finding instanceof Violated violated) {
            for (Anomaly anomaly : violated.anomalies()) {
                named.add(anomaly.kind() + " " + anomaly.stream().partition() + "/"
                        + anomaly.stream().emitterHex() + " [" + anomaly.begin() + ", " + anomaly.end() + ")");
            }
        }
    }

    @Override
    public void close() {
        pairs.forEach(Pair::close);
    }

    private void complain(String complaint) {
        faults++;
        if (complaints.size() < MOST_COMPLAINTS) {
            complaints.add(complaint);
        }
    }

    /** A partition of the input, and the same of the output. */
    private final class Pair {
        private final Cursor input;
        private final Cursor output;

        Pair(int partition) {
            this.input = new Cursor(new TopicPartition(inputTopic, partition));
            this.output = new Cursor(new TopicPartition(outputTopic, partition));
        }

        void compare(long inputEnd) {
            long outputEnd = output.end();
            while (true) {
                ConsumerRecord<byte[], byte[]> in = input.next(inputEnd);
                ConsumerRecord<byte[], byte[]> out = output.next(outputEnd);
                if (in == null && out == null) {
                    return;
                }
                if (out == null) {
                    complain("missing: " + place(Objects.requireNonNull(in)));
                    continue;
                }
                if (in == null) {
                    complain("too many: " + place(out));
                    continue;
                }
                compared++;
                if (!isTransformed(in, out)) {
                    complain("not the same: " + place(in) + " and " + place(out));
                }
            }
        }

        private static String place(ConsumerRecord<byte[], byte[]> record) {
            return record.topic() + "-" + record.partition() + "@" + record.offset();
        }

        void close() {
            input.consumer.close();
            output.consumer.close();
        }
    }

    private boolean isTransformed(ConsumerRecord<byte[], byte[]> in, ConsumerRecord<byte[], byte[]> out) {
        HeaderBytes inHeaders = HeaderBytes.of(in.headers(), Header::key, Header::value);
        HeaderBytes outHeaders = HeaderBytes.of(out.headers(), Header::key, Header::value);
        if (in.timestamp() != out.timestamp()) {
            return false;
        }
        if (in.headers().lastHeader(Format2Checkpoint.HEADER) != null) {
            return Arrays.equals(in.key(), out.key())
                    && Arrays.equals(in.value(), out.value())
                    && Arrays.equals(inHeaders.encoded(), outHeaders.encoded());
        }
        InputEvent event = new InputEvent(
                in.topic(), in.partition(), in.offset(), in.timestamp(), in.key(), in.value(), inHeaders);
        Transformed made = transformed(event);
        byte[] header = outHeaders.last(TransformedHeader.NAME);
        return header != null
                && Arrays.equals(made.keyFor(event), out.key())
                && Arrays.equals(made.value(), out.value())
                && inputOffset(header) == in.offset()
                && Arrays.equals(
                        made.headersFor(event)
                                .plus(TransformedHeader.NAME, header)
                                .encoded(),
                        outHeaders.encoded());
    }

    private Transformed transformed(InputEvent event) {
        try {
            return transform.apply(event);
        } catch (Exception e) { // A transform may throw any.
            throw new IllegalStateException("the transform fails on " + event, e);
        }
    }

    private static long inputOffset(byte[] header) {
        try {
            return TransformedHeader.decode(header).inputOffset();
        } catch (MalformedCheckpointException e) {
            return -1;
        }
    }

    /** A reader of one partition, record by record. */
    private final class Cursor {
        private final TopicPartition partition;
        private final KafkaConsumer<byte[], byte[]> consumer;
        private final Deque<ConsumerRecord<byte[], byte[]>> polled = new ArrayDeque<>();

        Cursor(TopicPartition partition) {
            this.partition = partition;
            Map<String, Object> settings = new HashMap<>(Map.of(
                    "bootstrap.servers", servers, "isolation.level", "read_committed", "auto.offset.reset", "none"));
            this.consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
            consumer.assign(Set.of(partition));
            consumer.seek(partition, 0);
        }

        long end() {
            return Objects.requireNonNull(consumer.endOffsets(Set.of(partition)).get(partition));
        }

        void hold(long end) {
            long deadline = System.nanoTime() + PATIENCE_NANOS;
            while (consumer.position(partition) < end) {
                poll(deadline);
            }
        }

        private void poll(long deadline) {
            consumer.poll(POLL).forEach(polled::add);
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(partition + " gives nothing at " + consumer.position(partition));
            }
        }

        /** The next record before an offset, or null. */
        @Nullable
        ConsumerRecord<byte[], byte[]> next(long end) {
            long deadline = System.nanoTime() + PATIENCE_NANOS;
            while (polled.isEmpty() && consumer.position(partition) < end) {
                poll(deadline);
            }
            ConsumerRecord<byte[], byte[]> next = polled.peek();
            return next == null || next.offset() >= end ? null : polled.remove();
        }
    }
}
