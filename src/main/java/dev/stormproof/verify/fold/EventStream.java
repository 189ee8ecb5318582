package dev.stormproof.verify.fold;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.verify.fold.Anchor.NoCheckpoint;
import dev.stormproof.verify.fold.LogQuery.OfTail;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.Judge;
import dev.stormproof.verify.judge.Seal;
import dev.stormproof.verify.judge.Tail;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Inconclusive.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One stream of a partition, as far as the log was read: three values that each know their own transitions.
 *
 * <pre>
 *   checkpoint C ─┬─ anchor    {@link Anchor}        may C be judged by what was seen?
 *                 ├─ open      {@link OpenInterval}  is what was seen what C states?
 *                 └─ liveness  {@link Liveness}      is the next one overdue?
 * </pre>
 *
 * <p>Owned by one thread.
 */
final class EventStream {
    static final long NONE = -1;

    /** How many proven checkpoints are kept while intervals wait. */
    private static final int MOST_PROVEN = 64;

    /** A stream with the tree of its open interval. */
    private static final long BYTES = 2_048;

    private static final long PROVEN_BYTES = 160;

    /** About how much memory one takes that keeps as many proven checkpoints as it may. */
    static final long FULL_BYTES = BYTES + PROVEN_BYTES * MOST_PROVEN;

    private final StreamId id;
    private final long followedSince;
    private final OutOfOrderNumbers outOfOrder = new OutOfOrderNumbers();
    private final Liveness liveness = new Liveness();
    private final OpenInterval open;
    private Anchor anchor;
    /** The checkpoint of the greatest number that is known to seal: what states a smaller one may have been stated before. */
    private @Nullable LastCheckpoint proven;
    /** True if it continued another one that was known to seal, so that nobody made up its number. */
    private boolean provenInOrder;

    /** Those that were so before it, ascending, while intervals wait that may lie between two of them. */
    private final List<LastCheckpoint> provenEarlier = new ArrayList<>(0);

    /** What {@link #promisedBefore} said last. */
    private long promisedBefore = NONE;

    /** The first checkpoint behind that which promised another: it takes its place once the progress has passed it. */
    private long nextPromised = NONE;

    private boolean lookedBack;

    /** True once a checkpoint came: the anchor may have lost it since, and with it what would tell another statement of it. */
    private boolean hadCheckpoint;

    /**
     * An interval that a checkpoint has ended.
     *
     * @param record the checkpoint
     * @param matches true if it is trusted, and states exactly the events that were seen
     * @param firstOffset the first offset that may belong to it, and that nothing has passed
     * @param seenSince the same, whether or not its stream was given up since
     * @param previousOffset where its predecessor was seen; {@link #NONE} if it was not
     * @param sealedOffset where the last checkpoint lies that is known to seal; {@link #NONE} if none is
     * @param sealedNumber the number of that one, if it continued another that was known to seal; else {@link #NONE}
     * @param seenWhole true if it continues that one, and every record since then was seen
     */
    record Sealed(
            CheckpointRecord record,
            boolean matches,
            long firstOffset,
            long seenSince,
            long previousOffset,
            long sealedOffset,
            long sealedNumber,
            boolean seenWhole) {}

    /**
     * @param atLogBeginning true if the log was read from its beginning on, so that nothing of the stream lies before
     * @param followedSince the offset from which on every record of the stream comes here
     */
    EventStream(StreamId id, boolean atLogBeginning, long followedSince) {
        this.id = id;
        this.followedSince = followedSince;
        this.anchor = new NoCheckpoint(isFormat1() && atLogBeginning);
        this.open = new OpenInterval(isFormat1(), atLogBeginning);
    }

    StreamId id() {
        return id;
    }

    void add(Event event) {
        if (liveness.isGivenUp()) {
            open.pass(event);
        } else {
            liveness.event(isUnsealed());
            open.add(event);
        }
    }

    /** Records up to an offset were not read, which may be of this stream. */
    void passUnread(long offset) {
        open.passUnread(offset);
    }

    /** True if a checkpoint of the stream came since it is followed. */
    boolean hadCheckpoint() {
        return hadCheckpoint;
    }

    /** True if a checkpoint says again what the last one said, with nothing of the stream's chain in between. */
    boolean isRepeatedBy(CheckpointRecord record) {
        LastCheckpoint last = anchor.last();
        return last != null && last.isRepeatedBy(record);
    }

    /**
     * Ends the interval with its checkpoint and starts the next one.
     *
     * @param firstIfNew true if nothing of a new stream can lie before the checkpoint
     */
    Sealed seal(CheckpointRecord record, boolean firstIfNew) {
        boolean first = firstIfNew && liveness.isNew() && record.checkpoint().number() == 0;
        boolean newest = proven == null
                || isFormat1()
                || proven.number() < record.checkpoint().number();
        boolean inOrder = first || (newest && anchor.isContinuedBy(record));
        boolean anchored = inOrder && !outOfOrder.mayHold(record.checkpoint().number());
        boolean matches = anchored && (first ? Judge.matches(record, null) : open.matches(record));
        LastCheckpoint last = anchor.last();
        long since = openSince();
        long firstOffset = since == NONE ? record.offset() : since;
        long seen = open.sinceOffset();
        long seenSince = seen == NONE ? firstOffset : Math.min(firstOffset, seen);
        long sealedNumber = provenInOrder && proven != null ? proven.number() : NONE;
        Sealed sealed = new Sealed(
                record,
                matches,
                firstOffset,
                seenSince,
                last == null ? NONE : last.offset(),
                proven == null ? NONE : proven.offset(),
                sealedNumber,
                anchored && open.isSeenWhole());
        hadCheckpoint = true;
        if (!inOrder) {
            outOfOrder.note(record);
        }
        // A checkpoint of format 1 has no number, so that only its match tells it from a repetition.
        boolean trusted = anchored && (matches || !isFormat1());
        LastCheckpoint next = LastCheckpoint.of(record);
        nextPromised = nextPromised == NONE ? promisedAt() : nextPromised;
        anchor = anchor.checkpoint(next, trusted, since);
        open.restart(next);
        liveness.checkpoint(trusted);
        if (trusted) {
            open.sealed();
            outOfOrder.passed(next.number());
            prove(next);
            provenInOrder = true;
        }
        return sealed;
    }

    /** The log showed that a checkpoint seals; {@code read} are the stream's checkpoints that were read for it. */
    void confirm(LastCheckpoint confirmed, List<CheckpointRecord> read) {
        prove(confirmed);
        if (confirmed.offset() < followedSince) {
            // Records between it and the first one here are unknown: what continues it may lie among them.
            return;
        }
        Anchor before = anchor;
        LastCheckpoint last = before.last();
        anchor = before.confirmed(confirmed);
        if (!anchor.equals(before)) {
            liveness.served();
        }
        if (!confirmed.equals(anchor.last())) {
            return;
        }
        open.sealed();
        if (last == null || last.offset() < confirmed.offset()) {
            open.startBehind(confirmed.offset());
        }
        outOfOrder.clearOverflow();
        read.stream()
                .filter(other -> other.offset() < confirmed.offset()
                        && other.checkpoint().number() > confirmed.number())
                .forEach(outOfOrder::note);
        outOfOrder.passed(confirmed.number());
    }

    /** Where a checkpoint lies that comes before one, bears no smaller number and is known to seal; {@link #NONE}. */
    long provenBefore(LastCheckpoint checkpoint) {
        for (int i = provenEarlier.size(); i >= 0; i--) {
            LastCheckpoint known = i == provenEarlier.size() ? proven : provenEarlier.get(i);
            if (known != null && known.offset() < checkpoint.offset() && known.number() >= checkpoint.number()) {
                return known.offset();
            }
        }
        return NONE;
    }

    /** No interval of the stream waits for the log. */
    void settled() {
        provenEarlier.clear();
    }

    /** The checkpoint of the greatest number that is known to seal; null if none is. */
    @Nullable
    LastCheckpoint proven() {
        return proven;
    }

    /** Takes a checkpoint that is known to seal. */
    void prove(LastCheckpoint checkpoint) {
        LastCheckpoint before = proven;
        if (isFormat1() || (before != null && before.number() >= checkpoint.number())) {
            return;
        }
        if (before != null) {
            provenEarlier.add(before);
        }
        if (provenEarlier.size() > MOST_PROVEN) {
            provenEarlier.remove(0);
        }
        proven = checkpoint;
        provenInOrder = false;
    }

    /** The log showed that a checkpoint seals nothing, or holds another record in its place. */
    void reject(long offset) {
        LastCheckpoint last = anchor.last();
        if (last != null && last.offset() == offset) {
            open.reopen(anchor.unsealedSince());
            lookedBack = false;
        }
        nextPromised = nextPromised == offset ? NONE : nextPromised;
        anchor = anchor.rejected(offset);
    }

    /** Whether a checkpoint seals is not known: it may have been stated before, or nothing more will be known of it. */
    void unconfirm(long offset) {
        LastCheckpoint last = anchor.last();
        if (last == null || last.offset() != offset) {
            return;
        }
        if (isBehindALaterOne(last)) {
            // Whatever it is, what is open behind the later one is not sealed by it.
            reject(offset);
            return;
        }
        anchor = anchor.unconfirmed();
        liveness.served();
    }

    /** Whether a checkpoint seals will never be known: it expired before it was judged, or lies out of reach. */
    void undecided(LastCheckpoint checkpoint) {
        LastCheckpoint last = anchor.last();
        if (last == null
                || checkpoint.offset() == last.offset()
                || checkpoint.offset() < followedSince
                || isBehindALaterOne(checkpoint)) {
            unconfirm(checkpoint.offset());
            return;
        }
        anchor = anchor.undecided(checkpoint);
        if (last.offset() < checkpoint.offset()) {
            open.startBehind(checkpoint.offset());
            liveness.served();
        }
    }

    /** True if another checkpoint was known before one that bears no smaller number. */
    private boolean isBehindALaterOne(LastCheckpoint checkpoint) {
        LastCheckpoint before = anchor.fallback().last();
        boolean known = before != null && !before.equals(checkpoint) && before.number() >= checkpoint.number();
        // An end in doubt bears the number of one that may have arrived.
        boolean numbered = !isFormat1() && !checkpoint.closing();
        return numbered && (known || (proven != null && proven.number() >= checkpoint.number()));
    }

    /** Takes the stream's last checkpoint from before the reading began. */
    void learn(CheckpointRecord record) {
        lookedBack = true;
        if (proven != null && record.checkpoint().number() < proven.number()) {
            return;
        }
        if (anchor.last() == null) {
            liveness.restart();
        }
        anchor = anchor.learned(LastCheckpoint.of(record));
    }

    /** Forgets everything at or behind an offset before which nothing is open; false if nothing is left. */
    boolean rewind(long offset) {
        anchor = anchor.truncated(offset);
        proven = proven == null || proven.offset() < offset ? proven : null;
        provenEarlier.removeIf(known -> known.offset() >= offset);
        promisedBefore = promisedBefore < offset ? promisedBefore : NONE;
        nextPromised = nextPromised < offset ? nextPromised : NONE;
        LastCheckpoint last = anchor.last();
        if (last == null) {
            return false;
        }
        open.rewind(last);
        liveness.restart();
        return true;
    }

    /** Where reading must begin again to see every event that may still be open; {@link #NONE} if none is. */
    long openSince() {
        return anchor.unsealedSince() == NONE ? open.firstOffset() : anchor.unsealedSince();
    }

    /** Where the last checkpoint lies, if it promised another that is still waited for; else {@link #NONE}. */
    long promisedAt() {
        LastCheckpoint last = anchor.last();
        return last != null && last.owesAnother() && !liveness.isGivenUp() ? last.offset() : NONE;
    }

    /**
     * Where a checkpoint lies before the progress that promised another: the last one, or while that lies behind the progress
     * an earlier one, from about as far before the progress as that is behind; {@link #NONE} if none does. Should the last one
     * be cut off, its successor is owed by that one.
     */
    long promisedBefore(long progress) {
        LastCheckpoint last = anchor.last();
        if (last == null || last.offset() < progress || liveness.isGivenUp()) {
            promisedBefore = promisedAt();
            nextPromised = NONE;
            return promisedBefore;
        }
        if (nextPromised != NONE && nextPromised < progress) {
            promisedBefore = nextPromised;
            nextPromised = promisedAt();
        }
        LastCheckpoint known = anchor.fallback().last();
        if (known != null && promisedBefore < known.offset() && known.offset() < progress && known.owesAnother()) {
            promisedBefore = known.offset();
        }
        return promisedBefore;
    }

    /** True if only events of the stream were seen, and its last checkpoint was not looked for in the log. */
    boolean lacksCheckpoint() {
        return anchor.last() == null && !isFormat1() && !lookedBack;
    }

    void lookedBack() {
        lookedBack = true;
    }

    void tick(long nowMillis) {
        liveness.tick(nowMillis);
    }

    /**
     * Notes when a wait began that did so since the last tick; that for the successor of a looked-up checkpoint began when it
     * was written.
     */
    void waitsSince(long millis) {
        LastCheckpoint last = anchor.last();
        long since = last != null && isLookedUp(last) ? last.writtenMillis() : millis;
        liveness.tick(since);
    }

    private boolean isLookedUp(LastCheckpoint last) {
        return last.offset() < followedSince && last.writtenMillis() >= 0;
    }

    /** True if a checkpoint should have come: events wait for one, or the last one promised it. */
    boolean isOverdue(long nowMillis, InactivityTimeouts timeouts) {
        LastCheckpoint last = lastKnown();
        long limitMillis = isClosed() ? 0 : timeouts.limitMillis(last == null ? 0 : last.promiseMillis());
        return liveness.isOverdue(isUnsealed(), nowMillis, limitMillis);
    }

    private boolean isClosed() {
        LastCheckpoint last = anchor.last();
        return last != null && last.closing();
    }

    /** True if the last checkpoint lies at an offset and ends the stream. */
    boolean isClosedAt(long offset) {
        LastCheckpoint last = anchor.last();
        return last != null && last.closing() && last.offset() == offset;
    }

    /**
     * True if the log has to be asked for what lies behind the last checkpoint: that closed the stream, an event contradicts its header, or
     * one belongs before the checkpoint.
     */
    boolean hasTail() {
        LastCheckpoint last = lastKnown();
        boolean mixed = last != null && open.holdsAnyBelow(last.nextSequence());
        return (!open.isEmpty() && (isClosed() || mixed)) || open.isContradicted();
    }

    /** True if an event behind the last checkpoint may contradict its header, and that was not told. */
    boolean isContradicted() {
        return open.isContradicted();
    }

    /** The question what lies behind the last checkpoint, up to an offset. */
    OfTail tail(long endOffset) {
        return new OfTail(unsealed(), tailOffset(), endOffset);
    }

    /** Where the last checkpoint lies; without any, the offset before the stream's first record here. */
    long tailOffset() {
        LastCheckpoint last = anchor.last();
        return last == null ? followedSince - 1 : last.offset();
    }

    /** How many events no checkpoint seals. */
    long openEvents() {
        return open.isEmpty() && !isGivenUp() ? 0 : open.events();
    }

    /** What no checkpoint seals; empty if the stream owes nothing. */
    Optional<UnsealedTail> openEnd() {
        LastCheckpoint last = anchor.last();
        long events = openEvents();
        boolean begun = last != null && last.number() == 0 && last.nextSequence() == 0 && !last.closing();
        if (events == 0 && !begun) {
            return Optional.empty();
        }
        long at = last == null ? NONE : last.offset();
        return Optional.of(new UnsealedTail(
                id,
                last == null ? "" : last.emitterName(),
                last == null || isFormat1() ? NONE : last.number(),
                at,
                events == 0 ? at : open.sinceOffset(),
                events,
                isGivenUp()));
    }

    /** What lies behind the closing checkpoint, below it by its sequences, is judged up to an offset; true if more is open. */
    boolean judgedUpTo(long offset) {
        LastCheckpoint last = anchor.last();
        boolean more = last == null || !last.closing() || open.isBeyond(last.nextSequence());
        if (!more) {
            open.judgedUpTo(offset);
        }
        return more;
    }

    /** An interval before this one is final only with the next checkpoint; false if that is not waited for. */
    boolean await() {
        return liveness.await();
    }

    /** Gives up waiting for a checkpoint because none came in time; the finding, if anything is unsealed. */
    Optional<Inconclusive> giveUpInactive() {
        LastCheckpoint last = anchor.last();
        long promiseMillis = last == null ? 0 : last.promiseMillis();
        return giveUp((promiseMillis > 0
                        ? "no checkpoint within the promised " + Math.max(1, promiseMillis / 1_000) + " s"
                        : "no checkpoint for too long")
                + (liveness.eventsCame()
                        ? ", though events arrive: does something on the way drop records without a value?"
                        : ""));
    }

    /** Gives up waiting for a checkpoint; the finding, if anything is unsealed. */
    Optional<Inconclusive> giveUp(String why) {
        if (!isUnsealed()) {
            liveness.stopAwaiting();
            return Optional.empty();
        }
        Inconclusive unsealed = new Inconclusive(unsealed(), Reason.UNSEALED, why);
        liveness.giveUp();
        open.abandon();
        anchor = anchor.unconfirmed();
        return Optional.of(unsealed);
    }

    /** About how much memory it takes. */
    long sizeBytes() {
        return BYTES + PROVEN_BYTES * provenEarlier.size();
    }

    private IntervalId unsealed() {
        LastCheckpoint last = lastKnown();
        long offset = Math.max(open.lastOffset(), last == null ? NONE : last.offset());
        long firstSequence = last == null ? 0 : last.nextSequence();
        long number = isFormat1() ? offset : last == null ? NONE : last.number() + 1;
        Tail tail =
                open.isEmpty() && !isGivenUp() ? Tail.EMPTY : open.tail(last == null ? Tail.UNKNOWN : firstSequence);
        long writtenMillis =
                last == null || open.lastOffset() > last.offset() ? open.lastWrittenMillis() : last.writtenMillis();
        return new IntervalId(
                id,
                number,
                offset,
                firstSequence,
                tail.events(),
                Hash.empty(),
                last == null ? "" : last.emitterName(),
                writtenMillis,
                Seal.NONE,
                tail);
    }

    private @Nullable LastCheckpoint lastKnown() {
        LastCheckpoint last = anchor.last();
        return last == null ? proven : last;
    }

    /** True if its open end was reported, and no checkpoint came since. */
    boolean isGivenUp() {
        return liveness.isGivenUp();
    }

    private boolean isUnsealed() {
        LastCheckpoint last = anchor.last();
        return !open.isEmpty() || (last != null && last.owesAnother());
    }

    private boolean isFormat1() {
        return id.emitter() == StreamId.NO_EMITTER;
    }
}
