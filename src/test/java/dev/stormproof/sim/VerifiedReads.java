package dev.stormproof.sim;

import dev.stormproof.alert.Alert;
import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.Event;
import dev.stormproof.consume.PaperReader;
import dev.stormproof.judge.Finding;
import dev.stormproof.judge.SealedInterval;
import dev.stormproof.judge.Verdict.Verified;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a verified consumer hands out of a log: intact events of verified intervals, each once and in order. */
final class VerifiedReads {
    private VerifiedReads() {}

    /** Throws if a reader that begins where the log does would be handed anything else; returns how many events it is handed. */
    static int check(HistoricLog log, Committed committed) {
        List<Finding> alerts = committed.alerts.stream().map(Alert::finding).toList();
        PaperReader reader =
                new PaperReader(committed.progress(), committed.progressEpoch(), committed.leaders(), alerts);
        for (HistoricLog.Entry entry : log.visible(log.beginOffset(), Long.MAX_VALUE)) {
            reader.take(entry.record, entry.leaderEpoch);
        }
        List<Event> handedOut = reader.handedOut();
        Set<String> sequences = new HashSet<>();
        Map<Long, Long> last = new HashMap<>();
        for (Event event : handedOut) {
            require(event.intact(), "an altered event", event);
            require(sequences.add(event.emitter() + "/" + event.sequence()), "an event twice", event);
            Long before = last.put(event.emitter(), event.sequence());
            require(before == null || before < event.sequence(), "an event out of order", event);
            require(
                    committed.findings.stream().anyMatch(finding -> proves(finding, event)),
                    "an unproven event",
                    event);
        }
        // The latest cuts are enough: earlier ones were the latest once.
        for (Branch branch : log.branches().stream().skip(1).limit(2).toList()) {
            checkFetched(branch, log, committed, alerts);
        }
        return handedOut.size();
    }

    /** Throws if one that fetched the log as it was before a cut would be handed what was not verified in that. */
    private static void checkFetched(Branch branch, HistoricLog log, Committed committed, List<Finding> alerts) {
        PaperReader reader =
                new PaperReader(committed.progress(), committed.progressEpoch(), committed.leaders(), alerts);
        for (HistoricLog.Entry entry : branch.visible(log.beginOffset(), Long.MAX_VALUE)) {
            reader.take(entry.record, entry.leaderEpoch);
        }
        for (Event event : reader.handedOut()) {
            require(
                    committed.findings.stream().anyMatch(finding -> proves(finding, event) && isIn(branch, finding)),
                    "an event of a log that was cut off, and that was not verified there",
                    event);
        }
    }

    private static boolean isIn(Branch branch, Finding finding) {
        HistoricLog.Entry there = branch.get(((Verified) finding).interval().checkpointOffset());
        return there != null
                && there.record instanceof CheckpointRecord checkpoint
                && checkpoint
                        .chainHash()
                        .equals(((Verified) finding).interval().seal().checkpointHash());
    }

    private static boolean proves(Finding finding, Event event) {
        if (!(finding instanceof Verified verified)) {
            return false;
        }
        SealedInterval interval = verified.interval();
        return interval.stream().emitter() == event.emitter()
                && interval.checkpointOffset() > event.offset()
                && interval.firstSequence() <= event.sequence()
                && event.sequence() < interval.firstSequence() + interval.eventCount();
    }

    private static void require(boolean condition, String what, Event event) {
        if (!condition) {
            throw new AssertionError("a verified consumer is handed " + what + ": " + event);
        }
    }
}
