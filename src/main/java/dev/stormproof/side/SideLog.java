package dev.stormproof.side;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.log.PartitionReader;
import dev.stormproof.log.PartitionReader.ExpiredRangeException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The checkpoints of a side topic's partition, read some ahead, for they are asked for almost in their order. For one thread.
 */
final class SideLog {
    /** About how much memory those take that are read ahead at once. */
    private static final long AHEAD_BYTES = 2 << 20;

    private static final long MOST_BYTES = 4 * AHEAD_BYTES;
    private static final long FEW_BYTES = 500;

    private final PartitionReader log;
    private final long end;
    private final Map<Long, CheckpointRecord> read = new LinkedHashMap<>();
    private long bytes;
    private long bytesRead;

    SideLog(PartitionReader log, long end) {
        this.log = log;
        this.end = end;
    }

    /** The checkpoint at an offset; empty if something else lies there now. */
    Optional<CheckpointRecord> at(long offset) throws ExpiredRangeException {
        CheckpointRecord known = read.get(offset);
        if (known == null) {
            readFrom(offset);
            known = read.get(offset);
        }
        return Optional.ofNullable(known);
    }

    /** How many bytes were read so far. */
    long bytesRead() {
        return bytesRead;
    }

    private void readFrom(long offset) throws ExpiredRangeException {
        if (bytes > MOST_BYTES) {
            read.clear();
            bytes = 0;
        }
        long before = bytes;
        bytesRead += log.scan(offset, end, (record, leaderEpoch, timestampMillis, content) -> {
            if (record instanceof CheckpointRecord checkpoint && read.put(checkpoint.offset(), checkpoint) == null) {
                bytes += FEW_BYTES + (long) checkpoint.checkpoint().eventCount() * signatureBytes(checkpoint);
            }
            return bytes - before < AHEAD_BYTES;
        });
    }

    private static long signatureBytes(CheckpointRecord record) {
        return record.checkpoint().leaves().isPresent()
                ? 2L * record.checkpoint().root().sizeBytes()
                : 0;
    }
}
