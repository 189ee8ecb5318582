package dev.stormproof.sim;

import dev.stormproof.alert.Alert;
import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.Event;
import dev.stormproof.checkpoint.StrayRecord;
import dev.stormproof.verify.Finding;
import dev.stormproof.verify.Missed;
import dev.stormproof.verify.Stray;
import dev.stormproof.verify.Verdict;
import dev.stormproof.verify.Verdict.Inconclusive;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;

/** What must hold of everything that was committed, at any time: nothing is skipped, nothing is told twice. */
final class Commits {
    private final HistoricLog log;
    private final Broker broker;
    private final Oracle oracle;
    private final Map<String, Long> anchorByAlert = new HashMap<>();
    private final Set<Long> decided = new HashSet<>();
    private final Set<Long> everDecided = new HashSet<>();
    private final Map<Long, Long> givenUpTo = new HashMap<>();
    private final Set<Missed> missed = new HashSet<>();
    private int alertsSeen;
    private int findingsSeen;

    Commits(HistoricLog log, Broker broker, Oracle oracle) {
        this.log = log;
        this.broker = broker;
        this.oracle = oracle;
    }

    /** The log was cut: what was decided behind the cut has to be decided again, and may be told again. */
    void logWasCut(long offset) {
        anchorByAlert.values().removeIf(anchor -> anchor >= offset);
        decided.removeIf(at -> at >= offset);
    }

    /** Throws if a commit told anything twice, or passed what is undecided. */
    void check() {
        for (Alert alert : broker.alerts.subList(alertsSeen, broker.alerts.size())) {
            Long before = anchorByAlert.put(alert.eventId(), alert.finding().anchorOffset());
            require(before == null, "told twice: " + alert.eventId() + " " + alert.finding());
        }
        alertsSeen = broker.alerts.size();
        for (Finding finding : broker.findings.subList(findingsSeen, broker.findings.size())) {
            note(finding);
        }
        findingsSeen = broker.findings.size();
        checkProgress(broker.progress());
    }

    private void note(Finding finding) {
        if (finding instanceof Missed range) {
            missed.add(range);
        } else if (finding instanceof Stray stray) {
            decide(stray.offset());
        } else if (finding instanceof Inconclusive unsealed && unsealed.reason() == Inconclusive.Reason.UNSEALED) {
            long emitter = unsealed.interval().stream().emitter();
            givenUpTo.merge(emitter, unsealed.anchorOffset(), Math::max);
        } else if (finding instanceof Verdict verdict && verdict.revision() == Finding.FINAL_REVISION) {
            decide(verdict.interval().checkpointOffset());
        }
    }

    private void decide(long offset) {
        decided.add(offset);
        everDecided.add(offset);
    }

    private void checkProgress(long progress) {
        for (HistoricLog.Entry entry : log.visible(0, progress)) {
            // Progress speaks of the log up to its leader epoch; a reader that begins there finds out about later ones.
            boolean later = entry.leaderEpoch > broker.progressEpoch() && broker.progressEpoch() >= 0;
            if (later || isMissed(entry.offset()) || entry.offset() < broker.scopeBegin()) {
                continue;
            }
            if (entry.record instanceof Event event) {
                require(
                        givenUpTo.containsKey(event.emitter()) || isSealed(entry, event.emitter(), progress),
                        "progress " + progress + " passed an event of an open interval: " + event);
            } else {
                require(
                        decided.contains(entry.offset()),
                        "progress " + progress + " passed what was not decided: " + entry.record);
            }
        }
    }

    /** True if a checkpoint behind an event is decided, or will be read again; also if the log was cut since. */
    private boolean isSealed(HistoricLog.Entry entry, long emitter, long progress) {
        for (NavigableMap<Long, HistoricLog.Entry> branch : log.branches()) {
            if (branch.get(entry.offset()) != entry) {
                continue;
            }
            StreamHistory history = oracle.history(branch, emitter);
            for (CheckpointRecord record : history.checkpoints) {
                boolean done = everDecided.contains(record.offset()) || record.offset() >= progress;
                if (record.offset() > entry.offset() && done && history.seals(record)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean isMissed(long offset) {
        return missed.stream().anyMatch(range -> range.beginOffset() <= offset && offset < range.endOffset());
    }

    /** Throws if a record that readers can see is not accounted for in the end. */
    void checkEnd() {
        for (HistoricLog.Entry entry : log.visible(0, Long.MAX_VALUE)) {
            boolean accounted = entry.record instanceof Event
                    || decided.contains(entry.offset())
                    || isMissed(entry.offset())
                    || entry.offset() < broker.scopeBegin();
            String what = entry.record instanceof StrayRecord ? "stray" : "checkpoint";
            require(accounted, what + " never accounted for: " + entry.record);
        }
    }

    private static void require(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError(what);
        }
    }
}
