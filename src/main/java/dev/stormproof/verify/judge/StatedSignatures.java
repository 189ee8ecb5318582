package dev.stormproof.verify.judge;

import dev.stormproof.proof.checkpoint.Checkpoint;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.Leaves;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The signatures that the checkpoints of one stream state for its sequences. */
final class StatedSignatures {
    private final Checkpoint target;
    private final List<CheckpointRecord> checkpoints;
    private final IdentityHashMap<Checkpoint, Boolean> leavesMatchRoot = new IdentityHashMap<>();
    private @Nullable NavigableMap<Long, Stretch> stretches;

    /** The sequences before an end, and the first checkpoint that states their signatures. */
    private record Stretch(long end, Checkpoint checkpoint) {}

    /** @param target the checkpoint whose statement comes first */
    StatedSignatures(Checkpoint target, List<CheckpointRecord> checkpoints) {
        this.target = target;
        this.checkpoints = checkpoints;
    }

    /**
     * The signature that a sequence should have; empty if no checkpoint states it. Of a sequence that the target calls
     * uncertain it states no signature; a signature that another checkpoint states is judged with the other's interval.
     */
    Hash of(long sequence) {
        if (target.firstSequence() <= sequence && certainFrom(target, sequence) > sequence) {
            return Hash.empty();
        }
        return in(target, sequence)
                .or(() -> Optional.ofNullable(stretches().floorEntry(sequence))
                        .map(Map.Entry::getValue)
                        .filter(stretch -> sequence < stretch.end())
                        .flatMap(stretch -> in(stretch.checkpoint(), sequence)))
                .orElse(Hash.empty());
    }

    /** The stretches by their begins: forged checkpoints may be many, and every event is looked up. */
    private NavigableMap<Long, Stretch> stretches() {
        NavigableMap<Long, Stretch> known = stretches;
        if (known == null) {
            known = new TreeMap<>();
            NavigableMap<Long, Long> taken = new TreeMap<>();
            for (CheckpointRecord record : checkpoints) {
                Checkpoint checkpoint = record.checkpoint();
                if (hasLeavesOf(checkpoint)) {
                    long begin = checkpoint.firstSequence();
                    for (SequenceRange range : checkpoint.uncertain()) {
                        take(begin, range.begin(), checkpoint, known, taken);
                        begin = range.end();
                    }
                    take(begin, checkpoint.nextSequence(), checkpoint, known, taken);
                }
            }
            stretches = known;
        }
        return known;
    }

    /** Adds the parts of [from, to) that are not taken yet, and takes them. */
    private static void take(
            long from,
            long to,
            Checkpoint checkpoint,
            NavigableMap<Long, Stretch> into,
            NavigableMap<Long, Long> taken) {
        if (from >= to) {
            return;
        }
        Map.Entry<Long, Long> before = taken.floorEntry(from);
        boolean joins = before != null && before.getValue() >= from;
        long begin = joins ? before.getKey() : from;
        long at = joins ? Math.max(from, before.getValue()) : from;
        for (Map.Entry<Long, Long> next = taken.higherEntry(begin);
                next != null && next.getKey() <= to;
                next = taken.higherEntry(begin)) {
            if (at < next.getKey()) {
                into.put(at, new Stretch(next.getKey(), checkpoint));
            }
            at = Math.max(at, next.getValue());
            taken.remove(next.getKey());
        }
        if (at < to) {
            into.put(at, new Stretch(to, checkpoint));
        }
        taken.put(begin, Math.max(at, to));
    }

    /** True if a checkpoint states leaves that match its root. */
    boolean hasLeavesOf(Checkpoint checkpoint) {
        return leavesMatchRoot.computeIfAbsent(checkpoint, Checkpoint::leavesMatchRoot);
    }

    /** The first sequence from the given one on that a checkpoint does not call uncertain. */
    static long certainFrom(Checkpoint checkpoint, long sequence) {
        return checkpoint.uncertain().stream()
                .filter(range -> range.contains(sequence))
                .findFirst()
                .map(SequenceRange::end)
                .orElse(sequence);
    }

    private Optional<Hash> in(Checkpoint checkpoint, long sequence) {
        boolean inside = checkpoint.firstSequence() <= sequence && sequence < checkpoint.nextSequence();
        if (!inside || certainFrom(checkpoint, sequence) > sequence || !hasLeavesOf(checkpoint)) {
            return Optional.empty();
        }
        long index = sequence - checkpoint.firstSequence();
        for (SequenceRange range : checkpoint.uncertain()) {
            index -= range.end() <= sequence ? range.count() : 0;
        }
        Leaves leaves = checkpoint.leaves().orElseThrow();
        return Optional.of(leaves.signature((int) index));
    }
}
