package dev.stormproof.task.process;

import dev.stormproof.log.kafka.KafkaLogReader;
import dev.stormproof.log.kafka.RecordLimit;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.open.DurableVerification;
import dev.stormproof.task.live.open.DurableVerification.Start;
import dev.stormproof.task.live.progress.LostPosition;
import dev.stormproof.task.live.progress.ReadPosition;
import dev.stormproof.task.live.run.RecordParsers;
import dev.stormproof.task.live.watch.UnreadablePartitions;
import dev.stormproof.task.metrics.TaskMetrics;
import dev.stormproof.task.metrics.WorkerMetrics;
import dev.stormproof.verify.feed.DeliveryLink;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The consumer of a task: delivers records to the task's verification, and follows the partitions that it covers.
 *
 * <p>It belongs to no group; the verification says where to begin. The consumer bounds neither a record nor a batch once they are unpacked:
 * what does not fit into memory is left to the verification, which reads the log within bounds. For one thread.
 */
final class TaskReading implements AutoCloseable {
    /** Each poll costs as much as a hundred records. */
    private static final int POLL_RECORDS = 4_000;

    private static final int RECORDS_BETWEEN = 256;
    private static final String TIMEOUT_MILLIS = "10000";
    private static final Logger LOG = LoggerFactory.getLogger(TaskReading.class);

    private final DurableVerification verification;
    private final TaskMetrics metrics;
    private final LogRecordParser parser;
    private final Consumer<byte[], byte[]> consumer;
    private final Map<TopicPartition, ReadPosition> positions = new HashMap<>();
    private final UnreadablePartitions unreadable = new UnreadablePartitions();

    TaskReading(StormproofConfig config, DurableVerification verification) {
        this.verification = verification;
        this.parser = RecordParsers.newParser(config);
        Map<String, Object> properties = config.kafkaReader();
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        properties.putIfAbsent(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, POLL_RECORDS);
        properties.putIfAbsent(ConsumerConfig.RECEIVE_BUFFER_CONFIG, KafkaLogReader.RECEIVE_BYTES);
        properties.putIfAbsent(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS);
        this.consumer = new KafkaConsumer<>(properties);
        this.metrics = WorkerMetrics.ofThisProcess().task(config.metricsAddress(), config.groupId());
    }

    /** Assigns the partitions that the verification covers now, and counts unread records. */
    void follow() {
        Map<TopicPartition, Start> starts = verification.starts();
        if (!starts.keySet().equals(positions.keySet())) {
            positions.keySet().retainAll(starts.keySet());
            consumer.assign(starts.keySet());
        }
        Set<TopicPartition> fromBeginning = new HashSet<>();
        starts.forEach((partition, start) -> {
            ReadPosition known = positions.get(partition);
            if (known == null || known.topicId() != start.topicId()) {
                positions.put(partition, new ReadPosition(start.topicId()));
                if (known != null || start.offset() == Start.BEGINNING) {
                    fromBeginning.add(partition);
                } else {
                    consumer.seek(partition, place(start));
                }
            }
        });
        if (!fromBeginning.isEmpty()) {
            consumer.seekToBeginning(fromBeginning);
        }
        metrics.unreadOf(consumer);
    }

    /**
     * Delivers the records of one poll; false if there are none.
     *
     * @param between is run after every few hundred records, because a transform may be slow
     */
    boolean poll(Duration timeout, Runnable between) {
        if (positions.isEmpty()) {
            LockSupport.parkNanos(timeout.toNanos());
            return false;
        }
        int taken = 0;
        for (ConsumerRecord<byte[], byte[]> record : polled(timeout)) {
            deliver(record);
            if (++taken % RECORDS_BETWEEN == 0) {
                between.run();
            }
        }
        return taken > 0;
    }

    private ConsumerRecords<byte[], byte[]> polled(Duration timeout) {
        unreadable.resume(consumer, System.nanoTime());
        try {
            return consumer.poll(timeout);
        } catch (OffsetOutOfRangeException e) {
            LostPosition.moveOn(consumer, e, this::progress, partition -> {
                position(partition).reset();
                unreadable.rest(consumer, partition, System.nanoTime());
            });
        } catch (KafkaException e) {
            TopicPartition partition = unreadable.pause(consumer, e, System.nanoTime());
            // The verification reports if it cannot read there either, and goes on once it can.
            verification.readOn(partition, position(partition).topicId());
        } catch (OutOfMemoryError e) {
            LOG.warn(
                    "records do not fit into memory once they are unpacked; reading the log up to its end within bounds",
                    e);
            consumer.seekToEnd(positions.keySet());
            positions.forEach((partition, position) -> {
                position.reset();
                verification.readOn(partition, position.topicId());
            });
        }
        return ConsumerRecords.empty();
    }

    @Override
    public void close() {
        metrics.close();
        consumer.close(CloseOptions.timeout(Duration.ZERO));
    }

    private void deliver(ConsumerRecord<byte[], byte[]> record) {
        TopicPartition partition = new TopicPartition(record.topic(), record.partition());
        ReadPosition position = position(partition);
        DeliveryLink link = position.next(record);
        if (!RecordLimit.isExceededBy(record)) {
            verification.take(partition, position.topicId(), link, record, parser);
        }
    }

    private ReadPosition position(TopicPartition partition) {
        return Objects.requireNonNull(positions.get(partition));
    }

    private OptionalLong progress(TopicPartition partition) {
        Start start = verification.starts().get(partition);
        return start == null || start.offset() == Start.BEGINNING
                ? OptionalLong.empty()
                : OptionalLong.of(start.offset());
    }

    private static OffsetAndMetadata place(Start start) {
        Optional<Integer> epoch =
                start.leaderEpoch() == DeliveryLink.NO_EPOCH ? Optional.empty() : Optional.of(start.leaderEpoch());
        return new OffsetAndMetadata(start.offset(), epoch, "");
    }
}
