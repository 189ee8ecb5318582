package dev.stormproof.verify.fold;

import dev.stormproof.proof.checkpoint.Checkpoint;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import java.util.TreeSet;

/**
 * The numbers of one stream's checkpoints that came out of order, and of those that they name as their predecessors.
 *
 * <p>A checkpoint of such a number may be a repetition, or late, although it continues the anchor: the log tells, and a match
 * alone does not count. The number of entries is bounded; beyond the bound any number may be one of them.
 */
final class OutOfOrderNumbers {
    private static final int MOST = 16;

    private final TreeSet<Long> numbers = new TreeSet<>();
    private boolean overflowed;

    /** Notes a checkpoint that does not continue the anchor. */
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

    /** True if a checkpoint of a number may have come, or may have been named, before. */
    boolean mayHold(long number) {
        return overflowed || numbers.contains(number);
    }

    /** The stream goes on in order behind a number. */
    void passed(long number) {
        numbers.headSet(number, true).clear();
    }

    /** Clears the overflow, because the log was read and its numbers out of order are noted next. */
    void clearOverflow() {
        overflowed = false;
    }
}
