package dev.stormproof.cli.session;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.alert.AlertJson;
import dev.stormproof.alert.Printable;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.cli.text.AuditReport;
import dev.stormproof.cli.text.AuditScope;
import dev.stormproof.cli.text.Circumstances;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.config.StormproofConfig;
import dev.stormproof.evidence.Outcome;
import dev.stormproof.evidence.Statement;
import dev.stormproof.evidence.StreamSummary;
import dev.stormproof.judge.EnumNames;
import dev.stormproof.judge.Finding;
import dev.stormproof.judge.Verdict;
import dev.stormproof.local.CloseStack;
import dev.stormproof.sign.CheckpointKey;
import dev.stormproof.submit.Terminal;
import dev.stormproof.verify.OpenEnd;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** A session audits a range, and makes of what it finds a statement that its verifier signs. */
public final class StatementSession {
    /** How many streams have a line of their own. */
    static final int MOST_STREAMS = 10_000;

    /** Findings that are no proof have one each, until they name so many things. */
    static final int MOST_NAMED = 10_000;

    private static final Comparator<StreamId> BY_PLACE =
            Comparator.comparingInt(StreamId::partition).thenComparing(StreamId::emitterHex);

    private final Circumstances circumstances;
    private final AuditSession audit;
    private final Request request;
    private final Map<StreamId, StreamSummary> streams = new HashMap<>();
    private final List<Finding> alarms = new ArrayList<>();
    private int named;
    private long moreStreams;
    private long moreAlarms;

    /**
     * What was asked for.
     *
     * @param partitions the partitions to audit
     * @param scope what is judged of them
     * @param threads how many of them are audited at once
     * @param verifier signs the statement
     */
    public record Request(
            String topic, SortedSet<Integer> partitions, AuditScope scope, int threads, CheckpointKey verifier) {}

    public StatementSession(
            StormproofConfig config,
            Circumstances circumstances,
            Request request,
            CloseStack resources,
            Terminal out,
            Terminal err) {
        this.circumstances = circumstances;
        this.request = request;
        this.audit = new AuditSession(
                        config,
                        new AuditSession.Request(
                                request.topic(),
                                request.partitions(),
                                request.scope(),
                                false,
                                false,
                                request.threads(),
                                null,
                                null),
                        resources,
                        out,
                        err)
                .onFinding(this::take);
    }

    /**
     * A statement, and the verdict in it.
     *
     * @param bytes those of the file
     */
    public record Made(byte[] bytes, int exitCode) {}

    /** Audits, prints the report, and makes the statement. */
    public Made run() {
        int exitCode = audit.run();
        AuditReport report = audit.report();
        Statement statement = new Statement(
                circumstances.time().toString(),
                circumstances.program(),
                circumstances.clusterId(),
                request.topic(),
                circumstances.topicId(),
                EnumNames.of(circumstances.demanded()));
        statement.add("since", time(request.scope().since()));
        statement.add("until", time(request.scope().until()));
        statement.add("key", circumstances.keys());
        statement.add("partition", report.rows().stream().map(row -> text(
                        "%d log=%d-%d audited=%d-%d",
                        row.partition(),
                        row.logBegin(),
                        row.range().logEnd(),
                        row.range().begin(),
                        row.range().end()))
                .toList());
        statement.add("stream", streamLines());
        statement.add("more-streams", count(moreStreams));
        statement.add("open", report.rows().stream()
                .flatMap(row -> row.contents().open().named().stream())
                .map(StatementSession::open)
                .toList());
        statement.add("finding", alarms.stream()
                .sorted(Comparator.comparing(Finding::partition).thenComparingLong(Finding::anchorOffset))
                .map(finding -> new String(AlertJson.writeData(finding), UTF_8))
                .toList());
        statement.add("more-findings", count(moreAlarms));
        statement.add("not-judged", plain(report.notJudged()));
        byte[] bytes = statement.signed(
                report.events(),
                report.proven(),
                Outcome.valueOf(ExitCode.word(exitCode).toUpperCase(Locale.ROOT)),
                Printable.line(report.conclusion()),
                request.verifier());
        return new Made(bytes, exitCode);
    }

    private synchronized void take(Finding finding) {
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
        int names = finding instanceof Verdict.Violated found ? found.anomalies().size() : 1;
        if (named + names <= MOST_NAMED) {
            named += names;
            alarms.add(finding);
        } else {
            moreAlarms++;
        }
    }

    private List<String> streamLines() {
        return plain(streams.entrySet().stream()
                .sorted(Map.Entry.comparingByKey(BY_PLACE))
                .map(stream -> stream.getValue().line())
                .toList());
    }

    private static String open(OpenEnd end) {
        return text(
                "partition=%d emitter=%s events=%d since=%d last-checkpoint=%d",
                end.stream().partition(),
                end.stream().emitterHex(),
                end.events(),
                end.sinceOffset(),
                end.checkpointOffset());
    }

    private static List<String> time(@Nullable Instant time) {
        return time == null ? List.of() : List.of(time.toString());
    }

    private static List<String> count(long number) {
        return number == 0 ? List.of() : List.of(Long.toString(number));
    }

    private static List<String> plain(Collection<String> lines) {
        return lines.stream().map(Printable::line).toList();
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
