package dev.stormproof.cli.session;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.alert.AlertJson;
import dev.stormproof.alert.Printable;
import dev.stormproof.evidence.StreamSummary;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The findings of an audit as a statement has them: each stream in a line, and each finding that is no proof; both bounded. */
final class StatedFindings {
    /** How many streams have a line of their own. */
    static final int MOST_STREAMS = 10_000;

    /** Findings that are no proof have one each, until they name so many things. */
    static final int MOST_NAMED = 10_000;

    private static final Comparator<StreamId> BY_PLACE =
            Comparator.comparingInt(StreamId::partition).thenComparing(StreamId::emitterHex);

    private final Map<StreamId, StreamSummary> streams = new HashMap<>();
    private final List<Finding> alarms = new ArrayList<>();
    private int named;
    private long moreStreams;
    private long moreAlarms;

    /** Takes a final finding; those of a partition come in the order of offsets. */
    void add(Finding finding) {
        if (finding instanceof Verdict verdict) {
            StreamId stream = verdict.interval().stream();
            if (streams.containsKey(stream) || streams.size() < MOST_STREAMS) {
                streams.computeIfAbsent(stream, StreamSummary::new).add(verdict);
            } else {
                moreStreams++;
            }
        }
        if (finding instanceof Verdict.Verified) {
            return;
        }
        int names =
                finding instanceof Verdict.Violated found ? found.anomalies().size() : 1;
        if (named + names <= MOST_NAMED) {
            named += names;
            alarms.add(finding);
        } else {
            moreAlarms++;
        }
    }

    List<String> streamLines() {
        return streams.entrySet().stream()
                .sorted(Map.Entry.comparingByKey(BY_PLACE))
                .map(stream -> Printable.line(stream.getValue().line()))
                .toList();
    }

    /** How many verdicts there are on streams without a line. */
    long moreStreams() {
        return moreStreams;
    }

    List<String> alarmLines() {
        return alarms.stream()
                .sorted(Comparator.comparing(Finding::partition).thenComparingLong(Finding::anchorOffset))
                .map(finding -> new String(AlertJson.writeData(finding), UTF_8))
                .toList();
    }

    /** How many findings that are no proof have no line. */
    long moreAlarms() {
        return moreAlarms;
    }
}
