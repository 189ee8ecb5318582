package dev.stormproof.task.output;

import dev.stormproof.proof.checkpoint.AllowedEmitters;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.Verdict;
import dev.stormproof.verify.judge.Verdict.Verified;
import org.jspecify.annotations.Nullable;

/**
 * The judgement on an interval, or on consecutive verified ones.
 *
 * @param against the finding; null if they are verified, and checkpoints of emitters that may write here state them
 * @param intervals where they lie, and the sequences that they state
 */
record Judged(@Nullable Verdict against, Intervals intervals) {
    static Judged of(Verdict verdict, AllowedEmitters allowed) {
        IntervalId interval = verdict.interval();
        if (!(verdict instanceof Verified verified)) {
            // The beginning of its events is unknown.
            return new Judged(verdict, Intervals.of(0, interval));
        }
        boolean listed = allowed.allows(interval.stream().topic(), interval.emitterName());
        return new Judged(listed ? null : verdict, Intervals.of(verified.beginOffset(), interval));
    }

    /** True if the next one follows this directly, and both can be kept together. */
    boolean isContinuedBy(Judged next) {
        return against == null
                && next.against == null
                && intervals.areContinuedBy(next.intervals)
                && intervals.count() < Intervals.MOST;
    }

    /** This and the next one, without intervals that end before an offset. */
    Judged and(Judged next, long heldFrom) {
        return new Judged(null, intervals.from(heldFrom).and(next.intervals));
    }

    /** True if the event has one of their sequences, and is between the bounds of its interval. */
    boolean states(Event event) {
        return intervals.state(event);
    }
}
