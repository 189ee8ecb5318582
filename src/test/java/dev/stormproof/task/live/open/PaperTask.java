package dev.stormproof.task.live.open;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.alert.AlertJson;
import dev.stormproof.log.audit.LogReadPool;
import dev.stormproof.log.audit.LogReader;
import dev.stormproof.log.audit.PartitionReader;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.heads.PaperHeads;
import dev.stormproof.task.live.progress.GroupProgress;
import dev.stormproof.task.live.progress.Progress;
import dev.stormproof.task.live.progress.TopicIds;
import dev.stormproof.task.live.run.FindingsOutbox;
import dev.stormproof.task.live.run.OutputTopics;
import dev.stormproof.task.live.run.ProducerLimits;
import dev.stormproof.task.live.run.PublishedAlerts;
import dev.stormproof.task.live.run.RecordLimits;
import dev.stormproof.task.live.run.RecordParsers;
import dev.stormproof.task.live.run.Release;
import dev.stormproof.task.live.run.TaskAudits;
import dev.stormproof.task.live.run.TaskRun;
import dev.stormproof.task.live.run.TaskTransaction;
import dev.stormproof.task.live.run.TaskVerification;
import dev.stormproof.task.live.testing.PaperLog;
import dev.stormproof.task.live.watch.WatchedTopics;
import dev.stormproof.task.metrics.TaskMetrics;
import dev.stormproof.task.metrics.WorkerMetrics;
import dev.stormproof.task.transform.EventTransform;
import dev.stormproof.task.transform.InputEvent;
import dev.stormproof.task.transform.Transformed;
import dev.stormproof.testing.MadeLog;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.HeaderBytes;
import dev.stormproof.verify.feed.RecordContent;
import dev.stormproof.verify.fold.InactivityTimeouts;
import dev.stormproof.verify.judge.Undelivered;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.header.Header;

/**
 * A task with an output on paper: the input is a list, the producer a mock, and time goes by tick by tick.
 *
 * <p>Tasks one after the other share a {@link Kafka}.
 */
final class PaperTask implements AutoCloseable {
    static final String INPUT = "in";
    static final String OUTPUT = "out";
    static final String DIVERTED = "aside";
    static final int PARTITIONS = 2;
    static final long TICK_MILLIS = 100;

    private final Kafka kafka;
    private final LogReadPool pool;
    private final OutputTopics outputs;
    private final PaperHeads heads;
    private final FindingsOutbox outbox;
    private final TaskVerification verification;
    private final TaskRun run;
    private final TaskMetrics metrics;
    private final long[] delivered = new long[PARTITIONS];
    private final LogRecordParser parser;
    final PaperProducer producer;
    final WatchedTopics watched;
    Map<TopicPartition, Release> releases = Map.of();
    long nowMillis;

    /** What outlasts a task. */
    static final class Kafka {
        private final Map<Integer, List<ProducerRecord<byte[], byte[]>>> input = new HashMap<>();
        private final Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        private final List<PaperProducer> producers = new ArrayList<>();
        final Map<String, WatchedTopics.State> topics = new HashMap<>();
        private final Map<String, Object> emitter;
        private long inputId = 1;
        /** True while the brokers that are asked for the input do not know it. */
        volatile boolean inputIsUnknown;

        Kafka(int events) {
            this(events, Map.of());
        }

        /** With settings of the emitter. */
        Kafka(int events, Map<String, Object> emitter) {
            this.emitter = emitter;
            append(events);
            topics.put(INPUT, topic(PARTITIONS));
            topics.put(OUTPUT, topic(PARTITIONS));
            topics.put(DIVERTED, topic(1));
        }

        /** Has a new emitter's events behind the input. */
        void append(int events) {
            for (ProducerRecord<byte[], byte[]> record : PaperLog.of(INPUT, PARTITIONS, events, 5, emitter)) {
                input.computeIfAbsent(record.partition(), first -> new ArrayList<>())
                        .add(record);
            }
        }

        /** Has the input deleted, and created with the same records. */
        void createInputAnew() {
            inputId++;
        }

        static WatchedTopics.State topic(int partitions) {
            return new WatchedTopics.State(null, 1, Collections.nCopies(partitions, true), null);
        }

        List<ProducerRecord<byte[], byte[]>> inputOf(int partition) {
            return Objects.requireNonNull(input.get(partition));
        }

        /** What was committed to a topic. */
        List<ProducerRecord<byte[], byte[]>> written(String topic) {
            return producers.stream()
                    .flatMap(producer -> producer.history().stream())
                    .filter(record -> record.topic().equals(topic))
                    .toList();
        }

        /** What was committed to a partition of the output, in its order. */
        List<String> output(int partition) {
            return written(OUTPUT).stream()
                    .filter(record -> record.partition() == partition)
                    .map(record -> record.value() == null ? "-" : new String(record.value(), UTF_8))
                    .toList();
        }

        /** What should be there if nothing is diverted. */
        List<String> expected(int partition) {
            return inputOf(partition).stream()
                    .map(record -> record.value() == null
                            ? "-"
                            : new String(record.value(), UTF_8) + new String(record.value(), UTF_8))
                    .toList();
        }

        /** The findings on the output of a partition, in the order in which they were told. */
        List<Undelivered> told(int partition) {
            List<Undelivered> told = new ArrayList<>();
            for (ProducerRecord<byte[], byte[]> record : written("alerts")) {
                try {
                    if (AlertJson.read(record.value()).finding() instanceof Undelivered one
                            && one.partition().partition() == partition) {
                        told.add(one);
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            return told;
        }

        long progress(int partition) {
            OffsetAndMetadata offset = offsets.get(new TopicPartition(INPUT, partition));
            return offset == null ? 0 : offset.offset();
        }

        boolean isComplete(int partition) {
            return output(partition).size() == inputOf(partition).size();
        }
    }

    /** Doubles every value. */
    public static final class Doubling implements EventTransform {
        @Override
        public Transformed apply(InputEvent event) {
            String text = new String(Objects.requireNonNull(event.value()), UTF_8);
            return Transformed.of((text + text).getBytes(UTF_8));
        }
    }

    PaperTask(Kafka kafka, String onError) {
        this(kafka, Map.of("transform.on.error", onError));
    }

    PaperTask(Kafka kafka, Map<String, String> settings) {
        this.kafka = kafka;
        Map<String, String> properties = new HashMap<>(Map.of(
                "bootstrap.servers",
                "nowhere:1",
                "input.topics",
                INPUT,
                "group.id",
                "g",
                "alerts.topic",
                "alerts",
                "verdicts.topic",
                "none",
                "output.topic",
                OUTPUT,
                "diverted.topic",
                DIVERTED,
                "transform",
                Doubling.class.getName()));
        properties.putAll(settings);
        StormproofConfig config = new StormproofConfig(properties);
        parser = RecordParsers.newParser(config);
        producer = new PaperProducer(kafka.offsets);
        kafka.producers.add(producer);
        heads = new PaperHeads(() -> kafka.written(PaperHeads.TOPIC));
        GroupProgress progress = progressOf();
        TaskTransaction transaction = new TaskTransaction(producer, progress.group(), () -> nowMillis);
        transaction.renewBy(new TaskTransaction.Renewal() {
            @Override
            public Set<String> unknown(Set<String> topics) {
                return kafka.inputIsUnknown ? topics : Set.of();
            }

            @Override
            public Producer<byte[], byte[]> producer() {
                PaperProducer renewed = new PaperProducer(kafka.offsets);
                kafka.producers.add(renewed);
                return renewed;
            }
        });
        outbox = new FindingsOutbox(
                transaction,
                config,
                note -> note.encode("t", 0),
                new RecordLimits(1 << 20, topic -> OptionalInt.empty()),
                new PublishedAlerts("g"),
                heads,
                () -> nowMillis,
                "0of1");
        watched = new WatchedTopics(
                new WatchedTopics.Asker() {
                    @Override
                    public Map<String, WatchedTopics.State> ask(Set<String> topics) {
                        Map<String, WatchedTopics.State> known = new HashMap<>(kafka.topics);
                        known.keySet().retainAll(topics);
                        return known;
                    }

                    @Override
                    public void close() {}
                },
                "paper-watch");
        outputs = new OutputTopics(
                config, transaction, new ProducerLimits(1 << 20, false), watched, () -> nowMillis, () -> nowMillis);
        pool = new LogReadPool("paper", 1, 4, Log::new);
        metrics = WorkerMetrics.ofThisProcess().task(Optional.empty(), "test");
        verification = new TaskVerification(
                progress.partitions(),
                partition -> Optional.of(Progress.at(0, TopicIds.UNKNOWN)),
                new TaskAudits(pool, error -> {}),
                InactivityTimeouts.DEFAULT,
                outputs,
                outbox::add,
                metrics);
        run = new TaskRun(
                verification,
                outbox,
                transaction,
                outputs,
                halted -> {
                    Map<TopicPartition, Release> now = releases;
                    releases = Map.of();
                    return now;
                },
                true,
                500,
                error -> {},
                () -> nowMillis);
        for (int partition = 0; partition < PARTITIONS; partition++) {
            delivered[partition] = kafka.progress(partition);
        }
    }

    private GroupProgress progressOf() {
        return GroupProgress.of(
                        new HashMap<>(kafka.offsets),
                        Map.of(),
                        new MockConsumer<byte[], byte[]>("none").groupMetadata())
                .withHeads(heads);
    }

    /** Delivers the next record of a partition; false if there is none. */
    boolean deliver(int partition) {
        long offset = delivered[partition];
        if (offset == kafka.inputOf(partition).size()) {
            return false;
        }
        delivered[partition]++;
        run.take(
                new TopicPartition(INPUT, partition),
                kafka.inputId,
                new DeliveryLink(offset, offset - 1, 0),
                record(parser, partition, offset),
                content(partition, offset));
        return true;
    }

    /** Loses all that is left of a partition but its last record on the way. */
    void skipToTheLast(int partition) {
        delivered[partition] = kafka.inputOf(partition).size() - 1L;
    }

    /** Delivers a partition from its beginning. */
    void deliverAgain(int partition) {
        delivered[partition] = 0;
    }

    /** True if a partition is followed. */
    boolean follows(int partition) {
        return verification.progress().containsKey(new TopicPartition(INPUT, partition));
    }

    /** Takes on all partitions at the progress that was committed. */
    void cover() {
        progressOf()
                .partitions()
                .forEach((partition, progress) -> verification.cover(partition, kafka.inputId, progress));
    }

    /** A tick; what is asked of the log is answered before the next one. */
    void tick() {
        tick(() -> {});
    }

    /** The same, and something comes before the answers do. */
    void tick(Runnable meanwhile) {
        nowMillis += TICK_MILLIS;
        run.tick();
        meanwhile.run();
        poll();
    }

    /** What is behind each batch of records, until nothing is asked of the log any more. */
    void poll() {
        do {
            run.poll();
        } while (pool.pending() > 0 && !outbox.isFailing());
        run.poll();
    }

    /** Delivers everything, and ticks for a while. */
    void runFor(int ticks) {
        deliverAll();
        for (int i = 0; i < ticks; i++) {
            tick();
        }
    }

    /** Delivers what is left of every partition. */
    void deliverAll() {
        boolean more = true;
        while (more) {
            more = false;
            for (int partition = 0; partition < PARTITIONS; partition++) {
                more |= deliver(partition);
            }
        }
    }

    /** Ends it; what it committed stays. */
    @Override
    public void close() {
        outputs.close();
        pool.close();
    }

    private LogRecord record(LogRecordParser with, int partition, long offset) {
        ProducerRecord<byte[], byte[]> one = kafka.inputOf(partition).get((int) offset);
        return with.parse(INPUT, partition, offset, offset, one.key(), one.value(), headers(one), null);
    }

    private RecordContent content(int partition, long offset) {
        ProducerRecord<byte[], byte[]> one = kafka.inputOf(partition).get((int) offset);
        return new RecordContent(one.key(), one.value(), headers(one), offset, false);
    }

    private static HeaderBytes headers(ProducerRecord<byte[], byte[]> record) {
        return HeaderBytes.of(record.headers(), Header::key, Header::value);
    }

    /** The input as the log holds it. */
    private final class Log implements LogReader {
        private final LogRecordParser own = RecordParsers.newParser(new StormproofConfig(Map.of(
                "bootstrap.servers", "nowhere:1", "input.topics", INPUT, "group.id", "g", "alerts.topic", "alerts")));

        @Override
        public PartitionReader of(TopicPartition partition) {
            if (kafka.inputIsUnknown) {
                throw new UnknownTopicOrPartitionException();
            }
            return new MadeLog() {
                @Override
                protected long endOffset() {
                    return kafka.inputOf(partition.partition()).size();
                }

                @Override
                protected LogRecord record(long offset) {
                    return PaperTask.this.record(own, partition.partition(), offset);
                }

                @Override
                protected Supplier<RecordContent> content(long offset) {
                    return () -> PaperTask.this.content(partition.partition(), offset);
                }
            };
        }

        @Override
        public void close() {}
    }
}
