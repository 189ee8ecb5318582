package dev.stormproof.side;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.log.PartitionReader;
import dev.stormproof.log.PartitionReader.ExpiredRangeException;
import dev.stormproof.log.RecordSizes;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;

/**
 * The checkpoints of a side topic's partition, read some ahead, for they are asked for almost in their order. For one thread.
 */
final class SideLog {
    /** About how much memory those take that are read ahead at once. */
    private static final long AHEAD_BYTES = 2 << 20;

    /** Beyond that they are forgotten before more are read. */
    static final long MOST_BYTES = 8 << 20;

    private final TopicPartition partition;
    private final PartitionReader log;
    private final long end;
    private final Map<Long, CheckpointRecord> read = new LinkedHashMap<>();
    private long bytes;
    private long bytesRead;

    /** @param end where it ended when the statements were made of it */
    SideLog(TopicPartition partition, PartitionReader log, long end) {
        this.partition = partition;
        this.log = log;
        this.end = end;
    }

    /** The checkpoint of a statement; throws if another record lies there now. */
    CheckpointRecord whole(Statement statement) throws ExpiredRangeException {
        CheckpointRecord known = read.get(statement.sideOffset);
        if (known == null) {
            readFrom(statement.sideOffset);
            known = read.get(statement.sideOffset);
        }
        return Optional.ofNullable(known)
                .filter(record -> record.chainHash().equals(statement.chainHash))
                .orElseThrow(() -> new ChangedLogException(partition + " was written anew while it was read: at offset "
                        + statement.sideOffset + " lies another record now; run it again"));
    }

    /** About how much memory the checkpoints take that are kept. */
    long keptBytes() {
        return bytes;
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
                bytes += RecordSizes.of(checkpoint);
            }
            return bytes - before < AHEAD_BYTES;
        });
    }
}
