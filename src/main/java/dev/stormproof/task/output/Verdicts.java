package dev.stormproof.task.output;

import dev.stormproof.proof.checkpoint.AllowedEmitters;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.OversizedRecords;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Verdict;
import dev.stormproof.verify.judge.Verdict.Verified;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What was found on the records of one partition between what its verified topic has written and the verified progress.
 *
 * <pre>
 *   log         e0 b0 e1 #1 ~e2 #2 b1 #1 e3
 *   emitter e   └────────┘└─────┘ violated
 *   emitter b      └────────────────┘
 * </pre>
 *
 * <p>A verified interval says: between the checkpoint before it and its own the log holds of its stream exactly what that states. So an event is
 * proven if it is within a verified interval of its stream, and a checkpoint if it ends one; nothing else is.
 *
 * <p>Without room for all verified intervals it keeps those that begin first, and as many as are open at a place: what follows {@link #knownBefore} has to be verified again. Owned
 * by one thread.
 */
final class Verdicts {
    /** How many findings after a record are searched for its own. */
    private static final int MOST_PASSED = 100;

    private final PartitionId partition;
    private final AllowedEmitters allowed;
    private final int most;
    private final Map<Long, TreeMap<Long, Proof>> proofs = new HashMap<>();
    /** The same by their beginnings; an end that is stated again has that of the first statement. */
    private final TreeSet<Proof> ordered =
            new TreeSet<>(Comparator.comparingLong(Proof::begin).thenComparingLong(Proof::end));

    private final TreeMap<Long, Against> against = new TreeMap<>();
    private final Map<Long, Unproven> unsealed = new HashMap<>();
    private long knownBefore = Long.MAX_VALUE;

    /** The reason why a record is not verified, with the id of the alert about it, which may be empty. */
    record Unproven(String alertId, String why) {
        private static Unproven of(Finding finding) {
            return new Unproven(finding.id(), finding.type().label() + ": " + finding.id());
        }
    }

    /** A verified interval; of one that was cut off in the log what is left, which no checkpoint ends. */
    private record Proof(
            long emitter, long begin, long end, @Nullable Hash checkpoint, long firstSequence, long nextSequence) {
        static Proof of(Verified verified) {
            IntervalId interval = verified.interval();
            long emitter = interval.stream().emitter();
            boolean numbered = emitter != StreamId.NO_EMITTER;
            long first = numbered ? interval.firstSequence() : Event.NO_SEQUENCE;
            return new Proof(
                    emitter,
                    verified.beginOffset(),
                    interval.checkpointOffset(),
                    interval.seal().checkpointHash(),
                    first,
                    first + (numbered ? interval.eventCount() : 1));
        }

        boolean states(Event event) {
            return begin <= event.offset()
                    && firstSequence <= event.sequence()
                    && event.sequence() < nextSequence
                    && (emitter == StreamId.NO_EMITTER || event.intact());
        }

        Proof before(long offset) {
            return new Proof(emitter, begin, offset - 1, null, firstSequence, nextSequence);
        }
    }

    /**
     * A finding that is no proof.
     *
     * @param kind of stray records, which begin at {@code from}; null of an interval
     */
    private record Against(long emitter, long from, UnattributedRecord.@Nullable Kind kind, Unproven unproven) {
        boolean isOn(LogRecord record, long offset, long end) {
            if (record instanceof Event event) {
                return kind == null && event.emitter() == emitter;
            }
            if (record instanceof CheckpointRecord checkpoint) {
                return end == offset
                        && (kind != null || checkpoint.checkpoint().stream().emitter() == emitter);
            }
            return kind != null && from <= offset && kind == kindOf(record);
        }
    }

    /**
     * @param allowed the emitters whose verified intervals count
     * @param most how many of these are kept
     */
    Verdicts(PartitionId partition, AllowedEmitters allowed, int most) {
        this.partition = partition;
        this.allowed = allowed;
        this.most = most;
    }

    /**
     * Takes a finding.
     *
     * @param next the first offset that was not handed on; what begins after it may be left out
     */
    void add(Finding finding, long next) {
        if (finding instanceof StrayRecord stray) {
            add(stray.lastOffset(), new Against(0, stray.offset(), stray.kind(), Unproven.of(stray)));
        } else if (finding instanceof Verdict verdict) {
            add(verdict, next);
        }
    }

    private void add(Verdict verdict, long next) {
        IntervalId interval = verdict.interval();
        long emitter = interval.stream().emitter();
        if (verdict.revision() == Finding.OPEN_REVISION) {
            if (unsealed.size() < most) {
                unsealed.put(emitter, Unproven.of(verdict));
            }
            return;
        }
        unsealed.remove(emitter);
        if (!(verdict instanceof Verified verified)) {
            add(interval.checkpointOffset(), new Against(emitter, 0, null, Unproven.of(verdict)));
        } else if (allowed.allows(interval.stream().topic(), interval.emitterName())) {
            add(Proof.of(verified));
            makeRoom(next);
        } else {
            Unproven unlisted = new Unproven("", "emitters.allowed does not name its emitter");
            add(interval.checkpointOffset(), new Against(emitter, 0, null, unlisted));
        }
    }

    private void add(Proof proof) {
        if (proof.begin() >= knownBefore) {
            return;
        }
        ordered.remove(proof);
        ordered.add(proof);
        proofs.computeIfAbsent(proof.emitter(), first -> new TreeMap<>()).put(proof.end(), proof);
    }

    private void makeRoom(long next) {
        if (ordered.size() > most && ordered.last().begin() > next) {
            knownBefore = ordered.last().begin();
            remove(ordered.last());
        }
    }

    private void remove(Proof proof) {
        ordered.remove(proof);
        proofs.computeIfPresent(proof.emitter(), (emitter, own) -> {
            own.remove(proof.end());
            return own.isEmpty() ? null : own;
        });
    }

    private void add(long end, Against finding) {
        if (against.size() < most) {
            against.merge(end, finding, (before, other) -> other.kind() == null ? other : before);
        }
    }

    /** Why a record that the verified progress has passed is not verified; null if it is. */
    @Nullable
    Unproven of(LogRecord record) {
        if (isProven(record)) {
            return null;
        }
        long offset = PartitionOutput.firstOf(record);
        Optional<Unproven> found = against.tailMap(offset, true).entrySet().stream()
                .limit(MOST_PASSED)
                .filter(one -> one.getValue().isOn(record, offset, one.getKey()))
                .map(one -> one.getValue().unproven())
                .findFirst();
        if (found.isPresent()) {
            return found.get();
        }
        if (record instanceof UnattributedRecord stray) {
            return Unproven.of(StrayRecord.of(partition, stray));
        }
        if (record instanceof OversizedRecords unread) {
            return Unproven.of(StrayRecord.of(partition, unread));
        }
        Unproven open = record instanceof Event event ? unsealed.get(event.emitter()) : null;
        return open != null
                ? open
                : new Unproven(
                        "",
                        record instanceof Event
                                ? "no checkpoint of its stream states it, up to the verified progress"
                                : "it is a checkpoint that ends no verified interval");
    }

    private boolean isProven(LogRecord record) {
        if (record instanceof CheckpointRecord checkpoint) {
            Proof ended = proofsOf(checkpoint.checkpoint().stream().emitter()).get(checkpoint.offset());
            return ended != null && checkpoint.chainHash().equals(ended.checkpoint());
        }
        return record instanceof Event event
                && proofsOf(event.emitter()).tailMap(event.offset(), true).values().stream()
                        .limit(MOST_PASSED)
                        .anyMatch(proof -> proof.states(event));
    }

    private NavigableMap<Long, Proof> proofsOf(long emitter) {
        return proofs.getOrDefault(emitter, new TreeMap<>());
    }

    private static UnattributedRecord.@Nullable Kind kindOf(LogRecord record) {
        if (record instanceof UnattributedRecord stray) {
            return stray.kind();
        }
        return record instanceof OversizedRecords ? UnattributedRecord.Kind.OVERSIZED : null;
    }

    /** The first offset of which verdicts may be missing, because there was no room. */
    long knownBefore() {
        return knownBefore;
    }

    int size() {
        return ordered.size();
    }

    /** The log was cut: the events before the cut stay verified. */
    void truncated(long offset) {
        against.tailMap(offset, true).clear();
        for (Proof cut : List.copyOf(ordered)) {
            if (cut.end() >= offset) {
                remove(cut);
                if (cut.begin() < offset) {
                    add(cut.before(offset));
                }
            }
        }
    }

    /** Forgets what ends before an offset. */
    void forgetBefore(long offset) {
        against.headMap(offset, false).clear();
        for (TreeMap<Long, Proof> own : List.copyOf(proofs.values())) {
            List.copyOf(own.headMap(offset, false).values()).forEach(this::remove);
        }
    }
}
