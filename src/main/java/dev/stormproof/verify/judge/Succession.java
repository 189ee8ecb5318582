package dev.stormproof.verify.judge;

import dev.stormproof.proof.checkpoint.Checkpoint;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.tree.Hash;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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
 *
 * <p>An emitter that does not know whether its checkpoints from some number on have arrived ends the stream with that number:
 *
 * <pre>
 *   number         4       5       6       5
 *   previous       …       a       b       a
 *   hint           …      10      10       –
 *                          │       │       └ the end in doubt: all of its events are uncertain. What 5 and 6 state, and the log lacks,
 *                          │       │         is uncertain, too
 *                          └───────┴ each made while the one before was in flight, for its hint leads further up
 * </pre>
 */
public final class Succession {
    /** How many checkpoints behind one may leave open whether it arrived: a producer's buffer holds as many intervals of 128 KB. */
    static final int MOST_IN_FLIGHT = 256;

    /** How many of them may do so however late they were made, or where nothing is known of any arrival. */
    static final int LEAST_IN_FLIGHT = 16;

    /** How long after one the others were made, where there are more: Kafka gives a record up after two minutes, unless set otherwise. */
    static final long MOST_IN_FLIGHT_MILLIS = 150_000;

    private final List<CheckpointRecord> records;
    private @Nullable Index index;

    /**
     * The checkpoints by what others are compared with, each list in the order of the log. Where nothing is signed, anybody may write
     * thousands of them.
     */
    private static final class Index {
        private final Map<Hash, List<CheckpointRecord>> byHash = new HashMap<>();
        private final Map<Long, List<CheckpointRecord>> byNumber = new HashMap<>();
        private final Map<Link, List<CheckpointRecord>> byPredecessor = new HashMap<>();
        private final Map<Link, List<CheckpointRecord>> byLink = new HashMap<>();

        Index(List<CheckpointRecord> records) {
            for (CheckpointRecord record : records) {
                add(byHash, record.chainHash(), record);
                add(byNumber, number(record), record);
                add(byPredecessor, Link.toPredecessorOf(record), record);
                add(byLink, Link.to(record), record);
            }
        }

        private static <K> void add(Map<K, List<CheckpointRecord>> map, K key, CheckpointRecord record) {
            map.computeIfAbsent(key, same -> new ArrayList<>(1)).add(record);
        }

        private static <K> List<CheckpointRecord> get(Map<K, List<CheckpointRecord>> map, K key) {
            return map.getOrDefault(key, List.of());
        }
    }

    /** What a checkpoint says of its predecessor. */
    private record Link(long number, Hash hash) implements Comparable<Link> {
        static Link to(CheckpointRecord record) {
            return new Link(Succession.number(record), record.chainHash());
        }

        static Link toPredecessorOf(CheckpointRecord record) {
            return new Link(Succession.number(record) - 1, record.checkpoint().previousHash());
        }

        @Override
        public int compareTo(Link other) {
            int order = Long.compare(number, other.number);
            return order == 0 ? hash.compareTo(other.hash) : order;
        }
    }

    /** @param records the checkpoints of one stream of format 2 */
    public Succession(List<CheckpointRecord> records) {
        this.records = records.stream()
                .sorted(Comparator.comparingLong(CheckpointRecord::offset))
                .toList();
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

    /** The first one behind a checkpoint that may continue it, or takes it back. */
    public Optional<CheckpointRecord> successorOf(CheckpointRecord target) {
        return behind(target).findFirst();
    }

    /**
     * The end of the stream that leaves a checkpoint in doubt, if it came before the stream showed that its emitter knows it to have
     * arrived: the emitter gave up what it had sent from some checkpoint on, of which this one has arrived all the same.
     */
    Optional<CheckpointRecord> doubtOf(CheckpointRecord target) {
        return decidedBy(target).filter(record -> takesBack(record, target));
    }

    /**
     * True if an end that leaves a checkpoint in doubt may still come: its emitter states what it knows to have arrived, and what came
     * behind it does not state this one.
     */
    boolean mayBeTakenBack(CheckpointRecord target) {
        boolean says = hintOf(target) >= 0
                || (number(target) > 0 && predecessorOf(target).isEmpty());
        return says && decidedBy(target).isEmpty();
    }

    /**
     * The first checkpoint behind one that takes it back, shows that it arrived, or lies further behind than any that was in
     * flight with it.
     */
    private Optional<CheckpointRecord> decidedBy(CheckpointRecord target) {
        boolean first = predecessorOf(target).isEmpty();
        Iterator<CheckpointRecord> behind = behind(target).iterator();
        for (int count = 1; behind.hasNext(); count++) {
            CheckpointRecord record = behind.next();
            if (takesBack(record, target)
                    || shows(record, target, first)
                    || isFarBehind(count, record, target, first)) {
                return Optional.of(record);
            }
        }
        return Optional.empty();
    }

    private static boolean isFarBehind(int count, CheckpointRecord record, CheckpointRecord target, boolean first) {
        boolean late = madeMillis(record) - madeMillis(target) >= MOST_IN_FLIGHT_MILLIS;
        boolean unknown = first && hintOf(target) < 0; // As of a forged one.
        return count >= MOST_IN_FLIGHT || ((late || unknown) && count >= LEAST_IN_FLIGHT);
    }

    private static long madeMillis(CheckpointRecord record) {
        return record.checkpoint() instanceof Format2Checkpoint sealed ? sealed.createdAtMillis() : 0;
    }

    private Stream<CheckpointRecord> behind(CheckpointRecord target) {
        return records.stream()
                .filter(record -> record.offset() > target.offset()
                        && (number(record) >= number(target) || takesBack(record, target)))
                .filter(record -> !repeats(record) && !isLate(record));
    }

    /** True if an end that leaves everything from its own number on in doubt comes behind a checkpoint that bears no smaller one. */
    public static boolean takesBack(CheckpointRecord end, CheckpointRecord target) {
        return endsInDoubt(end)
                && number(end) <= number(target)
                && end.checkpoint().nextSequence() >= target.checkpoint().nextSequence();
    }

    /**
     * True if a checkpoint was made when its emitter knew that an earlier one had arrived; where it does not say, so it is taken. Of a
     * stream that begins in the log with that one it is not: there the emitter may have known of no arrival.
     */
    private static boolean shows(CheckpointRecord record, CheckpointRecord target, boolean first) {
        long hint = hintOf(record);
        boolean unsaid = hint < 0 && !first;
        return unsaid || hint >= target.offset() || record.checkpoint().closing();
    }

    private static long hintOf(CheckpointRecord record) {
        return record.checkpoint() instanceof Format2Checkpoint sealed ? sealed.previousOffsetHint() : -1;
    }

    /**
     * True if a checkpoint ends its stream and leaves all of its events uncertain: what arrived from there on its emitter does
     * not know.
     */
    public static boolean endsInDoubt(CheckpointRecord record) {
        Checkpoint end = record.checkpoint();
        long doubtful = end.uncertain().stream().mapToLong(SequenceRange::count).sum();
        return end.closing()
                && end.eventCount() == 0
                && doubtful > 0
                && doubtful == end.nextSequence() - end.firstSequence();
    }

    /** The first statement of a checkpoint. */
    public CheckpointRecord firstOf(CheckpointRecord target) {
        return Index.get(index().byHash, target.chainHash()).stream()
                .findFirst()
                .orElse(target);
    }

    /** True if the same checkpoint lies in the log further up. */
    public boolean repeats(CheckpointRecord target) {
        return isAnyBefore(Index.get(index().byHash, target.chainHash()), target);
    }

    /** True if a checkpoint that names this one lies in the log further up. */
    public boolean isLate(CheckpointRecord target) {
        return isAnyBefore(Index.get(index().byPredecessor, Link.to(target)), target);
    }

    private Index index() {
        Index known = index;
        if (known == null) {
            known = new Index(records);
            index = known;
        }
        return known;
    }

    private static boolean isAnyBefore(List<CheckpointRecord> sorted, CheckpointRecord target) {
        return !sorted.isEmpty() && sorted.get(0).offset() < target.offset();
    }

    /**
     * Another checkpoint of the same number, further up, that the stream continued before this one came, or that has the
     * same predecessor. The last checkpoint of a stream may be stated again, and an end in doubt takes the place of the first one
     * of which its emitter does not know whether it arrived.
     */
    public Optional<CheckpointRecord> forkedFrom(CheckpointRecord target) {
        return rivalsOf(target)
                .filter(record -> isContinued(record, target.offset())
                        || (isForkOf(record, target) && !target.checkpoint().closing()))
                .filter(record -> !(isForkOf(record, target) && endsInDoubt(target)))
                .findFirst();
    }

    /**
     * True if another checkpoint of the same number lies between one and its predecessor. An end in the place of a stream's first
     * checkpoint has one, which may lie farther up than is read.
     */
    public boolean hasRival(CheckpointRecord target) {
        if (number(target) == 0 && endsInDoubt(target)) {
            return true;
        }
        long after = predecessorOf(target).map(CheckpointRecord::offset).orElse(-1L);
        return rivalsOf(target).anyMatch(record -> record.offset() > after);
    }

    /**
     * The first checkpoint before one that forks the stream: it bears the number of another one further up, and both have the
     * same predecessor, or it has one in the log that it names. An end that is stated again, or takes that one back, does not.
     */
    public Optional<CheckpointRecord> forkBefore(CheckpointRecord target) {
        Map<Long, Statements> byNumber = new HashMap<>();
        for (CheckpointRecord record : records) {
            if (record.offset() >= target.offset()) {
                break;
            }
            Statements earlier = byNumber.computeIfAbsent(number(record), number -> new Statements());
            if (earlier.haveForkOf(record) || (earlier.haveAnotherBeginning(record) && isChained(record))) {
                return Optional.of(record);
            }
            earlier.add(record);
        }
        return Optional.empty();
    }

    private boolean isChained(CheckpointRecord target) {
        return isAnyBefore(Index.get(index().byLink, Link.toPredecessorOf(target)), target);
    }

    /** The statements of one number so far, as far as they can show that a further one is a fork: of each kind two. */
    private static final class Statements {
        private static final int ENOUGH = 2;

        private final Map<Hash, Set<Hash>> byPredecessor = new HashMap<>();
        /** Those among them that do not end the stream. */
        private final Map<Hash, Set<Hash>> open = new HashMap<>();

        void add(CheckpointRecord record) {
            add(byPredecessor, record);
            if (!record.checkpoint().closing()) {
                add(open, record);
            }
        }

        private static void add(Map<Hash, Set<Hash>> statements, CheckpointRecord record) {
            Set<Hash> known =
                    statements.computeIfAbsent(record.checkpoint().previousHash(), same -> new HashSet<>(ENOUGH));
            if (known.size() < ENOUGH) {
                known.add(record.chainHash());
            }
        }

        /** True if another one continues the same checkpoint, and this one is not its end, stated again or in its place. */
        boolean haveForkOf(CheckpointRecord record) {
            Map<Hash, Set<Hash>> rivals = record.checkpoint().closing() ? open : byPredecessor;
            Map<Hash, Set<Hash>> counting = endsInDoubt(record) ? Map.of() : rivals;
            return counting.getOrDefault(record.checkpoint().previousHash(), Set.of()).stream()
                    .anyMatch(hash -> !hash.equals(record.chainHash()));
        }

        /** True if one continues another checkpoint. */
        boolean haveAnotherBeginning(CheckpointRecord record) {
            boolean same = byPredecessor.containsKey(record.checkpoint().previousHash());
            return byPredecessor.size() > (same ? 1 : 0);
        }
    }

    private Stream<CheckpointRecord> rivalsOf(CheckpointRecord target) {
        return Index.get(index().byNumber, number(target)).stream()
                .takeWhile(record -> record.offset() < target.offset())
                .filter(record -> !same(record, target));
    }

    private static boolean isForkOf(CheckpointRecord record, CheckpointRecord target) {
        return record.checkpoint().previousHash().equals(target.checkpoint().previousHash());
    }

    private boolean isContinued(CheckpointRecord target, long endOffset) {
        List<CheckpointRecord> continuing = Index.get(index().byPredecessor, Link.to(target));
        int low = 0;
        int high = continuing.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (continuing.get(middle).offset() <= target.offset()) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low < continuing.size() && continuing.get(low).offset() < endOffset;
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
