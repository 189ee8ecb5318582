package dev.stormproof.emit.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.proof.checkpoint.CheckpointCodec;
import dev.stormproof.proof.checkpoint.EventHeader;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.Interval;
import dev.stormproof.proof.checkpoint.MalformedCheckpointException;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.sign.EventSigner;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.tree.Hash;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * A logged partition holds the records that an ordinary consumer finds in it, and checks them independently of the verifier:
 * every checkpoint against the values themselves, number by number.
 */
public final class LoggedPartition {
    public final TopicPartition partition;
    public final List<byte[]> values = new ArrayList<>();
    /** By emitter, in the order in which they appear. */
    public final Map<Long, Stream> streams = new LinkedHashMap<>();
    /** The emitter and sequence of each event, in the order of the log. */
    public final List<String> order = new ArrayList<>();

    /** Every checkpoint as it was written. */
    public final List<byte[]> checkpointBytes = new ArrayList<>();

    /** The events and checkpoints of one emitter. */
    public static final class Stream {
        public final TreeMap<Long, Hash> events = new TreeMap<>();
        public final List<Format2Checkpoint> checkpoints = new ArrayList<>();
        public final List<Hash> chain = new ArrayList<>();
        int uncheckedEvents;

        public Format2Checkpoint last() {
            return checkpoints.get(checkpoints.size() - 1);
        }
    }

    private LoggedPartition(TopicPartition partition) {
        this.partition = partition;
    }

    /** Reads the committed records of a partition from its beginning to its present end. */
    public static LoggedPartition read(EmbeddedKafka kafka, String topic, int partition) throws Exception {
        LoggedPartition log = new LoggedPartition(new TopicPartition(topic, partition));
        for (ConsumerRecord<byte[], byte[]> record : Clients.committed(kafka, log.partition)) {
            log.add(record.key(), record.value(), record.headers());
        }
        return log;
    }

    /** Reads the committed records of a topic's partitions from their beginning to their present end. */
    public static List<LoggedPartition> readAll(EmbeddedKafka kafka, String topic, int partitions) throws Exception {
        List<LoggedPartition> all = new ArrayList<>();
        for (int partition = 0; partition < partitions; partition++) {
            all.add(read(kafka, topic, partition));
        }
        return all;
    }

    /** Takes the records of one partition of a list, as a MockProducer has it. */
    public static LoggedPartition of(List<ProducerRecord<byte[], byte[]>> records, String topic, int partition)
            throws Exception {
        LoggedPartition log = new LoggedPartition(new TopicPartition(topic, partition));
        for (ProducerRecord<byte[], byte[]> record : records) {
            if (record.topic().equals(topic) && record.partition() == partition) {
                log.add(record.key(), record.value(), record.headers());
            }
        }
        return log;
    }

    private void add(byte[] key, byte[] value, Headers headers) throws MalformedCheckpointException {
        Header checkpoint = headers.lastHeader(Format2Checkpoint.HEADER);
        if (checkpoint != null) {
            assertThat(key).isNull();
            assertThat(value).isNull();
            Format2Checkpoint decoded = CheckpointCodec.decode(checkpoint.value());
            Stream stream = streams.computeIfAbsent(decoded.stream().emitter(), emitter -> new Stream());
            stream.checkpoints.add(decoded);
            stream.chain.add(CheckpointCodec.chainHash(decoded.treeHash(), checkpoint.value()));
            stream.uncheckedEvents = 0;
            checkpointBytes.add(checkpoint.value());
            return;
        }
        EventHeader header =
                EventHeader.decode(headers.lastHeader(EventHeader.NAME).value());
        EventSigner signer = EventSigners.ofId(header.signatureAlgorithm()).orElseThrow();
        Hash signature = signer.sign(key, value);
        assertThat(header.signature()).isEqualTo(signature);
        Stream stream = streams.computeIfAbsent(header.emitter(), emitter -> new Stream());
        assertThat(stream.events.put(header.sequence(), signature))
                .as("sequence " + header.sequence() + " of " + partition)
                .isNull();
        stream.uncheckedEvents++;
        order.add(Long.toHexString(header.emitter()) + "/" + header.sequence());
        values.add(value);
    }

    /** The values as text; null stays null. */
    public List<String> texts() {
        List<String> texts = new ArrayList<>();
        values.forEach(value -> texts.add(value == null ? null : new String(value, StandardCharsets.UTF_8)));
        return texts;
    }

    /** The one stream that is there. */
    public Stream stream() {
        assertThat(streams).hasSize(1);
        return streams.values().iterator().next();
    }

    /** Every checkpoint of every stream is true, the chain has no gap, and the last one is a closing one. */
    public LoggedPartition assertProven() {
        streams.values().forEach(stream -> {
            assertChainIsTrue(stream);
            assertThat(stream.last().closing()).isTrue();
            assertThat(stream.uncheckedEvents).isZero();
        });
        return this;
    }

    /** Every checkpoint is true, and the chain has no gap. */
    public void assertChainIsTrue(Stream stream) {
        Hash previous = Hash.empty();
        long nextSequence = 0;
        for (int number = 0; number < stream.checkpoints.size(); number++) {
            Format2Checkpoint checkpoint = stream.checkpoints.get(number);
            assertThat(checkpoint.stream().topic()).isEqualTo(partition.topic());
            assertThat(checkpoint.stream().partition()).isEqualTo(partition.partition());
            assertThat(checkpoint.number()).isEqualTo(number);
            assertThat(checkpoint.previousHash()).isEqualTo(previous);
            assertThat(checkpoint.firstSequence()).isEqualTo(nextSequence);
            assertThat(checkpoint.root()).as("root of " + checkpoint).isEqualTo(rootOf(stream, checkpoint));
            previous = stream.chain.get(number);
            nextSequence = checkpoint.nextSequence();
        }
        Format2Checkpoint first = stream.checkpoints.get(0);
        assertThat(first.eventCount() == 0 || first.refused())
                .as("a checkpoint 0 before the first event, unless it was refused")
                .isTrue();
    }

    private static Hash rootOf(Stream stream, Format2Checkpoint checkpoint) {
        Interval interval = new Interval(checkpoint.treeHash(), checkpoint.firstSequence(), true);
        for (long sequence = checkpoint.firstSequence(); sequence < checkpoint.nextSequence(); sequence++) {
            Hash signature = stream.events.get(sequence);
            if (signature != null && !isUncertain(checkpoint, sequence)) {
                interval.add(sequence, signature);
            }
        }
        assertThat(interval.count()).isEqualTo(checkpoint.eventCount());
        checkpoint.leaves().ifPresent(leaves -> assertThat(leaves).isEqualTo(interval.leaves()));
        return interval.root();
    }

    private static boolean isUncertain(Format2Checkpoint checkpoint, long sequence) {
        for (SequenceRange range : checkpoint.uncertain()) {
            if (range.contains(sequence)) {
                return true;
            }
        }
        return false;
    }
}
