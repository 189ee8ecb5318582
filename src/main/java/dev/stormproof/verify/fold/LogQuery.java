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

/** A question of the verifier that the log answers. */
public sealed interface LogQuery {
    /** The records of one stream, by which something is judged. */
    sealed interface OfRecords extends LogQuery {
        /** What is judged. */
        IntervalId interval();

        /** The offset after the last one to read. */
        long endOffset();

        /** The finding by what the log holds, which names every anomaly; empty if there is none. */
        Optional<Finding> judge(Evidence evidence);
    }

    /**
     * The records of an interval, of the one before it, and of the stream's records that follow up to {@code endOffset}.
     *
     * @param interval the interval, as its checkpoint stated it when it was seen
     * @param chainHash the chain hash that the checkpoint had then; empty in format 1
     * @param previousOffset where its predecessor was seen, a hint to be checked; -1 if it was not
     * @param endOffset the offset after the last one to read: behind the interval's own checkpoint, or further on
     * @param last true if nothing that may follow could change the verdict
     * @param earlier where an earlier statement of the same checkpoint is looked for
     */
    record OfInterval(
            IntervalId interval, Hash chainHash, long previousOffset, long endOffset, boolean last, Earlier earlier)
            implements OfRecords {
        @Override
        public Optional<Finding> judge(Evidence evidence) {
            return Judge.byTheLog(interval, chainHash, last, evidence);
        }

        /**
         * The knowledge of what lies before an interval.
         *
         * @param sealedOffset where a checkpoint lies that is known to seal, further up in the log; -1 if none is known
         * @param sealedNumber the number of that one, if nobody can have made it up; else -1
         * @param readSince the offset from which on everything was read: another statement there would be known
         * @param openSince the first offset that may belong to the interval, as far as was read
         * @param seenWhole true if the interval continues a checkpoint that is known to seal, and every record since then was
         *     seen: nothing of it lies before {@code openSince}
         */
        public record Earlier(long sealedOffset, long sealedNumber, long readSince, long openSince, boolean seenWhole) {
            /** Nothing is known, so that it is looked for everywhere. */
            public static final Earlier UNKNOWN = new Earlier(-1, -1, Long.MAX_VALUE, Long.MAX_VALUE, false);
        }
    }

    /**
     * The records of a stream behind its last checkpoint: what lies behind a closing one, and is needed to name it; behind any
     * other, what may contradict its own header.
     *
     * @param interval what lies there, as an interval that no checkpoint seals
     * @param lastOffset where the last checkpoint lies; if none is known, the offset before the stream's first record
     * @param endOffset the offset after the last record to read
     */
    record OfTail(IntervalId interval, long lastOffset, long endOffset) implements OfRecords {
        @Override
        public Optional<Finding> judge(Evidence evidence) {
            return Judge.ofTail(interval, lastOffset, evidence).map(Finding.class::cast);
        }
    }

    /**
     * The records behind the last one that was handed over, as far as the log goes.
     *
     * @param asker the feed that takes the answer, in its owner's thread: that of a verifier, or of what reads the log beside it
     */
    record OfPiece(LogFeed asker, LogPiece piece) implements LogQuery {}

    /**
     * The last checkpoints of emitters of which none was seen that counts, if near enough to where reading began.
     *
     * @param endOffset the offset up to which was read
     * @param readSince the offset from which on everything was read: their checkpoints lie before it
     */
    record OfLastCheckpoints(long endOffset, long readSince, Set<Long> emitters) implements LogQuery {
        public OfLastCheckpoints {
            emitters = Set.copyOf(emitters);
        }
    }

    /**
     * The checkpoints whose streams owed the next one when progress was committed behind them: at some offsets, or in a piece of
     * the log.
     *
     * @param offsets where they lie; empty if they are in the piece
     * @param beginOffset where the piece begins
     * @param endOffset where the progress was, and so the last piece ends
     */
    record OfPromises(List<Long> offsets, long beginOffset, long endOffset) implements LogQuery {
        /** How many offsets a piece has. */
        static final int PIECE = 16_384;

        public OfPromises {
            offsets = List.copyOf(offsets);
        }

        static OfPromises first(Promises promises, long endOffset) {
            return new OfPromises(
                    promises.offsets(), promises.since() == Promises.NAMED ? endOffset : promises.since(), endOffset);
        }

        /** Where the piece ends. */
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
