package dev.stormproof.cli.session;

import dev.stormproof.alert.Printable;
import dev.stormproof.cli.local.CloseStack;
import dev.stormproof.cli.terminal.Terminal;
import dev.stormproof.cli.text.AuditReport;
import dev.stormproof.cli.text.AuditScope;
import dev.stormproof.cli.text.Circumstances;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.evidence.Outcome;
import dev.stormproof.evidence.Statement;
import dev.stormproof.proof.sign.CheckpointKey;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.verify.fold.UnsealedTail;
import dev.stormproof.verify.judge.EnumNames;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A session audits a range, and makes of what it finds a statement that its verifier signs. */
public final class StatementSession {
    private final Circumstances circumstances;
    private final AuditSession audit;
    private final Request request;
    private final StatedFindings findings = new StatedFindings();

    /**
     * The options of the command.
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
                                request.topic(), request.partitions(), request.scope(), request.threads()),
                        resources,
                        out,
                        err)
                .onFinding(findings::add);
    }

    /** Audits, prints the report, and hands over the bytes of the statement. */
    public ProofWriter run(Consumer<byte[]> file) {
        int exitCode = audit.run();
        AuditReport report = audit.report();
        return ProofWriter.of(
                exitCode,
                "state less at once: --partition, or --since and --until",
                () -> statement(report, exitCode),
                file);
    }

    private byte[] statement(AuditReport report, int exitCode) {
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
        statement.add(
                "partition",
                report.rows().stream()
                        .map(row -> text(
                                "%d log=%d-%d audited=%d-%d",
                                row.partition(),
                                row.logBegin(),
                                row.range().logEnd(),
                                row.range().begin(),
                                row.range().end()))
                        .toList());
        statement.add("stream", findings.streamLines());
        statement.add("more-streams", count(findings.moreStreams()));
        List<String> open = new ArrayList<>();
        report.rows().forEach(row -> row.contents().open().named().forEach(one -> open.add(open(one))));
        statement.add("open", open);
        statement.add("finding", findings.alarmLines());
        statement.add("more-findings", count(findings.moreAlarms()));
        statement.add(
                "not-judged", report.notJudged().stream().map(Printable::line).toList());
        return statement.signed(
                report.events(),
                report.proven(),
                Outcome.valueOf(ExitCode.word(exitCode).toUpperCase(Locale.ROOT)),
                Printable.line(report.conclusion()),
                request.verifier());
    }

    private static String open(UnsealedTail end) {
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

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
