package dev.stormproof.alert.dashboard;

import dev.stormproof.verify.judge.PartitionId;
import java.util.List;
import java.util.function.Consumer;

/** A door to the records of the logs, for whoever shows them beside an anomaly. */
@FunctionalInterface
public interface RecordSource {
    /**
     * Hands over what lies at each place, or why that cannot be read, in bounded time; it keeps its caller waiting for that.
     * It ends early if its thread is interrupted.
     */
    void read(PartitionId partition, List<Long> offsets, Consumer<ReadRecord> taker);
}
