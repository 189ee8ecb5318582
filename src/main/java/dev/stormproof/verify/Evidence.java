package dev.stormproof.verify;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.Event;
import dev.stormproof.checkpoint.Format2Checkpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the log holds of one stream in [beginOffset, endOffset), in the order of the log.
 *
 * <pre>
 *   checkpoints   …      P               C               N
 *   offsets   ────┼──────┼───────────────┼───────────────┼──►
 *                 │before│  own window   │     after     │
 *   begin ────────┘                      └ the target    └── end
 * </pre>
 *
 * @param beginOffset where reading began
 * @param endOffset where it ended
 * @param fromLogStart true if the log holds no earlier record
 * @param checkpoints the stream's checkpoints; one whose number the stream already had seals nothing and is left out
 * @param events the stream's events
 */
public record Evidence(
        long beginOffset,
        long endOffset,
        boolean fromLogStart,
        List<CheckpointRecord> checkpoints,
        List<Event> events) {
    public Evidence {
        checkpoints = withoutRepetitions(checkpoints);
        events = List.copyOf(events);
    }

    private static List<CheckpointRecord> withoutRepetitions(List<CheckpointRecord> checkpoints) {
        List<CheckpointRecord> first = new ArrayList<>();
        long last = -1;
        for (CheckpointRecord record : checkpoints) {
            long number = record.checkpoint() instanceof Format2Checkpoint sealed ? sealed.number() : record.offset();
            if (number > last) {
                first.add(record);
                last = number;
            }
        }
        return List.copyOf(first);
    }

    /** True if the log once held earlier records, which it no longer does. */
    public boolean beginsLate() {
        return fromLogStart && beginOffset > 0;
    }

    /** The last checkpoint before an offset. */
    public Optional<CheckpointRecord> lastBefore(long offset) {
        CheckpointRecord found = null;
        for (CheckpointRecord record : checkpoints) {
            if (record.offset() < offset) {
                found = record;
            }
        }
        return Optional.ofNullable(found);
    }

    /** The first checkpoint after an offset. */
    public Optional<CheckpointRecord> firstAfter(long offset) {
        return checkpoints.stream().filter(record -> record.offset() > offset).findFirst();
    }
}
