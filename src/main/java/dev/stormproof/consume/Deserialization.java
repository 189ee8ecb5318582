package dev.stormproof.consume;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordDeserializationException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/** The application's deserializers see what is handed out: neither a checkpoint nor a record that is held. */
final class Deserialization<K, V> implements AutoCloseable {
    private final Deserializer<K> keys;
    private final Deserializer<V> values;
    /** True if keys and values are bytes, as they were fetched. */
    private final boolean asFetched;

    Deserialization(Deserializer<K> keys, Deserializer<V> values) {
        this.keys = keys;
        this.values = values;
        this.asFetched =
                keys.getClass() == ByteArrayDeserializer.class && values.getClass() == ByteArrayDeserializer.class;
    }

    /** The record with key and value; throws what KafkaConsumer throws if they cannot be read. */
    @SuppressWarnings({"deprecation", "unchecked"
    }) // Bytes are what the application's consumer is of. The exception's other constructor is not there before
    // kafka-clients 3.9.
    ConsumerRecord<K, V> of(ConsumerRecord<byte[], byte[]> record) {
        if (asFetched) {
            return (ConsumerRecord<K, V>) record;
        }
        try {
            return new ConsumerRecord<>(
                    record.topic(),
                    record.partition(),
                    record.offset(),
                    record.timestamp(),
                    record.timestampType(),
                    record.serializedKeySize(),
                    record.serializedValueSize(),
                    read(keys, record, record.key()),
                    read(values, record, record.value()),
                    record.headers(),
                    record.leaderEpoch());
        } catch (RuntimeException e) {
            TopicPartition partition = new TopicPartition(record.topic(), record.partition());
            throw new RecordDeserializationException(
                    partition,
                    record.offset(),
                    "Error deserializing key/value for partition " + partition + " at offset " + record.offset()
                            + ". If needed, please seek past the record to continue consumption.",
                    e);
        }
    }

    @SuppressWarnings("NullAway") // A record without a value has none, as KafkaConsumer hands it out.
    private static <T> T read(
            Deserializer<T> deserializer, ConsumerRecord<byte[], byte[]> record, byte @Nullable [] bytes) {
        return bytes == null ? null : deserializer.deserialize(record.topic(), record.headers(), bytes);
    }

    @Override
    public void close() {
        Utils.closeQuietly(keys, "key deserializer");
        Utils.closeQuietly(values, "value deserializer");
    }
}
