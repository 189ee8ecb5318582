package dev.stormproof.blame;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.proof.checkpoint.EventHeader;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.MalformedCheckpointException;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Hop;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * A fault that is injected at a place of the way from upstream through the transform to the verifier.
 *
 * @param number the event's sequence, or the number of a lost checkpoint
 */
record Injection(int partition, Place place, Fault fault, long number) {
    /** A place of the way. */
    enum Place {
        /** Between upstream and the origin's log. */
        BEFORE,
        /** In the transform, before it signs. */
        READING,
        /** In the transform, behind its signature. */
        WRITING,
        /** Between the transform and the verifier. */
        BEHIND
    }

    /** A kind of fault, and the anomaly that it makes. */
    enum Fault {
        LOST(Anomaly.Kind.LOST),
        DUPLICATED(Anomaly.Kind.DUPLICATED),
        REORDERED(Anomaly.Kind.REORDERED),
        ALTERED(Anomaly.Kind.ALTERED),
        KEY(Anomaly.Kind.ALTERED),
        HEADER(Anomaly.Kind.ALTERED),
        CHECKPOINT(Anomaly.Kind.CHECKPOINT_LOST);

        private final Anomaly.Kind kind;

        Fault(Anomaly.Kind kind) {
            this.kind = kind;
        }

        /** True if a program that reads one record after the other, in order, can make it. */
        boolean isOfContent() {
            return kind == Anomaly.Kind.ALTERED;
        }
    }

    /** The name of an anomaly on its hop. */
    record Named(int partition, Anomaly.Kind kind, long number, Hop hop) {}

    /** What is to be named. Nothing tells the transform's writer from a fault behind it, other than its signature of the content. */
    Named expected() {
        boolean content = fault == Fault.ALTERED || fault == Fault.KEY;
        Hop hop = switch (place) {
            case BEFORE -> Hop.BEFORE_ORIGIN;
            case READING -> content ? Hop.TRANSFORM : Hop.BETWEEN_LOGS;
            case WRITING, BEHIND -> content ? Hop.AFTER_TRANSFORM : Hop.BETWEEN_LOGS;
        };
        // Of two neighbours that changed places, the one of the higher sequence is named.
        return new Named(partition, fault.kind, fault == Fault.REORDERED ? number + 1 : number, hop);
    }

    /** Injects the fault into the records of its partition. */
    void into(List<ProducerRecord<byte[], byte[]>> records, List<byte[]> checkpoints) {
        int at = fault == Fault.CHECKPOINT
                ? indexOf(records, Format2Checkpoint.HEADER, checkpoints.get((int) number))
                : indexOf(records, number);
        ProducerRecord<byte[], byte[]> record = records.get(at);
        switch (fault) {
            case LOST, CHECKPOINT -> records.remove(at);
            case DUPLICATED -> records.add(at + 1, record);
            case REORDERED -> {
                int next = indexOf(records, number + 1);
                records.set(at, records.get(next));
                records.set(next, record);
            }
            case ALTERED, KEY, HEADER -> records.set(at, altered(record));
        }
    }

    /** An altered copy of a record. */
    ProducerRecord<byte[], byte[]> altered(ProducerRecord<byte[], byte[]> record) {
        RecordHeaders headers = new RecordHeaders(record.headers());
        byte[] key = fault == Fault.KEY ? "another".getBytes(UTF_8) : record.key();
        byte[] value =
                fault == Fault.ALTERED ? (new String(record.value(), UTF_8) + "!").getBytes(UTF_8) : record.value();
        if (fault == Fault.HEADER) {
            byte[] header = forged(headers.lastHeader(EventHeader.NAME).value());
            headers.remove(EventHeader.NAME).add(EventHeader.NAME, header);
        }
        return new ProducerRecord<>(record.topic(), record.partition(), record.timestamp(), key, value, headers);
    }

    /** The same header with another signature. */
    private static byte[] forged(byte[] header) {
        try {
            EventHeader stated = EventHeader.decode(header);
            return new EventHeader(
                            stated.emitter(),
                            stated.sequence(),
                            stated.treeHash(),
                            stated.signatureAlgorithm(),
                            Hash.copyOf(new byte[stated.signature().sizeBytes()]))
                    .encode();
        } catch (MalformedCheckpointException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** The sequence of an event; -1 of another record. */
    static long sequenceOf(ProducerRecord<byte[], byte[]> record) {
        Header header = record.headers().lastHeader(EventHeader.NAME);
        try {
            return header == null ? -1 : EventHeader.decode(header.value()).sequence();
        } catch (MalformedCheckpointException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** The bytes of a checkpoint; null of another record. */
    static byte @Nullable [] checkpointOf(ProducerRecord<byte[], byte[]> record) {
        Header header = record.headers().lastHeader(Format2Checkpoint.HEADER);
        return header == null ? null : header.value();
    }

    private static int indexOf(List<ProducerRecord<byte[], byte[]>> records, long sequence) {
        for (int i = 0; i < records.size(); i++) {
            if (sequenceOf(records.get(i)) == sequence) {
                return i;
            }
        }
        throw new IllegalArgumentException("no event of sequence " + sequence);
    }

    private static int indexOf(List<ProducerRecord<byte[], byte[]>> records, String name, byte[] value) {
        for (int i = 0; i < records.size(); i++) {
            Header header = records.get(i).headers().lastHeader(name);
            if (header != null && Arrays.equals(header.value(), value)) {
                return i;
            }
        }
        throw new IllegalArgumentException("no record with that header " + name);
    }
}
