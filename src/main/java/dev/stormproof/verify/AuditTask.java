package dev.stormproof.verify;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.feed.LogPiece;
import dev.stormproof.judge.SealedInterval;
import dev.stormproof.merkle.Hash;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A question of the verifier that the log answers. */
public sealed interface AuditTask {
    /**
     * The records of an interval, of the one before it, and of the stream's records that follow up to {@code endOffset}.
     *
     * @param interval the interval, as its checkpoint stated it when it was seen
     * @param chainHash the chain hash that the checkpoint had then; empty in format 1
     * @param previousOffset where its predecessor was seen, a hint to be checked; -1 if it was not
     * @param endOffset the offset after the last one to read: behind the interval's own checkpoint, or further on
     * @param last true if nothing that may follow could change the verdict
     */
    record OfInterval(SealedInterval interval, Hash chainHash, long previousOffset, long endOffset, boolean last)
            implements AuditTask {}

    /** The records behind the last one that was handed over, as far as the log goes. */
    record OfPiece(LogPiece piece) implements AuditTask {}

    /**
     * The last checkpoints before an offset of emitters of which only events were seen.
     *
     * @param endOffset where to look back from
     * @param emitters whose checkpoints to look for
     */
    record OfLastCheckpoints(long endOffset, Set<Long> emitters) implements AuditTask {
        public OfLastCheckpoints {
            emitters = Set.copyOf(emitters);
        }

        /** Those of them that lie near enough. */
        public record Found(Map<Long, CheckpointRecord> lastByEmitter) {
            public Found {
                lastByEmitter = Map.copyOf(lastByEmitter);
            }
        }
    }

    /**
     * The checkpoints whose streams owed the next one when progress was committed behind them.
     *
     * @param offsets where they lie
     */
    record OfPromises(List<Long> offsets) implements AuditTask {
        public OfPromises {
            offsets = List.copyOf(offsets);
        }

        /** Those of them that the log still holds. */
        public record Found(List<CheckpointRecord> checkpoints) {
            public Found {
                checkpoints = List.copyOf(checkpoints);
            }
        }
    }
}
