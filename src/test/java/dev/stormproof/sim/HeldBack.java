package dev.stormproof.sim;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.OversizedRecords;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.task.output.OnViolation;
import dev.stormproof.task.output.Written;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.Verdict;
import dev.stormproof.verify.judge.Verdict.Verified;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The invariants of an output that is held back: an event leaves it unmarked only if a verdict that is committed with it, or was before,
 * says that its interval is verified, and once, unless the log was cut or has expired; a checkpoint only if such a verdict rests on it; and each is left out or marked only where somebody
 * has asked for that, and only if no such verdict was known when the output passed it, or one that says otherwise of an interval that
 * states it, too, or if it is a copy of what is in the output.
 *
 * <p>Which events an interval has is told from the log itself: those with its sequences between its checkpoint and the one that this
 * continues; of format 1, which has no sequences, as many as it states before it.
 */
final class HeldBack {
    private final HistoricLog log;
    private final Committed committed;
    private final Settings settings;
    private final Set<Place> verified = new HashSet<>();
    private final Set<Place> unproven = new HashSet<>();
    private final Set<Statement> written = new HashSet<>();
    private boolean released;
    private int findingsSeen;
    private int outputSeen;

    /** Which one of the checkpoints in front of another it is taken to continue, where a mirror has written one again and again. */
    private enum Continued {
        /** The first: any event that may be of the interval counts. */
        FIRST,
        /** The last: an event counts only if it is of the interval whatever has expired. */
        LAST
    }

    /** An event as its emitter states it, whatever its place. */
    private record Statement(long emitter, long sequence) {
        static Statement of(Event event) {
            return new Statement(event.emitter(), event.sequence());
        }
    }

    /** A record of the log as it is or was. */
    private record Place(long offset, int leaderEpoch) {
        static Place of(HistoricLog.Entry entry) {
            return new Place(entry.offset(), entry.leaderEpoch);
        }
    }

    /**
     * How a run's outputs are held back.
     *
     * @param mostVerdicts how many verified intervals are remembered
     * @param transactionRecords how many records one transaction takes
     */
    record Settings(OnViolation onViolation, int mostVerdicts, int transactionRecords) {
        static Settings of(SplittableRandom random) {
            return new Settings(
                    List.of(OnViolation.values()).get(random.nextInt(3)),
                    random.nextBoolean() ? random.nextInt(1, 10) : Integer.MAX_VALUE,
                    random.nextBoolean() ? random.nextInt(1, 20) : Integer.MAX_VALUE);
        }
    }

    /** What one verification knows of the events that its output passes. */
    final class Passing {
        /** The numbers of the verified intervals that events are known to be of. */
        private final Map<Place, Long> known = new HashMap<>();

        private final List<Verdict> judged = new ArrayList<>();
        private final Set<Place> passed = new HashSet<>();
        private final List<Place> unprovenSince = new ArrayList<>();
        private @Nullable Written lastEnd;
        private int lastBranches;

        private Passing(Written begin, @Nullable Passing before) {
            if (before != null) {
                unprovenSince.addAll(before.unprovenSince);
            }
            for (HistoricLog.Entry entry : behind(begin)) {
                passed.add(Place.of(entry));
            }
        }

        void found(Finding finding) {
            if (finding instanceof Verified one) {
                coveredBy(one, Continued.LAST)
                        .forEach(place -> known.put(place, one.interval().number()));
            }
            if (finding instanceof Verdict verdict && verdict.revision() != Finding.OPEN_REVISION) {
                judged.add(verdict);
            }
        }

        /** Notes which events the output has passed that are not known to be verified. */
        void passed(Written end) {
            if (end.equals(lastEnd) && log.branches().size() == lastBranches) {
                return;
            }
            lastEnd = end;
            lastBranches = log.branches().size();
            for (HistoricLog.Entry entry : behind(end)) {
                Place place = Place.of(entry);
                if (passed.add(place) && (!known.containsKey(place) || isContested(entry))) {
                    unprovenSince.add(place);
                }
            }
        }

        /** True if an interval that is not verified states the event, too, or one behind it bears the number of one before its own. */
        private boolean isContested(HistoricLog.Entry entry) {
            long before = known.getOrDefault(Place.of(entry), 0L) - 1;
            return entry.record instanceof Event event
                    && judged.stream()
                            .filter(verdict -> verdict.interval().stream().emitter() == event.emitter()
                                    && verdict.interval().checkpointOffset() > event.offset())
                            .anyMatch(verdict -> verdict.interval().number() <= before
                                    || (!(verdict instanceof Verified) && states(verdict.interval(), event)));
        }

        private static boolean states(IntervalId interval, Event event) {
            return interval.firstSequence() <= event.sequence()
                    && event.sequence() < interval.firstSequence() + interval.eventCount();
        }

        /** What is to be done once that is committed. */
        Runnable committing() {
            List<Place> all = List.copyOf(unprovenSince);
            unprovenSince.clear();
            return () -> unproven.addAll(all);
        }

        /** What was cut off may have been written before anybody knew. */
        private List<HistoricLog.Entry> behind(Written end) {
            List<HistoricLog.Entry> all = new ArrayList<>();
            for (Branch branch : log.branches()) {
                for (HistoricLog.Entry entry : branch.visible(0, end.endOffset())) {
                    if (entry.leaderEpoch <= end.leaders().last()) {
                        all.add(entry);
                    }
                }
            }
            return all;
        }
    }

    HeldBack(HistoricLog log, Committed committed, Settings settings) {
        this.log = log;
        this.committed = committed;
        this.settings = settings;
    }

    /**
     * What a verification knows that begins to read.
     *
     * @param begin how far the output is written
     * @param before that of the same task; null if it has begun
     */
    Passing passing(Written begin, @Nullable Passing before) {
        return new Passing(begin, before);
    }

    /** Somebody lets an output go on. */
    void released() {
        released = true;
    }

    /** Throws if the last commit wrote what is not verified, or marked what is; counts what it wrote. */
    void check(Outcome outcome) {
        for (Finding finding : committed.findings.subList(findingsSeen, committed.findings.size())) {
            if (finding instanceof Verified one) {
                verified.addAll(coveredBy(one, Continued.FIRST));
            }
        }
        findingsSeen = committed.findings.size();
        for (OutputTopic.Made made : committed.output.subList(outputSeen, committed.output.size())) {
            Place place = new Place(made.offset(), made.leaderEpoch());
            LogRecord record = entryOf(place).record;
            if (made.marked()) {
                World.require(
                        released || settings.onViolation() == OnViolation.MARK,
                        "nobody asked for what is marked: " + record);
                World.require(
                        isOfNobody(record) || unproven.contains(place) || isWritten(record),
                        "marked, and known to be verified: " + record);
                outcome.count("held records marked");
            } else if (record instanceof Event event) {
                World.require(verified.contains(place), "not verified, and in the output: " + record);
                // Of one that expired nobody knows that what follows is a copy.
                boolean once = log.branches().size() == 1 && log.begins().size() == 1 && !isOfFormat1(record);
                World.require(
                        written.add(Statement.of(event)) || !once, "verified twice, and in the output: " + record);
                outcome.count("held events written");
            } else {
                World.require(verified.contains(place), "sealed nothing verified, and in the output: " + record);
            }
        }
        outputSeen = committed.output.size();
    }

    /** True if the output may lack a record in the end. */
    boolean mayLack(HistoricLog.Entry entry) {
        boolean leavesOut = settings.onViolation() == OnViolation.SKIP || released;
        return leavesOut && (unproven.contains(Place.of(entry)) || isOfNobody(entry.record));
    }

    /** True of a copy of what is in the output. */
    private boolean isWritten(LogRecord record) {
        return record instanceof Event event && !isOfFormat1(event) && written.contains(Statement.of(event));
    }

    private static boolean isOfFormat1(LogRecord record) {
        return record instanceof Event event && event.emitter() == StreamId.NO_EMITTER;
    }

    private static boolean isOfNobody(LogRecord record) {
        return record instanceof UnattributedRecord || record instanceof OversizedRecords;
    }

    /** The checkpoint and the events of an interval, in each log that ever had its checkpoint. */
    private Set<Place> coveredBy(Verified one, Continued continued) {
        Set<Place> covered = new HashSet<>();
        for (Branch branch : log.branches()) {
            if (isSealedIn(branch, one.interval())) {
                covered.addAll(eventsOf(one.interval(), branch, continued));
                covered.add(Place.of(
                        Objects.requireNonNull(branch.get(one.interval().checkpointOffset()))));
            }
        }
        return covered;
    }

    private static boolean isSealedIn(Branch branch, IntervalId interval) {
        HistoricLog.Entry entry = branch.get(interval.checkpointOffset());
        return entry != null
                && entry.visibleAtMillis >= 0
                && statementOf(entry.record)
                        .filter(statement -> statement.checkpoint().stream().equals(interval.stream())
                                && statement.chainHash().equals(interval.seal().checkpointHash()))
                        .isPresent();
    }

    /**
     * The events of an interval in one log: of those of one sequence the last, for what lay before it had expired when the interval was
     * verified, and may say what it likes.
     */
    private static Collection<Place> eventsOf(IntervalId interval, Branch branch, Continued continued) {
        long emitter = interval.stream().emitter();
        boolean numbered = emitter != StreamId.NO_EMITTER;
        long endSequence = interval.firstSequence() + interval.eventCount();
        long begin = numbered ? predecessorOf(interval, branch, continued) : -1;
        List<Place> plain = new ArrayList<>();
        Map<Long, Place> bySequence = new HashMap<>();
        for (HistoricLog.Entry entry : branch.visibleOf(emitter)) {
            boolean before = entry.offset() > begin && entry.offset() < interval.checkpointOffset();
            if (before && entry.record instanceof Event event) {
                boolean stated = interval.firstSequence() <= event.sequence() && event.sequence() < endSequence;
                // Of format 1 the header is compared with nothing.
                if (!numbered) {
                    plain.add(Place.of(entry));
                } else if (stated && event.intact()) {
                    bySequence.put(event.sequence(), Place.of(entry));
                }
            }
        }
        return numbered
                ? bySequence.values()
                : plain.subList(Math.max(0, plain.size() - (int) interval.eventCount()), plain.size());
    }

    /**
     * Where a checkpoint lies that an interval's own continues; -1 if it was never there. Where it lies behind alone, nothing is known
     * of it for certain.
     */
    private static long predecessorOf(IntervalId interval, Branch branch, Continued which) {
        HistoricLog.Entry own = branch.get(interval.checkpointOffset());
        if (own == null) {
            return -1;
        }
        Hash continued = statementOf(own.record).orElseThrow().checkpoint().previousHash();
        List<Long> before = new ArrayList<>();
        boolean behind = false;
        for (HistoricLog.Entry entry : branch.visibleOf(interval.stream().emitter())) {
            if (entry.record instanceof CheckpointRecord checkpoint
                    && checkpoint.chainHash().equals(continued)) {
                behind |= entry.offset() > own.offset();
                if (entry.offset() < own.offset()) {
                    before.add(entry.offset());
                }
            }
        }
        if (before.isEmpty()) {
            return behind && which == Continued.LAST ? own.offset() : -1;
        }
        return before.get(which == Continued.FIRST ? 0 : before.size() - 1);
    }

    private static Optional<CheckpointRecord> statementOf(LogRecord record) {
        return record instanceof CheckpointRecord checkpoint ? Optional.of(checkpoint) : Optional.empty();
    }

    private HistoricLog.Entry entryOf(Place place) {
        for (Branch branch : log.branches()) {
            HistoricLog.Entry entry = branch.get(place.offset());
            if (entry != null && entry.leaderEpoch == place.leaderEpoch()) {
                return entry;
            }
        }
        throw new AssertionError("made of no record: " + place);
    }
}
