package dev.stormproof.verify;

import dev.stormproof.checkpoint.Checkpoint;
import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.Event;
import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.checkpoint.Interval;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.judge.SealedInterval;
import dev.stormproof.judge.Verdict.Inconclusive;
import dev.stormproof.judge.Verdict.Inconclusive.Reason;
import dev.stormproof.merkle.Hash;
import dev.stormproof.merkle.TreeHash;
import dev.stormproof.verify.Observation.Sight;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The interval of one stream that no checkpoint has sealed yet.
 *
 * <pre>
 *   (first record is an event)                ──► UNKNOWN
 *   (first record is checkpoint 0, no hole)   ──► CLEAN
 *   any ─seal─────────────────────────────────► CLEAN     a checkpoint starts afresh, as its base
 *   CLEAN ─taint(why)─────────────────────────► why       the first reason stays
 *   CLEAN ─event that is not as signed────────► SUSPECT
 *   any ─recall(checkpoint of a hole)─────────► HOLE      what lies between it and the last record was not seen
 *   any ─expire(base)─────────────────────────► (same)    the next checkpoint is not known to continue it
 *   any ─reject(base)─────────────────────────► UNKNOWN   the base seals nothing; back to the last judged one
 *   any ─giveUp, and something is unsealed────► UNKNOWN   silent for too long; only a checkpoint starts afresh
 *   any ─giveUp, and nothing is───────────────► (same)    nobody waits, and what comes is a new interval
 * </pre>
 *
 * <p>A base counts only once it was judged: until then it may be a repetition, and what seemed to be sealed may be open. And
 * what continues it counts only if nothing of the stream came {@linkplain OutOfTurn out of turn}.
 *
 * <p>Owned by its tracker's thread.
 */
final class OpenInterval {
    static final long NONE = -1;

    private final StreamId stream;
    private Sight sight = Sight.UNKNOWN;
    private @Nullable Interval seen;
    private @Nullable Base base;
    private @Nullable Base judgedBase;
    private final OutOfTurn outOfTurn = new OutOfTurn();
    /** True once the base was judged, or expired. */
    private boolean baseDecided;

    /** The first event since the last judged base. */
    private long openSince = NONE;
    /** The first event since the base. */
    private long firstOffset = NONE;

    private long lastOffset = NONE;
    /** Where the stream stands by its events: behind the highest sequence, or, in format 1, how many since the base. */
    private long eventsEnd;

    private long heardAtMillis;
    private boolean heard = true;
    /** True once anything of the stream came. */
    private boolean heardOf;

    /** What the last checkpoint promised, also if the log was cut before it since. */
    private long promiseMillis;

    private boolean awaited;
    private boolean givenUp;

    /** What followed the last record, up to this offset, expired before it was read: the stream may have been closed there. */
    private long missedBefore = NONE;

    /** What stays in mind of the last checkpoint. */
    private record Base(
            long offset,
            long number,
            long nextSequence,
            Hash chainHash,
            TreeHash treeHash,
            long promiseMillis,
            boolean closing) {
        static Base of(CheckpointRecord record) {
            Checkpoint checkpoint = record.checkpoint();
            return checkpoint instanceof Format2Checkpoint sealed
                    ? new Base(
                            record.offset(),
                            sealed.number(),
                            sealed.nextSequence(),
                            record.chainHash(),
                            sealed.treeHash(),
                            sealed.promiseMillis(),
                            sealed.closing())
                    : new Base(record.offset(), NONE, 0, Hash.empty(), TreeHash.XXH3, 0, false);
        }
    }

    OpenInterval(StreamId stream) {
        this.stream = stream;
    }

    /** An interval whose beginning is the beginning of the log, where nothing can lie before it. */
    static OpenInterval atLogBeginning(StreamId stream) {
        OpenInterval open = new OpenInterval(stream);
        open.sight = Sight.CLEAN;
        return open;
    }

    StreamId stream() {
        return stream;
    }

    void add(Event event) {
        note(event);
        if (sight != Sight.CLEAN) {
            return;
        }
        TreeHash treeHash = base == null ? TreeHash.XXH3 : base.treeHash();
        if (!event.intact() || (!isFormat1() && event.treeHash() != treeHash)) {
            sight = Sight.SUSPECT;
            seen = null;
            return;
        }
        Interval interval = seen;
        if (interval == null) {
            interval = new Interval(treeHash, base == null ? 0 : base.nextSequence(), false);
            seen = interval;
        }
        interval.add(isFormat1() ? interval.count() : event.sequence(), event.observed());
    }

    /** Takes an event that was found in a hole. */
    void recall(Event event) {
        if (base == null || event.offset() > base.offset()) {
            note(event);
            taint(Sight.HOLE);
        } else if (!baseDecided && !givenUp) {
            // Should the base turn out to seal nothing, the event waits for the next checkpoint.
            openSince = openSince == NONE ? event.offset() : Math.min(openSince, event.offset());
            lastOffset = Math.max(lastOffset, event.offset());
        }
    }

    /** Takes a checkpoint that was found in a hole, and returns the first offset that may belong to its interval. */
    long recall(CheckpointRecord record) {
        long first = openSince == NONE ? record.offset() : Math.min(openSince, record.offset());
        if (base != null && record.offset() <= base.offset()) {
            outOfTurn.note(record);
            return first;
        }
        begin(record, Sight.HOLE);
        firstOffset = lastOffset > record.offset() ? Math.max(firstOffset, record.offset() + 1) : NONE;
        return first;
    }

    void taint(Sight why) {
        if (sight == Sight.CLEAN) {
            sight = why;
            seen = null;
        }
    }

    /** The log was cut at or before an offset, and grew again from there. */
    void rewrite(long offset) {
        rewrite(offset, Long.MAX_VALUE);
    }

    /** The log was cut at or before {@code begin}, and grew again: what was read of [begin, end) is not there. */
    void rewrite(long begin, long end) {
        sight = sight == Sight.CLEAN || sight == Sight.SUSPECT ? Sight.EPOCH_CHANGED : sight;
        seen = null;
        openSince = Math.min(openSince, begin);
        firstOffset = Math.min(firstOffset, begin);
        if (lastOffset < end) {
            lastOffset = Math.min(lastOffset, begin - 1);
            eventsEnd = 0;
        }
        if (base != null && base.offset() >= begin) {
            base = null;
            firstOffset = openSince;
        }
        judgedBase = null;
    }

    /** True if a checkpoint came twice in a chain without gaps, so that no audit need tell. */
    boolean repeats(CheckpointRecord record) {
        boolean gapless = sight == Sight.CLEAN || sight == Sight.SUSPECT;
        return gapless
                && base != null
                && base.number() != NONE
                && base.chainHash().equals(record.chainHash());
    }

    /** The offset from which a reader must begin again to see the interval whole; {@link #NONE} while it is empty. */
    long openSince() {
        return openSince;
    }

    /** Where the last checkpoint was seen; {@link #NONE} if none was. */
    long baseOffset() {
        return base == null ? NONE : base.offset();
    }

    /** Where the last checkpoint was seen, if it promised another that is still waited for; else {@link #NONE}. */
    long promisedAt() {
        return isOwed(base) && !givenUp ? baseOffset() : NONE;
    }

    /** True if no checkpoint was seen that says where the stream stands. */
    boolean isBaseless() {
        return base == null && !isFormat1();
    }

    /** Takes a sign of life that changes nothing. */
    void hear() {
        heard = true;
    }

    /** Notes the time if the stream was heard of since the last call. */
    void tick(long nowMillis) {
        if (heard) {
            heard = false;
            heardAtMillis = nowMillis;
        }
    }

    /** True if a checkpoint should have come: events wait for one, or the last one promised it. */
    boolean overdue(long nowMillis, Patience patience) {
        return overdue(nowMillis, patience, base);
    }

    /** The same of a stream whose last checkpoint was only found in the log, which may have promised otherwise. */
    boolean overdue(long nowMillis, Patience patience, Optional<CheckpointRecord> last) {
        return overdue(nowMillis, patience, base == null ? last.map(Base::of).orElse(null) : base);
    }

    private boolean overdue(long nowMillis, Patience patience, @Nullable Base known) {
        long limitMillis = patience.limitMillis(known == null ? promiseMillis : known.promiseMillis());
        return (awaited || isUnsealed(known)) && !givenUp && !heard && nowMillis - heardAtMillis > limitMillis;
    }

    /** True if events wait for a checkpoint, or the last one promised another. */
    private boolean isUnsealed(@Nullable Base known) {
        return firstOffset != NONE || isOwed(known);
    }

    /** True if what followed the last known checkpoint, or the events without one, expired before it was read. */
    private boolean isMissed(@Nullable Base known) {
        return missedBefore > (known == null ? NONE : known.offset());
    }

    /** True if another checkpoint was promised. */
    private boolean isOwed(@Nullable Base known) {
        return known != null && known.promiseMillis() > 0 && !known.closing() && !isMissed(known);
    }

    /** An interval before this one waits for the next checkpoint to be decided for good; false if that was given up. */
    boolean await() {
        awaited = !givenUp;
        return awaited;
    }

    /** True if events wait for a checkpoint. */
    boolean hasEvents() {
        return firstOffset != NONE;
    }

    /**
     * Gives up waiting for a checkpoint: what was seen stays undecided, and holds nothing back any more. Should the
     * checkpoint come after all, the log decides.
     *
     * @param last the stream's last checkpoint in the log, if the tracker saw none
     * @return what is to be said; empty if nothing is missing
     */
    Optional<Inconclusive> giveUpSilent(Optional<CheckpointRecord> last) {
        Base known = base == null ? last.map(Base::of).orElse(null) : base;
        long promiseMillis = known == null ? 0 : known.promiseMillis();
        String silent = promiseMillis > 0
                ? "no checkpoint within the promised " + Math.max(1, promiseMillis / 1_000) + " s"
                : "no checkpoint for too long";
        return giveUp(isMissed(known) ? "the records behind it expired before they were read" : silent, last);
    }

    /** The same for another reason. */
    Optional<Inconclusive> giveUp(String why, Optional<CheckpointRecord> last) {
        Base known = base == null ? last.map(Base::of).orElse(null) : base;
        Optional<Inconclusive> unsealed = isUnsealed(known)
                ? Optional.of(new Inconclusive(unsealed(known), Reason.UNSEALED, why))
                : Optional.empty();
        awaited = false;
        if (unsealed.isPresent()) {
            givenUp = true;
            sight = Sight.UNKNOWN;
            seen = null;
            firstOffset = NONE;
            openSince = NONE;
        }
        return unsealed;
    }

    /** What lies in the log behind the last checkpoint, told alike by whoever reads it. */
    private SealedInterval unsealed(@Nullable Base known) {
        long offset = Math.max(lastOffset, known == null ? NONE : known.offset());
        long firstSequence = known == null ? 0 : known.nextSequence();
        return new SealedInterval(
                stream,
                isFormat1() ? offset : known == null ? NONE : known.number() + 1,
                offset,
                firstSequence,
                firstOffset == NONE ? 0 : Math.max(0, eventsEnd - firstSequence));
    }

    /**
     * Ends the interval with its checkpoint, starts the next one and returns what was seen.
     *
     * @param quiet true if the stream, when it was first heard of, had no records before
     */
    Observation seal(CheckpointRecord record, boolean quiet) {
        boolean beginning = quiet && !heardOf && isNumber0(record);
        Sight how = beginning ? Sight.CLEAN : sight;
        Observation observation = new Observation(
                SealedInterval.of(record),
                record,
                how,
                beginning || (continues(record) && !outOfTurn.mayHold(number(record))),
                seen,
                openSince == NONE ? record.offset() : openSince,
                base == null ? NONE : base.offset());
        begin(record, Sight.CLEAN);
        firstOffset = NONE;
        return observation;
    }

    /** A checkpoint was judged, and seals an interval. */
    void confirm(long checkpointOffset) {
        if (base != null && base.offset() == checkpointOffset) {
            judgedBase = base;
            baseDecided = true;
            openSince = firstOffset;
            outOfTurn.passed(base.number());
        }
    }

    /** The same of one that was judged by what the log holds, which shows what lies there out of turn. */
    void confirm(long checkpointOffset, List<CheckpointRecord> read) {
        confirm(checkpointOffset);
        Base last = base;
        if (last != null && last.offset() == checkpointOffset) {
            long judged = last.number();
            outOfTurn.unmuddle();
            read.stream()
                    .filter(record -> record.offset() < checkpointOffset && number(record) > judged)
                    .forEach(outOfTurn::note);
        } else if (last != null && (judgedBase == null || judgedBase.offset() < checkpointOffset)) {
            read.stream()
                    .filter(record -> record.offset() == checkpointOffset)
                    .findFirst()
                    .ifPresent(record -> confirmAnother(Base.of(record), last));
        }
    }

    /** Another checkpoint than the last one seals an interval: should the last one seal nothing, that is what counts. */
    private void confirmAnother(Base judged, Base last) {
        if (last.offset() > judged.offset() && baseDecided) {
            return;
        }
        judgedBase = judged;
        openSince = openSince == NONE || lastOffset < judged.offset() ? NONE : Math.max(openSince, judged.offset() + 1);
        if (last.offset() < judged.offset()) {
            base = judged;
            baseDecided = true;
            sight = Sight.UNKNOWN;
            seen = null;
            firstOffset = openSince;
        }
    }

    /** A checkpoint expired before it was judged: nothing is open any more, and nobody knows whether it seals anything. */
    void expire(long checkpointOffset) {
        if (base != null && base.offset() == checkpointOffset) {
            judgedBase = null;
            baseDecided = true;
            openSince = firstOffset;
        }
    }

    /** The records before an offset expired before they were read, maybe the stream's next checkpoint among them. */
    void miss(long endOffset) {
        if (Math.max(lastOffset, baseOffset()) < endOffset) {
            missedBefore = endOffset;
        }
    }

    /** A checkpoint was judged, and seals nothing. */
    void reject(long checkpointOffset) {
        if (base != null && base.offset() == checkpointOffset) {
            base = judgedBase;
            baseDecided = true;
            sight = Sight.UNKNOWN;
            seen = null;
            firstOffset = openSince;
        }
    }

    private void note(Event event) {
        long offset = event.offset();
        heard = true;
        heardOf = true;
        missedBefore = NONE;
        eventsEnd = isFormat1() ? eventsEnd + 1 : Math.max(eventsEnd, event.sequence() + 1);
        lastOffset = Math.max(lastOffset, offset);
        if (!givenUp) {
            firstOffset = firstOffset == NONE ? offset : Math.min(firstOffset, offset);
            openSince = openSince == NONE ? offset : Math.min(openSince, offset);
        }
    }

    private void begin(CheckpointRecord record, Sight how) {
        if (!continues(record)) {
            outOfTurn.note(record);
        }
        base = Base.of(record);
        baseDecided = false;
        promiseMillis = base.promiseMillis();
        sight = how;
        seen = null;
        eventsEnd = isFormat1() ? 0 : eventsEnd;
        heard = true;
        heardOf = true;
        missedBefore = NONE;
        awaited = false;
        givenUp = false;
    }

    private boolean continues(CheckpointRecord record) {
        Base known = base;
        if (known == null || !known.equals(judgedBase)) {
            return isFormat1() && known == null;
        }
        return !(record.checkpoint() instanceof Format2Checkpoint sealed)
                || (sealed.number() == known.number() + 1
                        && sealed.firstSequence() == known.nextSequence()
                        && sealed.previousHash().equals(known.chainHash()));
    }

    private static boolean isNumber0(CheckpointRecord record) {
        return number(record) == 0;
    }

    private static long number(CheckpointRecord record) {
        return record.checkpoint() instanceof Format2Checkpoint sealed ? sealed.number() : NONE;
    }

    private boolean isFormat1() {
        return stream.emitter() == StreamId.NO_EMITTER;
    }
}
