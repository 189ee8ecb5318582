package dev.stormproof.emit;

import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * A consumer interceptor that hides checkpoints of format 2 from an application that only wants the events.
 *
 * <pre>{@code interceptor.classes=dev.stormproof.emit.HideCheckpoints}</pre>
 *
 * <p>Positions and commits of the consumer include checkpoints. A checkpoint of format 1 is an ordinary record and is not hidden.
 */
public final class HideCheckpoints implements ConsumerInterceptor<Object, Object> {
    @Override
    public ConsumerRecords<Object, Object> onConsume(ConsumerRecords<Object, Object> records) {
        Map<TopicPartition, List<ConsumerRecord<Object, Object>>> events = new LinkedHashMap<>();
        int kept = 0;
        for (TopicPartition partition : records.partitions()) {
            List<ConsumerRecord<Object, Object>> ofPartition = records.records(partition).stream()
                    .filter(record -> record.headers().lastHeader(Format2Checkpoint.HEADER) == null)
                    .toList();
            if (!ofPartition.isEmpty()) {
                events.put(partition, ofPartition);
                kept += ofPartition.size();
            }
        }
        return kept == records.count() ? records : only(events, records);
    }

    /** Events with the next offsets, which records do not have before kafka-clients 4.0. */
    @SuppressWarnings("deprecation")
    private static ConsumerRecords<Object, Object> only(
            Map<TopicPartition, List<ConsumerRecord<Object, Object>>> events, ConsumerRecords<Object, Object> all) {
        try {
            return new ConsumerRecords<>(events, all.nextOffsets());
        } catch (NoSuchMethodError olderClient) {
            return new ConsumerRecords<>(events);
        }
    }

    @Override
    public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {}

    @Override
    public void configure(Map<String, ?> configs) {
        EmitterConfig.refuseRemovedKeys(configs);
    }

    @Override
    public void close() {}
}
