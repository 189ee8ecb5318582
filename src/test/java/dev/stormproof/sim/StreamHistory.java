package dev.stormproof.sim;

import dev.stormproof.proof.checkpoint.Checkpoint;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.Format1Checkpoint;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.Interval;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.tree.Leaves;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the log held of one stream, against what its emitter sent: the independent oracle, slow and simple.
 *
 * <p>It shares no code with the verifier. Everything is looked up by going through all records.
 */
final class StreamHistory {
    final @Nullable SentStream sent;
    final List<Event> events = new ArrayList<>();
    final List<CheckpointRecord> checkpoints = new ArrayList<>();

    /** @param entries what readers saw of the log, in order, expired or not */
    StreamHistory(@Nullable SentStream sent, long emitter, Iterable<HistoricLog.Entry> entries) {
        this.sent = sent;
        for (HistoricLog.Entry entry : entries) {
            if (entry.record instanceof Event event && event.emitter() == emitter) {
                events.add(event);
            } else if (entry.record instanceof CheckpointRecord checkpoint
                    && checkpoint.checkpoint().stream().emitter() == emitter) {
                checkpoints.add(checkpoint);
            }
        }
    }

    /** Where its first record of a range lies; the range's end if it has none there. */
    long firstOffset(long begin, long end) {
        return Stream.concat(
                        events.stream().map(Event::offset), checkpoints.stream().map(CheckpointRecord::offset))
                .filter(offset -> begin <= offset && offset < end)
                .min(Long::compare)
                .orElse(end);
    }

    @Nullable
    CheckpointRecord checkpointAt(long offset) {
        return checkpoints.stream()
                .filter(record -> record.offset() == offset)
                .findFirst()
                .orElse(null);
    }

    /** True if the event is as its emitter sent it. */
    boolean isGenuine(Event event) {
        SentStream stream = sent;
        if (stream == null) {
            return false;
        }
        if (stream.isFormat1()) {
            return stream.signatures.contains(event.observed());
        }
        return event.sequence() < stream.signatures.size()
                && stream.signatures.get((int) event.sequence()).equals(event.observed())
                && event.stated().equals(event.observed())
                && event.treeHash() == stream.treeHash
                && event.signatureAlgorithm() == stream.signatureAlgorithm();
    }

    /** True if the checkpoint is one that the emitter made. */
    boolean isGenuine(CheckpointRecord record) {
        return sent != null && (sent.isFormat1() || sent.chainHashes.contains(record.chainHash()));
    }

    /** True if a checkpoint seals nothing because it is in the log at an earlier offset as well. */
    boolean isRepetition(CheckpointRecord record) {
        if (isPlain(record)) {
            return isPlainRepetition(record);
        }
        return wasStatedAfter(-1, record);
    }

    private boolean wasStatedAfter(long offset, CheckpointRecord record) {
        return checkpoints.stream()
                .anyMatch(other -> offset < other.offset()
                        && other.offset() < record.offset()
                        && other.chainHash().equals(record.chainHash()));
    }

    /** The offset after which a checkpoint has its place: that of its predecessor; -1 if that does not lie before it. */
    private long placeAfter(CheckpointRecord record) {
        return namedPredecessor(record).map(CheckpointRecord::offset).orElse(-1L);
    }

    /**
     * In format 1 a checkpoint repeats the last one that repeats none if it states the same and none of its events came in
     * between: a copy that lies among its own events, or behind another checkpoint, cannot be told from a statement.
     */
    private boolean isPlainRepetition(CheckpointRecord record) {
        CheckpointRecord last = null;
        for (CheckpointRecord other : checkpoints) {
            boolean repeats = last != null
                    && leavesOf(other).equals(leavesOf(last))
                    && !holdsAny(leavesOf(other), last.offset(), other.offset());
            if (other.offset() == record.offset()) {
                return repeats;
            }
            last = repeats ? last : other;
        }
        return false;
    }

    /** True in format 1 if it or the checkpoint before it repeats another one: where it begins need not be known. */
    boolean isBesideACopy(CheckpointRecord record) {
        return isPlain(record)
                && (isRepetition(record)
                        || lastBefore(record, other -> true)
                                .filter(this::isRepetition)
                                .isPresent());
    }

    private boolean holdsAny(Leaves leaves, long after, long before) {
        for (Event event : events) {
            for (int i = 0; i < leaves.count(); i++) {
                boolean between = after < event.offset() && event.offset() < before;
                if (between && event.observed().equals(leaves.signature(i))) {
                    return true;
                }
            }
        }
        return false;
    }

    private static Leaves leavesOf(CheckpointRecord record) {
        return ((Format1Checkpoint) record.checkpoint()).signatures();
    }

    boolean isLate(CheckpointRecord record) {
        for (CheckpointRecord other : checkpoints) {
            if (other.offset() < record.offset() && isNamedBy(record, other)) {
                return true;
            }
        }
        return false;
    }

    /** True if another checkpoint of the same number came before. */
    boolean isSecond(CheckpointRecord record) {
        return rivals(record).findAny().isPresent();
    }

    /** True if such a one continues the same checkpoint, and this one does not end the stream. */
    boolean isFork(CheckpointRecord record) {
        return !isPlain(record)
                && !record.checkpoint().closing()
                && rivals(record)
                        .filter(other -> other.offset() > placeAfter(record))
                        .anyMatch(other -> other.checkpoint()
                                .previousHash()
                                .equals(record.checkpoint().previousHash()));
    }

    private Stream<CheckpointRecord> rivals(CheckpointRecord record) {
        return checkpoints.stream()
                .filter(other -> other.offset() < record.offset()
                        && number(other) == number(record)
                        && !other.chainHash().equals(record.chainHash()));
    }

    /** True if a checkpoint of a greater number came before. */
    boolean isBehindAnother(CheckpointRecord record) {
        return checkpoints.stream()
                .anyMatch(other -> other.offset() < record.offset() && number(other) > number(record));
    }

    /** True if a checkpoint ends the stream and states no event of several for certain. */
    static boolean isEndInDoubt(CheckpointRecord record) {
        if (!(record.checkpoint() instanceof Format2Checkpoint end)
                || !end.closing()
                || end.eventCount() > 0
                || end.refused()
                || end.uncertain().isEmpty()) {
            return false;
        }
        for (long sequence = end.firstSequence(); sequence < end.nextSequence(); sequence++) {
            if (!isUncertain(end, sequence)) {
                return false;
            }
        }
        return true;
    }

    /** True if its emitter made such an end, and everything before it of no smaller number. */
    boolean isHonestEndInDoubt(CheckpointRecord record) {
        return isEndInDoubt(record)
                && isGenuine(record)
                && checkpoints.stream()
                        .filter(other -> other.offset() < record.offset() && number(other) >= number(record))
                        .allMatch(this::isGenuine);
    }

    /**
     * The end that leaves a checkpoint in doubt: of what follows, nothing before it says that the emitter knew the checkpoint to have
     * arrived, by where it says that the last one lies of which that is known.
     *
     * @param counts the checkpoints that count; of copies not every reader sees the original
     */
    Optional<CheckpointRecord> leftInDoubtBy(CheckpointRecord record, Predicate<CheckpointRecord> counts) {
        int between = 0;
        for (CheckpointRecord other : checkpoints) {
            if (other.offset() <= record.offset() || !counts.test(other)) {
                continue;
            }
            if (leavesInDoubt(other, record)) {
                return Optional.of(other);
            }
            if (number(other) < number(record)) {
                continue;
            }
            long known = knownArrival(other);
            if (known < 0 || known >= record.offset() || other.checkpoint().closing() || ++between == 16) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    private static boolean leavesInDoubt(CheckpointRecord end, CheckpointRecord record) {
        return isEndInDoubt(end)
                && number(end) <= number(record)
                && end.checkpoint().nextSequence() >= record.checkpoint().nextSequence();
    }

    /** The ends of the stream after a checkpoint that leave in doubt whether it arrived. */
    Stream<CheckpointRecord> endsThatLeaveInDoubt(CheckpointRecord record) {
        return checkpoints.stream().filter(end -> end.offset() > record.offset() && leavesInDoubt(end, record));
    }

    static long knownArrival(CheckpointRecord record) {
        return record.checkpoint() instanceof Format2Checkpoint checkpoint ? checkpoint.previousOffsetHint() : -1;
    }

    /**
     * True if an interval lacks nothing but what lies at or behind a sequence, and holds nothing else, in order. Where
     * leaves are not stated and an event is missing, nobody can tell that another one was changed together with its header.
     *
     * <p>Where the predecessor is missing, too, a forged one of a greater number may lie before it. Whoever sees through that, by where
     * it lies or by its sequences, begins behind the last one that the emitter made. So does who takes the interval for what it says where
     * a number is missing before it: one whose number was forged states its sequences once more.
     */
    boolean isPerfectBefore(CheckpointRecord record, long doubtful, long notBefore) {
        return Stream.of(predecessor(record), genuinePredecessor(record))
                .distinct()
                .anyMatch(before -> isPerfectBefore(record, before, doubtful, notBefore));
    }

    private boolean isPerfectBefore(
            CheckpointRecord record, Optional<CheckpointRecord> previous, long doubtful, long notBefore) {
        Checkpoint checkpoint = record.checkpoint();
        boolean gapBefore = previous.isPresent() && number(previous.get()) + 1 < number(record);
        long next = previous.map(before -> before.checkpoint().nextSequence())
                .map(sequence -> gapBefore ? Math.min(sequence, checkpoint.firstSequence()) : sequence)
                .orElse(notBefore == 0 ? 0L : checkpoint.firstSequence());
        long after = previous.map(CheckpointRecord::offset).orElse(-1L);
        for (Event event : between(after, record, notBefore)) {
            boolean gap = event.sequence() > next && next < doubtful;
            boolean stated = event.sequence() >= checkpoint.firstSequence() && checkpoint.leavesMatchRoot();
            boolean right = isGenuine(event) || (!stated && event.intact() && event.isMadeAs(checkpoint));
            if (event.sequence() < next || event.sequence() >= checkpoint.nextSequence() || gap || !right) {
                return false;
            }
            next = event.sequence() + 1;
        }
        return next >= Math.min(doubtful, checkpoint.nextSequence());
    }

    /** True if a checkpoint seals an interval at all: the first statement of it in its place does, also if its successor came before. */
    boolean seals(CheckpointRecord record) {
        return isPlain(record) ? !isPlainRepetition(record) : !wasStatedAfter(placeAfter(record), record);
    }

    private static boolean isNamedBy(CheckpointRecord predecessor, CheckpointRecord record) {
        return record.checkpoint() instanceof Format2Checkpoint checkpoint
                && checkpoint.number() > 0
                && checkpoint.number() - 1 == number(predecessor)
                && checkpoint.previousHash().equals(predecessor.chainHash());
    }

    static long number(CheckpointRecord record) {
        return record.checkpoint() instanceof Format2Checkpoint checkpoint ? checkpoint.number() : record.offset();
    }

    /** The checkpoint that a checkpoint names, where it first lies in its own place; if it does nowhere, where it first lies. */
    Optional<CheckpointRecord> namedPredecessor(CheckpointRecord record) {
        List<CheckpointRecord> named = predecessorsBefore(record).toList();
        return named.stream()
                .filter(other -> number(other) == 0
                        || predecessorsBefore(other).findAny().isPresent())
                .findFirst()
                .or(() -> named.stream().findFirst());
    }

    private Stream<CheckpointRecord> predecessorsBefore(CheckpointRecord record) {
        return checkpoints.stream().filter(other -> other.offset() < record.offset() && isNamedBy(other, record));
    }

    /** The earlier checkpoints that came late, behind the predecessor, after each of which an interval is perfect that begins there. */
    Stream<CheckpointRecord> lateOnesAfterWhichItIsPerfect(CheckpointRecord record) {
        return predecessorsBefore(record)
                .flatMap(predecessor -> checkpoints.stream()
                        .filter(late -> predecessor.offset() < late.offset()
                                && late.offset() < record.offset()
                                && number(late) < number(predecessor)))
                .filter(late -> isPerfect(record, between(late.offset(), record, 0)));
    }

    /** The checkpoint behind which the interval's events lie. */
    Optional<CheckpointRecord> predecessor(CheckpointRecord record) {
        Optional<CheckpointRecord> named = namedPredecessor(record);
        if (named.isPresent()) {
            return named;
        }
        return lastBefore(record, other -> !isPlain(record) || !isRepetition(other));
    }

    /** The last checkpoint before one that its emitter made. */
    private Optional<CheckpointRecord> genuinePredecessor(CheckpointRecord record) {
        Optional<CheckpointRecord> named = namedPredecessor(record);
        return named.isPresent() ? named : lastBefore(record, this::isGenuine);
    }

    /** Of those that count, the first one of the greatest number that is smaller than a checkpoint's and lies before that. */
    private Optional<CheckpointRecord> lastBefore(CheckpointRecord record, Predicate<CheckpointRecord> counts) {
        CheckpointRecord best = null;
        for (CheckpointRecord other : checkpoints) {
            boolean before = other.offset() < record.offset() && number(other) < number(record);
            if (before && counts.test(other) && (best == null || number(other) > number(best))) {
                best = other;
            }
        }
        return Optional.ofNullable(best);
    }

    private static boolean isPlain(CheckpointRecord record) {
        return record.checkpoint() instanceof Format1Checkpoint;
    }

    List<Event> window(CheckpointRecord record, long notBefore) {
        return between(predecessor(record).map(CheckpointRecord::offset).orElse(-1L), record, notBefore);
    }

    private List<Event> between(long after, CheckpointRecord record, long notBefore) {
        List<Event> window = new ArrayList<>();
        for (Event event : events) {
            if (event.offset() > after && event.offset() >= notBefore && event.offset() < record.offset()) {
                window.add(event);
            }
        }
        return window;
    }

    /** True if a checkpoint says truly which predecessor it has, and that lies in the log. */
    boolean isChained(CheckpointRecord record) {
        return isPlain(record)
                || number(record) == 0
                || namedPredecessor(record).isPresent();
    }

    /** True if an event lies in the interval of a checkpoint. */
    boolean isThere(CheckpointRecord record, long sequence) {
        return window(record, 0).stream().anyMatch(event -> event.sequence() == sequence);
    }

    /** True if the events of an interval lie in the log as the emitter sent them and as the checkpoint states them. */
    boolean isPerfect(CheckpointRecord record, long notBefore) {
        return isPerfect(record, window(record, notBefore));
    }

    private boolean isPerfect(CheckpointRecord record, List<Event> window) {
        if (record.checkpoint() instanceof Format1Checkpoint plain) {
            return isPlainlyPerfect(plain, window);
        }
        Format2Checkpoint checkpoint = (Format2Checkpoint) record.checkpoint();
        Interval rebuilt = new Interval(checkpoint.treeHash(), checkpoint.firstSequence(), false);
        long next = checkpoint.firstSequence();
        for (Event event : window) {
            // Of what it is uncertain about, a checkpoint states no content.
            boolean uncertain = isUncertain(checkpoint, event.sequence());
            boolean right = uncertain ? event.intact() && event.isMadeAs(checkpoint) : isGenuine(event);
            if (event.sequence() < next || event.sequence() >= checkpoint.nextSequence() || !right) {
                return false;
            }
            next = event.sequence() + 1;
            if (!uncertain) {
                rebuilt.add(event.sequence(), event.observed());
            }
        }
        return rebuilt.count() == checkpoint.eventCount() && rebuilt.root().equals(checkpoint.root());
    }

    private boolean isPlainlyPerfect(Format1Checkpoint plain, List<Event> window) {
        if (window.size() != plain.signatures().count()) {
            return false;
        }
        for (int i = 0; i < window.size(); i++) {
            if (!window.get(i).observed().equals(plain.signatures().signature(i)) || !isGenuine(window.get(i))) {
                return false;
            }
        }
        return true;
    }

    static boolean isUncertain(Checkpoint checkpoint, long sequence) {
        for (SequenceRange range : checkpoint.uncertain()) {
            if (range.begin() <= sequence && sequence < range.end()) {
                return true;
            }
        }
        return false;
    }
}
