package dev.stormproof.chaos;

import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.log.kafka.KafkaLogReader;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.CheckpointVerifier;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.Format1Expected;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.proof.checkpoint.Origins;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.sign.TrustedKeys;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.verify.judge.PartitionId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/** The log of a round is the part of the input topic that its emitters wrote, read when all of them ended. */
public final class RoundLog {
    private final Map<StreamId, StreamLog> streams = new HashMap<>();
    private final List<Sealed> checkpoints = new ArrayList<>();
    private final Set<Hash> hashes = new HashSet<>();
    private final Map<PartitionId, Set<Long>> repetitions = new HashMap<>();
    private final Map<PartitionId, Map<Long, Placed>> places = new HashMap<>();
    private long events;

    /** An event in the log. */
    record Placed(StreamId stream, long sequence) {}

    /** A checkpoint in the log. */
    public record Sealed(StreamId stream, long number, long offset) {}

    /** Reads another part of it, of format 2, from the beginning where none is given. */
    void readOn(String servers, Map<TopicPartition, Long> begins, Map<TopicPartition, Long> ends)
            throws ExpiredRangeException {
        for (Map.Entry<TopicPartition, Long> end : ends.entrySet()) {
            TopicPartition partition = end.getKey();
            LogRecordParser parser = new LogRecordParser(
                    Origins.NONE, Format1Expected.everywhere(), List.of(), new CheckpointVerifier(TrustedKeys.none()));
            try (KafkaLogReader reader = new KafkaLogReader(Map.of("bootstrap.servers", servers), parser)) {
                reader.of(partition)
                        .scan(
                                begins.getOrDefault(partition, 0L),
                                end.getValue(),
                                (record, leaderEpoch, timestampMillis, content) -> {
                                    note(partition, record);
                                    return true;
                                });
            }
        }
    }

    void note(TopicPartition partition, LogRecord record) {
        if (record instanceof Event event) {
            StreamId stream = new StreamId(partition.topic(), partition.partition(), event.emitter());
            of(stream).note(event);
            places.computeIfAbsent(new PartitionId(partition.topic(), partition.partition()), first -> new HashMap<>())
                    .put(event.offset(), new Placed(stream, event.sequence()));
            events++;
        } else if (record instanceof CheckpointRecord checkpoint) {
            Format2Checkpoint sealed = (Format2Checkpoint) checkpoint.checkpoint();
            of(sealed.stream()).note(sealed);
            if (hashes.add(checkpoint.chainHash())) {
                checkpoints.add(new Sealed(sealed.stream(), sealed.number(), record.offset()));
            } else {
                repetitions
                        .computeIfAbsent(
                                new PartitionId(partition.topic(), partition.partition()), first -> new HashSet<>())
                        .add(record.offset());
            }
        } else {
            throw new IllegalStateException("no emitter writes " + record);
        }
    }

    /** The stream, empty if the log holds nothing of it. */
    StreamLog of(StreamId stream) {
        return streams.computeIfAbsent(stream, first -> new StreamLog());
    }

    /** The streams that it holds. */
    public Map<StreamId, StreamLog> streams() {
        return streams;
    }

    /** The offsets of checkpoints that were written once more, byte for byte: each seals nothing, and has to be told. */
    Map<PartitionId, Set<Long>> repetitions() {
        return repetitions;
    }

    /** Its events, by their offsets. */
    Map<PartitionId, Map<Long, Placed>> places() {
        return places;
    }

    public List<Sealed> checkpoints() {
        return checkpoints;
    }

    public long events() {
        return events;
    }
}
