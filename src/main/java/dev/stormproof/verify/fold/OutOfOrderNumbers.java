package dev.stormproof.verify.fold;

import dev.stormproof.proof.checkpoint.Checkpoint;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import java.util.TreeSet;

/**
 * The numbers of one stream's checkpoints that came out of order, and of those that they name as their predecessors.
 *
 * <p>A checkpoint of such a number may be a copy, or late, although it continues the anchor: only the log shows it, so that a
 * match alone does not count. The number of entries is bounded; beyond the bound any number may be one of them.
 */
final class OutOfOrderNumbers {
    private static final int MOST = 16;

    private final TreeSet<Long> numbers = new TreeSet<>();
    private boolean overflowed;

    void note(CheckpointRecord record) {
        long number = record.checkpoint().number();
        if (number == Checkpoint.NO_NUMBER) {
            return;
        }
        numbers.add(number);
        numbers.add(number - 1);
        if (numbers.size() > MOST) {
            numbers.clear();
            overflowed = true;
        }
    }

    /** True if a checkpoint of that number may have come or been named before. */
    boolean mayHold(long number) {
        return overflowed || numbers.contains(number);
    }

    /** Notes that the stream continues in order after a number. */
    void passed(long number) {
        numbers.headSet(number, true).clear();
    }

    /** Clears the overflow: the log was read, and its numbers out of order are noted next. */
    void clearOverflow() {
        overflowed = false;
    }
}
