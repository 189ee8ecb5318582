package dev.stormproof.side;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static dev.stormproof.testing.StreamRecords.BOB;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.RecoveryRecord;
import dev.stormproof.checkpoint.UnattributedRecord;
import dev.stormproof.checkpoint.UnattributedRecord.Kind;
import dev.stormproof.judge.Finding;
import dev.stormproof.judge.Unattributed;
import dev.stormproof.judge.Verdict;
import dev.stormproof.judge.Verdict.Inconclusive;
import dev.stormproof.judge.Verdict.Violated;
import dev.stormproof.log.LateStarts;
import dev.stormproof.log.OriginAudit;
import dev.stormproof.log.RangeAudit;
import dev.stormproof.log.RangeAudit.Contents;
import dev.stormproof.log.RangeAudit.Open;
import dev.stormproof.log.RangeAudit.Range;
import dev.stormproof.merkle.Hash;
import dev.stormproof.merkle.TreeHash;
import dev.stormproof.testing.SimulatedLog;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.testing.StreamRecords.Draft;
import dev.stormproof.verify.InactivityTimeouts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.TopicPartition;

/**
 * A log of events and one of checkpoints, from text, and what an audit of both finds.
 *
 * <pre>
 *   events   a3 an event of Alice   a3! altered   a3x another one, signed   _ nothing
 *   side     a#1:0-3 her checkpoint 1 over 0 to 2   a#1:0-3$ the last one   a#1:0-3~ with another root   a#1:0-3R recovered
 *            a#1:0-3= the one before once more   e5 an event of hers   ? of nobody   m of another partition
 * </pre>
 */
final class TwoLogs {
    static final TopicPartition EVENTS = new TopicPartition("orders", 0);
    static final TopicPartition SIDE = new TopicPartition("orders-checkpoints", 0);
    private static final long HOUR = 3_600_000;
    private static final Pattern STATEMENT = Pattern.compile("([ab])#(\\d+):(\\d+)-(\\d+)([$~R]?)");

    final SimulatedLog events = new SimulatedLog();
    final SimulatedLog side = new SimulatedLog();
    boolean compacted;
    Contents contents = new Contents(0, 0, new Open(0, 0, 0, 0, List.of()), new LateStarts());
    private final Map<StreamRecords, CheckpointRecord> last = new HashMap<>();

    static TwoLogs of(String events, String side) {
        TwoLogs logs = new TwoLogs();
        logs.addEvents(events);
        logs.addSide(side);
        return logs;
    }

    void addEvents(String text) {
        for (String token : text.strip().split("\\s+", -1)) {
            if (token.equals("_")) {
                events.appendMarker();
            } else if (!token.isEmpty()) {
                StreamRecords whose = token.charAt(0) == 'a' ? ALICE : BOB;
                char end = token.charAt(token.length() - 1);
                boolean plain = Character.isDigit(end);
                long sequence = Long.parseLong(token.substring(1, plain ? token.length() : token.length() - 1));
                events.append(offset -> plain
                        ? whose.event(offset, sequence)
                        : end == '!' ? whose.altered(offset, sequence) : whose.forged(offset, sequence));
            }
        }
    }

    void addSide(String text) {
        for (String token : text.strip().split("\\s+", -1)) {
            switch (token) {
                case "" -> {}
                case "?" -> side.append(offset -> new UnattributedRecord(offset, Kind.UNSIGNED, "nobody's"));
                case "m" ->
                    side.append(offset -> new UnattributedRecord(offset, Kind.MISPLACED_CHECKPOINT, "another's"));
                case "_" -> side.appendMarker();
                default -> addStatement(token);
            }
        }
    }

    private void addStatement(String token) {
        if (token.startsWith("e")) {
            side.append(offset -> ALICE.event(offset, Long.parseLong(token.substring(1))));
            return;
        }
        boolean again = token.endsWith("=");
        Matcher parts = STATEMENT.matcher(again ? token.substring(0, token.length() - 1) : token);
        if (!parts.matches()) {
            throw new IllegalArgumentException(token);
        }
        StreamRecords whose = parts.group(1).equals("a") ? ALICE : BOB;
        if (again) {
            CheckpointRecord before = Objects.requireNonNull(last.get(whose));
            side.append(offset -> new CheckpointRecord(offset, before.checkpoint(), before.chainHash()));
            return;
        }
        Draft draft = whose.checkpoint(
                Long.parseLong(parts.group(2)), Long.parseLong(parts.group(3)), Long.parseLong(parts.group(4)));
        CheckpointRecord before = last.get(whose);
        if (before != null && before.checkpoint().number() < Long.parseLong(parts.group(2))) {
            draft = draft.behind(before);
        }
        switch (parts.group(5)) {
            case "$" -> draft = draft.closing();
            case "~" -> draft = draft.withRoot(Hash.copyOf(new byte[TreeHash.XXH3.sizeBytes()]));
            case "R" -> draft = draft.recovered();
            default -> {}
        }
        Draft made = draft;
        if (parts.group(5).equals("R")) {
            side.append(offset -> new RecoveryRecord(made.at(offset)));
        } else {
            last.put(whose, side.append(made::at));
        }
    }

    /** What an audit of both finds, in the terms of both. */
    List<Finding> findings() {
        List<Finding> found = new ArrayList<>();
        MergedLog log = MergedLog.of(EVENTS, events, SIDE, side);
        found.addAll(log.findings(side));
        Told told = log.told();
        contents = told.of(new RangeAudit(
                        log.reader(events, side),
                        log.reader(events, side),
                        compacted ? (task, evidence) -> evidence.cleanedBefore(log.cleanedEnd()) : OriginAudit.NONE,
                        new Range(EVENTS, log.mergedBegin(), log.mergedEnd(), log.mergedEnd(), 1_000, false),
                        new InactivityTimeouts(0, HOUR, HOUR),
                        finding -> found.add(told.of(finding)),
                        page -> {},
                        (offset, bytes) -> {})
                .run());
        return found;
    }

    /** The same as text. */
    List<String> audit() {
        return findings().stream().map(TwoLogs::text).toList();
    }

    static String text(Finding finding) {
        if (finding instanceof Unattributed stray) {
            return stray.kind() + " " + stray.partition().topic() + "@" + stray.offset()
                    + (stray.count() > 1 ? " x" + stray.count() : "");
        }
        if (!(finding instanceof Verdict verdict)) {
            return finding.type() + "";
        }
        String which = (verdict.interval().stream().equals(ALICE.stream()) ? "a" : "b")
                + verdict.interval().number() + "@" + verdict.interval().checkpointOffset();
        if (verdict instanceof Violated violated) {
            StringBuilder text = new StringBuilder("violated " + which);
            violated.anomalies()
                    .forEach(anomaly -> text.append(" " + anomaly.kind() + " " + anomaly.begin()
                            + (anomaly.end() > anomaly.begin() + 1 ? "-" + (anomaly.end() - 1) : "")
                            + (anomaly.offset() < 0 ? "" : "@" + anomaly.offset())));
            return text.toString();
        }
        return verdict instanceof Inconclusive inconclusive ? inconclusive.reason() + " " + which : "verified " + which;
    }
}
