package dev.stormproof.log.audit;

import dev.stormproof.log.audit.Beginnings.Beginning;
import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.log.audit.Reach.OutOfReachException;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.Format1Checkpoint;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.verify.fold.LogQuery;
import dev.stormproof.verify.judge.Evidence;
import dev.stormproof.verify.judge.Evidence.Homes;
import dev.stormproof.verify.judge.Succession;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.function.Predicate;

/**
 * The auditor gathers the evidence for a judge from the log: the stream's records in an interval, before and behind it.
 *
 * <p>The evidence depends on the log alone, so that an interval is judged alike by each reader at any time; but a {@link
 * SearchBudget} that is spent makes it inconclusive. Hints where something lies are checked, and everything from there on is read.
 */
public final class Auditor {
    /** About how much memory the records of one audit may take. */
    private static final long MAX_BYTES = 64 << 20;

    private final SearchedLog reader;
    private final long maxBytes;
    private final int reachOffsets;
    private final SearchBudget budget;

    /** @param budget what all audits of the partition may read to search back */
    public Auditor(SearchedLog reader, SearchBudget budget) {
        this(reader, MAX_BYTES, Reach.DEFAULT_OFFSETS, budget);
    }

    /** @param reachOffsets how many offsets one audit may search for what lies further up */
    Auditor(SearchedLog reader, long maxBytes, int reachOffsets, SearchBudget budget) {
        this.reader = reader;
        this.maxBytes = maxBytes;
        this.reachOffsets = reachOffsets;
        this.budget = budget;
    }

    /** Forgets what was searched, because records expired. */
    public void forget() {
        reader.forget();
    }

    /** What the log holds of an interval and its neighbours, or behind a last checkpoint. */
    public Evidence audit(LogQuery.OfRecords task) throws ExpiredRangeException {
        return task instanceof LogQuery.OfTail tail ? ofTail(tail) : ofInterval((LogQuery.OfInterval) task);
    }

    private Evidence ofInterval(LogQuery.OfInterval task) throws ExpiredRangeException {
        long offset = task.interval().checkpointOffset();
        Optional<CheckpointRecord> there = checkpointAt(offset)
                .filter(record -> record.checkpoint().stream().equals(task.interval().stream()));
        if (there.isEmpty()) {
            return Evidence.expired(reader.beginOffset(), task.endOffset());
        }
        try {
            return audit(there.get(), task);
        } catch (OutOfReachException e) {
            return new Evidence(offset, offset + 1, false, List.of(there.get()), List.of()).with(e.extent());
        }
    }

    /** The evidence on what lies behind a last checkpoint. */
    private Evidence ofTail(LogQuery.OfTail task) throws ExpiredRangeException {
        Optional<CheckpointRecord> closing = checkpointAt(task.lastOffset())
                .filter(record -> record.checkpoint().stream().equals(task.interval().stream()))
                .filter(record -> record.checkpoint().closing());
        if (closing.isEmpty()) {
            return openEnd(task);
        }
        CheckpointRecord target = closing.get();
        try {
            Reach reach = new Reach(reader, reachOffsets, budget, task.endOffset());
            reach.own(task.endOffset());
            Beginnings beginnings = new Beginnings(reader, reach);
            Beginning begin = beginnings.before(beginnings.of(target, -1, -1));
            Gathering gathering = gathered(reach, begin, target, task.endOffset());
            List<Event> tail = gathering.between(gathering.firstOf(target).offset(), task.endOffset());
            long sealed = target.checkpoint().nextSequence();
            return asKept(
                    gathering, gathering.evidence(task.endOffset(), homes(beginnings, reach, gathering, tail, sealed)));
        } catch (OutOfReachException e) {
            return Evidence.expired(reader.beginOffset(), task.endOffset()).with(Evidence.Extent.OUT_OF_REACH);
        }
    }

    /** The events of an open end; if they are too many to keep, those of format 2 that contradict their headers. */
    private Evidence openEnd(LogQuery.OfTail task) throws ExpiredRangeException {
        StreamId stream = task.interval().stream();
        long logBegin = reader.beginOffset();
        long from = Math.max(task.lastOffset() + 1, logBegin);
        long to = Math.min(task.endOffset(), reader.endOffset());
        if (from >= to) {
            return Evidence.expired(logBegin, task.endOffset()).with(Evidence.Extent.OUT_OF_REACH);
        }
        Beginning begin = new Beginning(from, from == logBegin, Optional.empty());
        Gathering all = new Gathering(stream, begin, maxBytes);
        reader.read(from, to, all::accept);
        if (!all.isTooLarge() || stream.emitter() == StreamId.NO_EMITTER) {
            return asKept(all, all.evidence(to, Homes.NONE));
        }
        Gathering contradicted = new Gathering(stream, begin, maxBytes);
        Predicate<LogRecord> wanted = record -> record instanceof Event event
                && event.contradictsItsHeader()
                && contradicted.bytesLeft() >= RecordSizes.of(record);
        reader.read(from, to, record -> {
            if (wanted.test(record)) {
                contradicted.accept(record);
            }
        });
        return asKept(all, contradicted.evidence(to, Homes.NONE));
    }

    private static Evidence asKept(Gathering gathering, Evidence evidence) {
        return gathering.isTooLarge() ? evidence.with(Evidence.Extent.TOO_LARGE) : evidence;
    }

    private Evidence audit(CheckpointRecord target, LogQuery.OfInterval task)
            throws ExpiredRangeException, OutOfReachException {
        Reach reach = reachOf(target, task);
        Beginnings beginnings = new Beginnings(reader, reach);
        EarlierStatements statements = new EarlierStatements(reader, reach);
        List<CheckpointRecord> earlier = statements.of(target, task);
        boolean maybeACopy = statements.wasCutShort();
        if (!earlier.isEmpty()) {
            return ofStatements(target, earlier, extentOf(earlier.get(0), target));
        }
        // What was proven before, and lies there once more, is no news; what it begins is no interval.
        if (wasFurther(target, task.earlier()) && !Succession.endsInDoubt(target)) {
            return ofStatements(target, List.of(), Evidence.Extent.BEHIND_WHAT_EXPIRED);
        }
        Beginning own = beginnings
                .of(target, task.previousOffset(), task.earlier().sealedOffset())
                .noLaterThanFirst(target, task.earlier().openSince(), reader.beginOffset());
        if (own.settles(target)) {
            return ofStatements(target, List.of(own.checkpoint().orElseThrow()), Evidence.Extent.WHOLE);
        }
        // Whoever holds what was seen and has expired would take it for proven.
        if (own.isBehind(task.earlier().openSince()) || isBegunByACopy(own, target, task)) {
            return new Evidence(own.offset(), task.endOffset(), true, List.of(target), List.of())
                    .with(Evidence.Extent.BEGINNING_EXPIRED);
        }
        own = statements.firstOf(own, task.earlier().sealedOffset());
        Optional<CheckpointRecord> later =
                statements.laterOne(target, task.earlier().sealedOffset());
        if (later.isPresent() && (isBehind(later.get(), target, own) || isFork(later.get(), target, own, beginnings))) {
            List<CheckpointRecord> others = new ArrayList<>(List.of(later.get()));
            own.checkpoint()
                    .filter(record -> record.offset() > later.get().offset())
                    .ifPresent(others::add);
            return ofStatements(target, others, Evidence.Extent.BEHIND_ITS_STREAM);
        }
        own = beginnings.credited(own);
        Beginning begin = beginnings.ofRepetition(beginnings.before(own));
        Gathering gathering = gathered(reach, begin, target, task.endOffset());
        Homes homes = Homes.NONE;
        if (!gathering.isTooLarge() && target.checkpoint() instanceof Format2Checkpoint sealed) {
            if (sealed.number() == 0 && gathering.holdsAnythingBefore(target)) {
                gathering.prepend(beginnings.ofFirst(target), reach, reader);
            } else {
                homes = homes(beginnings, reach, gathering, gathering.window(target), sealed.firstSequence());
            }
        }
        Evidence evidence = gathering.isTooLarge()
                ? tooLarge(reach, begin, target, task.endOffset())
                : asSeen(gathering, homes, task);
        if (!maybeACopy) {
            return evidence;
        }
        return evidence.with(gathering.isTooLarge() ? Evidence.Extent.OUT_OF_REACH : Evidence.Extent.MAYBE_A_COPY);
    }

    private boolean wasFurther(CheckpointRecord checkpoint, LogQuery.OfInterval.Earlier earlier)
            throws ExpiredRangeException {
        return earlier.sealedOffset() >= 0
                && earlier.sealedOffset() < reader.beginOffset()
                && earlier.sealedNumber() >= Succession.number(checkpoint);
    }

    private boolean isBegunByACopy(Beginning own, CheckpointRecord target, LogQuery.OfInterval task)
            throws ExpiredRangeException {
        return own.checkpoint().isPresent()
                && !Succession.names(target, own.checkpoint().get())
                && wasFurther(own.checkpoint().get(), task.earlier());
    }

    /** The evidence, which lacks nothing of an interval whose first record lies in the log as the verifier saw it. */
    private static Evidence asSeen(Gathering gathering, Homes homes, LogQuery.OfInterval task) {
        Evidence found = gathering.evidence(task.endOffset(), homes);
        boolean seen = gathering.begin().checkpoint().isEmpty()
                && gathering.begin().logStart()
                && task.earlier().seenWhole();
        return seen ? found.with(Evidence.Extent.BEGINNING_SEEN) : found;
    }

    /** The search of an audit, for which what the verifier saw of the interval's stream is not on the budget. */
    private Reach reachOf(CheckpointRecord target, LogQuery.OfInterval task) throws ExpiredRangeException {
        Reach reach = new Reach(reader, reachOffsets, budget, target.offset());
        if (Succession.number(target) == 0) {
            reach.events(Math.min(task.earlier().openSince(), target.offset() - Evidence.BEFORE_THE_BEGINNING));
        }
        if (task.previousOffset() < 0) {
            budget.admit();
            return reach;
        }
        // What bears no greater number continues nothing that far up: a stream that ended long ago may be forged again
        // and again.
        boolean continues = target.checkpoint() instanceof Format1Checkpoint
                || previous(target, task)
                        .filter(previous -> Succession.number(previous) < Succession.number(target))
                        .isPresent();
        reach.own(continues ? task.previousOffset() : target.offset());
        return reach;
    }

    private Optional<CheckpointRecord> previous(CheckpointRecord target, LogQuery.OfInterval task)
            throws ExpiredRangeException {
        return task.previousOffset() < reader.beginOffset()
                ? Optional.empty()
                : reader.at(target.checkpoint().stream(), task.previousOffset());
    }

    private static boolean isBehind(CheckpointRecord later, CheckpointRecord target, Beginning own) {
        return !Succession.takesBack(target, later)
                && later.checkpoint().number() > target.checkpoint().number()
                && !own.isHintedAtBy(target)
                && (own.checkpoint().isEmpty() || later.offset() < own.offset());
    }

    private static Evidence.Extent extentOf(CheckpointRecord other, CheckpointRecord target) {
        boolean behind = EarlierStatements.isLater(other, target) && !Succession.names(other, target);
        return behind ? Evidence.Extent.BEHIND_ITS_STREAM : Evidence.Extent.WHOLE;
    }

    /**
     * True if a later checkpoint bears the number of another one that continues something else than it does, or both are the
     * first of a stream. That both continue the same shows by itself, unless the later one lies before that.
     */
    private static boolean isFork(CheckpointRecord later, CheckpointRecord target, Beginning own, Beginnings beginnings)
            throws ExpiredRangeException, OutOfReachException {
        if (Succession.number(later) != Succession.number(target) || Succession.same(later, target)) {
            return false;
        }
        if (Succession.number(target) == 0) {
            return !target.checkpoint().closing();
        }
        boolean sameBefore =
                later.checkpoint().previousHash().equals(target.checkpoint().previousHash());
        if (sameBefore && Succession.takesBack(target, later)) {
            return false;
        }
        return own.isNamedBy(target)
                && (sameBefore
                        ? later.offset() < own.offset()
                        : beginnings.before(Beginning.at(later)).isNamedBy(later));
    }

    private static Evidence ofStatements(
            CheckpointRecord target, List<CheckpointRecord> others, Evidence.Extent extent) {
        List<CheckpointRecord> checkpoints = new ArrayList<>(others);
        checkpoints.add(target);
        return new Evidence(checkpoints.get(0).offset(), target.offset() + 1, false, checkpoints, List.of())
                .with(extent);
    }

    /** The evidence on more than can be kept: whether it matches. */
    private Evidence tooLarge(Reach reach, Beginning begin, CheckpointRecord target, long endOffset)
            throws ExpiredRangeException, OutOfReachException {
        List<CheckpointRecord> checkpoints = new ArrayList<>();
        Evidence.Extent extent = Evidence.Extent.TOO_LARGE;
        long beginOffset = begin.offset();
        if (target.checkpoint() instanceof Format2Checkpoint sealed) {
            RecordByRecord comparison = new RecordByRecord(target, sealed);
            reach.gather(begin.offset(), target.offset(), (from, to) -> reader.read(from, to, comparison::accept));
            if (comparison.matches()) {
                extent = Evidence.Extent.TOO_LARGE_AND_MATCHING;
                beginOffset = comparison.firstOffset();
            }
            comparison.rival().ifPresent(checkpoints::add);
        }
        checkpoints.add(target);
        return new Evidence(beginOffset, endOffset, begin.logStart(), checkpoints, List.of()).with(extent);
    }

    /**
     * The last checkpoints of some emitters, as far back as neighbours are looked for; all of them in short.
     */
    public List<CheckpointRecord> audit(LogQuery.OfLastCheckpoints task) throws ExpiredRangeException {
        // Whatever lies behind that was seen: a copy that was refused is not the last one.
        long began = Math.min(task.readSince(), task.endOffset());
        long end = Math.min(began, reader.endOffset());
        long begin = Math.max(reader.beginOffset(), end - Beginnings.MAX_SCAN_FOR_NEIGHBOUR);
        List<CheckpointRecord> found = new ArrayList<>();
        if (begin < end) {
            // The nearest one of a stream may be a copy: what is farther up counts as well.
            found.addAll(lastIn(begin, end, task.emitters()::contains).values());
        }
        return found;
    }

    private Map<Long, CheckpointRecord> lastIn(long from, long to, Predicate<Long> emitters)
            throws ExpiredRangeException {
        Map<Long, CheckpointRecord> last = new LinkedHashMap<>();
        reader.read(from, to, record -> {
            if (record instanceof CheckpointRecord found
                    && emitters.test(found.checkpoint().stream().emitter())) {
                long emitter = found.checkpoint().stream().emitter();
                CheckpointRecord known = last.remove(emitter);
                CheckpointRecord kept = found.inShort();
                last.put(emitter, known == null ? kept : later(kept, known));
            }
        });
        return last;
    }

    private static CheckpointRecord later(CheckpointRecord behind, CheckpointRecord before) {
        boolean copied = Succession.number(behind) < Succession.number(before) && !Succession.endsInDoubt(behind);
        return copied ? before : behind;
    }

    /** The checkpoints that lie at some offsets, and the last one of each stream in a piece, as far as the log still holds them. */
    public List<CheckpointRecord> audit(LogQuery.OfPromises task) throws ExpiredRangeException {
        List<CheckpointRecord> found = new ArrayList<>();
        long logEnd = reader.endOffset();
        for (long offset : task.offsets()) {
            if (offset < logEnd) {
                checkpointAt(offset).map(CheckpointRecord::inShort).ifPresent(found::add);
            }
        }
        long from = Math.max(task.beginOffset(), reader.beginOffset());
        long to = Math.min(task.pieceEnd(), logEnd);
        found.addAll(lastIn(from, to, emitter -> true).values());
        return found;
    }

    private Optional<CheckpointRecord> checkpointAt(long offset) throws ExpiredRangeException {
        return offset < reader.beginOffset() ? Optional.empty() : reader.wholeAt(offset);
    }

    private Gathering gathered(Reach reach, Beginning begin, CheckpointRecord target, long endOffset)
            throws ExpiredRangeException, OutOfReachException {
        Gathering gathering = new Gathering(target.checkpoint().stream(), begin, maxBytes);
        long emitter = target.checkpoint().stream().emitter();
        reach.gather(begin.offset(), endOffset, (from, to) -> reader.records(emitter, from, to, gathering::accept));
        return gathering;
    }

    private Homes homes(Beginnings beginnings, Reach reach, Gathering gathering, List<Event> window, long firstSequence)
            throws ExpiredRangeException {
        SortedSet<Long> wanted = gathering.homeless(window, firstSequence);
        return wanted.isEmpty()
                ? Homes.NONE
                : new HomeSearch(reader, beginnings, reach, wanted, gathering.bytesLeft()).before(gathering.begin());
    }
}
