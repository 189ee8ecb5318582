package dev.stormproof.sim;

import dev.stormproof.alert.Alert;
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
        PaperReader reader = new PaperReader(committed.progress(), committed.progressEpoch(), alerts);
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
        return handedOut.size();
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
