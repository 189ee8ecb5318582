package dev.stormproof.verify.fold;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.RangeCase;
import dev.stormproof.verify.judge.RangeCase.Result;
import dev.stormproof.verify.judge.Seal;
import dev.stormproof.verify.judge.Tail;
import dev.stormproof.verify.judge.Verdict;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Inconclusive.Reason;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One stream of a partition: its last accepted checkpoints, what comes after the last one, and the intervals that the log is asked for.
 *
 * <pre>
 *   beginning ─#0─► head ─#1─► head ─ … ─► HEAD │ e e e     {@link OpenEvents}: a tree, or the log knows
 *                                   {@link Doubt}
 *   overdue: first the doubts are final, then the events after the head are unsealed
 * </pre>
 *
 * <p>Which checkpoint is accepted, its format decides. A head stays a head, whatever its own interval turns out to be. Owned by one thread.
 */
abstract class EventStream {
    /** How many heads are kept while another stream holds the progress before them. */
    private static final int MOST_HEADS = 1_024;

    /** How many heads before the progress are kept in memory, for a log that is cut before it. */
    private static final int MOST_BEFORE = 32;

    private static final long NOWHERE = Long.MAX_VALUE;

    private static final long BYTES = 400;
    private static final long TREE_BYTES = 1_600;
    private static final long HEAD_BYTES = 160;
    private static final long DOUBT_BYTES = 600;

    private final StreamId id;
    private final Consumer<Finding> findings;
    private final Liveness liveness = new Liveness();
    private final List<Head> heads = new ArrayList<>(2);
    private final List<Doubt> doubts = new ArrayList<>(0);

    private OpenEvents open;
    /** False if records after the head may not have been read, and will not be. */
    private boolean anchored;
    /** The offset of the first checkpoint whose interval was not verified, so that later on an event of it may be missing. */
    private long flawedAt = NOWHERE;
    /** True after records expired unread, until one of the stream comes: whether it owes anything is unknown. */
    private boolean unheard;

    private @Nullable RangeQuery askedTail;

    /**
     * A stream of which nothing was read so far.
     *
     * @param beginOffset the first offset that may be the stream's
     * @param whole true if every record of it is still to come
     */
    EventStream(StreamId id, long beginOffset, boolean anchored, boolean whole, Consumer<Finding> findings) {
        this.id = id;
        this.findings = findings;
        this.anchored = anchored;
        heads.add(Head.before(beginOffset));
        open = openAfterHead(whole);
    }

    /** A stream as it was when progress was committed. */
    EventStream(StreamId id, SavedStream saved, Consumer<Finding> findings) {
        this.id = id;
        this.findings = findings;
        heads.addAll(saved.heads());
        anchored = saved.anchored();
        flawedAt = saved.flawed() ? 0 : NOWHERE;
        open = openAfterHead(anchored && !saved.passed());
        if (saved.givenUp()) {
            liveness.giveUp();
        }
    }

    final void add(CheckpointRecord record) {
        unheard = false;
        askedTail = null;
        checkpoint(record);
    }

    /** Takes a checkpoint of the stream. */
    abstract void checkpoint(CheckpointRecord record);

    /** The checkpoints that were taken off the chain before an offset. */
    abstract List<SavedStream.Dropped> droppedBefore(long offset);

    /** What has to be kept of the stream if reading goes on from an offset; empty if nothing of it is before. */
    final Optional<SavedStream> savedAt(long progress) {
        int before = headsBefore(progress);
        if (before == 0) {
            Head first = heads.get(0);
            return first.isBeginning() && first.anchored()
                    ? Optional.empty()
                    : Optional.of(saved(progress, List.of(Head.before(progress, false)), false, true, false));
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

    private int headsBefore(long progress) {
        int before = 0;
        while (before < heads.size() && heads.get(before).readFrom() < progress) {
            before++;
        }
        return before;
    }

    /** Forgets the heads of which enough others are before the progress. */
    final void forgetBefore(long progress) {
        heads.subList(0, Math.max(0, headsBefore(progress) - MOST_BEFORE)).clear();
    }

    private SavedStream saved(long progress, List<Head> before, boolean isAnchored, boolean passed, boolean givenUp) {
        return new SavedStream(
                id.emitter(), before, isAnchored, passed, givenUp, flawedAt < progress, droppedBefore(progress));
    }

    final StreamId id() {
        return id;
    }

    final void add(Event event) {
        unheard = false;
        liveness.event(isUnsealed());
        open.add(event);
        if (liveness.isGivenUp()) {
            open.giveUp();
        }
    }

    final void passUnread() {
        open.passUnread();
    }

    final boolean hasTree() {
        return open.hasTree();
    }

    final void dropTree() {
        open.dropTree();
    }

    // For the formats

    final List<Head> heads() {
        return heads;
    }

    final Head head() {
        return heads.get(heads.size() - 1);
    }

    final @Nullable Head beforeHead() {
        return heads.size() > 1 ? heads.get(heads.size() - 2) : null;
    }

    final OpenEvents open() {
        return open;
    }

    private OpenEvents openAfterHead(boolean whole) {
        return id.emitter() == StreamId.NO_EMITTER
                ? OpenEvents.withoutSequences(whole)
                : new OpenEvents(head().nextSequence(), whole);
    }

    final boolean isAnchored() {
        return anchored;
    }

    final Liveness liveness() {
        return liveness;
    }

    final void found(Finding finding) {
        findings.accept(finding);
    }

    /** The interval that a checkpoint ends at an offset was not verified. */
    final void flaw(long offset) {
        flawedAt = Math.min(flawedAt, offset);
    }

    /** The first offset of the interval that a checkpoint ends which comes now. */
    final long firstOffset(long offset) {
        return open.isEmpty() ? offset : Math.min(offset, open.firstOffset());
    }

    final void doubt(Doubt doubt) {
        doubts.add(doubt);
    }

    final void followDoubts(CheckpointRecord next) {
        doubts.forEach(doubt -> doubt.followedBy(next));
    }

    /** A checkpoint is the head. */
    final void accept(Head head) {
        heads.add(head);
        if (heads.size() > MOST_HEADS) {
            heads.remove(0);
        }
        anchored = true;
        liveness.checkpoint(true);
        open = openAfterHead(true);
    }

    /** A checkpoint is the head, after which records were read already. */
    final void acceptFurtherUp(Head head) {
        OpenEvents read = open;
        accept(head);
        open = read.after(head.offset(), head.nextSequence());
    }

    // Doubts

    final List<Doubt> doubts() {
        return doubts;
    }

    /**
     * Takes an answer of the log.
     *
     * @return true if the log may be another one than was read
     */
    @SuppressWarnings("ReferenceEquality") // An answer to an earlier query does not count.
    final boolean answered(RangeQuery query, LogRange range) {
        if (askedTail == query) {
            unsealed(range.events(), silence());
            return false;
        }
        Doubt doubt =
                doubts.stream().filter(one -> one.expects(query)).findFirst().orElse(null);
        if (doubt == null) {
            return false;
        }
        long offset = doubt.interval().checkpointOffset();
        // An earlier one that is open was not verified when the log was asked for it, or was not asked for yet.
        boolean flawed = flawedAt < offset || doubts.get(0) != doubt;
        Optional<Result> result = doubt.answered(range, flawed);
        if (result.isPresent()) {
            Finding finding = result.get().finding();
            found(finding);
            if (!(finding instanceof Verified)) {
                flaw(offset);
            }
            doubts.remove(doubt);
            if (head().closing() && doubts.isEmpty() && allMoved(finding, query, range)) {
                liveness.restart();
                open = openAfterHead(false);
                askedTail = null;
            }
        }
        return doubt.isMissed() && result.isEmpty();
    }

    /** The intervals that later records decide. */
    Stream<IntervalId> undecided() {
        return doubts.stream().map(Doubt::interval);
    }

    // The wait for the next checkpoint

    /** The wait began when the head was written. */
    final void waitsSinceHead(long latestMillis) {
        if (head().writtenMillis() >= 0) {
            liveness.tick(Math.min(head().writtenMillis(), latestMillis));
        }
    }

    final void tick(long nowMillis) {
        liveness.tick(nowMillis);
    }

    final boolean isOverdue(long nowMillis, InactivityTimeouts timeouts) {
        long limit = head().closing() ? 0 : timeouts.limitMillis(head().deadlineMillis());
        return !unheard && liveness.isOverdue(isUnsealed() || !doubts.isEmpty(), nowMillis, limit);
    }

    /** True if it has closed, and something in it may have moved after the closing checkpoint: the log's end shows that. */
    final boolean isClosedInDoubt() {
        return head().closing() && !doubts.isEmpty();
    }

    boolean isUnsealed() {
        return !open.isEmpty() || head().owesAnother();
    }

    /**
     * Takes the next step in giving up the wait; the rest follows while the stream is overdue still.
     *
     * @param nextOffset the offset up to which every record was read
     * @return a query for the events after the head
     */
    Optional<RangeQuery> giveUp(long nextOffset) {
        if (!doubts.isEmpty()) {
            doubts.forEach(doubt -> doubt.end(nextOffset));
        } else if (open.isEmpty()) {
            unsealed(List.of(), silence());
        } else if (askedTail == null) {
            askedTail = tailUpTo(nextOffset);
            return Optional.of(askedTail);
        }
        return Optional.empty();
    }

    /** Reports the events after the head as unsealed, and waits no longer. */
    private void unsealed(List<Event> events, String why) {
        if (!isUnsealed() || liveness.isGivenUp()) {
            return;
        }
        found(tail(events, why));
        liveness.giveUp();
        open.giveUp();
        askedTail = null;
    }

    /** True if all that was read after the closing checkpoint are events that the finding on its interval names as moved. */
    private boolean allMoved(Finding finding, RangeQuery query, LogRange range) {
        if (!(finding instanceof Violated violated) || open.isEmpty() || open.lastOffset() >= query.endOffset()) {
            return false;
        }
        Set<Long> moved = violated.anomalies().stream()
                .filter(anomaly -> anomaly.kind() == Anomaly.Kind.REORDERED)
                .map(Anomaly::offset)
                .collect(Collectors.toSet());
        Set<Long> after = range.events().stream()
                .map(Event::offset)
                .filter(offset -> offset > head().offset())
                .collect(Collectors.toSet());
        return after.size() == open.count() && moved.containsAll(after);
    }

    private Verdict tail(List<Event> events, String why) {
        Head head = head();
        Event last = events.isEmpty() ? null : events.get(events.size() - 1);
        boolean numbered = !head.isBeginning() && id.emitter() != StreamId.NO_EMITTER;
        IntervalId interval = new IntervalId(
                id,
                numbered ? head.number() + 1 : Head.BEGINNING,
                last == null ? Math.max(open.lastOffset(), head.offset()) : last.offset(),
                head.nextSequence(),
                open.count(),
                Hash.empty(),
                head.emitterName(),
                last == null ? head.writtenMillis() : last.writtenMillis(),
                Seal.NONE,
                Tail.NONE);
        if (events.isEmpty() && open.count() > 0) {
            // They were not read again, or are too many to be kept.
            return new Inconclusive(interval, Reason.UNSEALED, why);
        }
        return RangeCase.unsealed(interval, why, events);
    }

    /** The violation by events after the head that differ from their own headers; empty if there are none. */
    final Optional<Finding> contradiction(LogRange range) {
        return tail(range.events(), silence()) instanceof Violated violated ? Optional.of(violated) : Optional.empty();
    }

    /** Makes room for other streams. */
    final void evict(String why) {
        unsealed(List.of(), why);
    }

    private String silence() {
        if (head().closing()) {
            return "records came after the closing checkpoint";
        }
        long deadline = head().deadlineMillis();
        return deadline > 0
                ? "no checkpoint within the promised " + Math.max(1, deadline / 1_000) + " s"
                : "no checkpoint for too long";
    }

    /** Records after the head expired before they were read, or may have. */
    final void expire() {
        anchored = false;
        unheard = true;
        liveness.restart();
        open = openAfterHead(false);
    }

    /** A query for the events after the head. */
    final RangeQuery tailUpTo(long offset) {
        long begin = head().offset() + 1;
        return new RangeQuery(id, begin, begin, offset, offset, head().nextSequence());
    }

    /** True if an event after the head differs from its own header, and that was not reported. */
    final boolean isContradicted() {
        return open.isContradicted() && !liveness.isGivenUp();
    }

    /** The offset of the head if nothing is after it and another checkpoint is owed; {@link Long#MAX_VALUE} otherwise. */
    final long owedSince() {
        return open.isEmpty() && head().owesAnother() && !liveness.isGivenUp() ? head().offset() : Long.MAX_VALUE;
    }

    final long openEvents() {
        return open.count();
    }

    /** The unsealed end of the stream; empty if it has none. */
    final Optional<UnsealedTail> openEnd() {
        Head head = head();
        boolean begun = !head.isBeginning() && head.owesAnother();
        if (open.count() == 0 && !begun) {
            return Optional.empty();
        }
        return Optional.of(new UnsealedTail(
                id,
                head.emitterName(),
                id.emitter() == StreamId.NO_EMITTER ? Head.BEGINNING : head.number(),
                head.isBeginning() ? OpenEvents.NONE : head.offset(),
                open.count() == 0 ? head.offset() : open.sinceOffset(),
                open.count(),
                liveness.isGivenUp()));
    }

    final long sizeBytes() {
        return BYTES + (open.hasTree() ? TREE_BYTES : 0) + HEAD_BYTES * heads.size() + DOUBT_BYTES * doubts.size();
    }

    // Progress

    /** The first offset that progress may not pass; {@link Long#MAX_VALUE} if there is none. */
    final long holdOffset() {
        return open.isEmpty() ? undecidedSince() : Math.min(open.firstOffset(), undecidedSince());
    }

    /** The same, if events before a stream's first checkpoint wait for none. */
    final long statedHoldOffset() {
        boolean nothingStated = head().isBeginning() && id.emitter() != StreamId.NO_EMITTER;
        return nothingStated ? undecidedSince() : holdOffset();
    }

    /** The first offset that an undecided checkpoint is about; {@link Long#MAX_VALUE} if there is none. */
    long undecidedSince() {
        long hold = Long.MAX_VALUE;
        for (Doubt doubt : doubts) {
            hold = Math.min(hold, doubt.holdOffset());
        }
        return hold;
    }

    /** The greatest offset up to another one at which reading may begin. */
    long beginUpTo(long offset) {
        return offset;
    }
}
