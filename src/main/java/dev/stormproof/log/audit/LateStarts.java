package dev.stormproof.log.audit;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.StreamId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The streams of a range of which the beginning was not read: the first record of theirs is not checkpoint 0.
 *
 * <p>A stream of format 1 is the partition, and begins where the log does.
 */
public final class LateStarts {
    /** How many streams are told apart. Whether further ones begin late is unknown. */
    static final int MOST_STREAMS = 100_000;

    /** How many are named. */
    static final int MOST_NAMED = 1_000;

    private final Set<Long> seen = new HashSet<>();
    private final List<LateStart> named = new ArrayList<>();
    /** The stream of the last record: most records follow one of their own. */
    private long latest = StreamId.NO_EMITTER;

    private long count;
    private long lastOffset = -1;
    private boolean complete = true;

    /**
     * A stream whose beginning was not read.
     *
     * @param offset where its first record lies
     * @param sequence the first sequence that was read of: that of an event, or the first that a checkpoint states
     */
    public record LateStart(long emitter, long offset, long sequence) {}

    /** Takes the next record of the range. */
    public void add(LogRecord record) {
        if (record instanceof Event event) {
            add(event.emitter(), record.offset(), event.sequence(), false);
        } else if (record instanceof CheckpointRecord checkpoint) {
            add(
                    checkpoint.checkpoint().stream().emitter(),
                    record.offset(),
                    checkpoint.checkpoint().firstSequence(),
                    checkpoint.checkpoint().number() == 0);
        }
    }

    private void add(long emitter, long offset, long sequence, boolean first) {
        if (emitter == StreamId.NO_EMITTER || emitter == latest) {
            return;
        }
        latest = emitter;
        if (seen.contains(emitter)) {
            return;
        }
        if (seen.size() >= MOST_STREAMS) {
            complete = false;
            return;
        }
        seen.add(emitter);
        if (first) {
            return;
        }
        count++;
        lastOffset = offset;
        if (named.size() < MOST_NAMED) {
            named.add(new LateStart(emitter, offset, sequence));
        }
    }

    /** How many there are. */
    public long count() {
        return count;
    }

    /** The first of them. */
    public List<LateStart> named() {
        return List.copyOf(named);
    }

    /** True if no stream begins late behind an offset, as far as they were all told apart. */
    public boolean noneBehind(long offset) {
        return complete && lastOffset <= offset;
    }
}
