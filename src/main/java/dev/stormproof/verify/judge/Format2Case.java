package dev.stormproof.verify.judge;

import dev.stormproof.proof.checkpoint.Checkpoint;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.verify.judge.Anomaly.Kind;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Inconclusive.Reason;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Verified.Basis;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The judgement on one interval of format 2: its place among the checkpoints first, then its events by sequence. */
final class Format2Case {
    private final IntervalId interval;
    private final CheckpointRecord target;
    private final Format2Checkpoint sealed;
    private final Evidence evidence;
    private final Succession succession;
    private final Optional<CheckpointRecord> previous;
    private final Optional<CheckpointRecord> next;

    Format2Case(IntervalId interval, CheckpointRecord target, Evidence evidence) {
        this.target = target;
        this.sealed = (Format2Checkpoint) target.checkpoint();
        this.evidence = evidence;
        this.succession = new Succession(evidence.checkpoints());
        this.interval = succession.hasRival(target) ? interval.statedBy(target.chainHash()) : interval;
        this.previous = succession.predecessorOf(target);
        this.next = succession.successorOf(target);
    }

    /** @param last true if nothing will follow the interval */
    Finding judge(boolean last) {
        if (succession.repeats(target)) {
            return StrayRecord.repetition(target);
        }
        if (succession.isLate(target)) {
            return StrayRecord.late(target);
        }
        Optional<CheckpointRecord> forkedFrom = succession.forkedFrom(target);
        if (forkedFrom.isPresent()) {
            return StrayRecord.forked(target, forkedFrom.get());
        }
        List<Anomaly> anomalies = new ArrayList<>(chainAnomalies());
        AnomalyClassifier naming = new AnomalyClassifier(sealed, evidence, coverage());
        List<Anomaly> events = naming.name();
        boolean beheaded = evidence.isBeheaded(ownBegin()) && dropExpired(events);
        anomalies.addAll(withoutForked(events));
        boolean missing = anomalies.stream().anyMatch(Anomaly::isMissing);
        Optional<CheckpointRecord> doubt = missing ? succession.doubtOf(target) : Optional.empty();
        doubt.ifPresent(end -> takeBack(anomalies, end.checkpoint()));
        if (!anomalies.isEmpty()) {
            boolean unnamed = naming.open() && next.isEmpty();
            boolean doubtful = missing && doubt.isEmpty() && succession.mayBeTakenBack(target);
            boolean open = (unnamed || doubtful) && !last && !sealed.closing();
            return Violated.of(interval, anomalies, open, true);
        }
        if (doubt.isPresent()) {
            return Inconclusive.takenBack(interval, doubt.get().checkpoint());
        }
        if (beheaded) {
            return new Inconclusive(interval, Reason.EXPIRED, "the log begins inside of the interval");
        }
        if (naming.unchecked()) {
            return new Inconclusive(
                    interval,
                    Reason.UNSUPPORTED,
                    "signature algorithm " + sealed.signatureAlgorithm() + ", of the checkpoint and its events");
        }
        return sealed.uncertain().isEmpty()
                ? new Verified(interval, Basis.LOG, firstOffset())
                : Inconclusive.uncertain(interval, sealed.uncertain());
    }

    /**
     * The violation by events after a closing checkpoint whose sequences are below its end. Sequences that it calls uncertain
     * may still arrive, and those from its end on are unsealed.
     */
    static Optional<Violated> ofTail(IntervalId tail, CheckpointRecord closing, Evidence evidence) {
        Format2Checkpoint sealed = (Format2Checkpoint) closing.checkpoint();
        AnomalyClassifier.Coverage coverage = new AnomalyClassifier.Coverage(
                sealed.nextSequence(),
                closing.offset(),
                evidence.endOffset(),
                Long.MAX_VALUE,
                new Format2Case(tail, closing, evidence).readBegin(sealed.firstSequence()),
                sealed.nextSequence());
        List<Anomaly> anomalies =
                new AnomalyClassifier(sealed.emptySuccessor(closing.chainHash()), evidence, coverage).name();
        anomalies.removeIf(anomaly -> anomaly.begin() >= sealed.nextSequence()
                || sealed.uncertain().stream().anyMatch(range -> range.contains(anomaly.begin())));
        long end = evidence.events().stream()
                .filter(event -> event.offset() > closing.offset())
                .mapToLong(event -> event.sequence() + 1)
                .reduce(sealed.nextSequence(), Math::max);
        // A reader that begins behind some of these events has not seen them.
        IntervalId told = tail.counting(end - sealed.nextSequence());
        return anomalies.isEmpty() ? Optional.empty() : Optional.of(Violated.of(told, anomalies, false, true));
    }

    private AnomalyClassifier.Coverage coverage() {
        long unstated = evidence.beginOffset() == 0 ? 0 : sealed.firstSequence();
        long begin = previous.map(Format2Case::nextSequence)
                .map(sequence -> Math.min(sequence, sealed.firstSequence()))
                .orElse(unstated);
        long horizonEnd = next.map(CheckpointRecord::offset).orElse(Long.MAX_VALUE);
        long readEnd = next.map(Format2Case::nextSequence).orElse(sealed.nextSequence());
        return new AnomalyClassifier.Coverage(
                begin, ownBegin(), target.offset(), horizonEnd, readBegin(begin), readEnd);
    }

    /** The offset of the first event of a faultless interval; that of its checkpoint if it has none. */
    private long firstOffset() {
        return evidence.events().stream()
                .filter(event -> ownBegin() < event.offset()
                        && sealed.firstSequence() <= event.sequence()
                        && event.sequence() < sealed.nextSequence())
                .mapToLong(Event::offset)
                .filter(offset -> offset < target.offset())
                .findFirst()
                .orElse(target.offset());
    }

    /** The offset after which the interval's own range begins. */
    long ownBegin() {
        return previous.map(CheckpointRecord::offset).orElse(evidence.beginOffset() - 1);
    }

    /** The first sequence that the evidence holds if it is in its place. */
    private long readBegin(long begin) {
        CheckpointRecord first = evidence.checkpoints().get(0);
        if (evidence.beginOffset() == 0 || Succession.number(first) == 0) {
            return 0;
        }
        return first.offset() < target.offset() ? Math.min(begin, nextSequence(first)) : begin;
    }

    private List<Anomaly> chainAnomalies() {
        if (previous.isEmpty()) {
            boolean lost = sealed.number() > 0 && !evidence.beginsLate();
            return lost ? List.of(aboutCheckpoints(Kind.CHECKPOINT_LOST, 0)) : List.of();
        }
        CheckpointRecord before = previous.get();
        if (Succession.number(before) + 1 < sealed.number()) {
            return List.of(aboutCheckpoints(Kind.CHECKPOINT_LOST, Succession.number(before) + 1));
        }
        boolean continues = Succession.names(target, before) && nextSequence(before) == sealed.firstSequence();
        return continues ? List.of() : List.of(aboutCheckpoints(Kind.CHAIN_BROKEN, sealed.number()));
    }

    /** Keeps the missing events before an end in doubt: the emitter does not know whether the later ones arrived. */
    private static void takeBack(List<Anomaly> anomalies, Checkpoint end) {
        anomalies.replaceAll(anomaly -> switch (anomaly.kind()) {
            case LOST -> anomaly.before(end.firstSequence());
            case CHECKPOINT_LOST -> anomaly.before(end.number());
            default -> anomaly;
        });
        anomalies.removeIf(anomaly -> anomaly.begin() >= anomaly.end());
    }

    /** The anomalies of events, those of a fork as one. */
    private List<Anomaly> withoutForked(List<Anomaly> events) {
        List<Anomaly> named = new ArrayList<>(events);
        Optional<CheckpointRecord> fork =
                named.removeIf(this::isStranger) ? succession.forkBefore(target) : Optional.empty();
        fork.ifPresent(record -> named.add(0, brokenBy(record)));
        return fork.isPresent() ? named : events;
    }

    /** True for an event that the interval neither states nor has twice: in a forked stream, one of the other emitter. */
    private boolean isStranger(Anomaly anomaly) {
        boolean ours = sealed.firstSequence() <= anomaly.begin() && anomaly.begin() < sealed.nextSequence();
        return switch (anomaly.kind()) {
            case FOREIGN, OUT_OF_REACH -> true;
            case REORDERED, ALTERED -> !ours;
            default -> false;
        };
    }

    private Anomaly brokenBy(CheckpointRecord fork) {
        long number = Succession.number(fork);
        Hash previous = fork.checkpoint().previousHash();
        return new Anomaly(
                Kind.CHAIN_BROKEN, sealed.stream(), number, number + 1, fork.offset(), 0, previous, Hash.empty());
    }

    private Anomaly aboutCheckpoints(Kind kind, long begin) {
        long end = kind == Kind.CHECKPOINT_LOST ? sealed.number() : sealed.number() + 1;
        return new Anomaly(kind, sealed.stream(), begin, end, target.offset(), 0, sealed.previousHash(), Hash.empty());
    }

    private boolean dropExpired(List<Anomaly> anomalies) {
        return anomalies.removeIf(anomaly -> sealed.firstSequence() <= anomaly.begin()
                && anomaly.begin() < sealed.nextSequence()
                && (anomaly.kind() == Kind.LOST || anomaly.offset() > target.offset()));
    }

    private static long nextSequence(CheckpointRecord record) {
        return record.checkpoint().nextSequence();
    }
}
