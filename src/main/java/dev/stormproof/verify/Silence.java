package dev.stormproof.verify;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.verify.AuditTask.OfTail;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks after silence: of streams, and of the whole partition. The log tells whether it is one:
 *
 * <pre>
 *   LISTENING ──tick: streams are overdue, or no record came for long──► ASKING    where does the log end?
 *   ASKING ──answer: at e──────────────────────────────────────────────► READING   everything up to e has to come first
 *   READING ──tick: e was reached──────────────────────────────────────► LISTENING streams overdue still are given up
 *   READING ──tick: nothing came for long──────────────────────────────► READING   the rest up to e is a hole
 * </pre>
 */
final class Silence {
    private final IntervalTracker tracker;
    private final Patience patience;
    private long nowMillis;
    private boolean ticked;
    private Set<Long> overdue = Set.of();
    private @Nullable OfTail asked;
    private long askedAtMillis;
    private OfTail.@Nullable Found found;
    private long stoodAtOffset;
    private long standsSinceMillis;

    Silence(IntervalTracker tracker, Patience patience) {
        this.tracker = tracker;
        this.patience = patience;
    }

    void tick(long now) {
        nowMillis = now;
        overdue = tracker.overdue(now, patience);
        if (!ticked || tracker.nextOffset() != stoodAtOffset) {
            stand();
        }
    }

    /** What to ask the log; empty if nothing is, or was asked and not answered. */
    Optional<OfTail> ask() {
        if (asked != null || (overdue.isEmpty() && !stands())) {
            return Optional.empty();
        }
        OfTail task = new OfTail(tracker.nextOffset(), overdue, tracker.baseless(overdue));
        asked = task;
        askedAtMillis = nowMillis;
        return Optional.of(task);
    }

    @SuppressWarnings("ReferenceEquality") // An equal task may have been asked for twice; only the last answer counts.
    void answered(OfTail task, OfTail.Found answer) {
        if (task == asked) {
            found = answer;
            stand();
        }
    }

    /** What is being asked now will be asked again. */
    void forgetAnswers() {
        asked = null;
        found = null;
    }

    /** The offset up to which records should have come, and did not for long; empty if none are missing. */
    Optional<Long> stalledBefore() {
        OfTail.Found answer = found;
        return answer != null && tracker.nextOffset() < answer.endOffset() && stands()
                ? Optional.of(answer.endOffset())
                : Optional.empty();
    }

    /** Gives up the streams whose silence is sure by now, and listens again. */
    void decide() {
        OfTail task = asked;
        OfTail.Found answer = found;
        if (task == null || answer == null || tracker.nextOffset() < answer.endOffset()) {
            return;
        }
        for (long emitter : task.emitters()) {
            Optional<CheckpointRecord> last =
                    Optional.ofNullable(answer.lastByEmitter().get(emitter));
            // As of then: an answer from before the stream was heard again says nothing about the silence since.
            tracker.giveUp(emitter, askedAtMillis, patience, last);
        }
        forgetAnswers();
        overdue = Set.of();
    }

    private boolean stands() {
        return ticked && nowMillis - standsSinceMillis > patience.graceMillis();
    }

    private void stand() {
        ticked = true;
        stoodAtOffset = tracker.nextOffset();
        standsSinceMillis = nowMillis;
    }
}
