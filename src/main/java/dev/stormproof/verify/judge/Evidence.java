package dev.stormproof.verify.judge;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.LogRecord;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The records of one stream in a range of the log, in its order.
 *
 * <pre>
 *   checkpoints          P               C               N
 *   offsets   ────┼──────┼───────────────┼───────────────┼──►
 *                 │before│  own range    │     after     │
 *   begin ────────┘                      └ the target    └── end
 * </pre>
 *
 * @param beginOffset where reading began
 * @param checkpoints those of the stream that count
 * @param events the stream's events
 */
public record Evidence(long beginOffset, List<CheckpointRecord> checkpoints, List<Event> events) {
    public Evidence {
        checkpoints = List.copyOf(checkpoints);
        events = List.copyOf(events);
    }

    /** The same with more events. */
    Evidence and(List<Event> more) {
        List<Event> all = Stream.concat(events.stream(), more.stream())
                .sorted(Comparator.comparingLong(Event::offset))
                .toList();
        return more.isEmpty() ? this : new Evidence(beginOffset, checkpoints, all);
    }

    /** The same anomalies with the times of the records that were found of them. */
    List<Anomaly> timed(List<Anomaly> anomalies) {
        Map<Long, Long> times = new HashMap<>();
        Stream.of(checkpoints, events)
                .<LogRecord>flatMap(List::stream)
                .forEach(record -> times.put(record.offset(), record.writtenMillis()));
        return anomalies.stream()
                .map(anomaly -> anomaly.writtenAt(times.getOrDefault(anomaly.offset(), LogRecord.NO_TIME)))
                .toList();
    }
}
