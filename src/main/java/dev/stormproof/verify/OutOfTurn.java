package dev.stormproof.verify;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.Format2Checkpoint;
import java.util.TreeSet;

/**
 * The numbers of one stream's checkpoints that came out of turn, and of those that they name as their predecessors.
 *
 * <p>A checkpoint of such a number may be a repetition, or late, although it continues the last one that was judged: only
 * the log can tell, so that a match does not count. The bound is small; beyond it any number may be one of them.
 */
final class OutOfTurn {
    private static final int MOST = 16;

    private final TreeSet<Long> numbers = new TreeSet<>();
    private boolean muddled;

    /** Takes a checkpoint that does not continue the last one that was judged. */
    void note(CheckpointRecord record) {
        if (record.checkpoint() instanceof Format2Checkpoint sealed) {
            numbers.add(sealed.number());
            numbers.add(sealed.number() - 1);
            if (numbers.size() > MOST) {
                numbers.clear();
                muddled = true;
            }
        }
    }

    /** True if a checkpoint of a number may have come, or may have been named, before. */
    boolean mayHold(long number) {
        return muddled || numbers.contains(number);
    }

    /** The stream was followed in turn up to a number: the next one is greater. */
    void passed(long number) {
        numbers.headSet(number, true).clear();
    }

    /** The log was read, and will be told from now on what lies in it out of turn. */
    void unmuddle() {
        muddled = false;
    }
}
