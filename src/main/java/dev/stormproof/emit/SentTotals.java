package dev.stormproof.emit;

/**
 * The sent totals of a partition count the events and checkpoints of all its streams.
 *
 * <p>Guarded by the lock of the partition's writer; an aborted transaction sets them back.
 */
final class SentTotals {
    private long events;
    private long checkpoints;

    void addEvent() {
        events++;
    }

    void addCheckpoint() {
        checkpoints++;
    }

    long events() {
        return events;
    }

    long checkpoints() {
        return checkpoints;
    }

    SentTotals copy() {
        SentTotals copy = new SentTotals();
        copy.setTo(this);
        return copy;
    }

    void setTo(SentTotals other) {
        events = other.events;
        checkpoints = other.checkpoints;
    }
}
