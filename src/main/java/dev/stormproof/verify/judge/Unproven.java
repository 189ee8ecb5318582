package dev.stormproof.verify.judge;

import dev.stormproof.proof.checkpoint.Checkpoint;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.Interval;
import dev.stormproof.proof.checkpoint.SequenceRange;
import java.util.ArrayList;
import java.util.List;

/** The events that a checkpoint calls uncertain, without those that another checkpoint in the range proves all the same. */
final class Unproven {
    private Unproven() {}

    /**
     * @param checkpoints those of the stream in the range, in the order of the log
     * @param events its events there
     */
    static List<SequenceRange> of(CheckpointRecord target, List<CheckpointRecord> checkpoints, List<Event> events) {
        List<SequenceRange> left = target.checkpoint().uncertain();
        for (int i = 1; i < checkpoints.size() && checkpoints.get(i).offset() < target.offset(); i++) {
            if (isProven(checkpoints.get(i - 1), checkpoints.get(i), events)) {
                Checkpoint proven = checkpoints.get(i).checkpoint();
                left = without(left, proven.firstSequence(), proven.nextSequence());
            }
        }
        return left;
    }

    /** True if one continues the other, and exactly what it states is between them. */
    private static boolean isProven(CheckpointRecord before, CheckpointRecord record, List<Event> events) {
        Checkpoint stated = record.checkpoint();
        if (stated.number() != before.checkpoint().number() + 1
                || !stated.previousHash().equals(before.chainHash())
                || stated.firstSequence() != before.checkpoint().nextSequence()
                || !stated.uncertain().isEmpty()) {
            return false;
        }
        Interval rebuilt = new Interval(stated.treeHash(), stated.firstSequence(), false);
        for (Event event : events) {
            if (before.offset() < event.offset() && event.offset() < record.offset()) {
                if (event.sequence() != stated.firstSequence() + rebuilt.count() || !event.intact()) {
                    return false;
                }
                rebuilt.add(event.sequence(), event.observed());
            }
        }
        return rebuilt.count() == stated.eventCount() && rebuilt.root().equals(stated.root());
    }

    private static List<SequenceRange> without(List<SequenceRange> ranges, long begin, long end) {
        List<SequenceRange> left = new ArrayList<>();
        for (SequenceRange range : ranges) {
            add(range.begin(), Math.min(range.end(), begin), left);
            add(Math.max(range.begin(), end), range.end(), left);
        }
        return left;
    }

    private static void add(long begin, long end, List<SequenceRange> ranges) {
        if (begin < end) {
            ranges.add(new SequenceRange(begin, end));
        }
    }
}
