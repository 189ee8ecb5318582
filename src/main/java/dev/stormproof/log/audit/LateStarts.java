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
 * The streams of a range whose beginning was not read: their first record is not checkpoint 0.
 *
 * <p>A stream of format 1 is the partition, and begins where the log does.
 */
public final class LateStarts {
    /** How many streams are followed. Whether further ones begin late is unknown. */
    static final int MOST_STREAMS = 100_000;

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
     * @param sequence the sequence of its first event, or the first one that its first checkpoint states
     */
    public record LateStart(long emitter, long offset, long sequence) {}

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

    public long count() {
        return count;
    }

    public List<LateStart> named() {
        return List.copyOf(named);
    }

    /** True if no stream begins late after an offset; false too if there are more streams than are followed. */
    public boolean noneBehind(long offset) {
        return complete && lastOffset <= offset;
    }
}
