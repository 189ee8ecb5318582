package dev.stormproof.chaos;

import dev.stormproof.chaos.testing.AuditNames;
import dev.stormproof.log.audit.PartitionReader;
import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.log.kafka.KafkaLogReader;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.CheckpointVerifier;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.Format1Expected;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.HeaderName;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.proof.checkpoint.MalformedCheckpointException;
import dev.stormproof.proof.checkpoint.Origins;
import dev.stormproof.proof.checkpoint.TransformedHeader;
import dev.stormproof.proof.sign.TrustedKeys;
import dev.stormproof.task.transform.EventTransform;
import dev.stormproof.task.transform.EventTransforms;
import dev.stormproof.task.transform.InputEvent;
import dev.stormproof.task.transform.Transformed;
import dev.stormproof.verify.feed.HeaderBytes;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.PartitionId;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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
    private static final HeaderName MARK = new HeaderName(TransformedHeader.UNVERIFIED);
    private static final Pattern EMITTER = Pattern.compile("\\b[0-9a-f]{16}\\b");

    private final String servers;
    private final String inputTopic;
    private final String outputTopic;
    private final EventTransform transform;
    private final boolean held;
    private final Map<PartitionId, Set<Long>> unmarked = new HashMap<>();
    private final List<Pair> pairs = new ArrayList<>();
    private final List<String> complaints = new ArrayList<>();
    private long compared;
    private long faults;
    private boolean deleted;
    private Map<String, List<Finding>> audits = Map.of();

    /** A check of every partition from its beginning on. */
    public OutputCheck(String servers, String inputTopic, String outputTopic, int partitions, String transform) {
        this(servers, inputTopic, outputTopic, partitions, transform, false);
    }

    /** The same, with the mark of what is not verified allowed if the output is {@code held}. */
    OutputCheck(String servers, String inputTopic, String outputTopic, int partitions, String transform, boolean held) {
        this.held = held;
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
        unmarked.clear();
        for (Pair pair : pairs) {
            pair.compare(inputEnds.getOrDefault(pair.input.partition, 0L));
        }
    }

    /** Whether what is not verified is marked in the output. */
    boolean held() {
        return held;
    }

    /** Demands of the records that the last comparison saw that those of verified intervals alone bear no mark. */
    void compareMarks(VerifiedPlaces verified) {
        verified.contradictions(unmarked).forEach(this::complain);
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
        List<Finding> ofInput = findings(inputTopic);
        List<Finding> ofOutput = findings(outputTopic);
        Set<String> differences = AuditNames.differences(AuditNames.of(ofInput), AuditNames.of(ofOutput), deleted);
        audits = differences.isEmpty() ? Map.of() : Map.of(inputTopic, ofInput, outputTopic, ofOutput);
        return differences;
    }

    /**
     * Writes down what tells why the audits differ: both as a whole, where the logs begin and end, and the records of the streams
     * that the differences name, in both logs.
     */
    void keep(Set<String> differences, Path directory) throws IOException, ExpiredRangeException {
        Files.createDirectories(directory);
        Set<String> emitters = EMITTER.matcher(String.join(" ", differences))
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toSet());
        for (Map.Entry<String, List<Finding>> audit : audits.entrySet()) {
            String topic = audit.getKey();
            Files.write(
                    directory.resolve(topic + ".audit"),
                    audit.getValue().stream().map(Finding::toString).toList());
            try (PrintWriter out =
                    new PrintWriter(Files.newBufferedWriter(directory.resolve(topic + ".records")), false)) {
                for (int partition = 0; partition < pairs.size(); partition++) {
                    writeRecords(new TopicPartition(topic, partition), emitters, out);
                }
            }
        }
    }

    private void writeRecords(TopicPartition partition, Set<String> emitters, PrintWriter out)
            throws ExpiredRangeException {
        try (KafkaLogReader log = reader(partition.topic())) {
            PartitionReader reader = log.of(partition);
            PartitionReader.Bounds bounds = reader.bounds();
            out.println(partition + " " + bounds);
            reader.scan(bounds.begin(), bounds.end(), (record, leaderEpoch, timestampMillis, content) -> {
                if (emitters.stream().anyMatch(emitter -> isOf(record, emitter))) {
                    out.println("@" + record.offset() + " epoch " + leaderEpoch + " "
                            + Instant.ofEpochMilli(timestampMillis) + " " + record);
                }
                return true;
            });
        }
    }

    private static boolean isOf(LogRecord record, String emitterHex) {
        return record instanceof Event event
                ? HexFormat.of().toHexDigits(event.emitter()).equals(emitterHex)
                : record instanceof CheckpointRecord checkpoint
                        && checkpoint.checkpoint().stream().emitterHex().equals(emitterHex);
    }

    private KafkaLogReader reader(String topic) {
        Origins origins =
                topic.equals(outputTopic) ? new Origins(Map.of(outputTopic, inputTopic), Map.of()) : Origins.NONE;
        LogRecordParser parser = new LogRecordParser(
                origins, Format1Expected.everywhere(), List.of(), new CheckpointVerifier(TrustedKeys.none()));
        return new KafkaLogReader(Map.of("bootstrap.servers", servers), parser);
    }

    private List<Finding> findings(String topic) {
        List<Finding> found = new ArrayList<>();
        for (int partition = 0; partition < pairs.size(); partition++) {
            TopicPartition one = new TopicPartition(topic, partition);
            try (KafkaLogReader ahead = reader(topic);
                    KafkaLogReader back = reader(topic)) {
                found.addAll(AuditNames.audit(one, ahead.of(one), back.of(one)));
            }
        }
        return found;
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
                HeaderBytes headers = HeaderBytes.of(out.headers(), Header::key, Header::value);
                if (headers.last(TransformedHeader.UNVERIFIED) == null) {
                    unmarked.computeIfAbsent(new PartitionId(in.topic(), in.partition()), first -> new HashSet<>())
                            .add(in.offset());
                }
                if (!isTransformed(in, out, held ? headers.without(MARK) : headers)) {
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

    private boolean isTransformed(
            ConsumerRecord<byte[], byte[]> in, ConsumerRecord<byte[], byte[]> out, HeaderBytes outHeaders) {
        HeaderBytes inHeaders = HeaderBytes.of(in.headers(), Header::key, Header::value);
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
                && Arrays.equals(made.contentFor(event).key(), out.key())
                && Arrays.equals(made.value(), out.value())
                && inputOffset(header) == in.offset()
                && Arrays.equals(
                        made.contentFor(event)
                                .headers()
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
