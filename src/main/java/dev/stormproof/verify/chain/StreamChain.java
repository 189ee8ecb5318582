package dev.stormproof.verify.chain;

import dev.stormproof.proof.checkpoint.Checkpoint;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.verify.fold.InactivityTimeouts;
import dev.stormproof.verify.fold.Liveness;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.RangeCase;
import dev.stormproof.verify.judge.RangeCase.Result;
import dev.stormproof.verify.judge.Seal;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Tail;
import dev.stormproof.verify.judge.Verdict;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Verified.Basis;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One stream of a partition: the chain of its accepted checkpoints, and what comes after the last one.
 *
 * <pre>
 *   beginning ─#0─► head ─#1─► head ─ … ─► HEAD │ e e e     {@link OpenEvents}: a tree, or the log knows
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
 *   overdue: candidates become heads; then doubts are final; then the events after the head are unsealed
 * </pre>
 *
 * <p>A head stays a head, whatever its own interval turns out to be. Owned by one thread.
 */
final class StreamChain {
    private static final int MOST_CANDIDATES = 4;
    /** How many heads are kept while another stream holds the progress before them. */
    private static final int MOST_HEADS = 256;

    private final StreamId id;
    private final Consumer<Finding> findings;
    private final Liveness liveness = new Liveness();
    private final List<Head> heads = new ArrayList<>(2);
    private final List<CheckpointRecord> candidates = new ArrayList<>(0);
    private final List<Doubt> doubts = new ArrayList<>(0);
    private final ArrayDeque<SavedStream.Dropped> dropped = new ArrayDeque<>(0);
    /** Where progress may not end: between a checkpoint that came early and its predecessor. */
    private final List<Span> spans = new ArrayList<>(0);

    private OpenEvents open;
    /** False if records after the head may not have been read, and will not be. */
    private boolean anchored;
    /** True if any interval was not verified, so that an earlier event may be missing. */
    private boolean flawed;
    /** True after records expired unread, until one of the stream comes: whether it owes anything is unknown. */
    private boolean unheard;

    private @Nullable RangeQuery askedTail;

    /** The offsets after {@code begin} up to {@code end}. */
    private record Span(long begin, long end) {}

    /** A stream that begins with a record. */
    StreamChain(StreamId id, long firstOffset, boolean anchored, Consumer<Finding> findings) {
        this.id = id;
        this.findings = findings;
        this.anchored = anchored;
        this.open = new OpenEvents(0, true);
        heads.add(Head.before(firstOffset));
    }

    /** A stream as it was when progress was committed. */
    StreamChain(StreamId id, SavedStream saved, Consumer<Finding> findings) {
        this.id = id;
        this.findings = findings;
        heads.addAll(saved.heads());
        dropped.addAll(saved.dropped());
        anchored = saved.anchored();
        flawed = saved.flawed();
        open = new OpenEvents(head().nextSequence(), anchored && !saved.passed());
        liveness.restart();
        if (saved.givenUp()) {
            liveness.giveUp();
        }
    }

    /** What has to be kept of the stream if reading goes on from an offset; empty if nothing of it lies before. */
    Optional<SavedStream> savedAt(long progress) {
        int before = 0;
        while (before < heads.size() && heads.get(before).readFrom() < progress) {
            before++;
        }
        if (before == 0) {
            return heads.get(0).isBeginning()
                    ? Optional.empty()
                    : Optional.of(saved(progress, List.of(Head.before(progress)), false, true, false));
        }
        boolean last = before == heads.size();
        Head next = last ? null : heads.get(before);
        boolean passed = next == null
                ? !open.isWhole() || (open.lastOffset() != OpenEvents.NONE && open.firstOffset() < progress)
                : !next.whole() || next.firstOffset() < progress;
        return Optional.of(saved(
                progress,
                heads.subList(Math.max(0, before - SavedStream.MOST_HEADS), before),
                next == null ? anchored : next.anchored(),
                passed,
                last && liveness.isGivenUp()));
    }

    private SavedStream saved(
            long progress, List<Head> before, boolean isAnchored, boolean passed, boolean givenUp) {
        List<SavedStream.Dropped> droppedBefore =
                dropped.stream().filter(other -> other.offset() < progress).toList();
        return new SavedStream(id.emitter(), before, isAnchored, passed, givenUp, flawed, droppedBefore);
    }

    StreamId id() {
        return id;
    }

    void add(Event event) {
        unheard = false;
        if (liveness.isGivenUp()) {
            open.add(event);
            open.giveUp();
        } else {
            liveness.event(isUnsealed());
            open.add(event);
        }
    }

    void passUnread() {
        open.passUnread();
    }

    boolean hasTree() {
        return open.hasTree();
    }

    void dropTree() {
        open.dropTree();
    }

    void checkpoint(CheckpointRecord record) {
        Checkpoint checkpoint = record.checkpoint();
        unheard = false;
        Optional<CheckpointRecord> continued = candidates.stream()
                .filter(candidate -> Head.of(candidate).isContinuedBy(record))
                .findFirst();
        boolean greater = checkpoint.number() > head().number() && !head().closing();
        if (head().isContinuedBy(record)) {
            judgeCandidatesLeftInDoubt(record);
            seal(record);
        } else if (continued.isPresent()) {
            judgeCandidatesLeftInDoubt(record);
            acceptUpTo(continued.get());
            seal(record);
        } else if (wasRead(record)) {
            findings.accept(StrayRecord.repetition(record));
        } else if (greater && anchored) {
            judgeCandidatesLeftInDoubt(record);
            addCandidate(record);
        } else if (greater) {
            seal(record);
        } else if (checkpoint.closing()) {
            endAgain(record);
        } else {
            findings.accept(RangeCase.behind(record, head().number(), head().offset()));
        }
    }

    private boolean wasRead(CheckpointRecord record) {
        Hash hash = record.chainHash();
        return heads.stream().anyMatch(head -> head.hash().equals(hash))
                || candidates.stream().anyMatch(other -> other.chainHash().equals(hash))
                || dropped.stream().anyMatch(other -> other.hash().equals(hash));
    }

    private void seal(CheckpointRecord record) {
        doubts.forEach(doubt -> doubt.followedBy(record));
        if (isAnchored(record.checkpoint()) && open.matches(record.checkpoint())) {
            long begin = open.isEmpty() ? record.offset() : open.firstOffset();
            findings.accept(new Verified(IntervalId.of(record), Basis.MATCH, begin));
        } else {
            doubt(record, head(), beforeHead(), false);
        }
        accept(record, record.offset());
        open = new OpenEvents(head().nextSequence(), true);
        settleCandidates();
    }

    /** True if every record after the head was read, or will be; number 0 begins its stream in any case. */
    private boolean isAnchored(Checkpoint next) {
        return anchored || (head().isBeginning() && next.number() == 0);
    }

    private void accept(CheckpointRecord record, long offset) {
        long first = open.isEmpty() ? offset : Math.min(offset, open.firstOffset());
        heads.add(Head.of(record, offset, first, open.isWhole(), anchored));
        if (heads.size() > MOST_HEADS) {
            heads.remove(0);
        }
        anchored = true;
        askedTail = null;
        liveness.checkpoint(true);
    }

    private void doubt(CheckpointRecord record, Head previous, @Nullable Head before, boolean beside) {
        if (!beside && !isAnchored(record.checkpoint()) && !previous.isContinuedBy(record)) {
            unanchored(record);
            return;
        }
        long hold = open.isEmpty() ? record.offset() : Math.min(open.firstOffset(), record.offset());
        doubts.add(new Doubt(record, previous, before, hold, open.isWhole(), beside));
    }

    private void unanchored(CheckpointRecord record) {
        findings.accept(RangeCase.unanchored(record));
        flawed = true;
    }

    /** Takes an end of the stream after another checkpoint of its number, or after the end itself: it decides what comes after its predecessor. */
    private void endAgain(CheckpointRecord record) {
        int named = heads.size() - 1;
        while (named >= 0 && !heads.get(named).isNamedBy(record.checkpoint())) {
            named--;
        }
        boolean leavesInDoubt = Doubt.endsInDoubt(record.checkpoint());
        boolean restated = head().closing() && head().number() == record.checkpoint().number() && heads.size() == 1;
        if (named < 0 && !leavesInDoubt && !restated) {
            findings.accept(RangeCase.behind(record, head().number(), head().offset()));
            return;
        }
        judgeCandidatesLeftInDoubt(record);
        doubts.forEach(doubt -> doubt.followedBy(record));
        if (named >= 0) {
            doubt(record, heads.get(named), named == 0 ? null : heads.get(named - 1), true);
        } else if (leavesInDoubt) {
            // What it continues is forgotten; for certain it states nothing.
            findings.accept(RangeCase.uncertainEnd(record));
        } else {
            unanchored(record);
        }
        accept(record, record.offset());
        open = new OpenEvents(head().nextSequence(), true);
        settleCandidates();
    }

    // Candidates

    private void addCandidate(CheckpointRecord record) {
        candidates.add(record.inShort());
        liveness.checkpoint(false);
        if (candidates.size() > MOST_CANDIDATES) {
            drop(candidates.get(0));
        }
    }

    /** An end of the stream may leave in doubt whether candidates arrived, which are there all the same. */
    private void judgeCandidatesLeftInDoubt(CheckpointRecord end) {
        for (CheckpointRecord candidate : List.copyOf(candidates)) {
            if (Doubt.leavesInDoubt(end.checkpoint(), Head.of(candidate))) {
                doubt(candidate, head(), beforeHead(), true);
                doubts.get(doubts.size() - 1).followedBy(end);
                candidates.remove(candidate);
            }
        }
    }

    private void acceptUpTo(CheckpointRecord last) {
        while (candidates.contains(last)) {
            acceptCandidate(leastUpTo(last.offset()));
        }
    }

    private CheckpointRecord leastUpTo(long offset) {
        return candidates.stream()
                .filter(candidate -> candidate.offset() <= offset)
                .min(Comparator.comparingLong(candidate -> candidate.checkpoint().number()))
                .orElseThrow();
    }

    /** A candidate is the head, although records after it were read. */
    private void acceptCandidate(CheckpointRecord candidate) {
        candidates.remove(candidate);
        doubts.forEach(doubt -> doubt.followedBy(candidate));
        doubt(candidate, head(), beforeHead(), false);
        accept(candidate, candidate.offset());
        open = open.after(candidate.offset(), head().nextSequence());
        settleCandidates();
    }

    /** Of the candidates before a new head one may continue it, and came early; the others are off the chain. */
    private void settleCandidates() {
        for (CheckpointRecord candidate : List.copyOf(candidates)) {
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
        long offset = head().offset();
        findings.accept(RangeCase.offTheChain(candidate, head().number(), true));
        flawed = true;
        candidates.remove(candidate);
        spans.add(new Span(candidate.offset(), offset));
        if (spans.size() > MOST_CANDIDATES) {
            spans.remove(0);
        }
        accept(candidate, offset);
        open = open.after(offset, head().nextSequence());
    }

    private void drop(CheckpointRecord candidate) {
        findings.accept(RangeCase.offTheChain(candidate, head().number(), anchored));
        candidates.remove(candidate);
        dropped.add(new SavedStream.Dropped(candidate.offset(), candidate.chainHash()));
        if (dropped.size() > SavedStream.MOST_DROPPED) {
            dropped.remove();
        }
    }

    // Doubts

    boolean hasDoubts() {
        return !doubts.isEmpty();
    }

    List<Doubt> doubts() {
        return doubts;
    }

    /**
     * Takes an answer of the log.
     *
     * @return true if the log may be another one than was read
     */
    @SuppressWarnings("ReferenceEquality") // An answer to an earlier query does not count.
    boolean answered(RangeQuery query, LogRange range, long nextOffset) {
        Doubt doubt = query.doubt();
        if (doubt == null) {
            if (askedTail == query) {
                askedTail = null;
                unsealed(range.events());
            }
            return false;
        }
        if (!doubts.contains(doubt) || !doubt.expects(query)) {
            return false;
        }
        Optional<Result> result = doubt.answered(range, flawed);
        if (result.isPresent()) {
            Finding finding = result.get().finding();
            findings.accept(Violated.told(finding));
            flawed |= !(finding instanceof Verified);
            doubts.remove(doubt);
        } else if (liveness.isGivenUp() && !doubt.isBusy()) {
            doubt.end(nextOffset);
        }
        return doubt.isMissed() && result.isEmpty();
    }

    // The wait for the next checkpoint

    void tick(long nowMillis) {
        liveness.tick(nowMillis);
    }

    boolean isOverdue(long nowMillis, InactivityTimeouts timeouts) {
        long limit = head().closing() ? 0 : timeouts.limitMillis(head().deadlineMillis());
        return !unheard && liveness.isOverdue(isUnsealed() || !doubts.isEmpty(), nowMillis, limit);
    }

    private boolean isUnsealed() {
        return !open.isEmpty() || !candidates.isEmpty() || head().owesAnother();
    }

    /**
     * Takes the next step in giving up the wait: whatever comes first is done, and the rest when the stream is overdue still.
     *
     * @param nextOffset the offset up to which every record was read
     */
    Optional<RangeQuery> giveUp(long nextOffset) {
        if (!candidates.isEmpty()) {
            while (!candidates.isEmpty()) {
                acceptCandidate(leastUpTo(Long.MAX_VALUE));
            }
        } else if (!doubts.isEmpty()) {
            doubts.forEach(doubt -> doubt.end(nextOffset));
        } else if (open.isEmpty()) {
            unsealed(List.of());
        } else if (askedTail == null) {
            long begin = Math.max(head().offset() + 1, 0);
            askedTail = new RangeQuery(id, begin, begin, nextOffset, nextOffset, head().nextSequence(), null);
            return Optional.of(askedTail);
        }
        return Optional.empty();
    }

    /** Reports the events after the head as unsealed, and waits no longer. */
    private void unsealed(List<Event> events) {
        if (!isUnsealed() || liveness.isGivenUp()) {
            return;
        }
        Head head = head();
        Event last = events.isEmpty() ? null : events.get(events.size() - 1);
        IntervalId interval = new IntervalId(
                id,
                head.isBeginning() ? Head.BEGINNING : head.number() + 1,
                last == null ? Math.max(open.lastOffset(), head.offset()) : last.offset(),
                head.nextSequence(),
                open.count(),
                Hash.empty(),
                head.emitterName(),
                last == null ? head.writtenMillis() : last.writtenMillis(),
                Seal.NONE,
                Tail.NONE);
        Verdict found = RangeCase.unsealed(interval, head.offset(), silence(), events);
        findings.accept(Violated.told(found));
        liveness.giveUp();
        open.giveUp();
    }

    /** Makes room for other streams. */
    void evict(String why) {
        if (isUnsealed() && !liveness.isGivenUp()) {
            unsealed(List.of());
        }
    }

    private String silence() {
        if (head().closing()) {
            return "behind the closing checkpoint";
        }
        long deadline = head().deadlineMillis();
        return (deadline > 0
                        ? "no checkpoint within the promised " + Math.max(1, deadline / 1_000) + " s"
                        : "no checkpoint for too long")
                + (liveness.eventsCame()
                        ? ", though events arrive: does something on the way drop records without a value?"
                        : "");
    }

    boolean isGivenUp() {
        return liveness.isGivenUp();
    }

    /** Records after the head expired before they were read, or may have. */
    void expire() {
        anchored = false;
        unheard = true;
        liveness.restart();
        doubts.clear();
        candidates.clear();
        spans.clear();
        askedTail = null;
        open = new OpenEvents(head().nextSequence(), false);
    }

    // Progress

    /** The first offset that progress may not pass; {@link Long#MAX_VALUE} if there is none. */
    long holdOffset() {
        long hold = open.isEmpty() ? Long.MAX_VALUE : open.firstOffset();
        for (CheckpointRecord candidate : candidates) {
            hold = Math.min(hold, candidate.offset());
        }
        for (Doubt doubt : doubts) {
            hold = Math.min(hold, doubt.holdOffset());
        }
        return hold;
    }

    /** The greatest offset up to another one at which reading may begin. */
    long beginUpTo(long offset) {
        for (Span span : spans) {
            if (span.begin() < offset && offset <= span.end()) {
                return span.begin();
            }
        }
        return offset;
    }

    boolean hasSpans() {
        return !spans.isEmpty();
    }

    long openEvents() {
        return open.count();
    }

    private Head head() {
        return heads.get(heads.size() - 1);
    }

    private @Nullable Head beforeHead() {
        return heads.size() > 1 ? heads.get(heads.size() - 2) : null;
    }
}
