package dev.stormproof.log;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.log.PartitionReader.Bounds;
import dev.stormproof.log.PartitionReader.ExpiredRangeException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The last checkpoint of each stream in a range of the log. */
final class LastCheckpoints {
    private LastCheckpoints() {}

    /** In the order in which they lie there, as far as the log still holds them, without leaves. */
    static List<CheckpointRecord> of(PartitionReader log, long beginOffset, long endOffset)
            throws ExpiredRangeException {
        Map<Long, CheckpointRecord> last = new LinkedHashMap<>();
        Bounds bounds = log.bounds();
        long from = Math.max(beginOffset, bounds.begin());
        long to = Math.min(endOffset, bounds.end());
        if (from < to) {
            log.scan(from, to, (record, leaderEpoch, timestampMillis, content) -> {
                if (record instanceof CheckpointRecord found) {
                    long emitter = found.checkpoint().stream().emitter();
                    last.remove(emitter);
                    last.put(emitter, found.withoutLeaves());
                }
                return true;
            });
        }
        return List.copyOf(last.values());
    }
}
