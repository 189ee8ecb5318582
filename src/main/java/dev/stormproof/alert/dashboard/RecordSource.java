package dev.stormproof.alert.dashboard;

import dev.stormproof.verify.judge.PartitionId;
import java.util.List;
import java.util.function.Consumer;

/** Reads records of the logs, to be shown beside an anomaly. */
@FunctionalInterface
public interface RecordSource {
    /** Hands over the record at each place, or why it cannot be read. Blocks for a bounded time, and ends early if its thread is interrupted. */
    void read(PartitionId partition, List<Long> offsets, Consumer<ReadRecord> taker);
}
