package dev.stormproof.task.live.run;

import dev.stormproof.proof.checkpoint.AllowedEmitters;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.progress.Progress;
import dev.stormproof.task.live.progress.TopicIds;
import dev.stormproof.task.live.watch.WatchedTopics;
import dev.stormproof.task.output.OnError;
import dev.stormproof.task.output.OnViolation;
import dev.stormproof.task.output.OutputLog;
import dev.stormproof.task.output.PartitionOutput;
import dev.stormproof.task.output.VerifiedOutput;
import dev.stormproof.task.output.Written;
import dev.stormproof.task.transform.EventTransforms;
import dev.stormproof.task.transform.TransformRunner;
import dev.stormproof.task.transform.TransformRunner.TransformFailure;
import dev.stormproof.verify.feed.RecordContent;
import dev.stormproof.verify.fold.Bounds;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.PartitionId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The output of one task's partitions, each to the same partition of its output topic, in the task's transactions.
 *
 * <p>{@link WatchedTopics} finds a partition that takes nothing, or a transaction fails because of it. Then it is tried again after a pause
 * that grows.
 *
 * <p>For one thread; any may call {@link #close}.
 */
public final class OutputTopics implements TaskVerification.Outputs, AutoCloseable {
    /** The pauses before a partition that refused everything is tried again. */
    public static final Backoff BACKOFF = new Backoff(1_000, 60_000);

    /**
     * The bytes of a batch with one record besides key, value and headers: 61 of the batch, and at most 23 of the record. The lengths
     * of the names and values of headers are counted as four bytes each, which is enough up to 128 MiB.
     */
    static final int OVERHEAD_BYTES = 84;

    private static final Logger LOG = LoggerFactory.getLogger(OutputTopics.class);

    private final StormproofConfig config;
    private final TaskTransaction transaction;
    private final ProducerLimits limits;
    private final WatchedTopics watched;
    private final LongSupplier wallMillis;
    private final LongSupplier elapsedMillis;
    private final LogRecordParser parser;
    private final TransformRunner transform;
    private final Map<String, String> outputByInput = new HashMap<>();
    private final Map<String, Long> knownIds = new HashMap<>();
    private long failures;
    private final Map<TopicPartition, Outage> outages = new HashMap<>();
    private final Set<String> said = new HashSet<>();

    private record Outage(String why, long untilMillis, long pauseMillis) {}

    /**
     * @param watched closed with this
     * @param wallMillis the time as brokers have it, in milliseconds since 1970
     * @param elapsedMillis a monotonic clock
     */
    public OutputTopics(
            StormproofConfig config,
            TaskTransaction transaction,
            ProducerLimits limits,
            WatchedTopics watched,
            LongSupplier wallMillis,
            LongSupplier elapsedMillis) {
        this.config = config;
        this.transaction = transaction;
        this.limits = limits;
        this.watched = watched;
        this.wallMillis = wallMillis;
        this.elapsedMillis = elapsedMillis;
        this.parser = RecordParsers.newParser(config);
        this.transform = new TransformRunner(
                EventTransforms.named(config.output.transform()),
                config.output.retries(),
                config.output.timeoutMillis());
    }

    @Override
    public Optional<PartitionOutput> of(TopicPartition partition, Written written, Consumer<Finding> findings) {
        return config.outputTopic(partition.topic()).map(topic -> of(partition, topic, written, findings));
    }

    @Override
    public Optional<VerifiedOutput> held(TopicPartition partition, PartitionOutput output, Progress progress) {
        return config.output.isHeld()
                ? Optional.of(new VerifiedOutput(
                        new PartitionId(partition.topic(), partition.partition()),
                        new AllowedEmitters(config.checking.allowedEmitters()),
                        output,
                        progress.offset(),
                        Bounds.DEFAULT,
                        VerifiedOutput.MOST_VERDICTS,
                        OnViolation.valueOf(config.output.onViolation().toUpperCase(Locale.ROOT)),
                        what -> LOG.warn("{}: {}", partition, what)))
                : Optional.empty();
    }

    @Override
    public boolean areSigned() {
        return config.checking.signaturesRequired();
    }

    private PartitionOutput of(
            TopicPartition partition, String topic, Written writtenBefore, Consumer<Finding> findings) {
        outputByInput.put(partition.topic(), topic);
        List<String> topics = new ArrayList<>(List.of(topic, partition.topic()));
        config.output.divertedTopic().ifPresent(topics::add);
        watched.watch(topics);
        return new PartitionOutput(
                new PartitionId(partition.topic(), partition.partition()),
                writtenBefore,
                new Log(partition, new TopicPartition(topic, partition.partition())),
                config.output
                        .divertedTopic()
                        .map(aside -> new Log(partition, new TopicPartition(aside, ProduceErrorKind.ANY_PARTITION))),
                transform,
                content -> parser.isCheckpoint(content.key(), content.value(), content.headers()),
                config.output.diverts() ? OnError.DIVERT : OnError.HALT,
                findings);
    }

    /** Why nothing can be written to a partition, or, if it is {@value ProduceErrorKind#ANY_PARTITION}, to any; null if something can. */
    @Nullable
    String unavailable(TopicPartition place) {
        if (!outages.isEmpty()) {
            Outage outage = outages.get(place);
            if (outage != null && elapsedMillis.getAsLong() < outage.untilMillis()) {
                return outage.why();
            }
        }
        return watched.unavailable(place);
    }

    /** A partition refused everything: it is tried again after a pause. */
    void refused(TopicPartition place, String why) {
        Outage before = outages.get(place);
        long pauseMillis = BACKOFF.after(before == null ? 0 : before.pauseMillis());
        if (before == null || before.untilMillis() <= elapsedMillis.getAsLong()) {
            outages.put(place, new Outage(why, elapsedMillis.getAsLong() + pauseMillis, pauseMillis));
        }
    }

    boolean hasOutages() {
        return !outages.isEmpty();
    }

    /** Some partitions took what was written to them, which ends their outages. */
    void took(Set<TopicPartition> places) {
        outages.keySet().removeAll(places);
    }

    /** Reports once each topic that does not meet the demands of the start any more; to be called about once a second. */
    void tick(Consumer<Throwable> errors) {
        Set<String> wrong = new HashSet<>();
        outputByInput.forEach((input, output) -> {
            watched.of(output)
                    .map(WatchedTopics.State::id)
                    .filter(id -> id != TopicIds.UNKNOWN)
                    .ifPresent(id -> {
                        Long before = knownIds.put(output, id);
                        if (before != null && !before.equals(id)) {
                            say(
                                    "output topic " + output
                                            + " was created again: what was written to it before is gone, and the output continues",
                                    errors);
                        }
                    });
            WatchedTopics.Settings ofInput = watched.settings(input);
            WatchedTopics.Settings ofOutput = watched.settings(output);
            if (ofInput != null && ofInput.compacted()) {
                wrong.add("input topic " + input
                        + " is compacted: Kafka itself removes events from it, which will be reported as lost");
            }
            if (ofInput != null && ofOutput != null && ofOutput.maxMessageBytes() < ofInput.maxMessageBytes()) {
                wrong.add("output topic " + output + " takes records of " + ofOutput.maxMessageBytes()
                        + " bytes and input topic " + input + " of " + ofInput.maxMessageBytes()
                        + ": a larger one halts the output");
            }
        });
        said.retainAll(wrong);
        wrong.stream().filter(said::add).forEach(one -> say(one, errors));
    }

    @Override
    public void close() {
        transform.close();
        watched.close();
    }

    private static void say(String what, Consumer<Throwable> errors) {
        LOG.warn(what);
        errors.accept(new IllegalStateException(what));
    }

    private final class Log implements OutputLog {
        private final TopicPartition input;
        private final TopicPartition place;

        Log(TopicPartition input, TopicPartition place) {
            this.input = input;
            this.place = place;
        }

        @Override
        public @Nullable String unavailable() {
            return OutputTopics.this.unavailable(place);
        }

        @Override
        public boolean isFull() {
            return transaction.isFull();
        }

        @Override
        public boolean isDue() {
            return transaction.isDue();
        }

        @Override
        public @Nullable String refusal(RecordContent record) {
            WatchedTopics.Settings settings = watched.settings(place.topic());
            long sizeBytes = record.sizeBytes() + OVERHEAD_BYTES;
            if (sizeBytes > limits.mostBytes()) {
                return "the record has " + sizeBytes + " bytes, and the producer takes " + limits.mostBytes()
                        + " (producer.max.request.size)";
            }
            if (settings == null) {
                return null;
            }
            if (!limits.compresses() && sizeBytes > settings.maxMessageBytes()) {
                return "the record has " + sizeBytes + " bytes, and topic " + place.topic() + " takes "
                        + settings.maxMessageBytes();
            }
            return record.timestampMillis() < 0 || settings.takesTime(record.timestampMillis(), wallMillis.getAsLong())
                    ? null
                    : "topic " + place.topic() + " does not take the time of the record, " + record.timestampMillis();
        }

        /** Logs the exception of each halt, but of ever fewer diversions: every event may be diverted. */
        @Override
        public void logFailure(long offset, TransformFailure failure) {
            failures++;
            if (config.output.diverts() && Long.bitCount(failures) > 1) {
                LOG.warn("the transform failed at {}@{}: {}", input, offset, failure.getMessage());
            } else {
                LOG.warn("the transform failed at {}@{}", input, offset, failure.getCause());
            }
        }

        /** A producer refuses times before 1970; no time means now. */
        @Override
        public void append(long inputOffset, RecordContent record) {
            List<Header> headers = new ArrayList<>();
            record.headers().forEach((name, value) -> headers.add(new RecordHeader(name, value)));
            transaction.append(
                    input,
                    inputOffset,
                    new ProducerRecord<>(
                            place.topic(),
                            place.partition() == ProduceErrorKind.ANY_PARTITION ? null : place.partition(),
                            record.timestampMillis() < 0 ? null : record.timestampMillis(),
                            record.key(),
                            record.value(),
                            headers),
                    record.sizeBytes());
        }
    }
}
