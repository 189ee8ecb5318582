package dev.stormproof.live;

import dev.stormproof.checkpoint.LogRecordParser;
import dev.stormproof.config.StormproofConfig;
import dev.stormproof.feed.RecordContent;
import dev.stormproof.judge.PartitionId;
import dev.stormproof.judge.Undelivered;
import dev.stormproof.output.OnError;
import dev.stormproof.output.OutputLog;
import dev.stormproof.output.PartitionOutput;
import dev.stormproof.output.Written;
import dev.stormproof.transform.EventTransforms;
import dev.stormproof.transform.TransformRunner;
import dev.stormproof.transform.TransformRunner.TransformFailure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
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
 * <p>For one thread; {@link #close} may be called from any.
 */
final class OutputTopics implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OutputTopics.class);

    /** How often the ids of the output topics are asked for. */
    private static final long LOOK_MILLIS = 5_000;

    private static final int MOST_LOGGED_CHARS = 1_000;

    private final StormproofConfig config;
    private final TaskTransaction transaction;
    private final RecordLimits limits;
    private final LogRecordParser parser;
    private final TransformRunner transform;
    private final TopicIds ids;
    private final Set<String> written = new HashSet<>();
    private final Map<String, Long> knownIds = new HashMap<>();
    private long lookedAtMillis = -LOOK_MILLIS;
    private long failures;

    OutputTopics(StormproofConfig config, TaskTransaction transaction, RecordLimits limits) {
        this.config = config;
        this.transaction = transaction;
        this.limits = limits;
        this.parser = RecordParsers.newParser(config);
        this.ids = new TopicIds(config.kafkaAdmin());
        this.transform = new TransformRunner(
                EventTransforms.named(config.transform()), config.transformRetries(), config.transformTimeoutMillis());
    }

    /** The output of a partition, written up to an offset before. */
    PartitionOutput of(TopicPartition partition, Written writtenBefore, Consumer<Undelivered> findings) {
        String topic = config.outputTopic(partition.topic()).orElseThrow();
        written.add(topic);
        return new PartitionOutput(
                new PartitionId(partition.topic(), partition.partition()),
                writtenBefore,
                new Log(partition, topic),
                transform,
                content -> parser.isCheckpoint(content.value(), content.headers()),
                config.diverts() ? OnError.DIVERT : OnError.HALT,
                findings);
    }

    /** Looks whether the output topics are still those that they were; to be called about once a second. */
    void tick(long nowMillis, Consumer<Throwable> errors) {
        if (written.isEmpty() || nowMillis - lookedAtMillis < LOOK_MILLIS) {
            return;
        }
        lookedAtMillis = nowMillis;
        ids.of(written).forEach((topic, id) -> {
            Long before = knownIds.put(topic, id);
            if (before != null && !before.equals(id)) {
                IllegalStateException anew = new IllegalStateException(
                        "output topic " + topic
                                + " was created anew: what was written to it before is gone, and the output goes on behind that");
                LOG.warn(anew.getMessage());
                errors.accept(anew);
            }
        });
    }

    @Override
    public void close() {
        transform.close();
        ids.close();
    }

    private final class Log implements OutputLog {
        private final TopicPartition input;
        private final String topic;

        Log(TopicPartition input, String topic) {
            this.input = input;
            this.topic = topic;
        }

        @Override
        public int maxRecordBytes() {
            return limits.of(topic);
        }

        @Override
        public void append(RecordContent record) {
            send(topic, input.partition(), record);
        }

        @Override
        public void divert(RecordContent event) {
            send(config.divertedTopic().orElseThrow(), null, event);
        }

        /** Each in a line, and the first and then ever fewer with the stack: a transform may fail on every event. */
        @Override
        public void tell(long offset, TransformFailure failure) {
            failures++;
            if (Long.bitCount(failures) == 1) {
                LOG.warn("the transform failed at {}@{}", input, offset, failure.getCause());
            } else {
                String why = String.valueOf(failure.getCause());
                LOG.warn(
                        "the transform failed at {}@{}: {}",
                        input,
                        offset,
                        why.substring(0, Math.min(why.length(), MOST_LOGGED_CHARS)));
            }
        }

        private void send(String to, @Nullable Integer partition, RecordContent record) {
            List<Header> headers = new ArrayList<>();
            record.headers().forEach((name, value) -> headers.add(new RecordHeader(name, value)));
            transaction.append(
                    new ProducerRecord<>(
                            to, partition, record.timestampMillis(), record.key(), record.value(), headers),
                    record.sizeBytes());
        }
    }
}
