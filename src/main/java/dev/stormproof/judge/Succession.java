package dev.stormproof.judge;

import dev.stormproof.checkpoint.CheckpointRecord;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The order of the checkpoints that one stream has in the log.
 *
 * <p>A checkpoint names its predecessor by hash; neither its number nor its place in the log is believed before that:
 *
 * <pre>
 *   offset        10      20      30      40      50      60
 *   number         4       5     900       5       6       6
 *   hash           a       b       x       b       c       d
 *   previous       …       a       z       a       b       b
 *                                  │       │               └ another statement of number 6: a fork, and seals nothing. If it
 *                                  │       │                 ends the stream, it is the last one, stated again, and judged
 *                                  │       └ repetition of the one at 20: seals nothing
 *                                  └ names no predecessor in the log: judged by the events there, and ignored when others are judged
 * </pre>
 *
 * <p>A checkpoint that lies behind its own successor is late and seals nothing either.
 */
public final class Succession {
    private final List<CheckpointRecord> records;

    /** @param records the checkpoints of one stream of format 2, in the order of the log */
    public Succession(List<CheckpointRecord> records) {
        this.records = List.copyOf(records);
    }

    /**
     * The checkpoint before which an interval's events do not lie: the one that its checkpoint names, at its first place
     * in the log. If that is missing, the one of the greatest smaller number before it.
     */
    public Optional<CheckpointRecord> predecessorOf(CheckpointRecord target) {
        CheckpointRecord nearest = null;
        for (CheckpointRecord record : records) {
            if (record.offset() >= target.offset()) {
                break;
            }
            if (names(target, record)) {
                return Optional.of(record);
            }
            boolean smaller = number(record) < number(target);
            if (smaller && (nearest == null || number(record) > number(nearest))) {
                nearest = record;
            }
        }
        return Optional.ofNullable(nearest);
    }

    /** The first one behind a checkpoint that may continue it. */
    public Optional<CheckpointRecord> successorOf(CheckpointRecord target) {
        return records.stream()
                .filter(record -> record.offset() > target.offset() && number(record) >= number(target))
                .filter(record -> !repeats(record) && !isLate(record))
                .findFirst();
    }

    /** True if the same checkpoint lies in the log further up. */
    public boolean repeats(CheckpointRecord target) {
        return records.stream().anyMatch(record -> record.offset() < target.offset() && same(record, target));
    }

    /** True if a checkpoint that names this one lies in the log further up. */
    public boolean isLate(CheckpointRecord target) {
        return records.stream().anyMatch(record -> record.offset() < target.offset() && names(record, target));
    }

    /**
     * Another checkpoint of the same number, further up, that the stream continued before this one came, or that has the
     * same predecessor. The last checkpoint of a stream may be stated again.
     */
    public Optional<CheckpointRecord> forkedFrom(CheckpointRecord target) {
        return rivalsOf(target)
                .filter(record -> isContinued(record, target.offset())
                        // guard: fork-in-words-is-a-fork
                        || (isForkOf(record, target) && !target.checkpoint().closing()))
                .findFirst();
    }

    /** True if another checkpoint of the same number lies between one and its predecessor. */
    public boolean hasRival(CheckpointRecord target) {
        long after = predecessorOf(target).map(CheckpointRecord::offset).orElse(-1L);
        return rivalsOf(target).anyMatch(record -> record.offset() > after);
    }

    /**
     * The first checkpoint before one that forks the stream: it bears the number of another one further up, and both have the
     * same predecessor, or it has one in the log that it names.
     */
    public Optional<CheckpointRecord> forkBefore(CheckpointRecord target) {
        return records.stream()
                .filter(record -> record.offset() < target.offset())
                .filter(record -> rivalsOf(record).anyMatch(rival -> isForkOf(rival, record) || isChained(record)))
                .findFirst();
    }

    private boolean isChained(CheckpointRecord target) {
        return records.stream().anyMatch(record -> record.offset() < target.offset() && names(target, record));
    }

    /** The other checkpoints of the same number, further up. */
    private Stream<CheckpointRecord> rivalsOf(CheckpointRecord target) {
        return records.stream()
                .filter(record ->
                        record.offset() < target.offset() && number(record) == number(target) && !same(record, target));
    }

    private static boolean isForkOf(CheckpointRecord record, CheckpointRecord target) {
        return record.checkpoint().previousHash().equals(target.checkpoint().previousHash());
    }

    private boolean isContinued(CheckpointRecord target, long endOffset) {
        return records.stream()
                .anyMatch(record ->
                        target.offset() < record.offset() && record.offset() < endOffset && names(record, target));
    }

    /** True if one states that the other is its predecessor. */
    public static boolean names(CheckpointRecord record, CheckpointRecord predecessor) {
        return number(record) - 1 == number(predecessor)
                && record.checkpoint().previousHash().equals(predecessor.chainHash());
    }

    /** True if both are one checkpoint at two places. */
    public static boolean same(CheckpointRecord record, CheckpointRecord other) {
        return record.chainHash().equals(other.chainHash());
    }

    /** The number that a checkpoint bears. */
    public static long number(CheckpointRecord record) {
        return record.checkpoint().number();
    }
}
