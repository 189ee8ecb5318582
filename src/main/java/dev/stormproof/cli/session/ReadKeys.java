package dev.stormproof.cli.session;

import dev.stormproof.alert.NeighbourKeys;
import dev.stormproof.alert.dashboard.ReadRecord;
import dev.stormproof.alert.dashboard.RecordSource;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Neighbours.Neighbour;
import dev.stormproof.verify.judge.PartitionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The keys of the events beside gaps, as they are read from the log for the person who looks at an alert.
 *
 * <p>They are in no alert: keys may be personal data, and alerts go to many and stay for long. Not safe for threads.
 */
public final class ReadKeys implements NeighbourKeys {
    /** How many places are read for one list of anomalies. */
    public static final int MOST_PLACES = 100;

    /** After how long no further partition is begun, and for how long one that did not answer is left alone. */
    static final Duration MOST_TIME = Duration.ofSeconds(60);

    private final RecordSource door;
    private final LongSupplier nanoTime;
    private final Map<PartitionId, Map<Long, String>> keys = new HashMap<>();
    /** When a partition that did not answer was asked. */
    private final Map<PartitionId, Long> silent = new HashMap<>();

    ReadKeys(RecordSource door, LongSupplier nanoTime) {
        this.door = door;
        this.nanoTime = nanoTime;
    }

    /** The keys that a connection may read. */
    public static ReadKeys of(Connection connection) {
        return new ReadKeys(new RecordContents(connection), System::nanoTime);
    }

    /** The keys beside these anomalies, read now. */
    NeighbourKeys readOf(List<Anomaly> anomalies) {
        read(anomalies);
        return this;
    }

    /** Reads the keys beside these anomalies, the first places first, and forgets those of others. */
    public void read(List<Anomaly> anomalies) {
        keys.clear();
        Map<PartitionId, Set<Long>> places = new LinkedHashMap<>();
        int count = 0;
        for (Anomaly anomaly : anomalies) {
            for (Neighbour neighbour : anomaly.neighbours().known().toList()) {
                if (count < MOST_PLACES
                        && places.computeIfAbsent(partitionOf(anomaly.stream()), id -> new LinkedHashSet<>())
                                .add(neighbour.offset())) {
                    count++;
                }
            }
        }
        long beginNanos = nanoTime.getAsLong();
        places.forEach((id, offsets) -> {
            if (nanoTime.getAsLong() - beginNanos < MOST_TIME.toNanos() && mayAsk(id)) {
                read(id, new ArrayList<>(offsets));
            }
        });
    }

    private boolean mayAsk(PartitionId id) {
        Long since = silent.get(id);
        return since == null || nanoTime.getAsLong() - since > MOST_TIME.toNanos();
    }

    private void read(PartitionId id, List<Long> offsets) {
        Map<Long, String> found = keys.computeIfAbsent(id, unread -> new HashMap<>());
        List<ReadRecord> read = new ArrayList<>();
        door.read(id, offsets, read::add);
        read.forEach(record -> found.put(record.offset(), record.keyText()));
        if (read.stream().anyMatch(record -> record.fault().isEmpty())) {
            silent.remove(id);
        } else {
            silent.put(id, nanoTime.getAsLong());
        }
    }

    @Override
    public String at(StreamId stream, long offset) {
        return keys.getOrDefault(partitionOf(stream), Map.of())
                .getOrDefault(offset, "not read: too many, or not in time");
    }

    private static PartitionId partitionOf(StreamId stream) {
        return new PartitionId(stream.topic(), stream.partition());
    }
}
