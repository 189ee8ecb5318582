package dev.stormproof.verify;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.Event;
import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.checkpoint.LogRecord;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.checkpoint.UnattributedRecord;
import dev.stormproof.judge.Evidence;
import dev.stormproof.judge.ExpiredUnread;
import dev.stormproof.judge.Finding;
import dev.stormproof.judge.Judge;
import dev.stormproof.judge.SealedInterval;
import dev.stormproof.judge.Unattributed;
import dev.stormproof.judge.Verdict.Inconclusive;
import dev.stormproof.judge.Verdict.Verified;
import dev.stormproof.judge.Verdict.Violated;
import dev.stormproof.verify.AuditTask.OfHole;
import dev.stormproof.verify.AuditTask.OfInterval;
import dev.stormproof.verify.AuditTask.OfPromises;
import dev.stormproof.verify.AuditTask.OfTail;
import dev.stormproof.verify.Undecided.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

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
    private Optional<OfPromises> promised = Optional.empty();
    private boolean askedForPromises;

    /**
     * A verifier that begins where the partition's verified progress ends.
     *
     * @param resumeOffset the offset before which everything was decided: the committed progress, or without any the
     *     offset of the first record
     * @param patience how long a stream may be silent
     */
    public PartitionVerifier(String topic, int partition, long resumeOffset, Patience patience) {
        this(topic, partition, resumeOffset, Link.NO_EPOCH, patience, Bounds.DEFAULT);
    }

    /**
     * The same, which also finds out that the log was cut before its beginning.
     *
     * @param resumeEpoch the {@link #progressEpoch()} that was committed with the progress; -1 if none was
     */
    public PartitionVerifier(
            String topic, int partition, long resumeOffset, int resumeEpoch, Patience patience, Bounds bounds) {
        this.topic = topic;
        this.partition = partition;
        this.bounds = bounds;
        this.tracker = new IntervalTracker(topic, partition, resumeOffset, resumeEpoch, bounds.streams());
        this.holes = new Holes(bounds.holes(), bounds.holeOffsets());
        this.silence = new Silence(tracker, patience);
    }

    /** Takes the next record of the partition. */
    public void take(Link link, LogRecord record) {
        if (tracker.raisesDoubt(link)) {
            holes.doubt(link.offset(), tracker.epoch(), progressOffset());
        }
        switch (tracker.accept(link)) {
            case REPLAYED -> {
                return;
            }
            case JUMPED -> holes.add(tracker.jumpedFrom(), tracker.jumpedTo());
            case REWRITTEN -> rewritten(tracker.jumpedFrom(), tracker.jumpedTo());
            case ELECTED, CONTINUED -> {}
        }
        if (record instanceof Event event) {
            tracker.event(event);
        } else if (record instanceof CheckpointRecord checkpoint) {
            tracker.checkpoint(checkpoint)
                    .ifPresentOrElse(this::sealed, () -> findings.add(Unattributed.repetition(checkpoint)));
        } else {
            findings.add(finding((UnattributedRecord) record));
        }
        tellGivenUp();
    }

    /** Notes the time, to be called about once a second; silent streams are looked after. */
    public void tick(long nowMillis) {
        silence.tick(nowMillis);
        silence.stalledBefore().ifPresent(endOffset -> {
            tracker.skipTo(endOffset);
            holes.add(tracker.jumpedFrom(), endOffset);
        });
        giveUpSilent();
    }

    /**
     * Has checkpoints read again that lie before the beginning: their streams are followed from there, so that they are
     * missed if nothing more comes of them.
     *
     * @param offsets the {@link #promises()} that were committed with the progress; where there is no checkpoint, nothing
     *     happens
     */
    public void expect(List<Long> offsets) {
        if (!offsets.isEmpty()) {
            promised = Optional.of(new OfPromises(offsets));
        }
    }

    /** The next thing to read from the log; empty if there is none for now. */
    public Optional<AuditTask> nextAudit() {
        if (promised.isPresent() && !askedForPromises) {
            askedForPromises = true;
            return promised.map(task -> task);
        }
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
        long decided = holes.doubtedFrom();
        if (!holes.answered(task, found.endOffset())) {
            return;
        }
        long cut = found.forgotten() ? Math.min(decided, found.cutOffset()) : found.cutOffset();
        if (cut < task.beginOffset()) {
            tracker.rewritten(cut, task.beginOffset());
            holes.add(cut, task.beginOffset());
        }
        if (found.beginOffset() > task.beginOffset()) {
            tracker.missed(task.beginOffset(), found.beginOffset());
            findings.add(new ExpiredUnread(topic, partition, task.beginOffset(), found.beginOffset()));
        }
        for (LogRecord record : found.records()) {
            if (record instanceof Event event) {
                tracker.recall(event);
            } else if (record instanceof CheckpointRecord checkpoint) {
                recall(checkpoint);
            } else {
                findings.add(finding((UnattributedRecord) record));
            }
        }
        tellGivenUp();
    }

    /** Takes the checkpoints that were expected to lie before the beginning. */
    public void audited(OfPromises task, OfPromises.Found found) {
        if (promised.filter(task::equals).isPresent()) {
            promised = Optional.empty();
            found.checkpoints().forEach(tracker::recall);
            tellGivenUp();
        }
    }

    /** Takes where the log ended. */
    public void audited(OfTail task, OfTail.Found found) {
        silence.answered(task, found);
        giveUpSilent();
    }

    /**
     * The log is gone, all of it: what was told provisionally stands, and what is not decided never will be. Nothing may be
     * taken after this.
     */
    public void abandon() {
        long progress = progressOffset();
        if (progress < tracker.nextOffset()) {
            findings.add(new ExpiredUnread(topic, partition, progress, tracker.nextOffset()));
        }
        undecided.rewrite(0).forEach(told -> findings.add(told.asFinal()));
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

    /** The leader epoch of the last record before {@link #progressOffset()}, to be committed with it; -1 if unknown. */
    public int progressEpoch() {
        return holes.doubtedEpoch().orElseGet(() -> tracker.epochBefore(progressOffset()));
    }

    /**
     * Where the last checkpoints of streams lie that owe the next one, as far as they lie before {@link
     * #progressOffset()}; to be committed with it, in ascending order.
     */
    public List<Long> promises() {
        Set<Long> promises = tracker.promisesBefore(progressOffset());
        promised.ifPresent(task -> promises.addAll(task.offsets()));
        return List.copyOf(promises);
    }

    /** How many intervals are sealed and not finally decided. */
    public int undecided() {
        return undecided.size();
    }

    /** How many of them wait for their first audit. */
    public int waitingAudits() {
        return undecided.asked();
    }

    /** How many ranges of offsets are still to be read from the log. */
    public int holes() {
        return holes.count();
    }

    /** How many streams have events before an offset that no checkpoint seals. */
    public int openBefore(long offset) {
        return tracker.openBefore(offset);
    }

    /** How many streams are followed. */
    public int streams() {
        return tracker.streams();
    }

    /**
     * The log was cut and grew again: what was read behind the cut is void, and so is what is being read now. What an
     * interval holds before the cut is open again, also if nobody follows its stream any more.
     *
     * @param end where reading goes on behind the cut
     */
    private void rewritten(long cut, long end) {
        long from = Math.min(cut, undecided.firstOffsetSealedFrom(cut));
        holes.forgetAnswers();
        silence.forgetAnswers();
        undecided.rewrite(cut).forEach(told -> findings.add(told.asFinal()));
        holes.add(from, end);
    }

    private void sealed(Observation observation) {
        CheckpointRecord record = observation.record();
        StreamId stream = observation.interval().stream();
        undecided.follow(stream, record.offset());
        if (observation.matches()) {
            tracker.judged(stream, record.offset());
            findings.add(new Verified(observation.interval(), Verified.Basis.MATCH));
        } else if (undecided.asked() >= bounds.audits()) {
            holes.add(observation.firstOffset(), record.offset() + 1);
        } else {
            undecided.add(observation, isClosing(record));
        }
    }

    private void recall(CheckpointRecord checkpoint) {
        StreamId stream = checkpoint.checkpoint().stream();
        Observation observation = Observation.unseen(checkpoint, tracker.recall(checkpoint));
        undecided.follow(stream, checkpoint.offset());
        if (undecided.asked() >= bounds.audits()) {
            holes.add(checkpoint.offset(), checkpoint.offset() + 1);
        } else {
            undecided.add(observation, isClosing(checkpoint));
        }
        // A later one may have come before.
        undecided.follow(stream, tracker.lastCheckpointOffset(stream));
    }

    private void decide(OfInterval task, Evidence evidence, Entry entry) {
        Optional<Finding> judged = Judge.byTheLog(task.interval(), task.chainHash(), task.last(), evidence);
        SealedInterval interval = task.interval();
        boolean seals = judged.isPresent() && !(judged.get() instanceof Unattributed);
        if (judged.isPresent() && isExpired(judged.get())) {
            tracker.expired(interval.stream(), interval.checkpointOffset());
        } else {
            tracker.judged(interval.stream(), interval.checkpointOffset(), seals, evidence.checkpoints());
        }
        long forgottenSince = entry.forgottenSince();
        if (!seals && forgottenSince >= 0 && forgottenSince < interval.checkpointOffset()) {
            // Its stream was given up when these events seemed to be sealed, and they are not.
            holes.add(forgottenSince, interval.checkpointOffset());
        }
        if (judged.isPresent() && judged.get() instanceof Violated violated && violated.provisional()) {
            if (entry.told().isEmpty()) {
                findings.add(violated);
            }
            undecided.tell(entry, violated, evidence.beginOffset());
            if (!tracker.await(interval.stream())) {
                undecided.end(entry, tracker.nextOffset());
            }
            return;
        }
        // What was told provisionally stands if the log has lost since what it rested on, or there is too much by now.
        boolean tooLarge = evidence.extent() == Evidence.Extent.TOO_LARGE;
        Optional<Finding> told = entry.told()
                .filter(violated -> judged.isEmpty() || tooLarge || evidence.beginOffset() > entry.toldBegin())
                .map(Violated::asFinal);
        told.or(() -> judged).ifPresent(findings::add);
        undecided.remove(entry);
    }

    private void giveUpSilent() {
        if (holes.isEmpty()) {
            silence.decide();
        }
        tellGivenUp();
    }

    private void tellGivenUp() {
        tracker.drainGivenUp().forEach((stream, givenUp) -> {
            givenUp.unsealed().ifPresent(findings::add);
            undecided.end(stream, tracker.nextOffset(), givenUp.openSince());
        });
    }

    private static boolean isExpired(Finding finding) {
        return finding instanceof Inconclusive inconclusive && inconclusive.reason() == Inconclusive.Reason.EXPIRED;
    }

    private static boolean isClosing(CheckpointRecord record) {
        return record.checkpoint() instanceof Format2Checkpoint sealed && sealed.closing();
    }

    private Unattributed finding(UnattributedRecord stray) {
        return new Unattributed(topic, partition, stray.offset(), stray.kind(), stray.detail());
    }
}
