package dev.stormproof.verify;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.Event;
import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.checkpoint.LogRecord;
import dev.stormproof.checkpoint.StrayRecord;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.verify.AuditTask.OfHole;
import dev.stormproof.verify.AuditTask.OfInterval;
import dev.stormproof.verify.AuditTask.OfTail;
import dev.stormproof.verify.Undecided.Entry;
import dev.stormproof.verify.Verdict.Inconclusive;
import dev.stormproof.verify.Verdict.Violated;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The verification of one partition: records go in, findings come out.
 *
 * <pre>
 *   record ──► tracker ──► observation ──► judge ──► finding
 *                 │             │ no clean match
 *                 │ hole        ▼
 *                 └────────► audit task ──(the log, read again)──► judge ──► finding
 *                                              ▲                     │ provisional
 *                                              └── next checkpoint ◄─┘
 * </pre>
 *
 * <p>It does no I/O: whoever owns it takes the {@linkplain #nextAudit() audits}, reads the log and hands the evidence
 * back. An interval is decided once its final finding was drained; {@link #progressOffset()} never passes one that is
 * not, nor a hole that was not read.
 *
 * <p>Not thread-safe: one owner, one thread.
 */
public final class PartitionVerifier {
    private final String topic;
    private final int partition;
    private final IntervalTracker tracker;
    private final Bounds bounds;
    private final Undecided undecided = new Undecided();
    private final Holes holes;
    private final Silence silence;
    private final List<Finding> findings = new ArrayList<>();

    /**
     * @param resumeOffset the offset before which everything was decided: the committed progress, or without any the
     *     offset of the first record
     * @param patience how long a stream may be silent
     */
    public PartitionVerifier(String topic, int partition, long resumeOffset, Patience patience) {
        this(topic, partition, resumeOffset, patience, Bounds.DEFAULT);
    }

    /** As the other, with bounds of its own. */
    public PartitionVerifier(String topic, int partition, long resumeOffset, Patience patience, Bounds bounds) {
        this.topic = topic;
        this.partition = partition;
        this.bounds = bounds;
        this.tracker = new IntervalTracker(topic, partition, resumeOffset, bounds.streams());
        this.holes = new Holes(bounds.holes(), bounds.holeOffsets());
        this.silence = new Silence(tracker, patience);
    }

    /** Takes the next record of the partition. */
    public void take(Link link, LogRecord record) {
        switch (tracker.accept(link)) {
            case REPLAYED -> {
                return;
            }
            case JUMPED -> addHole();
            case REWRITTEN -> rewritten(link.offset());
            case ELECTED, CONTINUED -> {}
        }
        if (record instanceof Event event) {
            tracker.event(event);
        } else if (record instanceof CheckpointRecord checkpoint) {
            tracker.checkpoint(checkpoint)
                    .ifPresentOrElse(this::sealed, () -> findings.add(Judge.repetition(checkpoint)));
        } else {
            findings.add(finding((StrayRecord) record));
        }
        giveUpForgotten();
    }

    /** Notes the time, to be called about once a second; silent streams are looked after. */
    public void tick(long nowMillis) {
        silence.tick(nowMillis);
        silence.stalledBefore().ifPresent(endOffset -> {
            tracker.skipTo(endOffset);
            addHole();
        });
        giveUpSilent();
    }

    /** The next thing to read from the log; empty if there is none for now. */
    public Optional<AuditTask> nextAudit() {
        Optional<OfInterval> interval = undecided.poll();
        if (interval.isPresent()) {
            return Optional.of(interval.get());
        }
        boolean room = undecided.asked() <= bounds.audits() - bounds.holeOffsets();
        Optional<OfHole> hole = room ? holes.ask() : Optional.empty();
        return hole.isPresent() ? Optional.of(hole.get()) : silence.ask().map(tail -> tail);
    }

    /** Takes what the log holds of an interval. */
    public void audited(OfInterval task, Evidence evidence) {
        undecided.answered(task).ifPresent(entry -> decide(task, evidence, entry));
    }

    /** Takes the records of a hole. */
    public void audited(OfHole task, OfHole.Found found) {
        if (!holes.answered(task, found.endOffset())) {
            return;
        }
        if (found.beginOffset() > task.beginOffset()) {
            findings.add(new Missed(topic, partition, task.beginOffset(), found.beginOffset()));
        }
        for (LogRecord record : found.records()) {
            if (record instanceof Event event) {
                tracker.recall(event);
            } else if (record instanceof CheckpointRecord checkpoint) {
                tracker.recall(checkpoint);
                undecided.follow(checkpoint.checkpoint().stream(), checkpoint.offset());
                undecided.add(Observation.unseen(checkpoint), isClosing(checkpoint));
            } else {
                findings.add(finding((StrayRecord) record));
            }
        }
        giveUpForgotten();
    }

    /** Takes where the log ended. */
    public void audited(OfTail task, OfTail.Found found) {
        silence.answered(task, found);
        giveUpSilent();
    }

    /** Returns the findings since the last call, in the order in which they were made. */
    public List<Finding> drainFindings() {
        List<Finding> drained = List.copyOf(findings);
        findings.clear();
        return drained;
    }

    /** The offset from which a reader must begin again to miss nothing undecided. */
    public long progressOffset() {
        long open = tracker.oldestOpenOffset();
        long oldest = Math.min(undecided.firstOffset(), holes.beginOffset());
        oldest = Math.min(oldest, tracker.nextOffset());
        return open < 0 ? oldest : Math.min(oldest, open);
    }

    /** How many intervals are sealed and not finally decided. */
    public int undecided() {
        return undecided.size();
    }

    /** How many of them wait for an audit. */
    public int waitingAudits() {
        return undecided.asked();
    }

    /** How many ranges of offsets are still to be read from the log. */
    public int holes() {
        return holes.count();
    }

    /** How many streams are followed. */
    public int streams() {
        return tracker.streams();
    }

    private void addHole() {
        OfHole jumped = tracker.jumped();
        holes.add(jumped.beginOffset(), jumped.endOffset());
    }

    /** The log was cut and grew again: what was read behind the cut is void, and so is what is being read now. */
    private void rewritten(long offset) {
        holes.forgetAnswers();
        silence.forgetAnswers();
        undecided.rewrite(offset).forEach(told -> findings.add(told.forGood()));
        addHole();
    }

    private void sealed(Observation observation) {
        CheckpointRecord record = observation.record();
        StreamId stream = observation.interval().stream();
        undecided.follow(stream, record.offset());
        Optional<Verdict> verdict = Judge.atFirstSight(observation);
        if (verdict.isPresent()) {
            tracker.judged(stream, record.offset(), true);
            findings.add(verdict.get());
        } else if (undecided.asked() >= bounds.audits()) {
            holes.add(observation.firstOffset(), record.offset() + 1);
        } else {
            undecided.add(observation, isClosing(record));
        }
    }

    private void decide(OfInterval task, Evidence evidence, Entry entry) {
        Optional<Finding> judged = Judge.byTheLog(task, evidence);
        SealedInterval interval = task.interval();
        boolean seals = judged.isPresent() && !(judged.get() instanceof Stray);
        tracker.judged(interval.stream(), interval.checkpointOffset(), seals);
        if (judged.isPresent() && judged.get() instanceof Violated violated && violated.provisional()) {
            if (entry.told().isEmpty()) {
                findings.add(violated);
            }
            undecided.tell(entry, violated, evidence.beginOffset());
            return;
        }
        // What was told provisionally stands if the log has lost since what it rested on.
        Optional<Finding> told = entry.told()
                .filter(violated -> judged.isEmpty() || evidence.beginOffset() > entry.toldBegin())
                .map(Violated::forGood);
        told.or(() -> judged).ifPresent(findings::add);
        undecided.remove(entry);
    }

    private void giveUpSilent() {
        if (holes.isEmpty()) {
            silence.over().forEach(this::giveUp);
        }
    }

    private void giveUpForgotten() {
        tracker.drainForgotten().forEach(this::giveUp);
    }

    private void giveUp(Inconclusive unsealed) {
        findings.add(unsealed);
        undecided.end(unsealed.interval().stream(), tracker.nextOffset());
    }

    private static boolean isClosing(CheckpointRecord record) {
        return record.checkpoint() instanceof Format2Checkpoint sealed && sealed.closing();
    }

    private Stray finding(StrayRecord stray) {
        return new Stray(topic, partition, stray.offset(), stray.kind(), stray.detail());
    }
}
