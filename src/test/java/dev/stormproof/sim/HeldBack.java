package dev.stormproof.sim;

import dev.stormproof.checkpoint.Event;
import dev.stormproof.checkpoint.LogRecord;
import dev.stormproof.checkpoint.OversizedRecords;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.checkpoint.UnattributedRecord;
import dev.stormproof.judge.Finding;
import dev.stormproof.judge.SealedInterval;
import dev.stormproof.judge.Verdict;
import dev.stormproof.judge.Verdict.Verified;
import dev.stormproof.output.OnViolation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * What must hold of an output that is held back: an event whose interval is not verified never leaves it, but marked, and that only where
 * somebody has asked for that; and nothing that is verified is left out.
 */
final class HeldBack {
    private final HistoricLog log;
    private final Committed committed;
    private final Settings settings;
    private boolean released;
    private int findingsSeen;
    private int outputSeen;
    private final Map<Long, List<Verified>> verified = new HashMap<>();
    /** The emitters of which something was given up as unsealed, and may have been left out before it was sealed after all. */
    private final Set<Long> unsealed = new HashSet<>();

    /**
     * How a run's outputs are held back.
     *
     * @param mostBytes how much is kept in memory, about
     * @param transactionRecords how many records one transaction takes
     */
    record Settings(OnViolation onViolation, long mostBytes, int transactionRecords) {
        static Settings of(SplittableRandom random) {
            return new Settings(
                    OnViolation.values()[random.nextInt(3)],
                    random.nextBoolean() ? random.nextLong(1, 5_000) : Long.MAX_VALUE,
                    random.nextBoolean() ? random.nextInt(1, 20) : Integer.MAX_VALUE);
        }
    }

    HeldBack(HistoricLog log, Committed committed, Settings settings) {
        this.log = log;
        this.committed = committed;
        this.settings = settings;
    }

    /** Somebody lets an output go on. */
    void released() {
        released = true;
    }

    /** Throws if the last commit wrote what is not verified; counts what it wrote. */
    void check(Outcome outcome) {
        noteFindings();
        for (OutputTopic.Made made : committed.output.subList(outputSeen, committed.output.size())) {
            HistoricLog.Entry entry = entryOf(made);
            boolean event = entry.record instanceof Event;
            if (made.marked()) {
                World.require(
                        released || settings.onViolation() == OnViolation.MARK,
                        "nobody asked for what is marked: " + entry.record);
                outcome.count("held records marked");
            } else if (event) {
                World.require(isVerified((Event) entry.record), "not verified, and in the output: " + entry.record);
                outcome.count("held events written");
            } else {
                World.require(!isOfNobody(entry.record), "of nobody, and in the output: " + entry.record);
            }
        }
        outputSeen = committed.output.size();
    }

    /** True if the output may lack a record in the end. */
    boolean mayLack(HistoricLog.Entry entry) {
        boolean leavesOut = settings.onViolation() == OnViolation.SKIP || released;
        if (entry.record instanceof Event event) {
            return leavesOut && (!isVerified(event) || unsealed.contains(event.emitter()));
        }
        return leavesOut && isOfNobody(entry.record);
    }

    private static boolean isOfNobody(LogRecord record) {
        return record instanceof UnattributedRecord || record instanceof OversizedRecords;
    }

    private boolean isVerified(Event event) {
        return verified.getOrDefault(event.emitter(), List.of()).stream().anyMatch(one -> {
            SealedInterval interval = one.interval();
            boolean stated = event.emitter() == StreamId.NO_EMITTER
                    || (interval.firstSequence() <= event.sequence()
                            && event.sequence() < interval.firstSequence() + interval.eventCount());
            return stated && interval.checkpointOffset() > event.offset();
        });
    }

    private void noteFindings() {
        for (Finding finding : committed.findings.subList(findingsSeen, committed.findings.size())) {
            if (finding instanceof Verified one) {
                verified.computeIfAbsent(
                                one.interval().stream().emitter(), first -> new ArrayList<>())
                        .add(one);
            } else if (finding instanceof Verdict verdict && verdict.revision() == Finding.UNSEALED_REVISION) {
                unsealed.add(verdict.interval().stream().emitter());
            }
        }
        findingsSeen = committed.findings.size();
    }

    private HistoricLog.Entry entryOf(OutputTopic.Made made) {
        for (Branch branch : log.branches()) {
            for (HistoricLog.Entry entry : branch.entries()) {
                if (entry.offset() == made.offset() && entry.leaderEpoch == made.leaderEpoch()) {
                    return entry;
                }
            }
        }
        throw new AssertionError("made of no record: " + made);
    }
}
