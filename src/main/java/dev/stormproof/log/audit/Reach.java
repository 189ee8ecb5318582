package dev.stormproof.log.audit;

import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.verify.judge.Evidence;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The search of one audit in the log, bounded in offsets, and by the partition's {@link SearchBudget}: a forged checkpoint may
 * send it anywhere.
 *
 * <pre>
 *   offsets   ───────────────────────┬───────────┬── own range ──┬──►
 *              read on the budget     │   near    │             target
 *                                  freeFrom    predecessor, as the verifier or the target's hint knows it
 * </pre>
 *
 * <p>What an interval itself and the one before it hold is read beyond the bound in offsets; only the search for where they begin,
 * for earlier statements and for the homes of its events counts. Offsets are counted, each once, whether or not the {@link SearchedLog}
 * spares reading them, so that without a budget the outcome depends on the log alone.
 */
final class Reach {
    /** The offsets that one audit may search. */
    static final int DEFAULT_OFFSETS = 1_000_000;

    /** How many offsets are searched at once. */
    private static final int STEP = 1_024;

    /** How many offsets are gathered at once on the budget. */
    private static final int GATHER_STEP = 16_384;

    /** A search back for a neighbour takes steps that double, so that it may read twice as far as it has to. */
    private static final long NEAR_OFFSETS = 2 * Beginnings.MAX_SCAN_FOR_NEIGHBOUR + STEP;

    private final SearchedLog reader;
    private final Charge charge;
    private final long offsets;
    private long left;
    /** The stretches of the log that were counted, each once. */
    private final Set<Long> searched = new HashSet<>();

    /** The charging of one audit's searches to the budget. */
    private static final class Charge {
        private final SearchBudget budget;
        private final long target;
        private long freeFrom;

        Charge(SearchBudget budget, long target) {
            this.budget = budget;
            this.target = target;
            this.freeFrom = budget.isLimited() ? target : 0;
        }

        boolean covers(long offset) {
            return offset < freeFrom;
        }
    }

    /** A reading of a part of the log. */
    interface Reading {
        void read(long beginOffset, long endOffset) throws ExpiredRangeException;
    }

    /** @param target the offset before which everything is on the budget, until more is {@linkplain #own known} */
    Reach(SearchedLog reader, long offsets, SearchBudget budget, long target) {
        this(reader, offsets, new Charge(budget, target));
    }

    private Reach(SearchedLog reader, long offsets, Charge charge) {
        this.reader = reader;
        this.charge = charge;
        this.offsets = offsets;
        this.left = offsets;
    }

    /** A search in the same log that something else bounds, but for the budget. */
    Reach unbounded() {
        return new Reach(reader, Long.MAX_VALUE, charge);
    }

    /** Notes where the interval's own range begins: it and what lies near it are not on the budget. */
    void own(long beginOffset) {
        long length = Math.max(0, charge.target - beginOffset);
        charge.freeFrom = Math.min(charge.freeFrom, charge.target - 2 * length - NEAR_OFFSETS);
    }

    /** Notes how far up events of the interval itself may lie: these are not on the budget. */
    void events(long beginOffset) {
        charge.freeFrom = Math.min(charge.freeFrom, beginOffset);
    }

    /** What is searched for lies further away than may be read. */
    static final class OutOfReachException extends Exception {
        private static final long serialVersionUID = 1L;

        private final Evidence.Extent extent;

        OutOfReachException(String bound) {
            this("not found within " + bound, Evidence.Extent.OUT_OF_REACH);
        }

        private OutOfReachException(String message, Evidence.Extent extent) {
            super(message);
            this.extent = extent;
        }

        /** How much can be said then. */
        Evidence.Extent extent() {
            return extent;
        }
    }

    void read(long beginOffset, long endOffset, Consumer<LogRecord> records)
            throws ExpiredRangeException, OutOfReachException {
        for (long begin = beginOffset; begin < endOffset; ) {
            long end = stepEnd(begin, endOffset);
            charged(begin, end, (from, to) -> reader.read(from, to, records));
            begin = end;
        }
    }

    /** The checkpoint of a stream that lies at an offset: one record counts for nothing. */
    Optional<CheckpointRecord> at(StreamId stream, long offset) throws ExpiredRangeException {
        return reader.at(stream, offset);
    }

    /** The first checkpoint of a stream in [beginOffset, endOffset) that is wanted. */
    Optional<CheckpointRecord> first(
            StreamId stream, long beginOffset, long endOffset, Predicate<CheckpointRecord> wanted)
            throws ExpiredRangeException, OutOfReachException {
        CheckpointRecord[] found = new CheckpointRecord[1];
        for (long begin = beginOffset; begin < endOffset && found[0] == null; ) {
            long end = stepEnd(begin, endOffset);
            charged(
                    begin,
                    end,
                    (from, to) -> reader.checkpoints(stream, from, to, checkpoint -> {
                        if (found[0] == null && wanted.test(checkpoint)) {
                            found[0] = checkpoint;
                        }
                    }));
            begin = end;
        }
        return Optional.ofNullable(found[0]);
    }

    /** Reads what an interval and its neighbours hold: beyond the bound in offsets, and in steps where it is on the budget. */
    void gather(long beginOffset, long endOffset, Reading reading) throws ExpiredRangeException, OutOfReachException {
        long begin = beginOffset;
        while (begin < endOffset && charge.covers(begin)) {
            long end = Math.min(endOffset, begin + GATHER_STEP);
            charged(begin, end, reading);
            begin = end;
        }
        if (begin < endOffset) {
            reading.read(begin, endOffset);
        }
    }

    private void charged(long begin, long end, Reading reading) throws ExpiredRangeException, OutOfReachException {
        if (!charge.covers(begin)) {
            reading.read(begin, end);
            return;
        }
        if (charge.budget.isSpent()) {
            throw new OutOfReachException("the budget for searching back is spent", Evidence.Extent.BEYOND_THE_BUDGET);
        }
        long records = reader.recordsRead();
        long bytes = reader.bytesRead();
        try {
            reading.read(begin, end);
        } finally {
            charge.budget.take(reader.recordsRead() - records, reader.bytesRead() - bytes);
        }
    }

    /** Where a step ends that begins at an offset: where the next one of the log's stretches of equal length begins. */
    private long stepEnd(long begin, long endOffset) throws OutOfReachException {
        long stretch = begin / STEP;
        // One record counts for nothing.
        if (endOffset - begin > 1 && searched.add(stretch)) {
            if (left <= 0) {
                throw new OutOfReachException(offsets + " offsets");
            }
            left -= STEP;
        }
        return Math.min((stretch + 1) * STEP, endOffset);
    }
}
