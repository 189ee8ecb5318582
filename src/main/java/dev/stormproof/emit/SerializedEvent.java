package dev.stormproof.emit;

import dev.stormproof.merkle.Hash;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/** A serialized event holds an application's record as bytes, its partition and its signature; of one use and one thread. */
final class SerializedEvent {
    final TopicPartition partition;
    final @Nullable Long timestamp;
    final byte @Nullable [] key;
    final byte @Nullable [] value;

    /** A copy of the application's headers. */
    final RecordHeaders headers;

    final Hash signature;

    SerializedEvent(
            TopicPartition partition,
            @Nullable Long timestamp,
            byte @Nullable [] key,
            byte @Nullable [] value,
            RecordHeaders headers,
            Hash signature) {
        this.partition = partition;
        this.timestamp = timestamp;
        this.key = key;
        this.value = value;
        this.headers = headers;
        this.signature = signature;
    }
}
