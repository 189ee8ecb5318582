package dev.stormproof.cli.conformance;

import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.verify.feed.RecordContent;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The conformance kit judges what an emitter wrote to a topic, case by case.
 *
 * <p>It takes the partitions one after the other, and the records of each in order, as this program's own reader parses them. It
 * judges what is there, and makes the emitter do nothing. A fault hides what follows from it: after one, a stream is taken up
 * again at its next checkpoint. Keeps in memory the events that no checkpoint covers yet.
 */
public final class Conformance {
    private final Results results = new Results();
    /** Which partitions hold streams with events of an emitter's name. */
    private final Map<String, Set<Integer>> partitionsByName = new HashMap<>();

    private @Nullable PartitionCases current;

    /**
     * Begins with the next partition.
     *
     * @param fromBeginning true if the log still holds all that was ever written to it, so that streams begin there
     */
    public void begin(int partition, boolean fromBeginning) {
        end();
        current = new PartitionCases(partition, fromBeginning, results, this::otherPartitionHolds);
    }

    /** Takes the next record that readers of committed records see. */
    public void take(LogRecord record, RecordContent content) {
        demandPartition().take(record, content);
    }

    /** Takes the next record of a transaction that was aborted. */
    public void takeAborted(LogRecord record) {
        demandPartition().takeAborted(record);
    }

    /** The results of all cases, in their order, over what was taken. */
    public List<CaseResult> results() {
        end();
        return results.all();
    }

    private void end() {
        if (current != null) {
            current.end();
            current = null;
        }
    }

    private PartitionCases demandPartition() {
        if (current == null) {
            throw new IllegalStateException("no partition was begun");
        }
        return current;
    }

    private boolean otherPartitionHolds(String emitterName, int partition) {
        Set<Integer> partitions = partitionsByName.computeIfAbsent(emitterName, any -> new HashSet<>());
        partitions.add(partition);
        return partitions.size() > 1;
    }
}
