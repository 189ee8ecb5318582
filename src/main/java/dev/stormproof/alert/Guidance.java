package dev.stormproof.alert;

import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.MissedRecords;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Undelivered;
import dev.stormproof.verify.judge.Verdict;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.Optional;

/** The guidance for a finding: how urgent it is, which command checks it again, and which heading of the runbook describes it. */
public final class Guidance {
    /** The placeholder for the brokers' addresses in commands, which differ between readers. */
    public static final String SERVERS = "$KAFKA";

    private static final String RUNBOOK = "docs/runbook.md";

    /** The urgency of a finding. */
    public enum Severity {
        /** At once: data is wrong, or an output is halted. */
        CRITICAL,
        /** The same day: something is unproven. */
        WARNING,
        /** Nothing is to be done. */
        INFO
    }

    private Guidance() {}

    public static Severity severity(Finding finding) {
        if (finding instanceof Violated) {
            return Severity.CRITICAL;
        }
        if (finding instanceof StrayRecord record) {
            return switch (record.kind()) {
                case UNTRUSTED_CHECKPOINT, FORKED_CHECKPOINT -> Severity.CRITICAL;
                default -> Severity.WARNING;
            };
        }
        if (finding instanceof Undelivered undelivered) {
            return switch (undelivered.kind()) {
                case HALTED, WAITING -> Severity.CRITICAL;
                case DIVERTED -> Severity.WARNING;
                case RESUMED, WAITED -> Severity.INFO;
            };
        }
        boolean first = finding instanceof Inconclusive verdict && verdict.reason() == Inconclusive.Reason.UNANCHORED;
        return first || finding instanceof Verified ? Severity.INFO : Severity.WARNING;
    }

    /** The heading of the runbook on a finding; the page if nothing is to be done. */
    public static String runbook(Finding finding, Links links) {
        String page = links.runbookBaseUrl() + RUNBOOK;
        return Runbook.on(finding).stream()
                .findFirst()
                .map(entry -> page + "#" + entry.word())
                .orElse(page);
    }

    /** The command that reads the log again, with the same result as long as the log has the records; empty for findings on outputs. */
    public static Optional<String> audit(Finding finding, Links links) {
        return finding instanceof Undelivered
                ? Optional.empty()
                : Optional.of(links.audit(
                        finding.partition().topic(),
                        " --partition " + finding.partition().partition() + range(finding)));
    }

    /** What may follow an open alert; empty if it is final. */
    public static Optional<String> next(Finding finding) {
        if (!finding.isOpen()) {
            return Optional.empty();
        }
        return Optional.of(
                finding instanceof Undelivered
                        ? "not over: this alert comes again when the output goes on"
                        : "not final: if a checkpoint of the stream comes, this alert comes again with the verdict");
    }

    /** True if a finding needs no action: a proof, or information. */
    public static boolean isSettled(Finding finding) {
        return severity(finding) == Severity.INFO;
    }

    /** An open end is judged by what is before it; expired offsets cannot be read. */
    private static String range(Finding finding) {
        boolean open = finding instanceof Verdict && finding.isOpen();
        long first = finding instanceof StrayRecord records ? records.offset() : finding.anchorOffset();
        return open || finding instanceof MissedRecords
                ? ""
                : " --from " + first + " --to " + (finding.anchorOffset() + 1);
    }
}
