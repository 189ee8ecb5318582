package dev.stormproof.verify;

import dev.stormproof.checkpoint.Checkpoint;
import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.Event;
import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.checkpoint.LogRecord;
import dev.stormproof.checkpoint.StrayRecord;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.verify.Verdict.Violated;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
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
    private final Patience patience;
    private final Map<Key, Pending> pending = new LinkedHashMap<>();
    private final Set<AuditTask.OfHole> holes = new LinkedHashSet<>();
    private final Deque<AuditTask> audits = new ArrayDeque<>();
    private final List<Finding> findings = new ArrayList<>();
    private long nowMillis;
    private boolean tailAsked;

    /** An undecided interval: a checkpoint at an offset. */
    private record Key(StreamId stream, long checkpointOffset) {}

    /** What is known of an undecided interval. */
    private static final class Pending {
        final Observation observation;
        boolean provisional;
        boolean finalAudit;
        long endOffset = -1;

        Pending(Observation observation) {
            this.observation = observation;
        }
    }

    /**
     * @param resumeOffset the offset before which everything was decided: the committed progress, or without any the
     *     offset of the first record
     * @param patience how long a stream may be silent
     */
    public PartitionVerifier(String topic, int partition, long resumeOffset, Patience patience) {
        this.topic = topic;
        this.partition = partition;
        this.patience = patience;
        this.tracker = new IntervalTracker(topic, partition, resumeOffset);
    }

    /** Takes the next record of the partition. */
    public void take(Link link, LogRecord record) {
        boolean taken;
        if (record instanceof Event event) {
            taken = tracker.event(link, event);
        } else if (record instanceof CheckpointRecord checkpoint) {
            taken = checkpoint(link, checkpoint);
        } else {
            taken = stray(link, (StrayRecord) record);
        }
        if (taken) {
            tracker.hole().ifPresent(hole -> {
                holes.add(hole);
                audits.add(hole);
            });
        }
    }

    /** Notes the time, to be called about once a second; silent streams are looked after. */
    public void tick(long nowMillis) {
        this.nowMillis = nowMillis;
        Set<Long> overdue = tracker.overdue(nowMillis, patience);
        if (!overdue.isEmpty() && !tailAsked) {
            tailAsked = true;
            audits.add(new AuditTask.OfTail(tracker.nextOffset(), overdue));
        }
    }

    /** The next thing to read from the log; empty if there is none. */
    public Optional<AuditTask> nextAudit() {
        return Optional.ofNullable(audits.poll());
    }

    /** Takes what the log holds of an interval. */
    public void audited(AuditTask.OfInterval task, Evidence evidence) {
        Observation observation = task.observation();
        Key key = keyOf(observation.interval());
        Pending open = pending.get(key);
        if (open == null) {
            return;
        }
        Optional<Finding> repeated = repetition(observation, evidence);
        Finding finding = repeated.orElseGet(
                () -> Judge.byTheLog(observation.interval(), observation.record(), evidence, task.last()));
        boolean provisional = finding instanceof Violated violated && violated.provisional();
        if (!provisional) {
            pending.remove(key);
        } else {
            open.provisional = true;
            auditFinally(open);
        }
        findings.add(finding);
    }

    /** Takes the records of a hole. */
    public void audited(AuditTask.OfHole task, AuditTask.OfHole.Found found) {
        if (!holes.remove(task)) {
            return;
        }
        if (found.beginOffset() > task.beginOffset()) {
            findings.add(new Missed(topic, partition, task.beginOffset(), found.beginOffset()));
        }
        for (LogRecord record : found.checkpointsAndStrays()) {
            if (record instanceof CheckpointRecord checkpoint) {
                unseen(checkpoint);
            } else if (record instanceof StrayRecord stray) {
                findings.add(finding(stray));
            }
        }
    }

    /** Takes whether the log ended where the tracker stands; only then is a silent stream silent. */
    public void audited(AuditTask.OfTail task, boolean ended) {
        tailAsked = false;
        if (!ended || tracker.nextOffset() != task.beginOffset()) {
            return;
        }
        for (long emitter : task.emitters()) {
            tracker.giveUp(emitter, nowMillis, patience).ifPresent(unsealed -> {
                findings.add(unsealed);
                followedBy(unsealed.interval().stream(), Long.MAX_VALUE, task.beginOffset());
            });
        }
    }

    /** Returns the findings since the last call, in the order in which they were made. */
    public List<Finding> drainFindings() {
        List<Finding> drained = List.copyOf(findings);
        findings.clear();
        return drained;
    }

    /** The offset from which a reader must begin again to miss nothing undecided. */
    public long progressOffset() {
        long oldest = tracker.nextOffset();
        long open = tracker.oldestOpenOffset();
        oldest = open < 0 ? oldest : Math.min(oldest, open);
        for (Pending undecided : pending.values()) {
            oldest = Math.min(oldest, undecided.observation.firstOffset());
        }
        for (AuditTask.OfHole hole : holes) {
            oldest = Math.min(oldest, hole.beginOffset());
        }
        return oldest;
    }

    /** How many intervals are sealed and not finally decided. */
    public int undecided() {
        return pending.size();
    }

    private boolean checkpoint(Link link, CheckpointRecord record) {
        IntervalTracker.Sealing sealing = tracker.checkpoint(link, record);
        if (sealing.repeated()) {
            findings.add(repeated(record));
        }
        sealing.observation().ifPresent(this::sealed);
        return sealing.repeated() || sealing.observation().isPresent();
    }

    private void sealed(Observation observation) {
        long offset = observation.record().offset();
        followedBy(observation.interval().stream(), offset, offset + 1);
        Optional<Verdict> verdict = Judge.atFirstSight(observation);
        if (verdict.isPresent()) {
            findings.add(verdict.get());
        } else {
            audit(observation);
        }
    }

    private void unseen(CheckpointRecord record) {
        SealedInterval interval = SealedIntervals.of(record);
        if (!pending.containsKey(keyOf(interval))) {
            audit(Observation.unseen(interval, record));
        }
    }

    private void audit(Observation observation) {
        pending.put(keyOf(observation.interval()), new Pending(observation));
        boolean closing = observation.record().checkpoint() instanceof Format2Checkpoint sealed && sealed.closing();
        audits.add(new AuditTask.OfInterval(observation, observation.record().offset() + 1, closing));
    }

    /** The stream's next checkpoint came, at {@code offset}, or will not: what was provisional can be decided. */
    private void followedBy(StreamId stream, long offset, long endOffset) {
        for (Pending open : pending.values()) {
            SealedInterval earlier = open.observation.interval();
            if (earlier.stream().equals(stream) && open.endOffset < 0 && earlier.checkpointOffset() < offset) {
                open.endOffset = endOffset;
                auditFinally(open);
            }
        }
    }

    private void auditFinally(Pending open) {
        if (open.provisional && open.endOffset >= 0 && !open.finalAudit) {
            open.finalAudit = true;
            audits.add(new AuditTask.OfInterval(open.observation, open.endOffset, true));
        }
    }

    /** A checkpoint that the log already holds further up seals nothing. */
    private Optional<Finding> repetition(Observation observation, Evidence evidence) {
        Checkpoint checkpoint = observation.record().checkpoint();
        if (!(checkpoint instanceof Format2Checkpoint sealed)) {
            return Optional.empty();
        }
        boolean repeated = evidence.lastBefore(observation.record().offset())
                .map(record -> (Format2Checkpoint) record.checkpoint())
                .filter(earlier -> earlier.number() >= sealed.number())
                .isPresent();
        return repeated ? Optional.of(repeated(observation.record())) : Optional.empty();
    }

    private Stray repeated(CheckpointRecord record) {
        String detail = record.checkpoint() instanceof Format2Checkpoint sealed
                ? "checkpoint " + sealed.number() + " of emitter "
                        + sealed.stream().emitterHex() + " lies in the log further up"
                : "";
        return new Stray(topic, partition, record.offset(), StrayRecord.Kind.REPEATED_CHECKPOINT, detail);
    }

    private boolean stray(Link link, StrayRecord stray) {
        boolean taken = tracker.pass(link);
        if (taken) {
            findings.add(finding(stray));
        }
        return taken;
    }

    private Stray finding(StrayRecord stray) {
        return new Stray(topic, partition, stray.offset(), stray.kind(), stray.detail());
    }

    private static Key keyOf(SealedInterval interval) {
        return new Key(interval.stream(), interval.checkpointOffset());
    }
}
