package dev.stormproof.log.origin;

import dev.stormproof.log.audit.Auditor;
import dev.stormproof.log.audit.LogReadJob;
import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.log.audit.SearchBudget;
import dev.stormproof.log.audit.SearchedLog;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.verify.fold.LogQuery.OfInterval;
import dev.stormproof.verify.fold.LogQuery.OfRecords;
import dev.stormproof.verify.fold.LogQuery.OfTail;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Evidence;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.OriginEvidence;
import dev.stormproof.verify.judge.OriginEvidence.Judged;
import dev.stormproof.verify.judge.Succession;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The search in an origin's log for an interval that is violated in a copy, and the judgement on it there.
 *
 * <pre>
 *   copy     ── the interval is violated ──► its checkpoint, by stream and hash
 *   origin   ── from where that hints at, or from its time on ──► the same checkpoint ──► Auditor ──► Judge
 *                                                                 └ and those before it that the copy has not
 * </pre>
 */
final class OriginSearch {
    /** How many intervals are judged whose checkpoints the copy lacks. */
    static final int MAX_INTERVALS = 64;

    /** How many offsets after the hinted place a checkpoint is searched, and as many for its successor. */
    static final long NEAR_OFFSETS = 65_536;

    /** How many offsets after its time a checkpoint is searched. */
    static final long FAR_OFFSETS = 1_000_000;

    /** How far a producer's clock may be ahead of a broker's that dates the records. */
    private static final long CLOCK_SKEW_MILLIS = 10_000;

    private final SearchedLog log;
    private final Auditor auditor;
    private final String topic;

    OriginSearch(SearchedLog log, String topic) {
        this.log = log;
        this.auditor = new Auditor(log, SearchBudget.unlimited());
        this.topic = topic;
    }

    /** Forgets what was searched, because records expired. */
    void forget() {
        auditor.forget();
    }

    /** What the log holds of an interval that is violated in a copy. */
    OriginEvidence of(OfRecords task, Evidence copy, Violated violated) throws ExpiredRangeException {
        return task instanceof OfTail tail ? ofTail(tail, copy) : ofInterval((OfInterval) task, copy, violated);
    }

    private OriginEvidence ofInterval(OfInterval task, Evidence copy, Violated violated) throws ExpiredRangeException {
        Optional<CheckpointRecord> same = sameAs(copy, task.interval().checkpointOffset());
        if (same.isEmpty()) {
            return OriginEvidence.UNREAD;
        }
        long lostFrom = violated.anomalies().stream()
                .filter(anomaly -> anomaly.kind() == Anomaly.Kind.CHECKPOINT_LOST)
                .mapToLong(Anomaly::begin)
                .min()
                .orElse(Long.MAX_VALUE);
        List<Judged> judged = new ArrayList<>();
        CheckpointRecord target = same.get();
        long endOffset = endBehind(target);
        int events = 0;
        while (true) {
            IntervalId interval = IntervalId.of(target);
            OfInterval asked =
                    new OfInterval(interval, target.chainHash(), -1, endOffset, true, OfInterval.Earlier.UNKNOWN);
            Evidence evidence = auditor.audit(asked);
            Optional<Finding> finding = asked.judge(evidence);
            if (finding.isEmpty()) {
                return OriginEvidence.UNREAD;
            }
            judged.add(judged(interval.firstSequence(), target.checkpoint().nextSequence(), finding, evidence));
            events += evidence.events().size();
            Optional<CheckpointRecord> before = new Succession(evidence.checkpoints()).predecessorOf(target);
            if (before.isEmpty()) {
                return fromTheFirst(target, evidence, judged);
            }
            long fromNumber = Succession.number(before.get()) + 1;
            if (fromNumber <= lostFrom || judged.size() == MAX_INTERVALS || events > LogReadJob.MAX_GATHERED) {
                return new OriginEvidence(
                        true, fromNumber, before.get().checkpoint().nextSequence(), judged);
            }
            endOffset = target.offset() + 1;
            target = before.get();
        }
    }

    /** What the log holds after a closing checkpoint. */
    private OriginEvidence ofTail(OfTail task, Evidence copy) throws ExpiredRangeException {
        Optional<CheckpointRecord> closing = sameAs(copy, task.lastOffset());
        if (closing.isEmpty()) {
            return OriginEvidence.UNREAD;
        }
        long closingOffset = closing.get().offset();
        IntervalId there = new IntervalId(
                closing.get().checkpoint().stream(),
                task.interval().number(),
                closingOffset,
                task.interval().firstSequence(),
                task.interval().eventCount());
        OfTail asked = new OfTail(there, closingOffset, log.endOffset());
        Evidence evidence = auditor.audit(asked);
        if (evidence.at(closingOffset).isEmpty()) {
            return OriginEvidence.UNREAD;
        }
        return new OriginEvidence(true, 0, 0, List.of(judged(0, Long.MAX_VALUE, asked.judge(evidence), evidence)));
    }

    private static Judged judged(long begin, long end, Optional<Finding> finding, Evidence evidence) {
        List<Event> events = Stream.concat(evidence.events().stream(), evidence.homes().events().stream())
                .toList();
        return new Judged(begin, end, finding, events);
    }

    private static OriginEvidence fromTheFirst(CheckpointRecord first, Evidence evidence, List<Judged> judged) {
        return evidence.beginsLate()
                ? new OriginEvidence(
                        true, Succession.number(first), first.checkpoint().nextSequence(), judged)
                : new OriginEvidence(true, 0, 0, judged);
    }

    /** The checkpoint here that is the same as the copy's at an offset. */
    private Optional<CheckpointRecord> sameAs(Evidence copy, long offset) throws ExpiredRangeException {
        Optional<CheckpointRecord> sought = copy.at(offset);
        if (sought.isEmpty() || !(sought.get().checkpoint() instanceof Format2Checkpoint sealed)) {
            return Optional.empty();
        }
        StreamId stream =
                new StreamId(topic, sealed.stream().partition(), sealed.stream().emitter());
        long begin = log.beginOffset();
        long end = log.endOffset();
        long hinted = Math.max(begin, sealed.previousOffsetHint());
        Optional<CheckpointRecord> near = first(
                stream, hinted, Math.min(end, hinted + NEAR_OFFSETS), record -> Succession.same(record, sought.get()));
        if (near.isPresent()) {
            return near;
        }
        long since = Math.max(begin, log.offsetForTime(Math.max(0, sealed.createdAtMillis() - CLOCK_SKEW_MILLIS)));
        return first(
                stream, since, Math.min(end, since + FAR_OFFSETS), record -> Succession.same(record, sought.get()));
    }

    private long endBehind(CheckpointRecord target) throws ExpiredRangeException {
        long end = Math.min(log.endOffset(), target.offset() + NEAR_OFFSETS);
        return first(
                        target.checkpoint().stream(),
                        target.offset() + 1,
                        end,
                        record -> Succession.number(record) > Succession.number(target))
                .map(successor -> successor.offset() + 1)
                .orElse(Math.max(end, target.offset() + 1));
    }

    private Optional<CheckpointRecord> first(StreamId stream, long from, long to, Predicate<CheckpointRecord> wanted)
            throws ExpiredRangeException {
        CheckpointRecord[] found = new CheckpointRecord[1];
        if (from < to) {
            log.readUntil(from, to, record -> {
                if (record instanceof CheckpointRecord checkpoint
                        && checkpoint.checkpoint().stream().equals(stream)
                        && wanted.test(checkpoint)) {
                    found[0] = checkpoint;
                }
                return found[0] != null;
            });
        }
        return Optional.ofNullable(found[0]);
    }
}
