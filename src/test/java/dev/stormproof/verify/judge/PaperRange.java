package dev.stormproof.verify.judge;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import java.util.List;
import java.util.Optional;

/** A range of the log that a test writes down, in which nothing is as its checkpoint states. */
record PaperRange(List<CheckpointRecord> checkpoints, List<Event> events, long unread, RangeCase.Origin origin)
        implements RangeCase.Range {
    static PaperRange of(List<CheckpointRecord> checkpoints, Event... events) {
        return new PaperRange(checkpoints, List.of(events), 0, RangeCase.Origin.NONE);
    }

    /** The finding on a checkpoint in the range that continues the one before it there. */
    Finding judge(CheckpointRecord target) {
        CheckpointRecord previous = checkpoints.get(checkpoints.indexOf(target) - 1);
        Optional<CheckpointRecord> next = checkpoints.stream()
                .filter(record -> record.offset() > target.offset())
                .findFirst();
        return RangeCase.judge(
                        new RangeCase.Place(
                                IntervalId.of(target),
                                target,
                                previous.checkpoint().number(),
                                previous.checkpoint().nextSequence(),
                                previous.offset(),
                                true,
                                previous.checkpoint().firstSequence(),
                                Optional.of(previous),
                                next,
                                Optional.empty(),
                                true),
                        this)
                .finding();
    }

    @Override
    public boolean matches(CheckpointRecord record) {
        return false;
    }

    @Override
    public long unreadAfter(long offset) {
        return unread;
    }

    @Override
    public boolean isTooLarge() {
        return false;
    }

    @Override
    public long firstOffset() {
        return events.get(0).offset();
    }

    @Override
    public Evidence evidence(List<CheckpointRecord> counting) {
        return new Evidence(0, counting, events);
    }
}
