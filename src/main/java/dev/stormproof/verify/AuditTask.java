package dev.stormproof.verify;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.LogRecord;
import dev.stormproof.judge.SealedInterval;
import dev.stormproof.merkle.Hash;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Something to be read again from the log. */
public sealed interface AuditTask {
    /**
     * Read an interval, the one before it, and what follows up to {@code endOffset}.
     *
     * @param interval the interval, as its checkpoint stated it when it was seen
     * @param chainHash the chain hash that the checkpoint had then; empty in format 1
     * @param previousOffset where its predecessor was seen, a hint to be checked; -1 if it was not
     * @param endOffset the offset after the last one to read: behind the interval's own checkpoint, or further on
     * @param last true if nothing that may follow could change the verdict
     */
    record OfInterval(SealedInterval interval, Hash chainHash, long previousOffset, long endOffset, boolean last)
            implements AuditTask {}

    /**
     * Read the records [beginOffset, endOffset), which never arrived.
     *
     * @param leaderEpoch the newest leader epoch that was read before, if the log may have been cut before the hole since;
     *     -1 if there is no such doubt
     */
    record OfHole(long beginOffset, long endOffset, int leaderEpoch) implements AuditTask {
        /** A hole before which the log is not in doubt. */
        public OfHole(long beginOffset, long endOffset) {
            this(beginOffset, endOffset, Link.NO_EPOCH);
        }

        /**
         * What was found.
         *
         * @param beginOffset the first offset that the log still holds of the hole, or its end
         * @param endOffset how far was read; the rest is asked for again
         * @param cutOffset where the log was cut, if that was asked and is so; else the hole's beginning
         * @param forgotten true if retention has passed the place where the log was cut: that lies at the cut offset or before
         * @param records the checkpoints, the strays, and of each run of events of one stream the first and the last
         */
        public record Found(
                long beginOffset, long endOffset, long cutOffset, boolean forgotten, List<LogRecord> records) {
            public Found {
                records = List.copyOf(records);
            }

            /** What was found in a hole before which the log was not in doubt. */
            public Found(long beginOffset, long endOffset, List<LogRecord> records) {
                this(beginOffset, endOffset, Long.MAX_VALUE, false, records);
            }
        }
    }

    /**
     * Find out where the log ends now.
     *
     * @param beginOffset where reading stands: the answer is not less
     * @param emitters whose silence depends on it
     * @param baseless those of them of which no checkpoint was seen: look for their last one
     */
    record OfTail(long beginOffset, Set<Long> emitters, Set<Long> baseless) implements AuditTask {
        public OfTail {
            emitters = Set.copyOf(emitters);
            baseless = Set.copyOf(baseless);
        }

        /**
         * What was found.
         *
         * @param endOffset the offset after the log's last record
         * @param lastByEmitter the last checkpoints of baseless emitters, where they are near enough
         */
        public record Found(long endOffset, Map<Long, CheckpointRecord> lastByEmitter) {
            public Found {
                lastByEmitter = Map.copyOf(lastByEmitter);
            }
        }
    }

    /**
     * Read checkpoints again whose streams owed the next one when progress was committed behind them.
     *
     * @param offsets where they lie
     */
    record OfPromises(List<Long> offsets) implements AuditTask {
        public OfPromises {
            offsets = List.copyOf(offsets);
        }

        /**
         * What was found.
         *
         * @param checkpoints those of them that the log still holds
         */
        public record Found(List<CheckpointRecord> checkpoints) {
            public Found {
                checkpoints = List.copyOf(checkpoints);
            }
        }
    }
}
