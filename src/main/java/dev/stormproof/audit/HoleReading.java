package dev.stormproof.audit;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.Event;
import dev.stormproof.checkpoint.Format1Checkpoint;
import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.checkpoint.LogRecord;
import dev.stormproof.merkle.Leaves;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What matters of the records of a hole: checkpoints, strays, and of each run of events of one stream the first and the
 * last.
 */
final class HoleReading {
    /** How many offsets are read before it is asked whether this is full. */
    static final long STEP_OFFSETS = 1_000;

    private static final int MAX_RECORDS = 10_000;
    private static final long MAX_LEAVES_BYTES = 16 << 20;

    private final List<LogRecord> records = new ArrayList<>();
    private final Map<Long, Event> lastOfRun = new HashMap<>();
    private final Map<Long, Event> firstOfRun = new HashMap<>();
    private long leavesBytes;

    void accept(LogRecord record) {
        if (record instanceof Event event) {
            if (firstOfRun.putIfAbsent(event.emitter(), event) == null) {
                records.add(event);
            }
            lastOfRun.put(event.emitter(), event);
            return;
        }
        if (record instanceof CheckpointRecord checkpoint) {
            endRun(checkpoint.checkpoint().stream().emitter());
            leavesBytes += leavesOf(checkpoint).packedSizeBytes();
        }
        records.add(record);
    }

    boolean isFull() {
        return records.size() >= MAX_RECORDS || leavesBytes >= MAX_LEAVES_BYTES;
    }

    /** What was found, in the order of the log. */
    List<LogRecord> records() {
        List.copyOf(firstOfRun.keySet()).forEach(this::endRun);
        records.sort(Comparator.comparingLong(LogRecord::offset));
        return records;
    }

    private void endRun(long emitter) {
        Event first = firstOfRun.remove(emitter);
        Event last = lastOfRun.remove(emitter);
        if (first != null && last != null && last.offset() > first.offset()) {
            records.add(last);
        }
    }

    static Leaves leavesOf(CheckpointRecord record) {
        return record.checkpoint() instanceof Format2Checkpoint sealed
                ? sealed.leaves().orElse(Leaves.empty())
                : ((Format1Checkpoint) record.checkpoint()).signatures();
    }
}
