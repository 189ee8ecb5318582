package dev.stormproof.cli.session;

import dev.stormproof.alert.dashboard.ReadRecord;
import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.log.audit.LogReader;
import dev.stormproof.log.audit.PartitionReader;
import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.log.kafka.KafkaLogReader;
import dev.stormproof.proof.checkpoint.CheckpointVerifier;
import dev.stormproof.proof.checkpoint.EventHeader;
import dev.stormproof.proof.checkpoint.Format1Codec;
import dev.stormproof.proof.checkpoint.Format1Expected;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.proof.checkpoint.MalformedCheckpointException;
import dev.stormproof.proof.checkpoint.Origins;
import dev.stormproof.proof.checkpoint.OversizedRecords;
import dev.stormproof.proof.sign.TrustedKeys;
import dev.stormproof.verify.feed.RecordContent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** A record at a place of the log, of an aborted transaction perhaps, with the checkpoint that it holds. */
public record RecordAt(TopicPartition partition, long offset, RecordContent content) {
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    /** Reads it; the failure says what is there instead, or where the log begins and ends. */
    public static RecordAt read(Connection connection, TopicPartition partition, long offset) {
        String place = partition + "@" + offset;
        try (LogReader log =
                KafkaLogReader.ofUncommitted(new HashMap<>(connection.clientProperties()), newParser(), PATIENCE)) {
            PartitionReader reader = log.of(partition);
            PartitionReader.Bounds bounds = reader.bounds();
            if (offset < bounds.begin() || offset >= bounds.end()) {
                throw Failure.usage("--offset " + offset + ": " + partition
                        + (bounds.begin() == bounds.end()
                                ? " is empty"
                                : " holds the offsets from " + bounds.begin() + " to " + (bounds.end() - 1)));
            }
            return read(reader, partition, offset);
        } catch (ExpiredRangeException e) {
            throw Failure.own(place + " has expired just now", e);
        } catch (KafkaException e) {
            throw Failure.own(place + " cannot be read: " + Failure.ofClient(e), e);
        }
    }

    /** Reads it in an open log, which holds its offset. */
    static RecordAt read(PartitionReader reader, TopicPartition partition, long offset) throws ExpiredRangeException {
        String place = partition + "@" + offset;
        List<RecordAt> found = new ArrayList<>(1);
        reader.scan(offset, offset + 1, (record, leaderEpoch, timestampMillis, content) -> {
            if (record instanceof OversizedRecords oversized) {
                throw Failure.own(place + " is not read: " + oversized.detail());
            }
            return found.add(new RecordAt(partition, offset, content.get()));
        });
        if (found.isEmpty()) {
            throw Failure.usage(place + " holds no record: the end of a transaction, perhaps");
        }
        return found.get(0);
    }

    /** Whatever the record says, its bytes are what is printed. */
    static LogRecordParser newParser() {
        return new LogRecordParser(
                Origins.NONE, Format1Expected.everywhere(), List.of(), new CheckpointVerifier(TrustedKeys.none()));
    }

    /** The checkpoint's bytes, of either format; empty if the record holds none. */
    public Optional<byte[]> checkpoint() {
        byte[] header = content.headers().last(Format2Checkpoint.HEADER);
        byte[] value = content.value();
        boolean format1 = header == null && value != null && Format1Codec.hasMagic(value);
        return Optional.ofNullable(format1 ? value : header);
    }

    /** The record for people. */
    public ReadRecord read() {
        List<ReadRecord.Header> headers = new ArrayList<>();
        content.headers().forEach((name, value) -> headers.add(new ReadRecord.Header(name, value)));
        return new ReadRecord(offset, "", content.timestampMillis(), content.key(), headers, content.value());
    }

    /** What a record without a checkpoint is. */
    public String description() {
        byte[] event = content.headers().last(EventHeader.NAME);
        if (event == null) {
            return "a record without the header of an event";
        }
        try {
            EventHeader stated = EventHeader.decode(event);
            return "event " + stated.sequence() + " of emitter "
                    + HexFormat.of().toHexDigits(stated.emitter());
        } catch (MalformedCheckpointException e) {
            return "an event whose header cannot be read: " + e.getMessage();
        }
    }

    @Override
    public String toString() {
        return partition + "@" + offset;
    }
}
