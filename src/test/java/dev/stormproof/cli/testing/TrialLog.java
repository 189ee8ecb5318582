package dev.stormproof.cli.testing;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.CheckpointVerifier;
import dev.stormproof.checkpoint.Event;
import dev.stormproof.checkpoint.Format1Expected;
import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.checkpoint.LogRecord;
import dev.stormproof.checkpoint.LogRecordParser;
import dev.stormproof.checkpoint.Origins;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.fault.FaultKind;
import dev.stormproof.fault.InjectedFault;
import dev.stormproof.kafka.KafkaLogReader;
import dev.stormproof.log.PartitionReader;
import dev.stormproof.log.PartitionReader.ExpiredRangeException;
import dev.stormproof.sign.TrustedKeys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/** The log of a trial counts the records that were committed, and how far they are sealed. */
public final class TrialLog {
    private final Map<StreamId, Long> sealedEnds = new HashMap<>();
    private final Set<StreamId> streams = new HashSet<>();
    private final Set<StreamId> closed = new HashSet<>();
    private final Map<StreamId, Map<Long, Integer>> copies = new HashMap<>();
    private int checkpoints;
    private long events;

    public void read(String bootstrapServers, String topic, int partitions) throws ExpiredRangeException {
        LogRecordParser parser = new LogRecordParser(
                Origins.NONE,
                Format1Expected.everywhere(),
                List.of(),
                new CheckpointVerifier(TrustedKeys.none(), false));
        try (KafkaLogReader log = new KafkaLogReader(Map.of("bootstrap.servers", bootstrapServers), parser)) {
            for (int partition = 0; partition < partitions; partition++) {
                PartitionReader reader = log.of(new TopicPartition(topic, partition));
                int here = partition;
                reader.scan(0, reader.bounds().end(), (record, leaderEpoch, timestampMillis, content) -> {
                    note(topic, here, record);
                    return true;
                });
            }
        }
    }

    private void note(String topic, int partition, LogRecord record) {
        if (record instanceof Event event) {
            StreamId stream = new StreamId(topic, partition, event.emitter());
            streams.add(stream);
            copies.computeIfAbsent(stream, first -> new HashMap<>()).merge(event.sequence(), 1, Integer::sum);
            events++;
        } else if (record instanceof CheckpointRecord checkpoint) {
            Format2Checkpoint sealed = (Format2Checkpoint) checkpoint.checkpoint();
            streams.add(sealed.stream());
            sealedEnds.merge(sealed.stream(), sealed.nextSequence(), Math::max);
            checkpoints++;
            if (sealed.closing()) {
                closed.add(sealed.stream());
            }
        }
    }

    public int checkpoints() {
        return checkpoints;
    }

    public long events() {
        return events;
    }

    public int streams() {
        return streams.size();
    }

    /** How many streams end without a closing checkpoint. */
    public int unclosedStreams() {
        return streams.size() - closed.size();
    }

    /**
     * Of the injected faults those that lie in sealed intervals, as the log shows them: what was to come late and never
     * came, because its emitter died, is lost; what was to come twice and came once is nothing.
     */
    public List<InjectedFault> expected(List<InjectedFault> injected) {
        List<InjectedFault> expected = new ArrayList<>();
        for (InjectedFault fault : injected) {
            StreamId stream = new StreamId(fault.topic(), fault.partition(), fault.emitter());
            if (fault.sequence() >= sealedEnds.getOrDefault(stream, 0L)) {
                continue;
            }
            int seen = copies.getOrDefault(stream, Map.of()).getOrDefault(fault.sequence(), 0);
            switch (fault.kind()) {
                case SWAP, MOVE -> expected.add(seen > 0 ? fault : lost(fault));
                case DUPLICATE -> {
                    if (seen > 1) {
                        expected.add(fault);
                    }
                }
                case LOSE, ALTER -> expected.add(fault);
            }
        }
        return expected;
    }

    private static InjectedFault lost(InjectedFault fault) {
        return new InjectedFault(
                FaultKind.LOSE, fault.topic(), fault.partition(), fault.sequence(), -1, fault.emitter());
    }
}
