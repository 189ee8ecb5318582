package dev.stormproof.verify;

import dev.stormproof.checkpoint.Checkpoint;
import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.Format1Checkpoint;
import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.checkpoint.Interval;
import dev.stormproof.checkpoint.StrayRecord;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.merkle.Hash;
import dev.stormproof.merkle.Leaves;
import dev.stormproof.merkle.TreeHash;
import dev.stormproof.verify.AuditTask.OfInterval;
import dev.stormproof.verify.Verdict.Inconclusive;
import dev.stormproof.verify.Verdict.Inconclusive.Reason;
import dev.stormproof.verify.Verdict.Verified;
import dev.stormproof.verify.Verdict.Verified.Basis;
import dev.stormproof.verify.Verdict.Violated;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides on intervals: trusts a match, double-checks a mismatch.
 *
 * <p>A match at first sight counts only for an interval that was seen whole; everything else is judged by what the log
 * holds, read again. The log is the authority: what differs in transport only is Verified.
 *
 * <pre>
 *   first sight   CLEAN, chained, count and root (format 1: leaves) as stated ──► Verified(match)
 *                 anything else ──► the log
 *   the log       as stated ──► Verified(log)
 *                 the checkpoint lies there twice, or behind its successor ──► Stray
 *                 other than stated ──► Violated; provisional while what follows may change a name
 *                 begins behind the checkpoint, or within the interval ──► Inconclusive(expired)
 *                 format 1, and no checkpoint before ──► Inconclusive(unanchored)
 *                 as stated as far as it can be checked ──► Inconclusive(unsupported)
 *                 too large to be kept ──► Verified(log) if it is as stated, else Inconclusive(too large)
 *                 another checkpoint, or none, in its place ──► nothing: the log was cut
 * </pre>
 */
final class Judge {
    private Judge() {}

    /**
     * True if a checkpoint states exactly the events that were seen.
     *
     * @param seen those events; null if there was none
     */
    static boolean matches(CheckpointRecord record, @Nullable Interval seen) {
        Checkpoint checkpoint = record.checkpoint();
        if ((seen == null ? 0 : seen.count()) != checkpoint.eventCount()) {
            return false;
        }
        Hash root = seen == null ? checkpoint.treeHash().emptyRoot() : seen.root();
        return checkpoint instanceof Format2Checkpoint sealed
                ? sealed.uncertain().isEmpty() && sealed.root().equals(root)
                : rootOf(((Format1Checkpoint) checkpoint).leaves()).equals(root);
    }

    /** What is to be said by what the log holds; empty if the interval's checkpoint is not there, and never expired. */
    static Optional<Finding> byTheLog(OfInterval task, Evidence evidence) {
        SealedInterval interval = task.interval();
        Optional<CheckpointRecord> target = evidence.at(interval.checkpointOffset())
                .filter(record -> record.chainHash().equals(task.chainHash())
                        && record.checkpoint().stream().equals(interval.stream()));
        if (target.isPresent()) {
            return Optional.of(byTheLog(interval, target.get(), evidence, task.last()));
        }
        return evidence.beginOffset() > interval.checkpointOffset()
                ? Optional.of(new Inconclusive(interval, Reason.EXPIRED, "the log begins behind the interval"))
                : Optional.empty();
    }

    private static Finding byTheLog(SealedInterval interval, CheckpointRecord target, Evidence evidence, boolean last) {
        if (evidence.extent() == Evidence.Extent.TOO_LARGE_AND_MATCHING) {
            return new Verified(interval, Basis.LOG);
        }
        if (evidence.extent() == Evidence.Extent.TOO_LARGE) {
            return new Inconclusive(
                    interval, Reason.TOO_LARGE, "what differs lies among more records than can be compared");
        }
        return target.checkpoint() instanceof Format2Checkpoint sealed
                ? new SequencedCase(interval, target, sealed, evidence).judge(last)
                : new PlainCase(interval, target, evidence).judge(last);
    }

    /** The root over both sides of a comparison of format 1, whose own root proves nothing. */
    private static Hash rootOf(Leaves leaves) {
        Interval interval = new Interval(TreeHash.XXH3, 0, false);
        for (int i = 0; i < leaves.count(); i++) {
            interval.add(i, leaves.signature(i));
        }
        return interval.root();
    }

    static Violated violated(SealedInterval interval, List<Anomaly> anomalies, boolean provisional, boolean minimal) {
        List<Anomaly> named =
                anomalies.size() > Violated.MAX_NAMED ? anomalies.subList(0, Violated.MAX_NAMED) : anomalies;
        return new Violated(interval, provisional, minimal, anomalies.size(), named);
    }

    /** A checkpoint that lies in the log further up as well. */
    static Stray repetition(CheckpointRecord record) {
        return stray(record, StrayRecord.Kind.REPEATED_CHECKPOINT, "lies in the log further up");
    }

    /** A checkpoint whose successor lies in the log further up. */
    static Stray late(CheckpointRecord record) {
        return stray(record, StrayRecord.Kind.LATE_CHECKPOINT, "lies behind its successor");
    }

    private static Stray stray(CheckpointRecord record, StrayRecord.Kind kind, String why) {
        StreamId stream = record.checkpoint().stream();
        String which = record.checkpoint() instanceof Format2Checkpoint sealed
                ? "checkpoint " + sealed.number() + " of emitter " + stream.emitterHex()
                : "a checkpoint of " + record.checkpoint().eventCount() + " events";
        return new Stray(stream.topic(), stream.partition(), record.offset(), kind, which + " " + why);
    }
}
