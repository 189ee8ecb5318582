package dev.stormproof.log.origin;

import dev.stormproof.log.origin.OriginEvidence.Judged;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.Format1Checkpoint;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Anomaly.Kind;
import dev.stormproof.verify.judge.Evidence;
import dev.stormproof.verify.judge.Hop;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the hops on which the anomalies of one interval came about, by the origin's log and by the transform's statements about its events.
 *
 * <pre>
 *   the origin's log         shows it too       does not show it   cannot be asked    there is none
 *   altered since signed     several            after-transform    after-transform    after-transform
 *   read as it is not stated before-origin      transform          before-transform   before-transform
 *   diverted                 transform          transform          transform          transform
 *   any other                before-origin      between-logs       unknown            log
 * </pre>
 *
 * <p>An anomaly that the origin's log shows in part, as two of three copies, came about on several hops. Each part of a range
 * of lost events or checkpoints has its own hop.
 *
 * <p>Used once, for one interval.
 */
final class Blame {
    private static final Set<Kind> UNEXPECTED = EnumSet.of(Kind.FOREIGN, Kind.OUT_OF_REACH);
    private static final Set<Kind> MISPLACED = EnumSet.of(Kind.DUPLICATED, Kind.REORDERED);

    private final CheckpointRecord target;
    private final Evidence evidence;
    private final OriginEvidence origin;
    private final boolean complete;
    private final Map<Name, List<Anomaly>> shown = new HashMap<>();
    /** The contents of the events here, by their offsets. */
    private final Map<Long, Event.Content> contents = new HashMap<>();
    /** The intact events of the origin's log, by their sequences. */
    private final Map<Long, List<Event>> intactThere = new HashMap<>();

    private @Nullable MovedBetween moved;

    /** The name of an anomaly, the same in every topic. */
    private record Name(Kind kind, long begin, long end) {
        static Name of(Anomaly anomaly) {
            return new Name(anomaly.kind(), anomaly.begin(), anomaly.end());
        }
    }

    Blame(CheckpointRecord target, Evidence evidence, OriginEvidence shownThere) {
        this.target = target;
        this.evidence = evidence;
        // Format 1 has neither numbers nor sequences by which an interval could be found elsewhere.
        this.origin = target.checkpoint() instanceof Format1Checkpoint ? OriginEvidence.UNREAD : shownThere;
        this.complete = !origin.intervals().isEmpty()
                && origin.intervals().stream().allMatch(Judged::isDecided)
                && origin.fromSequence() <= firstSequence();
        anomaliesShown()
                .forEach(anomaly -> shown.computeIfAbsent(Name.of(anomaly), name -> new ArrayList<>())
                        .add(anomaly));
        evidence.events().forEach(event -> contents.putIfAbsent(event.offset(), event.content()));
        origin.intervals().stream()
                .flatMap(judged -> judged.events().stream())
                .filter(Event::intact)
                .forEach(event -> intactThere
                        .computeIfAbsent(event.sequence(), sequence -> new ArrayList<>(1))
                        .add(event));
    }

    /** The same anomalies with their hops; a range may be split. */
    List<Anomaly> of(List<Anomaly> anomalies) {
        List<Anomaly> blamed = new ArrayList<>();
        for (Anomaly anomaly : anomalies) {
            switch (anomaly.kind()) {
                case LOST -> blamed.addAll(parts(anomaly, origin.fromSequence(), undecided()));
                case CHECKPOINT_LOST -> blamed.addAll(parts(anomaly, origin.fromNumber(), List.of()));
                case DIVERTED -> blamed.add(anomaly.on(Hop.TRANSFORM));
                case ALTERED -> blamed.add(anomaly.on(ofAltered(anomaly)));
                case REORDERED -> blamed.add(anomaly.on(ofReordered(anomaly)));
                case DUPLICATED -> blamed.add(anomaly.on(ofDuplicated(anomaly)));
                case FOREIGN, OUT_OF_REACH -> blamed.add(anomaly.on(ofUnexpected(anomaly)));
                case UNLOCATED, CHAIN_BROKEN -> blamed.add(anomaly.on(ofWhole(anomaly)));
            }
        }
        return blamed;
    }

    /** The first sequence that the interval accounts for here. */
    private long firstSequence() {
        return evidence.checkpoints().stream()
                .filter(record -> record.offset() < target.offset())
                .reduce((earlier, later) -> later)
                .map(before -> before.checkpoint().nextSequence())
                .filter(sequence -> sequence < target.checkpoint().firstSequence())
                .orElse(target.checkpoint().firstSequence());
    }

    private Stream<Anomaly> anomaliesShown() {
        return origin.intervals().stream().flatMap(judged -> judged.anomalies().stream());
    }

    private Hop notShown(boolean known) {
        return known ? Hop.BETWEEN_LOGS : Hop.UNKNOWN;
    }

    private List<SequenceRange> undecided() {
        return origin.intervals().stream()
                .filter(judged -> !judged.isDecided() && judged.begin() < judged.end())
                .map(judged -> new SequenceRange(judged.begin(), judged.end()))
                .toList();
    }

    private boolean isKnown(long sequence) {
        return !origin.intervals().isEmpty()
                && origin.fromSequence() <= sequence
                && undecided().stream().noneMatch(range -> range.contains(sequence));
    }

    /** The parts of a range: missing in the origin's log, present there, or unknown. */
    private List<Anomaly> parts(Anomaly anomaly, long knownFrom, List<SequenceRange> unknown) {
        if (origin.intervals().isEmpty()) {
            return List.of(anomaly.on(Hop.UNKNOWN));
        }
        List<SequenceRange> missing = anomaliesShown()
                .filter(other -> other.kind() == anomaly.kind()
                        && other.begin() < anomaly.end()
                        && anomaly.begin() < other.end())
                .map(other -> new SequenceRange(other.begin(), other.end()))
                .toList();
        TreeSet<Long> cuts = new TreeSet<>(List.of(anomaly.begin(), anomaly.end(), knownFrom));
        Stream.concat(missing.stream(), unknown.stream()).forEach(range -> {
            cuts.add(range.begin());
            cuts.add(range.end());
        });
        List<Anomaly> parts = new ArrayList<>();
        for (long begin = anomaly.begin(); begin < anomaly.end(); ) {
            long at = begin;
            Hop hop;
            if (missing.stream().anyMatch(range -> range.contains(at))) {
                hop = Hop.BEFORE_ORIGIN;
            } else {
                boolean open = at < knownFrom || unknown.stream().anyMatch(range -> range.contains(at));
                hop = open ? Hop.UNKNOWN : Hop.BETWEEN_LOGS;
            }
            Long next = cuts.higher(begin);
            long end = next == null ? anomaly.end() : Math.min(next, anomaly.end());
            Anomaly last = parts.isEmpty() ? null : parts.get(parts.size() - 1);
            if (last != null && last.hop() == hop) {
                parts.set(parts.size() - 1, anomaly.part(last.begin(), end, hop));
            } else {
                parts.add(anomaly.part(begin, end, hop));
            }
            begin = end;
        }
        return parts;
    }

    private Hop ofAltered(Anomaly anomaly) {
        Event.Content content = contents.getOrDefault(anomaly.offset(), Event.Content.UNTRANSFORMED);
        Optional<Anomaly> there = shownAs(Name.of(anomaly)).stream().findFirst();
        if (there.isPresent()) {
            boolean another = content == Event.Content.ALTERED || isAnother(anomaly, there.get());
            return another ? Hop.SEVERAL : Hop.BEFORE_ORIGIN;
        }
        if (content == Event.Content.ALTERED) {
            return Hop.AFTER_TRANSFORM;
        }
        boolean readSo = content == Event.Content.AS_MADE && isReadAsAnother(anomaly);
        if (isKnown(anomaly.begin())) {
            return readSo ? Hop.TRANSFORM : Hop.BETWEEN_LOGS;
        }
        return readSo ? Hop.BEFORE_TRANSFORM : Hop.UNKNOWN;
    }

    private boolean isReadAsAnother(Anomaly anomaly) {
        return anomaly.differs().contains(Anomaly.Part.KEY_OR_VALUE)
                || (anomaly.observed().sizeBytes() > 0
                        && intactThere.getOrDefault(anomaly.begin(), List.of()).stream()
                                .anyMatch(event -> !event.observed().equals(anomaly.observed())));
    }

    private static boolean isAnother(Anomaly here, Anomaly there) {
        return here.observed().sizeBytes() > 0
                && there.observed().sizeBytes() > 0
                && !here.observed().equals(there.observed());
    }

    /** Several of the events out of order may be named; only the order in both logs shows which was moved between them. */
    private Hop ofReordered(Anomaly anomaly) {
        boolean anyOutOfOrder = anomaliesShown().anyMatch(other -> other.kind() == Kind.REORDERED);
        if (!complete && !(anyOutOfOrder && isKnown(anomaly.begin()))) {
            return Hop.UNKNOWN;
        }
        if (!anyOutOfOrder) {
            return Hop.BETWEEN_LOGS;
        }
        if (moved == null) {
            moved = new MovedBetween(origin, evidence);
        }
        return moved.isMoved(anomaly.offset()) ? Hop.BETWEEN_LOGS : Hop.BEFORE_ORIGIN;
    }

    private Hop ofDuplicated(Anomaly anomaly) {
        int there = shownAs(Name.of(anomaly)).stream()
                .mapToInt(Anomaly::copies)
                .max()
                .orElse(0);
        if (there == 0) {
            return notShown(complete);
        }
        return there < anomaly.copies() ? Hop.SEVERAL : Hop.BEFORE_ORIGIN;
    }

    /** An event in a place that no checkpoint states may also be altered, or a copy of one in another place. */
    private Hop ofUnexpected(Anomaly anomaly) {
        for (Kind kind : UNEXPECTED) {
            List<Anomaly> there = shownAs(new Name(kind, anomaly.begin(), anomaly.end()));
            if (!there.isEmpty()) {
                Anomaly one = there.remove(0);
                return isAnother(anomaly, one) ? Hop.SEVERAL : Hop.BEFORE_ORIGIN;
            }
        }
        boolean misplaced = MISPLACED.stream()
                .anyMatch(kind ->
                        !shownAs(new Name(kind, anomaly.begin(), anomaly.end())).isEmpty());
        return misplaced ? Hop.SEVERAL : notShown(complete);
    }

    private Hop ofWhole(Anomaly anomaly) {
        return shownAs(Name.of(anomaly)).isEmpty() ? notShown(complete) : Hop.BEFORE_ORIGIN;
    }

    private List<Anomaly> shownAs(Name name) {
        return shown.getOrDefault(name, List.of());
    }
}
