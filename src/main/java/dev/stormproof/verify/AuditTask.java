package dev.stormproof.verify;

import dev.stormproof.checkpoint.LogRecord;
import java.util.List;
import java.util.Set;

/** Something to be read again from the log. */
public sealed interface AuditTask {
    /**
     * Read the interval of an observation, the one before it, and what follows up to {@code endOffset}.
     *
     * @param observation what the tracker saw
     * @param endOffset the offset after the last one to read: behind the interval's own checkpoint, or behind the next
     * @param last true if nothing that may follow could change the verdict
     */
    record OfInterval(Observation observation, long endOffset, boolean last) implements AuditTask {}

    /** Read the records [beginOffset, endOffset), which never arrived, for checkpoints and strays. */
    record OfHole(long beginOffset, long endOffset) implements AuditTask {
        /**
         * What was found.
         *
         * @param beginOffset the first offset that the log still holds of the hole, or its end
         */
        public record Found(long beginOffset, List<LogRecord> checkpointsAndStrays) {
            public Found {
                checkpointsAndStrays = List.copyOf(checkpointsAndStrays);
            }
        }
    }

    /**
     * Find out whether the log ends at {@code beginOffset} now, or holds records that did not arrive yet.
     *
     * @param emitters whose silence depends on it
     */
    record OfTail(long beginOffset, Set<Long> emitters) implements AuditTask {
        public OfTail {
            emitters = Set.copyOf(emitters);
        }
    }
}
