package dev.stormproof.sim;

import dev.stormproof.proof.checkpoint.Checkpoint;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.OversizedRecords;
import dev.stormproof.verify.fold.InactivityTimeouts;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Checks in the end that what was named is what happened: nothing less, nothing more, nothing by another name. */
final class Naming {
    private final HistoricLog log;
    private final Committed committed;
    private final Oracle oracle;
    private final InactivityTimeouts timeouts;
    private final Outcome outcome;
    private final int mostStreams;

    Naming(
            HistoricLog log,
            Committed committed,
            Oracle oracle,
            InactivityTimeouts timeouts,
            int mostStreams,
            Outcome outcome) {
        this.log = log;
        this.committed = committed;
        this.oracle = oracle;
        this.timeouts = timeouts;
        this.mostStreams = mostStreams;
        this.outcome = outcome;
    }

    /** Checks one stream, if retention, an election or silence did not blur what can be known of it. */
    void check(SentStream sent) {
        boolean whole = log.begins().size() == 1 && log.branches().size() == 1 && committed.scopeBegin() == 0;
        if (!whole) {
            outcome.count("streams not named: log cut or expired");
            return;
        }
        if (holdsUnread()) {
            outcome.count("streams not named: records too large to be read");
            return;
        }
        if (isCrowded()) {
            outcome.count("streams not named: too many at once");
            return;
        }
        StreamHistory history = oracle.history(log.branches().get(0), sent.id.emitter());
        if (wasSilent(history)) {
            outcome.count("streams not named: silent");
            return;
        }
        if (sent.isFormat1()) {
            checkPlain(sent, history, verdicts(sent));
        } else {
            checkSequenced(sent, history, verdicts(sent));
        }
    }

    private void checkPlain(SentStream sent, StreamHistory history, Map<Long, Violated> verdicts) {
        Format1Truth truth = new Format1Truth(history);
        Optional<Names> names = truth.names();
        if (names.isEmpty()) {
            outcome.count("streams not named: undecidable");
            return;
        }
        Names named = truth.named(verdicts.values().stream()
                .flatMap(violated -> violated.anomalies().stream())
                .toList());
        if (!truth.countable()) {
            named.reorderedCount = names.get().reorderedCount;
        }
        compare(sent, named, names.get());
        outcome.count("streams of format 1 named");
    }

    private void checkSequenced(SentStream sent, StreamHistory history, Map<Long, Violated> verdicts) {
        checkTakenBack(history, verdicts);
        Format2Truth truth = new Format2Truth(history);
        Optional<Names> names = truth.names();
        if (names.isEmpty()) {
            outcome.count("streams not named: undecidable");
            return;
        }
        Names named = new Names();
        for (Violated violated : verdicts.values()) {
            for (Anomaly anomaly : violated.anomalies()) {
                boolean unlocated = anomaly.kind() == Anomaly.Kind.UNLOCATED;
                if (!unlocated || !truth.mayBeUnlocated(anomaly.begin(), anomaly.end())) {
                    named.add(anomaly, truth::calls);
                }
            }
        }
        named.forget(truth.undecidable());
        named.forgetDamage(truth.blurred());
        if (!truth.countable()) {
            named.reorderedCount = names.get().reorderedCount;
        }
        compare(sent, named, names.get());
        outcome.count("streams named");
    }

    /** What is missing where the end of a stream leaves it in doubt was not lost, as far as its emitter says. */
    private void checkTakenBack(StreamHistory history, Map<Long, Violated> verdicts) {
        for (CheckpointRecord record : history.checkpoints) {
            Violated violated = verdicts.get(record.offset());
            Optional<CheckpointRecord> end = history.leftInDoubtBy(record, history::seals);
            boolean genuine = history.checkpoints.stream().allMatch(history::isGenuine);
            if (violated == null || end.isEmpty() || !genuine || StreamHistory.knownArrival(record) < 0) {
                continue;
            }
            outcome.count("violated beside an end in doubt");
            require(
                    violated.anomalies().stream()
                            .noneMatch(anomaly -> isIn(anomaly, end.get().checkpoint())),
                    "lost, though in doubt by " + end.get() + ": " + violated);
        }
    }

    private static boolean isIn(Anomaly anomaly, Checkpoint end) {
        return switch (anomaly.kind()) {
            case LOST -> anomaly.end() > end.firstSequence();
            case CHECKPOINT_LOST -> anomaly.end() > end.number();
            default -> false;
        };
    }

    private void compare(SentStream sent, Names named, Names is) {
        require(
                named.toString().equals(is.toString()),
                "stream " + sent.id + " was named\n  " + named + ", but is\n  " + is);
        named.countIn(outcome);
    }

    /** The verdicts that are final, by the offset of their checkpoints. */
    private Map<Long, Violated> verdicts(SentStream sent) {
        Map<Long, Violated> verdicts = new TreeMap<>();
        for (Finding finding : committed.findings) {
            if (finding instanceof Violated violated
                    && !violated.isOpen()
                    && violated.interval().stream().equals(sent.id)) {
                verdicts.merge(violated.anchorOffset(), violated, Naming::moreExact);
            }
        }
        return verdicts;
    }

    /**
     * The same verdict, told once more; or of two the one that found more. After a restart a stream may end with another closing checkpoint,
     * a forged one or behind a forged one, so that the tail has another number, or less of it is read.
     */
    private static Violated moreExact(Violated before, Violated after) {
        if (before.interval().number() != after.interval().number()) {
            return after.anomalyCount() > before.anomalyCount() ? after : before;
        }
        boolean worse = isOutOfReach(after);
        require(
                before.equals(after) || worse != isOutOfReach(before),
                "two verdicts on one interval: " + before + "\n" + after);
        return worse ? before : after;
    }

    private static boolean isOutOfReach(Violated violated) {
        return violated.anomalies().stream().anyMatch(anomaly -> anomaly.kind() == Anomaly.Kind.OUT_OF_REACH);
    }

    private boolean holdsUnread() {
        for (HistoricLog.Entry entry : log.visible(0, Long.MAX_VALUE)) {
            if (entry.record instanceof OversizedRecords) {
                return true;
            }
        }
        return false;
    }

    /** True if there were more streams than the verifier follows, so that it gives some up to follow others. */
    private boolean isCrowded() {
        Set<Long> emitters = new TreeSet<>();
        for (HistoricLog.Entry entry : log.visible(0, Long.MAX_VALUE)) {
            if (entry.record instanceof Event event) {
                emitters.add(event.emitter());
            } else if (entry.record instanceof CheckpointRecord record) {
                emitters.add(record.checkpoint().stream().emitter());
            }
        }
        return emitters.size() > mostStreams;
    }

    /** True if readers saw no checkpoint of the stream for so long that it may be given up. */
    private boolean wasSilent(StreamHistory history) {
        Set<Long> events = new TreeSet<>();
        Set<Long> checkpoints = new TreeSet<>();
        history.events.stream().map(Event::offset).forEach(events::add);
        history.checkpoints.stream().map(CheckpointRecord::offset).forEach(checkpoints::add);
        long last = -1;
        for (HistoricLog.Entry entry : log.visible(0, Long.MAX_VALUE)) {
            boolean sealed = checkpoints.contains(entry.offset());
            if (!sealed && !events.contains(entry.offset())) {
                continue;
            }
            if (last >= 0 && entry.visibleAtMillis - last > timeouts.withoutPromiseMillis()) {
                return true;
            }
            last = sealed || last < 0 ? entry.visibleAtMillis : last;
        }
        return false;
    }

    private static void require(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError(what);
        }
    }
}
