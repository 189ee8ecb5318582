package dev.stormproof.sim;

import dev.stormproof.alert.Alert;
import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.Event;
import dev.stormproof.consume.PaperReader;
import dev.stormproof.judge.Finding;
import dev.stormproof.judge.SealedInterval;
import dev.stormproof.judge.Verdict.Verified;
import dev.stormproof.leader.Leaders;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a verified consumer hands out of a log: intact events of verified intervals, each once and in order. */
final class VerifiedReads {
    private final HistoricLog log;
    private final Committed committed;
    private @Nullable State checked;
    private int handedOut;

    /** All that a reader's answer depends on. */
    private record State(
            long endOffset,
            long beginOffset,
            int leaderEpoch,
            long progress,
            int progressEpoch,
            Leaders leaders,
            int alerts,
            int findings) {}

    VerifiedReads(HistoricLog log, Committed committed) {
        this.log = log;
        this.committed = committed;
    }

    /** Throws if a reader that begins where the log does would be handed anything else; returns how many events it is handed. */
    int check() {
        State now = new State(
                log.rawEndOffset(),
                log.beginOffset(),
                log.leaderEpoch(),
                committed.progress(),
                committed.progressEpoch(),
                committed.leaders(),
                committed.alerts.size(),
                committed.findings.size());
        if (!now.equals(checked)) {
            handedOut = checkAll();
            checked = now;
        }
        return handedOut;
    }

    private int checkAll() {
        List<Finding> alerts = committed.alerts.stream().map(Alert::finding).toList();
        Map<Long, List<Verified>> verified = committed.findings.stream()
                .filter(Verified.class::isInstance)
                .map(Verified.class::cast)
                .collect(Collectors.groupingBy(one -> one.interval().stream().emitter()));
        List<Event> events = read(log.visible(log.beginOffset(), Long.MAX_VALUE), alerts);
        Set<Sent> sent = new HashSet<>();
        Map<Long, Long> last = new HashMap<>();
        for (Event event : events) {
            require(event.intact(), "an altered event", event);
            require(sent.add(new Sent(event.emitter(), event.sequence())), "an event twice", event);
            Long before = last.put(event.emitter(), event.sequence());
            require(before == null || before < event.sequence(), "an event out of order", event);
            require(isProven(event, verified, one -> true), "an unproven event", event);
        }
        // The latest cuts are enough: earlier ones were the latest once.
        for (Branch branch : log.branches().stream().skip(1).limit(2).toList()) {
            checkFetched(branch, alerts, verified);
        }
        return events.size();
    }

    private record Sent(long emitter, long sequence) {}

    /** Throws if one that fetched the log as it was before a cut would be handed what was not verified in that. */
    private void checkFetched(Branch branch, List<Finding> alerts, Map<Long, List<Verified>> verified) {
        for (Event event : read(branch.visible(log.beginOffset(), Long.MAX_VALUE), alerts)) {
            require(
                    isProven(event, verified, one -> isIn(branch, one)),
                    "an event of a log that was cut off, and that was not verified there",
                    event);
        }
    }

    private List<Event> read(Iterable<HistoricLog.Entry> entries, List<Finding> alerts) {
        PaperReader reader =
                new PaperReader(committed.progress(), committed.progressEpoch(), committed.leaders(), alerts);
        for (HistoricLog.Entry entry : entries) {
            reader.take(entry.record, entry.leaderEpoch);
        }
        return reader.handedOut();
    }

    private static boolean isProven(Event event, Map<Long, List<Verified>> verified, Predicate<Verified> also) {
        for (Verified one : verified.getOrDefault(event.emitter(), List.of())) {
            if (proves(one.interval(), event) && also.test(one)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isIn(Branch branch, Verified one) {
        HistoricLog.Entry there = branch.get(one.interval().checkpointOffset());
        return there != null
                && there.record instanceof CheckpointRecord checkpoint
                && checkpoint.chainHash().equals(one.interval().seal().checkpointHash());
    }

    private static boolean proves(SealedInterval interval, Event event) {
        return interval.checkpointOffset() > event.offset()
                && interval.firstSequence() <= event.sequence()
                && event.sequence() < interval.firstSequence() + interval.eventCount();
    }

    private static void require(boolean condition, String what, Event event) {
        if (!condition) {
            throw new AssertionError("a verified consumer is handed " + what + ": " + event);
        }
    }
}
