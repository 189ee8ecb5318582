package dev.stormproof.verify.fold;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.Interval;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.tree.CompactRange;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.verify.judge.Judge;
import dev.stormproof.verify.judge.Tail;
import dev.stormproof.verify.judge.TailCounter;
import org.jspecify.annotations.Nullable;

/**
 * The events of one stream since its last checkpoint, as they lie in the log.
 *
 * <pre>
 *   WHOLE    every event since the last checkpoint was added, each as it was signed: their root can be compared
 *   PARTIAL  events are missing from the tree, or one is not as it was signed: the log is read to judge
 *
 *   (stream first seen at the log's beginning)   ──► WHOLE
 *   (stream first seen elsewhere)                ──► PARTIAL
 *   WHOLE   ──event as it was signed───────────────────────► WHOLE
 *           ──event altered, of another tree or algorithm──► PARTIAL
 *           ──start behind an earlier checkpoint that was confirmed──────────────────────────────► PARTIAL
 *           ──reopen: the last checkpoint seals nothing, and the events before it are open again──► PARTIAL
 *           ──records that cannot be read, maybe its own──► PARTIAL
 *           ──event beyond what a tree holds──────► PARTIAL
 *           ──abandon: the stream was given up───► PARTIAL
 *   PARTIAL ──event──────────────────────────────► PARTIAL
 *   any     ──restart: a checkpoint came─────────► WHOLE
 *           ──rewind: the log was truncated behind the last checkpoint──► WHOLE; PARTIAL if something behind that was passed
 *
 *   passed: read, and open no more, though no checkpoint sealed it. It was given up, or it was judged behind a closing
 *   checkpoint. So are records that could not be read, maybe its own.
 * </pre>
 *
 * <p>Owned by its stream.
 */
final class OpenInterval {
    static final long NONE = -1;

    private final boolean format1;
    private final long mostLeaves;
    private boolean whole;
    /** True if every record since the last checkpoint was seen, and is counted from the first one on. */
    private boolean seenWhole;

    /** Where the last record lies that was passed: reading may begin behind it once the log was truncated. */
    private long passedOffset = NONE;

    private @Nullable Interval tree;
    private TreeHash treeHash = TreeHash.XXH3;
    private int signatureAlgorithm;
    private long firstSequence;
    private long firstOffset = NONE;
    private long lastOffset = NONE;
    private long lastWrittenMillis = LogRecord.NO_TIME;
    private long eventsEnd;
    /** The events since the last checkpoint, those of a stream that was given up among them. */
    private final TailCounter events = new TailCounter();
    /** Together with those that came before it, while it may turn out not to seal these. */
    private final TailCounter unsealed = new TailCounter();

    private boolean mayBeUnsealed;
    /** Behind the highest sequence of those before it. */
    private long unsealedEnd;
    /** The first one since the last checkpoint, whether or not the stream was given up. */
    private long sinceOffset = NONE;
    /** True if the content of one of them may contradict its header. */
    private boolean contradicted;

    OpenInterval(boolean format1, boolean whole) {
        this(format1, whole, CompactRange.MAX_LEAVES);
    }

    /** @param mostLeaves how many events are compared by their root */
    OpenInterval(boolean format1, boolean whole, long mostLeaves) {
        this.format1 = format1;
        this.whole = whole;
        this.mostLeaves = mostLeaves;
    }

    void add(Event event) {
        note(event);
        firstOffset = firstOffset == NONE ? event.offset() : firstOffset;
        if (!whole) {
            return;
        }
        if (!event.intact() || (!format1 && event.treeHash() != treeHash)) {
            whole = false;
            return;
        }
        Interval interval = tree;
        if (interval == null) {
            signatureAlgorithm = event.signatureAlgorithm();
            interval = new Interval(treeHash, firstSequence, false);
            tree = interval;
        } else if (event.signatureAlgorithm() != signatureAlgorithm) {
            whole = false;
            return;
        }
        // Where checkpoints are dropped on the way, an interval has no end.
        if (interval.count() == mostLeaves) {
            whole = false;
            return;
        }
        interval.add(format1 ? interval.count() : event.sequence(), event.observed());
    }

    /** Notes an event of a stream that was given up: it is no part of an interval until the next checkpoint. */
    void pass(Event event) {
        note(event);
        passedOffset = event.offset();
    }

    private void note(Event event) {
        sinceOffset = sinceOffset == NONE ? event.offset() : sinceOffset;
        events.add(event);
        if (mayBeUnsealed) {
            unsealed.add(event);
        }
        contradicted |= event.contradictsItsHeader();
        lastOffset = event.offset();
        lastWrittenMillis = event.writtenMillis();
        eventsEnd = format1 ? eventsEnd + 1 : Math.max(eventsEnd, behind(event.sequence()));
    }

    private static long behind(long sequence) {
        return sequence == Long.MAX_VALUE ? sequence : sequence + 1;
    }

    /** Records up to an offset were not read, which may be its own. */
    void passUnread(long offset) {
        passedOffset = offset;
        doubt();
    }

    void restart(LastCheckpoint checkpoint) {
        whole = true;
        // What belongs beyond the checkpoint and lies before it is no part of what is seen from here on.
        seenWhole = format1 || !isBeyond(checkpoint.nextSequence());
        tree = null;
        treeHash = checkpoint.treeHash();
        firstSequence = checkpoint.nextSequence();
        firstOffset = NONE;
        if (!mayBeUnsealed) {
            unsealed.setTo(events);
            mayBeUnsealed = true;
        }
        unsealedEnd = unsealed.count() == 0 ? 0 : Math.max(unsealedEnd, eventsEnd);
        events.clear();
        sinceOffset = NONE;
        contradicted = false;
        // Behind a closing checkpoint, what came before it is no part of what is open.
        eventsEnd = format1 ? 0 : checkpoint.closing() ? checkpoint.nextSequence() : eventsEnd;
    }

    /** The last checkpoint is known to seal what came before it. */
    void sealed() {
        mayBeUnsealed = false;
        unsealedEnd = 0;
    }

    /** The same in a log that was truncated somewhere behind the checkpoint; what was passed before that is not read again. */
    void rewind(LastCheckpoint checkpoint) {
        restart(checkpoint);
        sealed();
        seenWhole = false;
        eventsEnd = format1 ? 0 : checkpoint.nextSequence();
        if (passedOffset > checkpoint.offset()) {
            doubt();
        }
        lastOffset = checkpoint.offset();
        lastWrittenMillis = checkpoint.writtenMillis();
    }

    /** The last checkpoint seals nothing: the events since an earlier offset are open, if there are any. */
    void reopen(long sinceOffset) {
        if (sinceOffset != NONE && lastOffset >= sinceOffset) {
            firstOffset = sinceOffset;
            this.sinceOffset = sinceOffset;
        }
        if (mayBeUnsealed) {
            events.setTo(unsealed);
        }
        // In format 1 they are counted since the last checkpoint alone.
        eventsEnd = format1 ? eventsEnd : Math.max(eventsEnd, unsealedEnd);
        mayBeUnsealed = false;
        unsealedEnd = 0;
        contradicted |= events.count() > 0;
        doubt();
    }

    /** The events up to an offset turn out to be sealed by a checkpoint there. */
    void startBehind(long offset) {
        firstOffset = firstOffset == NONE || lastOffset < offset ? NONE : Math.max(firstOffset, offset + 1);
        clearIfEmpty();
        doubt();
    }

    /** The events before an offset are judged. */
    void judgedUpTo(long offset) {
        passedOffset = Math.max(passedOffset, offset - 1);
        firstOffset = firstOffset == NONE || lastOffset < offset ? NONE : Math.max(firstOffset, offset);
        clearIfEmpty();
        contradicted = false;
        doubt();
    }

    private void clearIfEmpty() {
        if (isEmpty()) {
            events.clear();
        }
    }

    /** The events so far stay without a verdict, because their stream was given up. */
    void abandon() {
        passedOffset = Math.max(passedOffset, lastOffset);
        firstOffset = NONE;
        contradicted = false;
        doubt();
    }

    private void doubt() {
        whole = false;
        seenWhole = false;
    }

    /** True if a checkpoint states exactly these events. */
    boolean matches(CheckpointRecord record) {
        if (tree != null && record.checkpoint().signatureAlgorithm() != signatureAlgorithm) {
            return false;
        }
        return whole && Judge.matches(record, tree);
    }

    /** True if no record since the last checkpoint lies before {@link #firstOffset()}, or none lies there at all. */
    boolean isSeenWhole() {
        return seenWhole;
    }

    /** True if the content of an event since the last checkpoint may contradict its header: the log knows. */
    boolean isContradicted() {
        return contradicted;
    }

    /** How many events came since the last checkpoint. */
    long events() {
        return events.count();
    }

    /** True if one of them belongs before a sequence: what else is missing or there more than once, the log knows. */
    boolean holdsAnyBelow(long sequence) {
        return !format1 && events.holdsAnyBelow(sequence);
    }

    /** What is known of them behind a checkpoint that states a sequence as next; {@link Tail#UNKNOWN} if there is none. */
    Tail tail(long next) {
        return events.tail(next);
    }

    /** The first one of them; {@link #NONE} if none came. */
    long sinceOffset() {
        return sinceOffset;
    }

    boolean isEmpty() {
        return firstOffset == NONE;
    }

    /** The first event; {@link #NONE} while there is none. */
    long firstOffset() {
        return firstOffset;
    }

    /** The stream's last event, also of an earlier interval; {@link #NONE} if none was seen. */
    long lastOffset() {
        return lastOffset;
    }

    /** When that was written. */
    long lastWrittenMillis() {
        return lastWrittenMillis;
    }

    /** True if an event lies there that does not belong below a sequence. */
    boolean isBeyond(long nextSequence) {
        return eventsEnd > nextSequence || eventsEnd == Long.MAX_VALUE;
    }
}
