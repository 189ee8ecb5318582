package dev.stormproof.verify;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.Event;
import dev.stormproof.checkpoint.Format1Checkpoint;
import dev.stormproof.merkle.Hash;
import dev.stormproof.merkle.LeafAlignment;
import dev.stormproof.merkle.Leaves;
import dev.stormproof.verify.Anomaly.Kind;
import dev.stormproof.verify.Verdict.Inconclusive;
import dev.stormproof.verify.Verdict.Inconclusive.Reason;
import dev.stormproof.verify.Verdict.Verified;
import dev.stormproof.verify.Verdict.Verified.Basis;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One interval of format 1 before the judge: no sequences, so its leaves are aligned with the events by signature.
 *
 * <p>What is missing is looked for among what is too much in the neighbouring intervals, and the other way round.
 */
final class PlainCase {
    private final SealedInterval interval;
    private final CheckpointRecord target;
    private final Format1Checkpoint sealed;
    private final Evidence evidence;
    private final List<CheckpointRecord> checkpoints;

    PlainCase(SealedInterval interval, CheckpointRecord target, Evidence evidence) {
        this.interval = interval;
        this.target = target;
        this.sealed = (Format1Checkpoint) target.checkpoint();
        this.evidence = evidence;
        this.checkpoints = withoutRepetitions();
    }

    /** @param last true if nothing will follow the interval */
    Finding judge(boolean last) {
        if (!checkpoints.contains(target)) {
            return Judge.repetition(target);
        }
        Optional<CheckpointRecord> previous = lastBefore(target.offset());
        List<Event> window = window(previous, target.offset());
        LeafAlignment alignment = LeafAlignment.of(sealed.leaves(), leavesOf(window));
        if (alignment.identical()) {
            return new Verified(interval, Basis.LOG);
        }
        if (previous.isEmpty() && evidence.beginOffset() > 0) {
            return new Inconclusive(interval, Reason.UNANCHORED, "no checkpoint before it in the log");
        }
        Neighbours neighbours = neighbours(previous);
        List<Anomaly> anomalies = new ArrayList<>();
        nameWithin(alignment, window, anomalies);
        nameMissing(alignment, neighbours, anomalies);
        nameForeign(alignment, window, neighbours, anomalies);
        boolean open = alignment.lost().length + alignment.foreign().length > 0;
        boolean followed = next().isPresent();
        return Judge.violated(interval, anomalies, open && !last && !followed, alignment.minimal());
    }

    /**
     * A checkpoint is a repetition if it states what the last one states that is none, and no event of it came in between.
     */
    private List<CheckpointRecord> withoutRepetitions() {
        List<CheckpointRecord> first = new ArrayList<>();
        for (CheckpointRecord record : evidence.checkpoints()) {
            CheckpointRecord before = first.isEmpty() ? null : first.get(first.size() - 1);
            if (before == null || !repeats(record, before)) {
                first.add(record);
            }
        }
        return first;
    }

    private boolean repeats(CheckpointRecord record, CheckpointRecord before) {
        Leaves leaves = ((Format1Checkpoint) record.checkpoint()).leaves();
        if (!leaves.equals(((Format1Checkpoint) before.checkpoint()).leaves())) {
            return false;
        }
        Set<Hash> stated = new HashSet<>();
        for (int i = 0; i < leaves.count(); i++) {
            stated.add(leaves.signature(i));
        }
        return window(Optional.of(before), record.offset()).stream()
                .noneMatch(event -> stated.contains(event.observed()));
    }

    private Optional<CheckpointRecord> lastBefore(long offset) {
        CheckpointRecord found = null;
        for (CheckpointRecord record : checkpoints) {
            found = record.offset() < offset ? record : found;
        }
        return Optional.ofNullable(found);
    }

    private Optional<CheckpointRecord> next() {
        return checkpoints.stream()
                .filter(record -> record.offset() > target.offset())
                .findFirst();
    }

    /** What is missing and what is too much in the intervals before and after. */
    private record Neighbours(Map<Hash, Deque<Event>> surplus, Set<Hash> missing, Set<Hash> stated) {}

    private Neighbours neighbours(Optional<CheckpointRecord> previous) {
        Neighbours found = new Neighbours(new HashMap<>(), new HashSet<>(), new HashSet<>());
        previous.ifPresent(record -> add(record, found));
        next().ifPresent(record -> add(record, found));
        return found;
    }

    private void add(CheckpointRecord record, Neighbours found) {
        Optional<CheckpointRecord> before = lastBefore(record.offset());
        boolean whole = before.isPresent() || evidence.beginOffset() == 0;
        if (!whole) {
            return;
        }
        Leaves leaves = ((Format1Checkpoint) record.checkpoint()).leaves();
        List<Event> window = window(before, record.offset());
        LeafAlignment alignment = LeafAlignment.of(leaves, leavesOf(window));
        for (int i : alignment.foreign()) {
            Event event = window.get(i);
            found.surplus()
                    .computeIfAbsent(event.observed(), signature -> new ArrayDeque<>())
                    .add(event);
        }
        for (int i : alignment.lost()) {
            found.missing().add(leaves.signature(i));
        }
        for (int i = 0; i < leaves.count(); i++) {
            found.stated().add(leaves.signature(i));
        }
    }

    private void nameWithin(LeafAlignment alignment, List<Event> window, List<Anomaly> anomalies) {
        for (int i : alignment.reordered()) {
            anomalies.add(anomaly(Kind.REORDERED, alignment.expectedIndexOf(i), window.get(i), 1));
        }
        for (int i : alignment.duplicates()) {
            anomalies.add(anomaly(Kind.DUPLICATED, alignment.expectedIndexOf(i), window.get(i), 2));
        }
        int[] expected = alignment.alteredExpected();
        int[] observed = alignment.alteredObserved();
        for (int i = 0; i < expected.length; i++) {
            anomalies.add(anomaly(Kind.ALTERED, expected[i], window.get(observed[i]), 1));
        }
    }

    private void nameMissing(LeafAlignment alignment, Neighbours neighbours, List<Anomaly> anomalies) {
        for (int i : alignment.lost()) {
            Hash signature = sealed.leaves().signature(i);
            Deque<Event> elsewhere = neighbours.surplus().getOrDefault(signature, new ArrayDeque<>());
            if (elsewhere.isEmpty()) {
                anomalies.add(new Anomaly(Kind.LOST, sealed.stream(), i, i + 1L, -1, 0, signature, Hash.empty()));
            } else {
                anomalies.add(anomaly(Kind.REORDERED, i, elsewhere.remove(), 1));
            }
        }
    }

    private void nameForeign(
            LeafAlignment alignment, List<Event> window, Neighbours neighbours, List<Anomaly> anomalies) {
        for (int i : alignment.foreign()) {
            Event event = window.get(i);
            boolean moved = neighbours.missing().contains(event.observed());
            boolean copied = neighbours.stated().contains(event.observed());
            Kind kind = moved ? Kind.REORDERED : copied ? Kind.DUPLICATED : Kind.FOREIGN;
            anomalies.add(anomaly(kind, -1, event, kind == Kind.DUPLICATED ? 2 : 1));
        }
    }

    private Anomaly anomaly(Kind kind, int index, Event event, int copies) {
        Hash expected = index < 0 ? Hash.empty() : sealed.leaves().signature(index);
        return new Anomaly(
                kind, sealed.stream(), index, index + 1L, event.offset(), copies, expected, event.observed());
    }

    private List<Event> window(Optional<CheckpointRecord> after, long before) {
        long begin = after.map(CheckpointRecord::offset).orElse(-1L);
        return evidence.events().stream()
                .filter(event -> begin < event.offset() && event.offset() < before)
                .toList();
    }

    private static Leaves leavesOf(List<Event> events) {
        Leaves.Builder leaves = Leaves.builder();
        events.forEach(event -> leaves.append(event.observed()));
        return leaves.build();
    }
}
