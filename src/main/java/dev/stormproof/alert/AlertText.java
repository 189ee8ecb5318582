package dev.stormproof.alert;

import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.EnumNames;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.Hop;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.MissedRecords;
import dev.stormproof.verify.judge.Neighbours.Neighbour;
import dev.stormproof.verify.judge.Seal;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Tail;
import dev.stormproof.verify.judge.Undelivered;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Findings in words, for the person on call. */
public final class AlertText {
    private AlertText() {}

    /** One line: what, where and how much. */
    public static String summary(Finding finding) {
        if (finding instanceof Verified verified) {
            return "verified: " + what(verified.interval());
        }
        if (finding instanceof Inconclusive inconclusive) {
            return "inconclusive (" + EnumNames.of(inconclusive.reason()) + "): " + what(inconclusive.interval()) + ": "
                    + inconclusive.detail();
        }
        if (finding instanceof Violated violated) {
            return counts(violated) + " in " + partition(violated.interval().stream()) + where(violated)
                    + (violated.isOpen() ? ", not sealed yet" : "") + hops(violated);
        }
        if (finding instanceof MissedRecords missed) {
            String why = switch (missed.cause()) {
                case EXPIRED -> "the log dropped them before they were read";
                case SKIPPED -> "another tool moved the offset of this group past them";
            };
            return "not verified: offsets " + number(missed.beginOffset()) + " to " + number(missed.endOffset() - 1)
                    + " in " + missed.partition() + ": " + why;
        }
        if (finding instanceof Undelivered undelivered) {
            String fate = switch (undelivered.kind()) {
                case HALTED -> "output halted before the event at ";
                case DIVERTED -> "diverted the event at ";
                case RESUMED -> "output resumed at the event at ";
                case WAITING -> "output waits for its topic before the event at ";
                case WAITED -> "output waited for its topic, and goes on at the event at ";
            };
            return fate + undelivered.partition() + "@" + undelivered.offset() + ": " + undelivered.detail();
        }
        StrayRecord unattributed = (StrayRecord) finding;
        boolean one = unattributed.count() == 1;
        return (one ? "stray record (" : unattributed.count() + " stray records (")
                + EnumNames.of(unattributed.kind()) + ") at " + unattributed.partition() + "@" + unattributed.offset()
                + (one ? "" : " to " + unattributed.lastOffset()) + ": " + unattributed.detail();
    }

    /** One line about one anomaly: what happened to which event, and where. */
    public static String line(Anomaly anomaly) {
        return line(anomaly, RecordUrls.NONE, NeighbourKeys.NONE);
    }

    private static String line(Anomaly anomaly, RecordUrls urls, NeighbourKeys keys) {
        return event(anomaly) + neighbours(anomaly, urls, keys);
    }

    private static String event(Anomaly anomaly) {
        StreamId stream = anomaly.stream();
        StringBuilder text = new StringBuilder(EnumNames.of(anomaly.kind()));
        boolean checkpoint =
                anomaly.kind() == Anomaly.Kind.CHECKPOINT_LOST || anomaly.kind() == Anomaly.Kind.CHAIN_BROKEN;
        if (checkpoint && anomaly.begin() < 0) {
            return text.append("  of ")
                    .append(anomaly.copies())
                    .append(anomaly.copies() == 1 ? " event from " : " events from ")
                    .append(stream.topic())
                    .append('-')
                    .append(stream.partition())
                    .append('@')
                    .append(anomaly.offset())
                    .append(" on")
                    .toString();
        }
        text.append(checkpoint ? "  checkpoint " : "  sequence ").append(anomaly.begin());
        if (anomaly.end() > anomaly.begin() + 1) {
            text.append("..").append(anomaly.end() - 1);
        }
        text.append("  ").append(stream.topic()).append('-').append(stream.partition());
        text.append(anomaly.offset() >= 0 ? "@" + anomaly.offset() : " (nowhere)");
        if (anomaly.copies() > 1) {
            text.append("  ").append(anomaly.copies()).append(" copies");
        }
        if (anomaly.expected().sizeBytes() > 0 && !checkpoint) {
            text.append("  signed ").append(abbreviated(anomaly.expected().toHex()));
        }
        if (anomaly.kind() == Anomaly.Kind.ALTERED
                || anomaly.kind() == Anomaly.Kind.FOREIGN
                || anomaly.kind() == Anomaly.Kind.OUT_OF_REACH) {
            text.append("  found ").append(abbreviated(anomaly.observed().toHex()));
        }
        if (!anomaly.differs().isEmpty()) {
            text.append(anomaly.differs().contains(Anomaly.Part.HEADER_MISSING) ? "  " : "  differs in ")
                    .append(anomaly.differs().stream().map(EnumNames::words).collect(Collectors.joining(" and ")));
        }
        if (anomaly.hop() != Hop.LOG) {
            text.append("  ").append(words(anomaly.hop()));
        }
        return text.toString();
    }

    /** The places and times of the events on both sides of a gap. */
    private static String neighbours(Anomaly anomaly, RecordUrls urls, NeighbourKeys keys) {
        Neighbour before = anomaly.neighbours().before();
        Neighbour after = anomaly.neighbours().after();
        String first = before == null ? "" : neighbour(anomaly.stream(), before, urls, keys);
        String last = after == null ? "" : neighbour(anomaly.stream(), after, urls, keys);
        if (before != null && after != null) {
            return "  between " + first + ", and " + last;
        }
        return (before == null ? "" : "  after " + first) + (after == null ? "" : "  before " + last);
    }

    private static String neighbour(StreamId stream, Neighbour neighbour, RecordUrls urls, NeighbourKeys keys) {
        String key = keys.at(stream, neighbour.offset());
        String time = WrittenTime.text(neighbour.writtenMillis());
        return "sequence " + neighbour.sequence() + " @" + neighbour.offset() + (time.isEmpty() ? "" : " of " + time)
                + (key.isEmpty() ? "" : ", key " + key) + link(urls.of(stream, neighbour));
    }

    /** Writes {@link #line} with the address of a page after each place. */
    public static Function<Anomaly, String> linesWith(RecordUrls urls) {
        return linesWith(urls, NeighbourKeys.NONE);
    }

    /** As {@link #linesWith(RecordUrls)}, with the keys of the events beside a gap. */
    public static Function<Anomaly, String> linesWith(RecordUrls urls, NeighbourKeys keys) {
        return anomaly -> line(anomaly, urls, keys) + link(urls.of(anomaly));
    }

    /** The summary, followed by the address of the page that shows the checkpoint or record. */
    public static String summary(Finding finding, RecordUrls urls) {
        return summary(finding) + link(urls.of(finding));
    }

    private static String link(String url) {
        return url.isEmpty() ? "" : "  " + url;
    }

    /** As {@link #line}, always with the hop, for lists over several logs. */
    public static String lineWithHop(Anomaly anomaly) {
        return event(anomaly)
                + (anomaly.hop() == Hop.LOG ? "  " + words(Hop.LOG) : "")
                + neighbours(anomaly, RecordUrls.NONE, NeighbourKeys.NONE);
    }

    private static String abbreviated(String hex) {
        return hex.length() > 16 ? hex.substring(0, 16) + "…" : hex;
    }

    private static String what(IntervalId interval) {
        String where = partition(interval.stream()) + emitter(interval);
        String events = interval.eventCount() == 1 ? " event, sequence " : " events from sequence ";
        return interval.tail().isThere()
                ? tail(interval) + ", in " + where + ", up to offset " + number(interval.checkpointOffset())
                : number(interval.eventCount()) + events + number(interval.firstSequence()) + " in " + where
                        + ", checkpoint at offset " + number(interval.checkpointOffset());
    }

    private static String emitter(IntervalId interval) {
        if (interval.stream().emitter() == StreamId.NO_EMITTER) {
            return "";
        }
        return ", emitter "
                + (interval.emitterName().isEmpty() ? interval.stream().emitterHex() : interval.emitterName());
    }

    private static String partition(StreamId stream) {
        return stream.topic() + "-" + stream.partition();
    }

    /** Where one anomaly is; of several the interval. */
    private static String where(Violated violated) {
        Anomaly only = violated.anomalyCount() == 1 && violated.anomalies().size() == 1
                ? violated.anomalies().get(0)
                : null;
        if (only != null
                && only.neighbours().before() != null
                && only.neighbours().after() != null) {
            return ", between offsets " + place(only.neighbours().before()) + " and "
                    + place(only.neighbours().after());
        }
        if (only != null && only.offset() >= 0) {
            return ", at offset " + number(only.offset());
        }
        return violated.interval().tail().isThere()
                ? ", up to offset " + number(violated.interval().checkpointOffset())
                : ", before the checkpoint at offset "
                        + number(violated.interval().checkpointOffset());
    }

    private static String place(Neighbour neighbour) {
        String time = WrittenTime.text(neighbour.writtenMillis());
        return number(neighbour.offset()) + (time.isEmpty() ? "" : " (" + time + ")");
    }

    /** What is known of the events after a stream's last checkpoint. */
    public static String tail(IntervalId interval) {
        Tail tail = interval.tail();
        if (tail.events() == 0) {
            return "no new event after the last checkpoint";
        }
        boolean one = tail.events() == 1;
        return number(tail.events())
                + (one ? " event, " : " events, ")
                + (tail.lastSequence() == Tail.UNKNOWN ? "without sequences" : sequences(tail))
                + contents(tail, one ? ", content" : ", contents");
    }

    private static String sequences(Tail tail) {
        String range = tail.firstSequence() == tail.lastSequence()
                ? "sequence " + number(tail.firstSequence())
                : "sequences " + number(tail.firstSequence()) + " to " + number(tail.lastSequence());
        if (tail.missing() == 0) {
            return range + ", no gap" + (tail.late() == 0 ? "" : ", " + number(tail.late()) + " repeated");
        }
        if (tail.late() == 0) {
            return range + ", " + number(tail.missing()) + " missing from " + number(tail.firstMissing()) + " on";
        }
        String missing = tail.leastMissing() == 0
                ? "at most " + number(tail.missing())
                : number(tail.leastMissing()) + " to " + number(tail.missing());
        return range + ", " + missing + " missing, " + number(tail.late()) + " repeated or out of order";
    }

    private static String contents(Tail tail, String contents) {
        if (tail.altered() == 0 && tail.unchecked() == 0) {
            return contents + " as signed";
        }
        return (tail.altered() == 0 ? "" : ", " + number(tail.altered()) + " not as signed")
                + (tail.unchecked() == 0 ? "" : ", " + number(tail.unchecked()) + " not compared with what was signed");
    }

    private static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** What an interval rests on; empty if no checkpoint sealed it. */
    public static String basis(IntervalId interval) {
        Seal seal = interval.seal();
        if (!seal.isThere()) {
            return "";
        }
        return "protected against " + EnumNames.of(seal.strength()) + ", checkpoint " + interval.number()
                + (interval.stream().emitter() == StreamId.NO_EMITTER
                        ? ""
                        : " of emitter " + interval.stream().emitterHex())
                + ", root " + seal.root().toHex()
                + (seal.checkpointHash().sizeBytes() == 0
                        ? ""
                        : ", hash " + seal.checkpointHash().toHex())
                + (seal.keyId().isEmpty() ? "" : ", key " + seal.keyId());
    }

    private static String counts(Violated violated) {
        Map<Anomaly.Kind, Long> counts = new EnumMap<>(Anomaly.Kind.class);
        for (Anomaly anomaly : violated.anomalies()) {
            counts.merge(anomaly.kind(), anomaly.end() - anomaly.begin(), AlertText::sum);
        }
        List<String> parts = new ArrayList<>();
        counts.forEach((kind, count) -> parts.add(number(count) + words(kind, count)));
        long unnamed = violated.anomalyCount() - violated.anomalies().size();
        if (unnamed > 0) {
            parts.add(number(unnamed) + " more");
        }
        return String.join(", ", parts);
    }

    private static String words(Anomaly.Kind kind, long count) {
        String event = count == 1 ? " event " : " events ";
        String checkpoint = count == 1 ? " checkpoint " : " checkpoints ";
        return switch (kind) {
            case LOST, DUPLICATED, REORDERED, ALTERED, DIVERTED -> event + EnumNames.of(kind);
            case FOREIGN -> event + "that no checkpoint states";
            case OUT_OF_REACH -> event + "far from their interval";
            case CHECKPOINT_LOST -> checkpoint + "lost";
            case CHAIN_BROKEN -> checkpoint + "off the chain";
            case UNLOCATED -> event + "among which something differs";
        };
    }

    private static long sum(long one, long other) {
        return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
    }

    /** The hops at which it happened, if more is known than the log that shows it. */
    private static String hops(Violated violated) {
        if (violated.hop() == Hop.LOG) {
            return "";
        }
        if (violated.hop() != Hop.SEVERAL || violated.anomalies().isEmpty()) {
            return "; " + words(violated.hop());
        }
        Map<Hop, Long> counts = new EnumMap<>(Hop.class);
        for (Anomaly anomaly : violated.anomalies()) {
            counts.merge(anomaly.hop(), anomaly.end() - anomaly.begin(), Long::sum);
        }
        return counts.entrySet().stream()
                .map(entry -> entry.getValue() + " " + words(entry.getKey()))
                .collect(Collectors.joining(", ", "; ", ""));
    }

    private static String words(Hop hop) {
        return switch (hop) {
            case LOG -> "before this log was read";
            case BEFORE_ORIGIN -> "before the origin's log";
            case BETWEEN_LOGS -> "between the origin's log and this one";
            case BEFORE_TRANSFORM -> "before the transform read it";
            case TRANSFORM -> "in the transform";
            case AFTER_TRANSFORM -> "after the transform";
            case SEVERAL -> "on several hops";
            case UNKNOWN -> "on an unknown hop: the origin's log does not show it";
        };
    }
}
