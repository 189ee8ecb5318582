package dev.stormproof.verify.judge;

import dev.stormproof.proof.checkpoint.Checkpoint;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.verify.judge.Anomaly.Kind;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Inconclusive.Reason;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Verified.Basis;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The judgement on one interval of format 2 by one range of the log, in which the places of its checkpoint and of those beside it
 * are known.
 *
 * <pre>
 *   continues the head, and the range holds exactly what is stated   Verified(log)
 *   too many records to be kept                                      Inconclusive(too large)
 *   something differs                                                Violated, with the names
 *     but the stream's end leaves in doubt whether it arrived        … without these names
 *     but what is missing may be among records that were not read    … without these names
 *   nothing else differs; records were not read                      Inconclusive(oversized record)
 *                         its stream's end leaves it in doubt        Inconclusive(uncertain)
 *                         the signature algorithm is unknown         Inconclusive(unsupported)
 *                         upstream does not know all of it, nor
 *                         does another checkpoint prove that, or the
 *                         log holds what brokers refused             Inconclusive(uncertain)
 *                         brokers refused the rest of it             Verified(log)
 * </pre>
 */
public final class RangeCase {
    private RangeCase() {}

    /** The records of a stream in a range of the log. */
    public interface Range {
        /** True if exactly what a checkpoint states is between the head and it. */
        boolean matches(CheckpointRecord record);

        boolean isTooLarge();

        /** How many records after an offset and before the checkpoint were not read. */
        long unreadAfter(long offset);

        /** The offset of the first event between the head and the checkpoint; that of the checkpoint if there is none. */
        long firstOffset();

        /** The stream's checkpoints in it, in the order of the log. */
        List<CheckpointRecord> checkpoints();

        /** The interval's records without a header, as events that have neither that nor a sequence. */
        default List<Event> headerless() {
            return List.of();
        }

        /** The range as evidence in which only some checkpoints count. */
        Evidence evidence(List<CheckpointRecord> counting);

        /** What is asked about a violation besides. */
        Origin origin();
    }

    /** Who names the hops on which violations came about, maybe by the log of the topic's origin. */
    public interface Origin {
        /** Nobody is asked: the record itself shows what its transform stated. */
        Origin NONE = (violated, target, here) -> {
            Map<Long, Event.Content> contents = new HashMap<>();
            here.events().forEach(event -> contents.putIfAbsent(event.offset(), event.content()));
            return violated.anomalies().stream()
                    .map(anomaly ->
                            anomaly.onHopBy(contents.getOrDefault(anomaly.offset(), Event.Content.UNTRANSFORMED)))
                    .toList();
        };

        /** The anomalies of an interval, each with its hop; one of a range may become several. */
        List<Anomaly> blamed(Violated violated, CheckpointRecord target, Evidence here);
    }

    /**
     * The places of the checkpoints in the range.
     *
     * @param previousNumber the number of the head after which the interval is; -1 for the beginning of its stream
     * @param previousNext the sequence of the first event after that head
     * @param previousOffset the offset of that head
     * @param continues true if the checkpoint continues that head
     * @param beforeNext the sequence of the first event in the range
     * @param previous that head, as it is in the range
     * @param next the next checkpoint of the chain, if it was read
     * @param takenBackBy the end of the stream that leaves in doubt whether the checkpoint arrived
     * @param flawed true if an earlier interval was not verified, so that an event of it may be missing there
     */
    public record Place(
            IntervalId interval,
            CheckpointRecord target,
            long previousNumber,
            long previousNext,
            long previousOffset,
            boolean continues,
            long beforeNext,
            Optional<CheckpointRecord> previous,
            Optional<CheckpointRecord> next,
            Optional<Checkpoint> takenBackBy,
            boolean flawed) {}

    /**
     * A finding as of the records in the range.
     *
     * @param unnamed true if something differs, and the next interval, which may change its name, was not read
     * @param missing true if something is missing that the emitter may still leave in doubt
     */
    public record Result(Finding finding, boolean unnamed, boolean missing) {
        /** True if later records may change it. */
        public boolean isOpen() {
            return unnamed || missing;
        }

        static Result certain(Finding finding) {
            return new Result(finding, false, false);
        }
    }

    /** The finding on an interval of which the log no longer holds everything. */
    public static Result expired(IntervalId interval, String why) {
        return Result.certain(new Inconclusive(interval, Reason.EXPIRED, why));
    }

    public static Result judge(Place at, Range range) {
        Format2Checkpoint sealed = (Format2Checkpoint) at.target().checkpoint();
        if (at.continues() && range.matches(at.target())) {
            return Result.certain(new Verified(at.interval(), Basis.LOG, range.firstOffset()));
        }
        if (range.isTooLarge()) {
            return Result.certain(tooLarge(at.interval()));
        }
        Evidence evidence = range.evidence(Stream.of(at.previous(), Optional.of(at.target()), at.next())
                .flatMap(Optional::stream)
                .toList());
        AnomalyClassifier naming = new AnomalyClassifier(sealed, evidence, coverage(at, sealed));
        List<Anomaly> anomalies = new ArrayList<>();
        if (!at.continues()) {
            anomalies.add(broken(at.target(), at.previousNumber()));
        }
        anomalies.addAll(naming.name());
        if (!at.flawed()) {
            // Every earlier interval was verified, so that an event of one of them is there already.
            anomalies.replaceAll(anomaly -> anomaly.kind() == Kind.OUT_OF_REACH ? anomaly.asCopy() : anomaly);
        }
        boolean unnamed = !anomalies.isEmpty() && at.next().isEmpty();
        Optional<Checkpoint> end = Anomaly.missing(anomalies) > 0 ? at.takenBackBy() : Optional.empty();
        List<SequenceRange> lost = anomalies.stream()
                .filter(anomaly -> anomaly.kind() == Kind.LOST)
                .map(anomaly -> new SequenceRange(anomaly.begin(), anomaly.end()))
                .toList();
        end.ifPresent(taking -> takeBack(anomalies, taking));
        long unread = range.unreadAfter(at.previousOffset());
        if (Anomaly.missing(anomalies) <= unread) {
            anomalies.removeIf(Anomaly::isMissing);
        }
        boolean missing = end.isEmpty() && Anomaly.missing(anomalies) > 0;
        Finding finding;
        if (!anomalies.isEmpty()) {
            Evidence whole = evidence.and(naming.headerless(anomalies, range.headerless()));
            finding = blamed(Violated.of(at.interval(), anomalies, true), at.target(), range, whole);
        } else if (unread > 0) {
            finding = Inconclusive.oversized(at.interval(), unread);
        } else if (end.isPresent()) {
            finding = Inconclusive.takenBack(at.interval(), end.get(), lost);
        } else if (naming.unchecked()) {
            finding = new Inconclusive(
                    at.interval(),
                    Reason.UNSUPPORTED,
                    "signature algorithm " + sealed.signatureAlgorithm() + ", of the checkpoint and its events");
        } else if (!sealed.uncertain().isEmpty()) {
            finding = leavingOut(at, sealed, range, evidence);
        } else {
            finding = Violated.of(at.interval(), List.of(unlocated(at.target())), true);
        }
        return new Result(finding, unnamed, missing);
    }

    /**
     * The finding on an interval of format 1. Where its checkpoint or the one before it is a copy, nothing shows where it begins.
     *
     * @param previousOffset the offset of the head after which the interval is
     * @param checkpoints the checkpoints in the range, of which the first one after the target is the next one
     */
    public static Result judge(
            IntervalId interval,
            CheckpointRecord target,
            long previousOffset,
            Range range,
            List<CheckpointRecord> checkpoints) {
        if (range.isTooLarge()) {
            return Result.certain(tooLarge(interval));
        }
        Evidence evidence = range.evidence(checkpoints);
        Format1Case plain = new Format1Case(interval, target, evidence);
        Finding finding = plain.judge();
        if (finding instanceof StrayRecord || plain.ownBegin() < previousOffset) {
            return Result.certain(new Inconclusive(
                    interval,
                    Reason.UNANCHORED,
                    "a checkpoint was copied, so that nothing shows where its events begin"));
        }
        long unread = range.unreadAfter(previousOffset);
        if (unread > 0) {
            return Result.certain(Inconclusive.oversized(interval, unread));
        }
        boolean followed = checkpoints.get(checkpoints.size() - 1).offset() > target.offset();
        return finding instanceof Violated violated
                ? new Result(blamed(violated, target, range, evidence), !followed, false)
                : Result.certain(finding);
    }

    /** The finding on an interval that is as stated, but for what its checkpoint leaves out. */
    private static Finding leavingOut(Place at, Format2Checkpoint sealed, Range range, Evidence evidence) {
        IntervalId interval = at.interval();
        if (!sealed.refused()) {
            List<SequenceRange> uncertain = Unproven.of(at.target(), range.checkpoints(), evidence.events());
            return uncertain.isEmpty()
                    ? new Verified(interval, Basis.LOG, range.firstOffset())
                    : Inconclusive.uncertain(interval, uncertain);
        }
        boolean appended = evidence.events().stream()
                .anyMatch(event -> StatedSignatures.certainFrom(sealed, event.sequence()) != event.sequence());
        return appended
                ? Inconclusive.refused(interval, sealed.uncertain())
                : new Verified(interval, Basis.LOG, range.firstOffset());
    }

    private static Inconclusive tooLarge(IntervalId interval) {
        return new Inconclusive(
                interval, Reason.TOO_LARGE, "the difference is among more records than can be compared");
    }

    private static Violated blamed(Violated violated, CheckpointRecord target, Range range, Evidence evidence) {
        return Judge.between(violated, range.origin().blamed(violated, target, evidence), target, evidence);
    }

    private static AnomalyClassifier.Coverage coverage(Place at, Format2Checkpoint sealed) {
        return new AnomalyClassifier.Coverage(
                Math.min(at.previousNext(), sealed.firstSequence()),
                at.previousOffset(),
                at.target().offset(),
                at.next().map(CheckpointRecord::offset).orElse(Long.MAX_VALUE),
                at.beforeNext(),
                at.next().map(next -> next.checkpoint().nextSequence()).orElse(sealed.nextSequence()));
    }

    private static Anomaly broken(CheckpointRecord record, long previousNumber) {
        Checkpoint sealed = record.checkpoint();
        boolean lost = previousNumber + 1 < sealed.number();
        return new Anomaly(
                lost ? Kind.CHECKPOINT_LOST : Kind.CHAIN_BROKEN,
                sealed.stream(),
                lost ? previousNumber + 1 : sealed.number(),
                lost ? sealed.number() : sealed.number() + 1,
                record.offset(),
                0,
                sealed.previousHash(),
                Hash.empty());
    }

    private static Anomaly unlocated(CheckpointRecord record) {
        Checkpoint sealed = record.checkpoint();
        return new Anomaly(
                Kind.UNLOCATED,
                sealed.stream(),
                sealed.firstSequence(),
                sealed.nextSequence(),
                record.offset(),
                0,
                sealed.root(),
                Hash.empty());
    }

    private static void takeBack(List<Anomaly> anomalies, Checkpoint end) {
        anomalies.replaceAll(anomaly -> switch (anomaly.kind()) {
            case LOST -> anomaly.before(end.firstSequence());
            case CHECKPOINT_LOST -> anomaly.before(end.number());
            default -> anomaly;
        });
        anomalies.removeIf(anomaly -> anomaly.begin() >= anomaly.end());
    }

    /**
     * The finding on the events after a stream's last checkpoint: violated if their content contradicts their own headers, else
     * unsealed, with what is known of them.
     *
     * @param unsealed these events as an interval
     * @param events what is in the log after the last checkpoint
     */
    public static Verdict unsealed(IntervalId unsealed, String why, List<Event> events) {
        IntervalId counted = Judge.counted(unsealed, events);
        return Contradictions.in(events, counted)
                .<Verdict>map(violated -> violated)
                .orElseGet(() -> new Inconclusive(counted, Reason.UNSEALED, why));
    }

    /** The finding on an interval that is not verified, and that later records decide, if none are read. */
    public static Finding undecided(IntervalId interval) {
        return new Inconclusive(
                interval,
                Reason.UNSEALED,
                "it is not as stated, and what comes next of its stream shows what is wrong");
    }

    /** A checkpoint that is after a later one of its stream, or after another one of its number: it seals nothing. */
    public static StrayRecord behind(CheckpointRecord record, long headNumber, long headOffset) {
        Checkpoint checkpoint = record.checkpoint();
        UnattributedRecord.Kind kind = checkpoint.number() == headNumber
                ? UnattributedRecord.Kind.FORKED_CHECKPOINT
                : UnattributedRecord.Kind.LATE_CHECKPOINT;
        return StrayRecord.of(
                record, kind, "comes after checkpoint " + headNumber + " of its stream, at offset " + headOffset);
    }

    /** A closing checkpoint that states no event for certain, and continues nothing that is known. */
    public static Finding uncertainEnd(CheckpointRecord end) {
        return Inconclusive.uncertain(
                IntervalId.of(end).statedBy(end.chainHash()), end.checkpoint().uncertain());
    }

    /** A checkpoint that continues nothing, and that nothing continues. */
    public static Finding offTheChain(CheckpointRecord record) {
        IntervalId interval = IntervalId.of(record).statedBy(record.chainHash());
        return Violated.of(interval, List.of(broken(record, record.checkpoint().number() - 1)), true);
    }

    /** The first interval of a stream of which nothing else is known. */
    public static Finding unanchored(CheckpointRecord record) {
        return unanchored(IntervalId.of(record));
    }

    /** An end that is stated again of such a stream. */
    public static Finding unanchoredEnd(CheckpointRecord end) {
        return unanchored(IntervalId.of(end).statedBy(end.chainHash()));
    }

    private static Finding unanchored(IntervalId interval) {
        return new Inconclusive(interval, Reason.UNANCHORED, "neither a checkpoint nor the events before it are known");
    }
}
