package dev.stormproof.verify.judge;

import dev.stormproof.proof.checkpoint.Checkpoint;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.Format1Checkpoint;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.Interval;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.Leaves;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Inconclusive.Reason;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Verified.Basis;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Judges intervals: a match of an interval that was seen whole is trusted; everything else is read again from the log, which is
 * the authority, so that a difference in transport alone is Verified.
 *
 * <pre>
 *   first sight   CLEAN, chained, count and root (format 1: leaves) as stated ──► Verified(match)
 *                 anything else ──► the log
 *   the log       as stated ──► Verified(log)
 *                 the checkpoint lies there twice, or behind its successor ──► StrayRecord
 *                 other than stated ──► Violated; provisional while what follows may change a name
 *                 begins behind the checkpoint, or within the interval ──► Inconclusive(expired)
 *                 format 1, and no checkpoint before ──► Inconclusive(unanchored)
 *                 as stated as far as it can be checked ──► Inconclusive(unsupported)
 *                 as stated, of which upstream does not know all ──► Inconclusive(uncertain)
 *                 begins further up than is searched ──► Inconclusive(out of reach)
 *                 behind a later checkpoint of its stream, or another one of its number ──► StrayRecord
 *                 as stated, or incomplete, and holds records too large to be read ──► Inconclusive(oversized record)
 *                 too large to be kept ──► Verified(log) if it is as stated, else Inconclusive(too large)
 *                 another checkpoint, or none, in its place ──► nothing: the log was truncated
 * </pre>
 */
public final class Judge {
    private Judge() {}

    /**
     * Whether the events that were seen of an interval are those that its checkpoint states. Format 1 is compared by its
     * leaves, since its own root, an Adler-32, proves nothing.
     *
     * @param record the interval's checkpoint
     * @param seen the events, of a format 1 stream as {@link TreeHash#XXH3} over their places; null if none was seen
     */
    public static boolean matches(CheckpointRecord record, @Nullable Interval seen) {
        Checkpoint checkpoint = record.checkpoint();
        boolean format1 = checkpoint instanceof Format1Checkpoint;
        TreeHash treeHash = format1 ? TreeHash.XXH3 : checkpoint.treeHash();
        Interval events = seen == null ? new Interval(treeHash, 0, false) : seen;
        if (events.count() != checkpoint.eventCount() || events.treeHash() != treeHash) {
            return false;
        }
        Hash stated = format1 ? rootOf(checkpoint.leaves().orElseThrow()) : checkpoint.root();
        return checkpoint.uncertain().isEmpty() && stated.equals(events.root());
    }

    /**
     * The finding on an interval by the log's evidence, with every anomaly; empty if the checkpoint is no longer in its place,
     * and has not expired.
     *
     * @param interval the interval, as its checkpoint stated it when it was seen
     * @param chainHash the chain hash that the checkpoint had then; empty in format 1
     * @param last true if no later record could change the verdict
     */
    public static Optional<Finding> byTheLog(IntervalId interval, Hash chainHash, boolean last, Evidence evidence) {
        Optional<CheckpointRecord> target = evidence.at(interval.checkpointOffset())
                .filter(record -> record.chainHash().equals(chainHash)
                        && record.checkpoint().stream().equals(interval.stream()));
        if (target.isPresent()) {
            Finding found = byTheLog(interval, target.get(), evidence, last);
            return Optional.of(found instanceof Violated violated ? blamed(violated, target.get(), evidence) : found);
        }
        return evidence.beginOffset() > interval.checkpointOffset()
                ? Optional.of(new Inconclusive(interval, Reason.EXPIRED, "the log begins behind the interval"))
                : Optional.empty();
    }

    /**
     * The violation by events after a stream's last checkpoint: by those with sequences below the end of a closing one, or
     * else, unsealed, by those whose content contradicts their headers; empty if there are none.
     */
    public static Optional<Violated> ofTail(IntervalId tail, long lastOffset, Evidence evidence) {
        return evidence.at(lastOffset)
                .filter(last -> last.checkpoint() instanceof Format2Checkpoint sealed && sealed.closing())
                .map(found -> firstOf(found, evidence))
                .flatMap(closing -> Format2Case.ofTail(tail, closing, evidence)
                        .map(violated -> blamed(violated, closing, evidence)))
                .or(() -> Contradictions.behind(lastOffset, counted(tail, lastOffset, evidence), evidence));
    }

    /** The unsealed interval with what the log shows of its events; unchanged if they could not be kept. */
    public static IntervalId counted(IntervalId tail, long lastOffset, Evidence evidence) {
        if (evidence.extent() != Evidence.Extent.WHOLE) {
            return tail;
        }
        boolean format1 = tail.stream().emitter() == StreamId.NO_EMITTER;
        TailCounter counter = new TailCounter();
        evidence.events().stream()
                .filter(event -> event.offset() > lastOffset && (format1 || event.sequence() >= tail.firstSequence()))
                .forEach(counter::add);
        return tail.knowing(counter.tail(tail.number() < 0 ? Tail.UNKNOWN : tail.firstSequence()));
    }

    private static CheckpointRecord firstOf(CheckpointRecord found, Evidence evidence) {
        boolean followed = evidence.events().stream().anyMatch(event -> event.offset() > found.offset());
        return followed ? new Succession(evidence.checkpoints()).firstOf(found) : found;
    }

    static Violated blamed(Violated violated, CheckpointRecord target, Evidence evidence) {
        List<Anomaly> blamed = new Blame(target, evidence).of(violated.anomalies());
        return Violated.of(
                violated.interval(),
                evidence.timed(betweenNeighbours(blamed, target, evidence)),
                violated.provisional(),
                violated.minimal());
    }

    /** The same anomalies, lost events with the events on both sides of the gap. */
    private static List<Anomaly> betweenNeighbours(
            List<Anomaly> anomalies, CheckpointRecord target, Evidence evidence) {
        if (target.checkpoint() instanceof Format1Checkpoint
                || anomalies.stream().noneMatch(anomaly -> anomaly.kind() == Anomaly.Kind.LOST)) {
            return anomalies;
        }
        // How much is read after the next checkpoint depends on when it is read.
        long horizonEnd = new Succession(evidence.checkpoints())
                .successorOf(target)
                .map(CheckpointRecord::offset)
                .orElse(Long.MAX_VALUE);
        Stream<Event> near = evidence.events().stream().filter(event -> event.offset() < horizonEnd);
        Neighbours.Lookup lookup = new Neighbours.Lookup(near);
        return anomalies.stream()
                .map(anomaly -> anomaly.kind() == Anomaly.Kind.LOST
                        ? anomaly.between(lookup.of(anomaly.begin(), anomaly.end()))
                        : anomaly)
                .toList();
    }

    private static Finding byTheLog(IntervalId interval, CheckpointRecord target, Evidence evidence, boolean last) {
        IntervalId stated = interval.statedBy(target.chainHash());
        return switch (evidence.extent()) {
            case TOO_LARGE_AND_MATCHING -> new Verified(interval, Basis.LOG, evidence.beginOffset());
            case TOO_LARGE -> tooLarge(interval, target, new Succession(evidence.checkpoints()));
            // Whether it is the first one of its number is unknown.
            case OUT_OF_REACH ->
                new Inconclusive(
                        stated, Reason.OUT_OF_REACH, "it begins further up in the log than is searched for it");
            case BEGINNING_EXPIRED ->
                new Inconclusive(interval, Reason.EXPIRED, "the log begins inside of the interval");
            case BEHIND_WHAT_EXPIRED ->
                new Inconclusive(
                        stated, Reason.EXPIRED, "it lies behind a later checkpoint of its stream, which has expired");
            case BEYOND_THE_BUDGET ->
                new Inconclusive(
                        stated,
                        Reason.OUT_OF_REACH,
                        "the partition's budget for searching back is spent, as forged checkpoints spend it: an audit"
                                + " of the range searches further");
            case BEHIND_ITS_STREAM -> behindItsStream(target, evidence.checkpoints());
            case WHOLE, BEGINNING_SEEN, MAYBE_A_COPY -> asFarAsRead(interval, target, evidence, last);
        };
    }

    /**
     * The finding on an interval in which some records may not have been read. Each of these in its own range may be a missing
     * event, or an extra one.
     */
    private static Finding asFarAsRead(IntervalId interval, CheckpointRecord target, Evidence evidence, boolean last) {
        boolean format1 = target.checkpoint() instanceof Format1Checkpoint;
        Finding whole = ofWhole(interval, target, evidence, last);
        if (evidence.unread().isEmpty()) {
            return whole;
        }
        long begin = format1
                ? new Format1Case(interval, target, evidence).ownBegin()
                : new Format2Case(interval, target, evidence).ownBegin();
        if (whole instanceof Verified) {
            // What lies before a stream's first checkpoint is its own only from its first record on.
            boolean first = !format1 && target.checkpoint().number() == 0;
            long since = first ? Math.max(begin, evidence.firstOffset() - 1) : begin;
            long unread = evidence.unreadBetween(since, target.offset());
            return unread == 0 ? whole : Inconclusive.oversized(interval, unread);
        }
        long unread = evidence.unreadBetween(begin, target.offset());
        if (unread == 0
                || !(ofWhole(interval, target, evidence.withoutEventsBehind(target.offset()), last)
                        instanceof Violated own)
                || Anomaly.missing(own.anomalies()) > unread) {
            return whole;
        }
        List<Anomaly> shown =
                own.anomalies().stream().filter(anomaly -> !anomaly.isMissing()).toList();
        return shown.isEmpty()
                ? Inconclusive.oversized(interval, unread)
                : Violated.of(own.interval(), shown, own.provisional(), own.minimal());
    }

    private static Finding ofWhole(IntervalId interval, CheckpointRecord target, Evidence evidence, boolean last) {
        return target.checkpoint() instanceof Format1Checkpoint
                ? new Format1Case(interval, target, evidence).judge(last)
                : new Format2Case(interval, target, evidence).judge(last);
    }

    private static Finding tooLarge(IntervalId interval, CheckpointRecord target, Succession succession) {
        Optional<CheckpointRecord> forkedFrom = succession.forkedFrom(target);
        return forkedFrom.isPresent()
                ? StrayRecord.forked(target, forkedFrom.get())
                : new Inconclusive(
                        succession.hasRival(target) ? interval.statedBy(target.chainHash()) : interval,
                        Reason.TOO_LARGE,
                        "what differs lies among more records than can be compared");
    }

    private static Finding behindItsStream(CheckpointRecord target, List<CheckpointRecord> read) {
        CheckpointRecord later = read.get(0);
        boolean continues = read.stream().anyMatch(record -> Succession.names(target, record));
        return StrayRecord.behind(target, later, continues);
    }

    /** The root over both sides of a comparison of format 1, whose own root proves nothing. */
    public static Hash rootOf(Leaves leaves) {
        Interval interval = new Interval(TreeHash.XXH3, 0, false);
        for (int i = 0; i < leaves.count(); i++) {
            interval.add(i, leaves.signature(i));
        }
        return interval.root();
    }
}
