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
import java.util.List;
import java.util.Map;
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
    private final Map<Key, Pending> pending = new LinkedHashMap<>();
    private final Map<AuditTask.OfHole, Boolean> holes = new LinkedHashMap<>();
    private final Deque<AuditTask> audits = new ArrayDeque<>();
    private final List<Finding> findings = new ArrayList<>();

    /** An undecided interval: a checkpoint at an offset. */
    private record Key(StreamId stream, long checkpointOffset) {}

    /** What is known of an undecided interval. */
    private static final class Pending {
        final Observation observation;
        boolean provisional;
        boolean finalAudit;
        long nextCheckpointOffset = -1;

        Pending(Observation observation) {
            this.observation = observation;
        }
    }

    public PartitionVerifier(String topic, int partition) {
        this.topic = topic;
        this.partition = partition;
        this.tracker = new IntervalTracker(topic, partition);
    }

    /** Takes the next record of the partition. */
    public void take(Link link, LogRecord record) {
        long lastOffset = tracker.lastOffset();
        boolean taken = dispatch(link, record);
        if (taken && lastOffset >= 0) {
            long missingEnd = link.start() ? link.offset() : link.previous() + 1;
            if (missingEnd > lastOffset + 1) {
                AuditTask.OfHole hole = new AuditTask.OfHole(lastOffset + 1, missingEnd);
                holes.put(hole, true);
                audits.add(hole);
            }
        }
    }

    private boolean dispatch(Link link, LogRecord record) {
        if (record instanceof Event event) {
            return tracker.event(link, event);
        }
        return record instanceof CheckpointRecord checkpoint
                ? checkpoint(link, checkpoint)
                : stray(link, (StrayRecord) record);
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
        Finding finding = repeated.orElseGet(() ->
                Judge.byTheLog(observation.interval(), observation.record(), evidence, isLast(observation, task)));
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
    public void audited(AuditTask.OfHole task, List<LogRecord> checkpointsAndStrays) {
        if (holes.remove(task) == null) {
            return;
        }
        for (LogRecord record : checkpointsAndStrays) {
            if (record instanceof CheckpointRecord checkpoint) {
                unseen(checkpoint);
            } else if (record instanceof StrayRecord stray) {
                findings.add(finding(stray));
            }
        }
    }

    /** Returns the findings since the last call, in the order in which they were made. */
    public List<Finding> drainFindings() {
        List<Finding> drained = List.copyOf(findings);
        findings.clear();
        return drained;
    }

    /** The offset from which a reader must begin again to miss nothing undecided; -1 before the first record. */
    public long progressOffset() {
        if (tracker.lastOffset() < 0) {
            return -1;
        }
        long oldest = tracker.lastOffset() + 1;
        long open = tracker.oldestOpenOffset();
        oldest = open < 0 ? oldest : Math.min(oldest, open);
        for (Pending undecided : pending.values()) {
            oldest = Math.min(oldest, undecided.observation.firstOffset());
        }
        for (AuditTask.OfHole hole : holes.keySet()) {
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
        followedBy(observation);
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
        audits.add(new AuditTask.OfInterval(observation, observation.record().offset() + 1));
    }

    /** The stream's next checkpoint is there: what was provisional can be decided. */
    private void followedBy(Observation next) {
        SealedInterval interval = next.interval();
        for (Pending open : pending.values()) {
            SealedInterval earlier = open.observation.interval();
            boolean sameStream = earlier.stream().equals(interval.stream());
            if (sameStream
                    && open.nextCheckpointOffset < 0
                    && earlier.checkpointOffset() < interval.checkpointOffset()) {
                open.nextCheckpointOffset = interval.checkpointOffset();
                auditFinally(open);
            }
        }
    }

    private void auditFinally(Pending open) {
        if (open.provisional && open.nextCheckpointOffset >= 0 && !open.finalAudit) {
            open.finalAudit = true;
            audits.add(new AuditTask.OfInterval(open.observation, open.nextCheckpointOffset + 1));
        }
    }

    private static boolean isLast(Observation observation, AuditTask.OfInterval task) {
        boolean closing = observation.record().checkpoint() instanceof Format2Checkpoint sealed && sealed.closing();
        return closing || task.endOffset() > observation.record().offset() + 1;
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
