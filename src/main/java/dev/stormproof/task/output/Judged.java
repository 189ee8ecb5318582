package dev.stormproof.task.output;

import dev.stormproof.proof.checkpoint.AllowedEmitters;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.Verdict;
import dev.stormproof.verify.judge.Verdict.Verified;
import org.jspecify.annotations.Nullable;

/**
 * The judgement on an interval, or on verified ones that follow on.
 *
 * @param against the finding; null if they are verified, and checkpoints of emitters that may write here state them
 * @param intervals where they lie, and the sequences that they state
 */
record Judged(@Nullable Verdict against, Intervals intervals) {
    static Judged of(Verdict verdict, AllowedEmitters allowed) {
        IntervalId interval = verdict.interval();
        if (!(verdict instanceof Verified verified)) {
            // Where its events begin is unknown.
            return new Judged(verdict, Intervals.of(0, interval));
        }
        boolean listed = allowed.allows(interval.stream().topic(), interval.emitterName());
        return new Judged(listed ? null : verdict, Intervals.of(verified.beginOffset(), interval));
    }

    /** True if another one lies behind this, and both can be kept together. */
    boolean isContinuedBy(Judged next) {
        return against == null
                && next.against == null
                && intervals.areContinuedBy(next.intervals)
                && intervals.count() < Intervals.MOST;
    }

    /** This and another one behind it, without what ends before an offset. */
    Judged and(Judged next, long heldFrom) {
        return new Judged(null, intervals.from(heldFrom).and(next.intervals));
    }

    /** True if the event has one of their sequences, and lies where it may. */
    boolean states(Event event) {
        return intervals.state(event);
    }
}
