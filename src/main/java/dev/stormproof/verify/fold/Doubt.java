package dev.stormproof.verify.fold;

import static java.util.Objects.requireNonNull;

import dev.stormproof.proof.checkpoint.Checkpoint;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Format1Checkpoint;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.RangeCase;
import dev.stormproof.verify.judge.RangeCase.Result;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An interval that the tree did not prove: the log is asked for it, and once more when its stream has gone on, if a name or
 * something missing is open until then.
 *
 * <pre>
 *   DUE ────query──────────────────────────────────────► ASKED
 *   ASKED ──answer that nothing later can change───────► (judged)
 *         ──answer that the next checkpoint may change─► WAITS
 *         ──answer without the checkpoint──────────────► MISSED    once; then it is judged as expired
 *   WAITS ──the stream goes on, or ends────────────────► DUE
 *   MISSED ─the log was read to its end────────────────► DUE
 * </pre>
 *
 * <p>Owned by its stream.
 */
final class Doubt {
    private enum State {
        DUE,
        ASKED,
        WAITS,
        MISSED
    }

    private static final long NONE = -1;

    /** How many later checkpoints may leave in doubt whether this one arrived: a producer's buffer holds as many intervals of 128 KB. */
    private static final int MOST_IN_FLIGHT = 256;

    /** How many of them may do so however late they were made. */
    private static final int LEAST_IN_FLIGHT = 16;

    /** How long after this one the others were made: Kafka gives a record up after two minutes, unless set otherwise. */
    private static final long MOST_IN_FLIGHT_MILLIS = 150_000;

    private final IntervalId interval;
    private final Head target;
    private final long createdAtMillis;
    private final Head previous;
    private final @Nullable Head before;
    private final long holdOffset;
    private final boolean whole;

    private State state = State.DUE;
    private @Nullable RangeQuery asked;
    private boolean missed;
    private long nextOffset = NONE;
    private long endOffset;
    private boolean ended;
    private int followers;
    /** True once the emitter is known to have had an acknowledgement of the checkpoint. */
    private boolean acknowledged;
    /** The end of the stream that leaves in doubt whether the checkpoint arrived. */
    private @Nullable Checkpoint takenBackBy;

    /**
     * @param previous the head after which the interval's events are
     * @param before the head before that one, if it is known
     * @param holdOffset the first offset of the interval that progress may not pass
     * @param whole true if every record of the interval was read, from that offset on
     * @param beside true if another checkpoint of its number was accepted
     */
    Doubt(
            CheckpointRecord record,
            Head previous,
            @Nullable Head before,
            long holdOffset,
            boolean whole,
            boolean beside) {
        IntervalId stated = IntervalId.of(record);
        this.interval = beside ? stated.statedBy(record.chainHash()) : stated;
        this.target = Head.of(record);
        this.createdAtMillis = record.checkpoint() instanceof Format2Checkpoint sealed ? sealed.createdAtMillis() : 0;
        this.previous = previous;
        this.before = before;
        this.holdOffset = holdOffset;
        this.whole = whole && !beside;
        this.endOffset = record.offset() + 1;
        this.ended = beside;
    }

    IntervalId interval() {
        return interval;
    }

    long holdOffset() {
        return holdOffset;
    }

    /** The next checkpoint of the stream was accepted. */
    void followedBy(CheckpointRecord next) {
        boolean first = nextOffset == NONE;
        if (first) {
            nextOffset = next.offset();
            endOffset = Math.max(endOffset, nextOffset + 1);
        }
        boolean settled = isSettled();
        if (!(next.checkpoint() instanceof Format2Checkpoint later)) {
            acknowledged = true;
        } else if (!settled && leavesInDoubt(later, target)) {
            takenBackBy = later.inShort();
        } else if (!settled) {
            long known = later.previousOffsetHint();
            acknowledged = known < 0 || known >= target.offset() || later.closing() || isTooLateInFlight(later);
        }
        if (first || settled != isSettled()) {
            wake();
        }
    }

    private boolean isTooLateInFlight(Format2Checkpoint later) {
        followers++;
        boolean late = later.createdAtMillis() - createdAtMillis > MOST_IN_FLIGHT_MILLIS;
        return followers >= (late ? LEAST_IN_FLIGHT : MOST_IN_FLIGHT);
    }

    private boolean isSettled() {
        return acknowledged || takenBackBy != null;
    }

    /** Nothing of its stream follows up to an offset, unless it has ended before. */
    void end(long offset) {
        if (!ended) {
            ended = true;
            endOffset = Math.max(endOffset, offset);
            wake();
        }
    }

    private void wake() {
        state = state == State.WAITS ? State.DUE : state;
    }

    /** True if it waits to be asked, or for the answer. */
    boolean isBusy() {
        return state == State.DUE || state == State.ASKED;
    }

    boolean isDue() {
        return state == State.DUE;
    }

    boolean isAsked() {
        return state == State.ASKED;
    }

    boolean isMissed() {
        return state == State.MISSED;
    }

    /** The log was read to its end, so that a truncation would have been found. */
    void askMissed() {
        state = state == State.MISSED ? State.DUE : state;
    }

    RangeQuery ask(StreamId stream) {
        Head first = before == null ? previous : before;
        RangeQuery query = new RangeQuery(
                stream,
                Math.min(first.readFrom(), target.offset()),
                previous.offset() + 1,
                target.offset(),
                endOffset,
                previous.nextSequence());
        asked = query;
        state = State.ASKED;
        return query;
    }

    /** True if this is the answer that it waits for. */
    @SuppressWarnings(
            "ReferenceEquality") // An answer to an earlier query, or from before a truncation, does not count.
    boolean expects(RangeQuery query) {
        return asked == query;
    }

    /**
     * Takes the answer.
     *
     * @param flawed true if an earlier interval of the stream was not verified
     * @return what is found; empty if it has to be asked again
     */
    Optional<Result> answered(LogRange range, boolean flawed) {
        RangeQuery query = requireNonNull(asked);
        asked = null;
        Optional<CheckpointRecord> there =
                range.target().filter(record -> record.chainHash().equals(target.hash()));
        boolean beginningExpired = range.beginOffset() > (whole ? holdOffset : previous.readFrom());
        if (beginningExpired || range.beginOffset() > target.offset()) {
            return Optional.of(RangeCase.expired(interval, "the log begins inside of the interval"));
        }
        if (there.isEmpty()) {
            state = State.MISSED;
            boolean again = !missed;
            missed = true;
            return again
                    ? Optional.empty()
                    : Optional.of(RangeCase.expired(interval, "the log holds its checkpoint no more"));
        }
        Result result = judge(there.get(), range, flawed);
        if (!result.isOpen()) {
            return Optional.of(result);
        }
        boolean readOn = endOffset > query.endOffset();
        boolean followed = nextOffset != NONE && isSettled();
        if (readOn || !(ended || followed)) {
            state = readOn ? State.DUE : State.WAITS;
            return Optional.empty();
        }
        return Optional.of(result);
    }

    private Result judge(CheckpointRecord there, LogRange range, boolean flawed) {
        if (there.checkpoint() instanceof Format1Checkpoint) {
            return RangeCase.judge(interval, there, previous.offset(), range, range.checkpoints());
        }
        // Else some events between the two heads may have expired, or may not have been read.
        boolean knowsBefore = before != null && previous.anchored() && range.beginOffset() <= before.readFrom();
        return RangeCase.judge(
                new RangeCase.Place(
                        interval,
                        there,
                        previous.number(),
                        previous.nextSequence(),
                        previous.offset(),
                        previous.isContinuedBy(there),
                        knowsBefore ? requireNonNull(before).nextSequence() : previous.nextSequence(),
                        range.at(previous.offset()),
                        range.at(nextOffset),
                        Optional.ofNullable(takenBackBy),
                        flawed),
                range);
    }

    /** True if an end of the stream leaves in doubt whether a checkpoint arrived that is in the log all the same. */
    static boolean leavesInDoubt(Checkpoint end, Head arrived) {
        return endsInDoubt(end) && end.number() <= arrived.number() && end.nextSequence() >= arrived.nextSequence();
    }

    /** True if a checkpoint ends its stream and states no event for certain. */
    static boolean endsInDoubt(Checkpoint end) {
        long doubtful = end.uncertain().stream().mapToLong(SequenceRange::count).sum();
        return end.closing()
                && !end.refused()
                && end.eventCount() == 0
                && doubtful > 0
                && doubtful == end.nextSequence() - end.firstSequence();
    }
}
