package dev.stormproof.emit;

import dev.stormproof.merkle.Hash;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * A serialized event holds an application's record as bytes, and its signature; of one use and one thread.
 *
 * @param record names its partition, and has a copy of the application's headers
 */
record SerializedEvent(ProducerRecord<byte[], byte[]> record, Hash signature) {
    TopicPartition partition() {
        return new TopicPartition(record.topic(), record.partition());
    }
}
