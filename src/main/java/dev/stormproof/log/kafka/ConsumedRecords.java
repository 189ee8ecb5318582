package dev.stormproof.log.kafka;

import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.verify.feed.HeaderBytes;
import dev.stormproof.verify.feed.RecordContent;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/** The records of Kafka's consumer, as the verifier and an output take them. */
public final class ConsumedRecords {
    private ConsumedRecords() {}

    public static LogRecord parsed(ConsumerRecord<byte[], byte[]> record, LogRecordParser parser) {
        return parser.parse(
                record.topic(),
                record.partition(),
                record.offset(),
                record.timestamp(),
                record.key(),
                record.value(),
                new ConsumedHeaders(record.headers()),
                null);
    }

    public static RecordContent content(ConsumerRecord<byte[], byte[]> record) {
        return new RecordContent(
                record.key(),
                record.value(),
                HeaderBytes.of(record.headers(), Header::key, Header::value),
                record.timestamp(),
                false);
    }
}
