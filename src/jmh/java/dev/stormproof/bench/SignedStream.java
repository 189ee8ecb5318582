package dev.stormproof.bench;

import dev.stormproof.proof.checkpoint.CheckpointCodec;
import dev.stormproof.proof.checkpoint.EventHeader;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.Interval;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.sign.Xxh3Signer;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/** The records of one stream, without a producer of its own: a log may have thousands. */
final class SignedStream {
    private final StreamId id;
    private final Xxh3Signer signer = new Xxh3Signer();
    private final Interval interval = new Interval(TreeHash.XXH3, 0, false);
    private long number;
    private Hash previous = Hash.empty();

    SignedStream(TopicPartition partition, long emitter) {
        id = new StreamId(partition.topic(), partition.partition(), emitter);
    }

    /** The events since the last checkpoint. */
    long open() {
        return interval.count();
    }

    ProducerRecord<byte[], byte[]> event(byte[] value) {
        long sequence = interval.firstSequence() + interval.count();
        Hash signature = signer.sign(null, value);
        interval.add(sequence, signature);
        EventHeader header =
                new EventHeader(id.emitter(), sequence, TreeHash.XXH3, EventSigners.XXH3_KEY_VALUE, signature);
        return record(value, new RecordHeader(EventHeader.NAME, header.encode()));
    }

    /** The checkpoint over the events since the last one, or over none at the beginning. */
    ProducerRecord<byte[], byte[]> checkpoint(boolean closing) {
        return checkpoint(closing, -1);
    }

    /** The same, which says where the last one lies; -1 if that is unknown. */
    ProducerRecord<byte[], byte[]> checkpoint(boolean closing, long previousOffset) {
        byte[] bytes = CheckpointCodec.encode(
                checkpoint(id, number++, interval, previous, System.currentTimeMillis(), closing, previousOffset));
        previous = CheckpointCodec.chainHash(TreeHash.XXH3, bytes);
        interval.restart(interval.firstSequence() + interval.count());
        return record(null, new RecordHeader(Format2Checkpoint.HEADER, bytes));
    }

    /** The checkpoint of an interval whose signatures are XXH3. */
    static Format2Checkpoint checkpoint(
            StreamId id,
            long number,
            Interval interval,
            Hash previous,
            long millis,
            boolean closing,
            long previousOffset) {
        return new Format2Checkpoint(
                id,
                "",
                number,
                interval.firstSequence(),
                interval.count(),
                TreeHash.XXH3,
                EventSigners.XXH3_KEY_VALUE,
                16,
                interval.root(),
                previous,
                millis,
                0,
                closing,
                List.of(),
                false,
                previousOffset,
                Optional.empty(),
                Optional.empty());
    }

    private ProducerRecord<byte[], byte[]> record(byte @Nullable [] value, Header header) {
        return new ProducerRecord<>(id.topic(), id.partition(), null, null, value, List.of(header));
    }
}
