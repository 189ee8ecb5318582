package dev.stormproof.testing;

import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.MissedRecords;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.stream.Collectors;

/**
 * The text of a finding, in a few words.
 *
 * <pre>
 *   Verified 1                    interval 1 of Alice matched at first sight; b1 is Bob's, p@7 the one of format 1 sealed there
 *   Verified 1 by the log         the log, read again, holds what its checkpoint states
 *   Violated 1? LOST 0..1         for now: what follows may change the name
 *   Violated 1: LOST 0..1         final
 *   UNSEALED 2 @7 of 1            no checkpoint seals the events of interval 2, the last one at 7, one in number
 *   LATE_CHECKPOINT @7            the record at 7 belongs to no stream
 *   Expired 3..7                  records that expired before they were read
 * </pre>
 */
public final class FindingText {
    private FindingText() {}

    static String of(Finding finding) {
        if (finding instanceof Verified verified) {
            return "Verified " + interval(verified.interval())
                    + (verified.basis() == Verified.Basis.LOG ? " by the log" : "");
        }
        if (finding instanceof Violated violated) {
            return "Violated " + interval(violated.interval()) + (violated.isOpen() ? "? " : ": ")
                    + violated.anomalies().stream().map(FindingText::of).collect(Collectors.joining(", "));
        }
        if (finding instanceof Inconclusive inconclusive) {
            IntervalId interval = inconclusive.interval();
            return inconclusive.reason() + " " + interval(interval)
                    + (inconclusive.isOpen()
                            ? " @" + interval.checkpointOffset() + " of " + interval.eventCount()
                            : "");
        }
        if (finding instanceof StrayRecord unattributed) {
            return unattributed.kind() + " @" + unattributed.offset();
        }
        MissedRecords expired = (MissedRecords) finding;
        return "Expired " + expired.beginOffset() + ".." + expired.endOffset();
    }

    /** The same with the place of everything: {@code Verified 1 @0..2}, {@code Violated 1 @2: DUPLICATED 0..1 @1}. */
    public static String placed(Finding finding) {
        if (finding instanceof Verified verified) {
            return "Verified " + placed(verified.interval(), verified.beginOffset() + "..")
                    + (verified.basis() == Verified.Basis.LOG ? " by the log" : "");
        }
        if (finding instanceof Violated violated) {
            return "Violated " + placed(violated.interval(), "") + (violated.isOpen() ? "? " : ": ")
                    + violated.anomalies().stream().map(FindingText::placed).collect(Collectors.joining(", "));
        }
        if (finding instanceof Inconclusive inconclusive) {
            IntervalId interval = inconclusive.interval();
            return inconclusive.reason() + " " + placed(interval, "")
                    + (inconclusive.isOpen() ? " of " + interval.eventCount() : "");
        }
        return of(finding);
    }

    private static String placed(IntervalId interval, String begin) {
        boolean format1 = interval.stream().equals(StreamRecords.PLAIN.stream());
        String statement = interval.statement().sizeBytes() > 0 ? "~" : "";
        return (format1 ? "p" : letter(interval.stream()) + interval.number()) + statement + " @" + begin
                + interval.checkpointOffset();
    }

    private static String placed(Anomaly anomaly) {
        boolean format1 = anomaly.stream().equals(StreamRecords.PLAIN.stream());
        String sequences = anomaly.end() == anomaly.begin() + 1
                ? String.valueOf(anomaly.begin())
                : anomaly.begin() + ".." + anomaly.end();
        return anomaly.kind()
                + (format1 ? "" : " " + sequences)
                + (anomaly.offset() < 0 ? "" : " @" + anomaly.offset())
                + (anomaly.copies() > 2 ? " x" + anomaly.copies() : "");
    }

    private static String of(Anomaly anomaly) {
        return anomaly.kind() + " "
                + (anomaly.stream().equals(StreamRecords.PLAIN.stream())
                        ? "@" + anomaly.offset()
                        : anomaly.begin() + ".." + anomaly.end())
                + (anomaly.copies() > 2 ? " x" + anomaly.copies() : "");
    }

    private static String interval(IntervalId interval) {
        if (interval.stream().equals(StreamRecords.PLAIN.stream())) {
            return "p@" + interval.checkpointOffset();
        }
        return letter(interval.stream()) + interval.number();
    }

    private static String letter(StreamId stream) {
        if (stream.equals(StreamRecords.ALICE.stream())) {
            return "";
        }
        return stream.equals(StreamRecords.BOB.stream()) ? "b" : String.valueOf((char) stream.emitter());
    }
}
