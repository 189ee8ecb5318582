package dev.stormproof.verify.fold;

import dev.stormproof.proof.checkpoint.Checkpoint;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.RangeCase;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Verified.Basis;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A stream of format 2: a chain of accepted checkpoints, each of which names the one before.
 *
 * <pre>
 *   beginning ─#0─► head ─#1─► head ─ … ─► HEAD │ e e e
 *                                               │ #9        candidates: greater numbers that do not continue the head
 *
 *   checkpoint C                        is              and
 *   ─────────────────────────────────────────────────────────────────────────────────────────────────────────
 *   continues HEAD                      the head        Verified if the tree is as stated, else in {@link Doubt}
 *   continues a candidate               the head        the candidate is a head before it, in doubt: a checkpoint is lost
 *   was read before                     a stray         repeated
 *   has a greater number                a candidate     of a stream of which nothing is known: the head, unanchored
 *   closes, and names an earlier head   the head        in doubt: an end stated again, or one that leaves others in doubt
 *   any other, or after a closing one   a stray         late or forked
 *
 *   a head comes after candidates: the one that continues it is a head too; the others are off the chain
 *   overdue: candidates become heads, and doubts are final; then the events after the head are unsealed
 * </pre>
 *
 * <p>Owned by one thread.
 */
final class StreamChain extends EventStream {
    private static final int MOST_CANDIDATES = 4;

    private static final Comparator<CheckpointRecord> BY_NUMBER =
            Comparator.comparingLong(record -> record.checkpoint().number());

    private final List<CheckpointRecord> candidates = new ArrayList<>(0);
    private final ArrayDeque<SavedStream.Dropped> dropped = new ArrayDeque<>(0);
    /** Where reading may not begin: between a checkpoint that came early and its predecessor. */
    private final List<Span> spans = new ArrayList<>(0);

    /** The offsets after {@code begin} up to {@code end}. */
    private record Span(long begin, long end) {}

    /** A stream that begins with a record. */
    StreamChain(StreamId id, long firstOffset, boolean anchored, Consumer<Finding> findings) {
        super(id, firstOffset, anchored, true, findings);
    }

    /** A stream as it was when progress was committed. */
    StreamChain(StreamId id, SavedStream saved, Consumer<Finding> findings) {
        super(id, saved, findings);
        dropped.addAll(saved.dropped());
    }

    @Override
    List<SavedStream.Dropped> droppedBefore(long offset) {
        return dropped.stream().filter(one -> one.offset() < offset).toList();
    }

    @Override
    void checkpoint(CheckpointRecord record) {
        Checkpoint checkpoint = record.checkpoint();
        Optional<CheckpointRecord> continued = candidates.stream()
                .filter(candidate -> Head.of(candidate).isContinuedBy(record))
                .findFirst();
        boolean greater = checkpoint.number() > head().number() && !head().closing();
        if (head().isContinuedBy(record)) {
            judgeCandidatesLeftInDoubt(record);
            seal(record);
        } else if (continued.isPresent()) {
            acceptUpTo(continued.get());
            judgeCandidatesLeftInDoubt(record);
            seal(record);
        } else if (wasRead(record)) {
            found(StrayRecord.repetition(record));
        } else if (greater && isAnchored()) {
            judgeCandidatesLeftInDoubt(record);
            addCandidate(record);
        } else if (greater) {
            seal(record);
        } else if (checkpoint.closing()) {
            endAgain(record);
        } else {
            found(RangeCase.behind(record, head().number(), head().offset()));
        }
    }

    private boolean wasRead(CheckpointRecord record) {
        Hash hash = record.chainHash();
        return heads().stream().anyMatch(head -> head.hash().equals(hash))
                || candidates.stream().anyMatch(other -> other.chainHash().equals(hash))
                || dropped.stream().anyMatch(other -> other.hash().equals(hash));
    }

    private void seal(CheckpointRecord record) {
        followDoubts(record);
        if (isAnchored(record.checkpoint()) && open().matches(record)) {
            found(new Verified(IntervalId.of(record), Basis.MATCH, firstOffset(record.offset())));
        } else {
            doubt(record, head(), beforeHead(), false);
        }
        accept(headAt(record, record.offset()));
        settleCandidates();
    }

    private boolean isAnchored(Checkpoint next) {
        return isAnchored() || (head().isBeginning() && head().anchored() && next.number() == 0);
    }

    private Head headAt(CheckpointRecord record, long offset) {
        return Head.of(record, offset, firstOffset(offset), open().isWhole(), isAnchored());
    }

    private void doubt(CheckpointRecord record, Head previous, @Nullable Head before, boolean beside) {
        if (!beside
                && !isAnchored(record.checkpoint())
                && (previous.isBeginning() || !previous.isContinuedBy(record))) {
            unanchored(record);
            return;
        }
        doubt(new Doubt(record, previous, before, firstOffset(record.offset()), open().isWhole(), beside));
    }

    private void unanchored(CheckpointRecord record) {
        found(RangeCase.unanchored(record));
        flaw(record.offset());
    }

    /**
     * Takes an end of the stream in the place of another checkpoint, or after the end itself: it is the head, and what comes after
     * its predecessor decides.
     */
    private void endAgain(CheckpointRecord record) {
        int named = heads().size() - 1;
        while (named >= 0 && !heads().get(named).isNamedBy(record.checkpoint())) {
            named--;
        }
        boolean leavesInDoubt = Doubt.endsInDoubt(record.checkpoint());
        boolean restated =
                head().closing() && head().number() == record.checkpoint().number() && !head().anchored();
        if (named < 0 && !leavesInDoubt && !restated) {
            found(RangeCase.behind(record, head().number(), head().offset()));
            return;
        }
        judgeCandidatesLeftInDoubt(record);
        followDoubts(record);
        if (named >= 0) {
            doubt(record, heads().get(named), named == 0 ? null : heads().get(named - 1), true);
        } else if (leavesInDoubt) {
            // What it continues is forgotten; for certain it states nothing.
            found(RangeCase.uncertainEnd(record));
        } else {
            found(RangeCase.unanchoredEnd(record));
        }
        accept(headAt(record, record.offset()));
        settleCandidates();
    }

    private void addCandidate(CheckpointRecord record) {
        candidates.add(record.inShort());
        liveness().checkpoint(false);
        if (candidates.size() > MOST_CANDIDATES) {
            drop(candidates.get(0));
        }
    }

    /** An end of the stream may leave in doubt whether candidates after the head arrived, which are there all the same. */
    private void judgeCandidatesLeftInDoubt(CheckpointRecord end) {
        for (CheckpointRecord candidate : List.copyOf(candidates)) {
            boolean further = candidate.offset() > head().offset();
            if (further && Doubt.leavesInDoubt(end.checkpoint(), Head.of(candidate))) {
                doubt(candidate, head(), beforeHead(), true);
                doubts().get(doubts().size() - 1).followedBy(end);
                takeOffTheChain(candidate);
            }
        }
    }

    private void acceptUpTo(CheckpointRecord last) {
        acceptAll(candidates.subList(0, candidates.indexOf(last)).stream()
                .filter(candidate ->
                        candidate.checkpoint().number() < last.checkpoint().number()));
        // What continues it comes next: one that came early is no rival of that.
        acceptCandidate(last);
    }

    private void acceptAll(Stream<CheckpointRecord> some) {
        some.sorted(BY_NUMBER).toList().forEach(candidate -> {
            acceptCandidate(candidate);
            settleCandidates();
        });
    }

    /** Of candidates of one number the first one is a head. */
    private void acceptCandidate(CheckpointRecord candidate) {
        if (!candidates.contains(candidate)) {
            return;
        }
        if (candidate.checkpoint().number() <= head().number()) {
            drop(candidate);
            return;
        }
        candidates.remove(candidate);
        followDoubts(candidate);
        doubt(candidate, head(), beforeHead(), false);
        acceptFurtherUp(headAt(candidate, candidate.offset()));
    }

    /** Of the candidates before a new head one may continue it, and came early; the others are off the chain. */
    private void settleCandidates() {
        for (CheckpointRecord candidate : candidates.stream().sorted(BY_NUMBER).toList()) {
            if (candidate.offset() >= head().offset()) {
                continue;
            }
            if (head().isContinuedBy(candidate)) {
                acceptEarly(candidate);
            } else {
                drop(candidate);
            }
        }
    }

    /** A candidate came before its predecessor, the head, so that nothing can be said of its interval. */
    private void acceptEarly(CheckpointRecord candidate) {
        found(RangeCase.offTheChain(candidate));
        flaw(head().offset());
        candidates.remove(candidate);
        spans.add(new Span(candidate.offset(), head().offset()));
        if (spans.size() > MOST_CANDIDATES) {
            spans.remove(0);
        }
        acceptFurtherUp(headAt(candidate, head().offset()));
    }

    private void drop(CheckpointRecord candidate) {
        found(RangeCase.offTheChain(candidate));
        takeOffTheChain(candidate);
    }

    private void takeOffTheChain(CheckpointRecord candidate) {
        candidates.remove(candidate);
        dropped.add(new SavedStream.Dropped(candidate.offset(), candidate.chainHash()));
        if (dropped.size() > SavedStream.MOST_DROPPED) {
            dropped.remove();
        }
    }

    @Override
    Stream<IntervalId> undecided() {
        return Stream.concat(super.undecided(), candidates.stream().map(IntervalId::of));
    }

    @Override
    boolean isUnsealed() {
        return !candidates.isEmpty() || super.isUnsealed();
    }

    @Override
    Optional<RangeQuery> giveUp(long nextOffset) {
        acceptAll(candidates.stream());
        return super.giveUp(nextOffset);
    }

    @Override
    long undecidedSince() {
        long hold = super.undecidedSince();
        for (CheckpointRecord candidate : candidates) {
            hold = Math.min(hold, candidate.offset());
        }
        return hold;
    }

    @Override
    long beginUpTo(long offset) {
        long begin = offset;
        for (Span span : spans) {
            begin = begin <= span.end() ? Math.min(begin, span.begin()) : begin;
        }
        return begin;
    }
}
