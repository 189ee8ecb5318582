package dev.stormproof.sim;

import dev.stormproof.alert.Alert;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.MissedRecords;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Verdict;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What must hold of everything that was committed, at any time: nothing is skipped, nothing is published twice. */
final class Commits {
    /** The reasons for which nothing certain is said of what lies before a checkpoint, as it is said of its interval. */
    private static final Set<Inconclusive.Reason> SEALING =
            EnumSet.of(Inconclusive.Reason.UNCERTAIN, Inconclusive.Reason.UNANCHORED);

    private final HistoricLog log;
    private final Committed committed;
    private final Oracle oracle;
    private final Map<String, Long> anchorByAlert = new HashMap<>();
    private final Set<Long> decided = new HashSet<>();
    private final Set<Long> everDecided = new HashSet<>();
    /** What verdicts named as moved after their checkpoint. */
    private final Set<Anomaly> moved = new HashSet<>();

    private final Set<Long> expired = new HashSet<>();
    /** The checkpoints of which a verdict says what they seal; whether it is right, the oracle says elsewhere. */
    private final Set<Long> sealing = new HashSet<>();

    private final Map<Long, Long> givenUpTo = new HashMap<>();
    private final Set<MissedRecords> expiredUnread = new HashSet<>();
    private final Set<HistoricLog.Entry> sealedForGood = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Map<Long, List<Held>> historiesByEmitter = new HashMap<>();
    /** What had been decided behind a cut: where the cut was, and how far progress had come. */
    private final Map<Long, Long> decidedAndCut = new HashMap<>();
    /** The same of what the verifier that lives now had decided and not committed. */
    private final Map<Long, Long> foundAndCut = new HashMap<>();

    /** Where the log was ever cut. */
    private final List<Long> cuts = new ArrayList<>();

    /** The offset before which each record was found to be accounted for, whatever comes. */
    private long passedForGood;

    private int alertsSeen;
    private int findingsSeen;
    private @Nullable State checked;

    Commits(HistoricLog log, Committed committed, Oracle oracle) {
        this.log = log;
        this.committed = committed;
        this.oracle = oracle;
    }

    /**
     * The log was cut: what was decided behind the cut has to be decided again, and may be published again.
     *
     * @param found how far the living verifier has decided everything, committed or not
     */
    void logWasCut(long offset, long found) {
        cuts.add(offset);
        noteCut(offset);
        if (found > offset) {
            foundAndCut.merge(offset, found, Math::max);
        }
        anchorByAlert.values().removeIf(anchor -> anchor >= offset);
        decided.removeIf(at -> at >= offset);
        passedForGood = Math.min(passedForGood, offset);
    }

    /**
     * The log begins where the verifier stands, or behind: whether it was truncated before, and what was written there since, Kafka does not
     * tell (docs/DETECTION.md).
     */
    void placeOfTruncationsExpired(long begin) {
        cuts.stream().filter(cut -> cut < begin).forEach(cut -> decidedAndCut.merge(cut, begin, Math::max));
    }

    /** What a verifier had found and not committed is lost. */
    void verifierIsGone() {
        foundAndCut.clear();
    }

    private void noteCut(long offset) {
        if (committed.progress() > offset) {
            decidedAndCut.merge(offset, committed.progress(), Math::max);
        }
    }

    /** Throws if a commit published anything twice, or passed what is undecided. */
    void check() {
        if (committed.progressEpoch() >= 0) {
            noteCut(log.keptOf(committed.progressEpoch()));
        }
        foundAndCut.forEach((cut, end) -> {
            if (committed.progress() >= end) {
                decidedAndCut.merge(cut, end, Math::max);
            }
        });
        for (Alert alert : committed.alerts.subList(alertsSeen, committed.alerts.size())) {
            if (isOfAnEarlierLog(alert)) {
                continue;
            }
            Long before = anchorByAlert.put(
                    alert.finding().revisionId(), alert.finding().anchorOffset());
            require(before == null, () -> "published twice: " + alert.finding().revisionId() + " " + alert.finding());
        }
        alertsSeen = committed.alerts.size();
        for (Finding finding : committed.findings.subList(findingsSeen, committed.findings.size())) {
            note(finding);
        }
        findingsSeen = committed.findings.size();
        checkProgress(committed.progress());
    }

    private boolean isOfAnEarlierLog(Alert alert) {
        return committed.progressEpoch() >= 0
                && alert.finding().anchorOffset() >= log.keptOf(committed.progressEpoch());
    }

    private void note(Finding finding) {
        if (finding instanceof MissedRecords range) {
            expiredUnread.add(range);
        } else if (finding instanceof StrayRecord unattributed) {
            decide(unattributed.offset());
        } else if (finding instanceof Inconclusive unsealed && unsealed.reason() == Inconclusive.Reason.UNSEALED) {
            long emitter = unsealed.interval().stream().emitter();
            givenUpTo.merge(emitter, unsealed.anchorOffset(), Math::max);
        } else if (finding instanceof Violated open && open.isOpen()) {
            givenUpTo.merge(open.interval().stream().emitter(), open.anchorOffset(), Math::max);
        } else if (finding instanceof Verdict verdict && verdict.revision() == Finding.FINAL_REVISION) {
            decide(verdict.interval().checkpointOffset());
            if (heldEvent(verdict.anchorOffset())) {
                givenUpTo.merge(verdict.interval().stream().emitter(), verdict.anchorOffset(), Math::max);
            }
            if (verdict instanceof Violated violated) {
                // What came after the closing checkpoint is in no further interval.
                violated.anomalies().stream()
                        .filter(anomaly -> anomaly.kind() == Anomaly.Kind.REORDERED)
                        .filter(anomaly ->
                                anomaly.offset() > violated.interval().checkpointOffset())
                        .forEach(moved::add);
            }
            if (!(verdict instanceof Inconclusive unsure) || SEALING.contains(unsure.reason())) {
                sealing.add(verdict.interval().checkpointOffset());
            }
            if (verdict instanceof Inconclusive inconclusive && inconclusive.reason() == Inconclusive.Reason.EXPIRED) {
                expired.add(verdict.interval().checkpointOffset());
            }
        }
    }

    private boolean heldEvent(long offset) {
        return log.branches().stream()
                .map(branch -> branch.get(offset))
                .anyMatch(entry -> entry != null && entry.record instanceof Event);
    }

    private void decide(long offset) {
        decided.add(offset);
        everDecided.add(offset);
    }

    private void checkProgress(long progress) {
        State now = new State(
                progress,
                committed.progressEpoch(),
                findingsSeen,
                log.leaderEpoch(),
                log.beginOffset(),
                log.endOffset(),
                log.rawEndOffset());
        // In peace most commits are of what was checked before.
        if (now.equals(checked)) {
            return;
        }
        boolean unbroken = true;
        for (HistoricLog.Entry entry : log.visible(passedForGood, progress)) {
            boolean forGood = isPassedForGood(entry, progress);
            unbroken &= forGood;
            passedForGood = unbroken ? entry.offset() + 1 : passedForGood;
        }
        historiesByEmitter.clear();
        checked = now;
    }

    /** True if progress may pass a record whatever comes; throws if it may not pass it now. */
    private boolean isPassedForGood(HistoricLog.Entry entry, long progress) {
        if (isForgotten(entry.offset()) || isExpiredUnread(entry.offset()) || entry.offset() < committed.scopeBegin()) {
            return true;
        }
        // Progress speaks of the log of its leader; a reader that begins there finds out about what others wrote.
        if (committed.progressEpoch() >= 0 && entry.offset() >= log.keptOf(committed.progressEpoch())) {
            return false;
        }
        if (entry.record instanceof Event event) {
            boolean givenUp = givenUpTo.containsKey(event.emitter())
                    || moved.stream()
                            .anyMatch(one -> one.stream().emitter() == event.emitter()
                                    && one.begin() <= event.sequence()
                                    && event.sequence() < one.end());
            require(
                    givenUp || isSealed(entry, event.emitter(), progress),
                    () -> "progress " + progress + " passed an event of an open interval: " + event);
            return givenUp || sealedForGood.contains(entry);
        }
        // What came back was decided before it was cut off, and progress may still speak of it.
        boolean before = log.cameBack() && everDecided.contains(entry.offset());
        require(
                before || decided.contains(entry.offset()),
                () -> "progress " + progress + " passed what was not decided: " + entry.record);
        return true;
    }

    /**
     * True if a checkpoint behind an event is decided, or expired unread, or will be read again; also if the log was cut since. Of
     * one that expired nobody can say whether it seals anything.
     * It may lie on any branch that holds this very event.
     */
    private boolean isSealed(HistoricLog.Entry entry, long emitter, long progress) {
        if (sealedForGood.contains(entry)) {
            return true;
        }
        for (Held held : historiesByEmitter.computeIfAbsent(emitter, this::histories)) {
            if (held.branch().get(entry.offset()) != entry) {
                continue;
            }
            for (CheckpointRecord record : held.history().checkpoints) {
                boolean forGood = everDecided.contains(record.offset()) || isExpiredUnread(record.offset());
                if (record.offset() > entry.offset()
                        && (forGood || record.offset() >= progress)
                        && (expired.contains(record.offset())
                                || sealing.contains(record.offset())
                                || oracle.everSeals(held.history(), record))) {
                    if (forGood) {
                        sealedForGood.add(entry);
                    }
                    return true;
                }
            }
        }
        return false;
    }

    /** What a check of the progress depends on: each cut begins a leader epoch. */
    private record State(
            long progress, int progressEpoch, int findings, int leaderEpoch, long begin, long end, long rawEnd) {}

    /** What one branch of the log holds of a stream. */
    private record Held(Branch branch, StreamHistory history) {}

    private List<Held> histories(long emitter) {
        List<Held> histories = new ArrayList<>();
        log.branches().forEach(branch -> histories.add(new Held(branch, oracle.history(branch, emitter))));
        return histories;
    }

    private boolean isForgotten(long offset) {
        return offset < log.beginOffset()
                && Stream.of(decidedAndCut, foundAndCut)
                        .flatMap(cuts -> cuts.entrySet().stream())
                        .anyMatch(range -> range.getKey() <= offset && offset < range.getValue());
    }

    private boolean isExpiredUnread(long offset) {
        return !expiredUnread.isEmpty()
                && expiredUnread.stream()
                        .anyMatch(range -> range.beginOffset() <= offset && offset < range.endOffset());
    }

    /** Throws if a record that readers can see is not accounted for in the end. */
    void checkEnd() {
        // Where nothing was ever committed, the next one would begin where the log does.
        long begun = committed.progress() < 0 ? log.beginOffset() : committed.scopeBegin();
        for (HistoricLog.Entry entry : log.visible(0, Long.MAX_VALUE)) {
            boolean accounted = entry.record instanceof Event
                    || (log.cameBack() && everDecided.contains(entry.offset()))
                    || decided.contains(entry.offset())
                    || isExpiredUnread(entry.offset())
                    || isForgotten(entry.offset())
                    || entry.offset() < begun;
            String what = entry.record instanceof UnattributedRecord ? "unattributed record" : "checkpoint";
            require(accounted, () -> what + " never accounted for: " + entry.record);
        }
    }

    /** Throws if anything that was read before the topic was deleted is not accounted for. */
    void checkDeleted(Predicate<LogRecord> read) {
        for (Finding finding : committed.findings.subList(findingsSeen, committed.findings.size())) {
            note(finding);
        }
        for (HistoricLog.Entry entry : log.visible(committed.scopeBegin(), Long.MAX_VALUE)) {
            require(
                    entry.record instanceof Event
                            || !read.test(entry.record)
                            || decided.contains(entry.offset())
                            || isExpiredUnread(entry.offset())
                            || isForgotten(entry.offset()),
                    () -> "not accounted for when the topic was deleted: " + entry.record);
        }
    }

    private static void require(boolean condition, Supplier<String> what) {
        if (!condition) {
            throw new AssertionError(what.get());
        }
    }
}
