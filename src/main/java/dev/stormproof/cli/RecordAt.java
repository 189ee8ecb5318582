package dev.stormproof.cli;

import dev.stormproof.checkpoint.EventHeader;
import dev.stormproof.checkpoint.Format1Codec;
import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.checkpoint.MalformedCheckpointException;
import dev.stormproof.kafka.KafkaPartitionReader;
import dev.stormproof.submit.Failure;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;

/** A record at a place of the log, of an aborted transaction perhaps, with the checkpoint that it holds. */
record RecordAt(ConsumerRecord<byte[], byte[]> record) {
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    /** Reads it; the failure says what lies there instead, or where the log begins and ends. */
    static RecordAt read(Connection connection, TopicPartition partition, long offset) {
        try (KafkaConsumer<byte[], byte[]> consumer =
                KafkaPartitionReader.newConsumer(new HashMap<>(connection.clientProperties()), "read_uncommitted")) {
            consumer.assign(List.of(partition));
            long begin = consumer.beginningOffsets(Set.of(partition)).getOrDefault(partition, 0L);
            long end = consumer.endOffsets(Set.of(partition)).getOrDefault(partition, 0L);
            if (offset < begin || offset >= end) {
                throw Failure.usage("--offset " + offset + ": " + partition
                        + (begin == end ? " is empty" : " holds the offsets from " + begin + " to " + (end - 1)));
            }
            consumer.seek(partition, offset);
            long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
            while (consumer.position(partition) == offset && System.nanoTime() < deadlineNanos) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
                    if (record.offset() == offset) {
                        return new RecordAt(record);
                    }
                }
            }
            throw Failure.usage(partition + "@" + offset + " holds no record: the end of a transaction, perhaps");
        } catch (KafkaException e) {
            throw Failure.own(partition + "@" + offset + " cannot be read: " + Failure.ofClient(e), e);
        }
    }

    /** The checkpoint's bytes, of either format; the failure says what the record is instead. */
    byte[] checkpoint() {
        Header header = record.headers().lastHeader(Format2Checkpoint.HEADER);
        if (header != null && header.value() != null) {
            return header.value();
        }
        if (record.value() != null && Format1Codec.hasMagic(record.value())) {
            return record.value();
        }
        throw Failure.usage(this + " holds no checkpoint, but " + content());
    }

    private String content() {
        Header event = record.headers().lastHeader(EventHeader.NAME);
        if (event == null || event.value() == null) {
            return "a record without the header of an event";
        }
        try {
            EventHeader stated = EventHeader.decode(event.value());
            return "event " + stated.sequence() + " of emitter "
                    + HexFormat.of().toHexDigits(stated.emitter());
        } catch (MalformedCheckpointException e) {
            return "an event whose header cannot be read: " + e.getMessage();
        }
    }

    @Override
    public String toString() {
        return record.topic() + "-" + record.partition() + "@" + record.offset();
    }
}
