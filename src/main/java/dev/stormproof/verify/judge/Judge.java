package dev.stormproof.verify.judge;

import dev.stormproof.proof.checkpoint.Checkpoint;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.Format1Checkpoint;
import dev.stormproof.proof.checkpoint.Interval;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.Leaves;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the judgements of all formats have in common. */
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
        return (checkpoint.uncertain().isEmpty() || checkpoint.refused()) && stated.equals(events.root());
    }

    /** The unsealed interval with what the log shows of its events. */
    static IntervalId counted(IntervalId tail, List<Event> events) {
        boolean format1 = tail.stream().emitter() == StreamId.NO_EMITTER;
        List<Event> after = events.stream()
                .filter(event -> format1 || event.sequence() >= tail.firstSequence())
                .toList();
        return tail.knowing(Tail.of(after, tail.number() < 0 ? Tail.UNKNOWN : tail.firstSequence()));
    }

    /** The violation with these anomalies, the lost ones with what is on both sides, all with their times. */
    static Violated between(Violated violated, List<Anomaly> blamed, CheckpointRecord target, Evidence evidence) {
        return Violated.of(
                violated.interval(), evidence.timed(betweenNeighbours(blamed, target, evidence)), violated.minimal());
    }

    /** The same anomalies, lost events with the events on both sides of the gap. */
    private static List<Anomaly> betweenNeighbours(
            List<Anomaly> anomalies, CheckpointRecord target, Evidence evidence) {
        if (target.checkpoint() instanceof Format1Checkpoint) {
            return anomalies;
        }
        // How much is read after the next checkpoint depends on when it is read.
        long horizonEnd = evidence.checkpoints().stream()
                .mapToLong(CheckpointRecord::offset)
                .filter(offset -> offset > target.offset())
                .findFirst()
                .orElse(Long.MAX_VALUE);
        Stream<Event> near = evidence.events().stream().filter(event -> event.offset() < horizonEnd);
        Neighbours.Lookup lookup = new Neighbours.Lookup(near);
        return anomalies.stream()
                .map(anomaly -> anomaly.kind() == Anomaly.Kind.LOST
                        ? anomaly.between(lookup.of(anomaly.begin(), anomaly.end()))
                        : anomaly)
                .toList();
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
