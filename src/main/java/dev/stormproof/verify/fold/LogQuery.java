package dev.stormproof.verify.fold;

import dev.stormproof.proof.tree.Hash;
import dev.stormproof.verify.feed.LogFeed;
import dev.stormproof.verify.feed.LogPiece;
import dev.stormproof.verify.judge.Evidence;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.Judge;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A query of the verifier to the log. */
public sealed interface LogQuery {
    /** A query for the records of one stream, by which an interval is judged. */
    sealed interface OfRecords extends LogQuery {
        IntervalId interval();

        /** The offset after the last one to read. */
        long endOffset();

        /** The finding by the log's evidence, with every anomaly; empty if there is none. */
        Optional<Finding> judge(Evidence evidence);
    }

    /**
     * The records of an interval, of the one before it, and of the stream's records that follow up to {@code endOffset}.
     *
     * @param interval the interval, as its checkpoint stated it when it was seen
     * @param chainHash the chain hash that the checkpoint had then; empty in format 1
     * @param previousOffset the offset at which its predecessor was seen, a hint to be checked; -1 if it was not seen
     * @param endOffset the offset after the last one to read, after the interval's own checkpoint
     * @param last true if no later record could change the verdict
     * @param earlier where an earlier copy of the same checkpoint is searched
     */
    record OfInterval(
            IntervalId interval, Hash chainHash, long previousOffset, long endOffset, boolean last, Earlier earlier)
            implements OfRecords {
        @Override
        public Optional<Finding> judge(Evidence evidence) {
            return Judge.byTheLog(interval, chainHash, last, evidence);
        }

        /**
         * The knowledge of the records before an interval.
         *
         * @param sealedOffset the offset of an earlier checkpoint that is known to seal; -1 if none is known
         * @param sealedNumber the number of that one, if it cannot be forged; else -1
         * @param readSince the offset from which on everything was read: another copy there would be known
         * @param openSince the first offset that may belong to the interval, as far as records were read
         * @param seenWhole true if the interval continues a checkpoint that is known to seal, and every record since then was
         *     seen: none of its records is before {@code openSince}
         */
        public record Earlier(long sealedOffset, long sealedNumber, long readSince, long openSince, boolean seenWhole) {
            /** Nothing is known, so that everything is searched. */
            public static final Earlier UNKNOWN = new Earlier(-1, -1, Long.MAX_VALUE, Long.MAX_VALUE, false);
        }
    }

    /**
     * The records of a stream after its last checkpoint: after a closing one, those that are needed to name anomalies; after
     * any other, those that may contradict their own headers.
     *
     * @param interval these records as an unsealed interval
     * @param lastOffset the offset of the last checkpoint; if none is known, the one before the stream's first record
     * @param endOffset the offset after the last record to read
     */
    record OfTail(IntervalId interval, long lastOffset, long endOffset) implements OfRecords {
        @Override
        public Optional<Finding> judge(Evidence evidence) {
            return Judge.ofTail(interval, lastOffset, evidence).map(Finding.class::cast);
        }
    }

    /**
     * The records after the last one that was handed over.
     *
     * @param asker the feed that takes the answer, in its owner's thread: a verifier's, or another one on the same log
     */
    record OfPiece(LogFeed asker, LogPiece piece) implements LogQuery {}

    /**
     * The last checkpoints of emitters without a valid one so far, if they are near enough to where reading began.
     *
     * @param endOffset the offset before which records were read
     * @param readSince the offset from which on everything was read: their checkpoints lie before it
     */
    record OfLastCheckpoints(long endOffset, long readSince, Set<Long> emitters) implements LogQuery {
        public OfLastCheckpoints {
            emitters = Set.copyOf(emitters);
        }
    }

    /**
     * The checkpoints whose streams had promised another when progress was committed after them: at some offsets, or in a piece of the log.
     *
     * @param offsets their offsets; empty if they are in the piece
     * @param beginOffset where the piece begins
     * @param endOffset the offset of the progress, where the last piece ends
     */
    record OfPromises(List<Long> offsets, long beginOffset, long endOffset) implements LogQuery {
        /** The size of a piece, in offsets. */
        static final int PIECE = 16_384;

        public OfPromises {
            offsets = List.copyOf(offsets);
        }

        static OfPromises first(Promises promises, long endOffset) {
            return new OfPromises(
                    promises.offsets(), promises.since() == Promises.NAMED ? endOffset : promises.since(), endOffset);
        }

        public long pieceEnd() {
            return Math.min(beginOffset + PIECE, endOffset);
        }

        /** The next piece; null if this is the last one. */
        @Nullable
        OfPromises next() {
            return pieceEnd() < endOffset ? new OfPromises(List.of(), pieceEnd(), endOffset) : null;
        }
    }
}
