package dev.stormproof.log.audit;

import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.log.audit.Reach.OutOfReachException;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Format1Checkpoint;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.verify.judge.Evidence;
import dev.stormproof.verify.judge.Succession;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds in a log where the interval of a checkpoint begins: by where its predecessor was seen, by the checkpoint's own
 * hint, or by scanning back.
 */
final class Beginnings {
    /** How far back is scanned for more than is needed, in offsets. */
    static final long MAX_SCAN_FOR_NEIGHBOUR = 65_536;

    private static final long FIRST_STEP_BACK = 1_024;

    /** How many equal checkpoints in a row are taken for repetitions. */
    private static final int MAX_REPETITIONS = 16;

    /** How many checkpoints of one stream are kept while its predecessor is looked for. */
    static final int MAX_FOUND = 10_000;

    /** About how much memory they may take. */
    private static final long MAX_FOUND_BYTES = 16 << 20;

    private final SearchedLog reader;
    private final Reach reach;
    /** The search for neighbours, which their distance bounds. */
    private final Reach near;

    /**
     * What the verifier knows of a checkpoint's stream.
     *
     * @param seenAt where the predecessor was seen; -1 if it was not
     * @param sealedAt where a checkpoint lies that is known to seal; -1 if none is
     */
    private record Known(long seenAt, long sealedAt) {}

    private static final Known NOTHING_KNOWN = new Known(-1, -1);

    Beginnings(SearchedLog reader, Reach reach) {
        this.reader = reader;
        this.reach = reach;
        this.near = reach.unbounded();
    }

    /**
     * Where the records before a checkpoint begin.
     *
     * @param offset the first of them: the predecessor's, if there is one
     * @param logStart true if the log holds no earlier record
     * @param checkpoint the predecessor, or what shows that the checkpoint seals nothing
     */
    record Beginning(long offset, boolean logStart, Optional<CheckpointRecord> checkpoint) {
        static Beginning at(CheckpointRecord checkpoint) {
            return new Beginning(checkpoint.offset(), false, Optional.of(checkpoint));
        }

        /** The same, but of a stream's first interval not behind the first of its records that is known. */
        Beginning noLaterThanFirst(CheckpointRecord target, long openSince, long logBegin) {
            boolean first = target.checkpoint() instanceof Format2Checkpoint sealed && sealed.number() == 0;
            long begin = Math.max(logBegin, Math.min(offset, openSince));
            return first && checkpoint.isEmpty() ? new Beginning(begin, begin == logBegin, checkpoint) : this;
        }

        /** True if a record that was seen of an interval, or may be of it, has expired. */
        boolean isBehind(long openSince) {
            return checkpoint.isEmpty() && offset > openSince;
        }

        /** True if what was found shows that a checkpoint of format 2 is a repetition, or late. */
        boolean settles(CheckpointRecord target) {
            return checkpoint
                    .filter(found -> found.checkpoint() instanceof Format2Checkpoint)
                    .filter(found -> Succession.same(found, target) || Succession.names(found, target))
                    .isPresent();
        }

        /** True if it is behind the checkpoint that another one names. */
        boolean isNamedBy(CheckpointRecord target) {
            return checkpoint.filter(found -> Succession.names(target, found)).isPresent();
        }

        /** True if it lies where a checkpoint of format 2 says: that one lies where it was written, too. */
        boolean isHintedAtBy(CheckpointRecord target) {
            return target.checkpoint() instanceof Format2Checkpoint sealed && sealed.previousOffsetHint() == offset;
        }

        /**
         * True if this shows that a later beginning's checkpoint seals nothing, or in format 1 may seal nothing: it says the
         * same, and only the events in between can tell whether it is a repetition.
         */
        boolean discredits(Beginning later) {
            return offset < later.offset()
                    && later.checkpoint()
                            .filter(other -> settles(other) || saysTheSame(other))
                            .isPresent();
        }

        private boolean isOfFormat1() {
            return checkpoint
                    .filter(found -> found.checkpoint() instanceof Format1Checkpoint)
                    .isPresent();
        }

        private boolean saysTheSame(CheckpointRecord other) {
            return other.checkpoint() instanceof Format1Checkpoint plain
                    && checkpoint
                            .filter(found -> found.checkpoint() instanceof Format1Checkpoint earlier
                                    && earlier.leaves().equals(plain.leaves()))
                            .isPresent();
        }
    }

    /**
     * Where a checkpoint's interval begins.
     *
     * @param seenAt where its predecessor was seen; -1 if it was not
     * @param sealedAt where a checkpoint of its stream lies that is known to seal; -1 if none is
     */
    Beginning of(CheckpointRecord target, long seenAt, long sealedAt)
            throws ExpiredRangeException, OutOfReachException {
        long logBegin = reader.beginOffset();
        return target.checkpoint() instanceof Format2Checkpoint sealed
                ? of(reach, target, sealed, new Known(seenAt, sealedAt), logBegin, logBegin)
                : scanBack(reach, target, NOTHING_KNOWN, logBegin, logBegin);
    }

    /** The beginning of the interval before one, if it is near enough; else the same. */
    Beginning before(Beginning begin) throws ExpiredRangeException, OutOfReachException {
        return before(begin, near);
    }

    /** The same by another search. */
    Beginning before(Beginning begin, Reach search) throws ExpiredRangeException, OutOfReachException {
        if (begin.checkpoint().isEmpty()) {
            return begin;
        }
        CheckpointRecord target = begin.checkpoint().get();
        long logBegin = reader.beginOffset();
        long nearest = search.equals(near) ? Math.max(logBegin, target.offset() - MAX_SCAN_FOR_NEIGHBOUR) : logBegin;
        Beginning found = target.checkpoint() instanceof Format2Checkpoint sealed
                ? of(search, target, sealed, NOTHING_KNOWN, nearest, logBegin)
                : scanBack(search, target, NOTHING_KNOWN, nearest, logBegin);
        boolean first = target.checkpoint() instanceof Format2Checkpoint sealed && sealed.number() == 0;
        return found.checkpoint().isPresent() || found.logStart() || first ? found : begin;
    }

    /** The same beginning, or one further up that shows that its checkpoint seals nothing, or in format 1 may seal nothing. */
    Beginning credited(Beginning begin) throws ExpiredRangeException, OutOfReachException {
        Beginning credited = begin;
        Beginning earlier = beforeForCredit(credited);
        while (earlier.discredits(credited)) {
            credited = earlier;
            earlier = beforeForCredit(credited);
        }
        return credited;
    }

    private Beginning beforeForCredit(Beginning begin) throws ExpiredRangeException, OutOfReachException {
        return before(begin, begin.isOfFormat1() ? reach : near);
    }

    /** The beginning of the first of checkpoints of format 1 that say the same: the later ones may be repetitions. */
    Beginning ofRepetition(Beginning begin) throws ExpiredRangeException, OutOfReachException {
        Beginning first = begin;
        for (int back = 0; back < MAX_REPETITIONS && first.isOfFormat1(); back++) {
            Beginning earlier = before(first);
            if (!earlier.discredits(first)) {
                break;
            }
            first = earlier;
        }
        return first;
    }

    /** The place of a stream's first checkpoint further up in the log; where the log begins if there is none. */
    Beginning ofFirst(CheckpointRecord target) throws ExpiredRangeException, OutOfReachException {
        long logBegin = reader.beginOffset();
        return scanBack(reach, target, NOTHING_KNOWN, logBegin, logBegin);
    }

    private Beginning of(
            Reach search, CheckpointRecord target, Format2Checkpoint sealed, Known known, long nearest, long logBegin)
            throws ExpiredRangeException, OutOfReachException {
        if (sealed.number() == 0) {
            long begin = Math.max(logBegin, target.offset() - Evidence.BEFORE_THE_BEGINNING);
            return new Beginning(begin, begin == logBegin, Optional.empty());
        }
        for (long hint : new long[] {known.seenAt(), sealed.previousOffsetHint()}) {
            Optional<CheckpointRecord> found = predecessorAt(search, hint, target, logBegin);
            if (found.isPresent()) {
                return Beginning.at(found.get());
            }
        }
        return scanBack(search, target, known, nearest, logBegin);
    }

    private static Optional<CheckpointRecord> predecessorAt(
            Reach search, long hint, CheckpointRecord target, long logBegin)
            throws ExpiredRangeException, OutOfReachException {
        if (hint < logBegin || hint >= target.offset()) {
            return Optional.empty();
        }
        return checkpoints(search, target.checkpoint().stream(), hint, hint + 1).stream()
                .filter(record -> Succession.names(target, record))
                .findFirst();
    }

    /**
     * Scans back from a checkpoint. One of format 2 may lie among repetitions and forgeries: once another one of a smaller
     * number was found that is vouched for, the scan goes on for a while after the one that is named.
     */
    private static Beginning scanBack(Reach search, CheckpointRecord target, Known known, long nearest, long logBegin)
            throws ExpiredRangeException, OutOfReachException {
        List<CheckpointRecord> found = new ArrayList<>();
        long end = target.offset();
        long enough = nearest;
        for (long step = FIRST_STEP_BACK; end > enough; step *= 2) {
            long begin = Math.max(nearest, end - step);
            found.addAll(0, checkpoints(search, target.checkpoint().stream(), begin, end));
            demandRoom(found);
            Optional<Beginning> sure = sure(target, found);
            if (sure.isPresent()) {
                return sure.get();
            }
            enough = likely(target, found)
                    .filter(record -> isVouchedFor(record, target, known, found))
                    .map(record -> Math.max(nearest, record.offset() - MAX_SCAN_FOR_NEIGHBOUR))
                    .orElse(nearest);
            end = begin;
        }
        return likely(target, found)
                .map(Beginning::at)
                .orElseGet(() -> new Beginning(nearest, nearest == logBegin, Optional.empty()));
    }

    /**
     * True if the stream was at a smaller number than a checkpoint's when another one was written: that continues one in the
     * log, is a first one, or has one behind it that is known to seal. Anybody can write one that does not, in front of the
     * one that is named.
     */
    private static boolean isVouchedFor(
            CheckpointRecord likely, CheckpointRecord target, Known known, List<CheckpointRecord> found) {
        boolean first = Succession.number(likely) == 0 && Succession.number(target) > 1;
        return first
                || found.stream()
                        .anyMatch(other -> Succession.names(likely, other)
                                || (other.offset() == known.sealedAt()
                                        && Succession.number(other) < Succession.number(target)));
    }

    private static Optional<Beginning> sure(CheckpointRecord target, List<CheckpointRecord> found) {
        if (target.checkpoint() instanceof Format2Checkpoint) {
            return found.stream()
                    .map(Beginning::at)
                    .filter(begin -> begin.settles(target)
                            || Succession.names(target, begin.checkpoint().orElseThrow()))
                    .findFirst();
        }
        return found.isEmpty() ? Optional.empty() : Optional.of(Beginning.at(found.get(found.size() - 1)));
    }

    private static Optional<CheckpointRecord> likely(CheckpointRecord target, List<CheckpointRecord> found) {
        return target.checkpoint() instanceof Format2Checkpoint
                ? new Succession(found).predecessorOf(target)
                : Optional.empty();
    }

    /** The checkpoints of a stream, without what is not needed to compare them: of format 1 the last one alone. */
    private static List<CheckpointRecord> checkpoints(Reach search, StreamId stream, long begin, long end)
            throws ExpiredRangeException, OutOfReachException {
        List<CheckpointRecord> found = new ArrayList<>();
        long[] bytes = new long[1];
        boolean format1 = stream.emitter() == StreamId.NO_EMITTER;
        search.first(stream, begin, end, checkpoint -> {
            if (format1) {
                found.clear();
                bytes[0] = 0;
            }
            CheckpointRecord kept = checkpoint.withoutLeaves();
            found.add(kept);
            bytes[0] += RecordSizes.of(kept);
            return found.size() > MAX_FOUND || bytes[0] > MAX_FOUND_BYTES;
        });
        demandRoom(found);
        return found;
    }

    private static void demandRoom(List<CheckpointRecord> found) throws OutOfReachException {
        if (found.size() > MAX_FOUND
                || found.stream().mapToLong(RecordSizes::of).sum() > MAX_FOUND_BYTES) {
            throw new OutOfReachException(MAX_FOUND + " checkpoints");
        }
    }
}
