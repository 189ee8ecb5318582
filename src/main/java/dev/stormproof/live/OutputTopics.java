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
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/**
 * The output of one task's partitions, each to the same partition of its output topic, in the task's transactions.
 *
 * <p>For one thread; {@link #close} may be called from any.
 */
final class OutputTopics implements AutoCloseable {
    private final StormproofConfig config;
    private final TaskTransaction transaction;
    private final RecordLimits limits;
    private final LogRecordParser parser;
    private final TransformRunner transform;

    OutputTopics(StormproofConfig config, TaskTransaction transaction, RecordLimits limits) {
        this.config = config;
        this.transaction = transaction;
        this.limits = limits;
        this.parser = RecordParsers.newParser(config);
        this.transform = new TransformRunner(
                EventTransforms.named(config.transform()), config.transformRetries(), config.transformTimeoutMillis());
    }

    /** The output of a partition, written up to an offset before. */
    PartitionOutput of(TopicPartition partition, Written written, Consumer<Undelivered> findings) {
        return new PartitionOutput(
                new PartitionId(partition.topic(), partition.partition()),
                written,
                new Log(partition, config.outputTopic(partition.topic()).orElseThrow()),
                transform,
                content -> parser.isCheckpoint(content.value(), content.headers()::last),
                config.diverts() ? OnError.DIVERT : OnError.HALT,
                findings);
    }

    @Override
    public void close() {
        transform.close();
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
