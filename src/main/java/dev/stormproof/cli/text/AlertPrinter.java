package dev.stormproof.cli.text;

import dev.stormproof.alert.Acceptance;
import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertText;
import dev.stormproof.alert.Guidance;
import dev.stormproof.alert.LatestRevisions;
import dev.stormproof.alert.RecordUrls;
import dev.stormproof.alert.Runbook;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Verdict;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A printer turns alerts into lines for people: one for each alert, one for each anomaly, and, if it is asked to
 * explain, the manual's words on what happened and what to do, and the commands to run next.
 *
 * <p>It remembers the last {@value #MOST_REMEMBERED} alerts: one of these that comes again is not printed again.
 *
 * <p>Not safe for threads.
 */
public final class AlertPrinter {
    /** How many anomalies of one alert are printed; its record has more. */
    private static final int MAX_LINES = 50;

    static final int MOST_REMEMBERED = 1_000;

    private static final int COLUMNS = 100;
    private static final String INDENT = "        ";

    private final @Nullable NextCommands commands;
    private final Function<Anomaly, String> line;
    private final RecordUrls urls;
    private final LatestRevisions<Boolean> printed = new LatestRevisions<>(MOST_REMEMBERED);

    /** A printer of alerts alone. */
    public AlertPrinter(Function<Anomaly, String> line) {
        this(line, RecordUrls.NONE, null);
    }

    /**
     * A printer.
     *
     * @param line the text on one anomaly
     * @param urls the pages that show checkpoints and records
     * @param commands explains each alert and makes its commands; null for none
     */
    public AlertPrinter(Function<Anomaly, String> line, RecordUrls urls, @Nullable NextCommands commands) {
        this.urls = urls;
        this.commands = commands;
        this.line = line;
    }

    /** The lines on an alert; none if it was printed before. */
    public List<String> lines(Alert alert) {
        List<String> lines = new ArrayList<>();
        if (!printed.put(alert.subject(), alert.finding().revision(), true)) {
            return lines;
        }
        lines.add((alert.isAlarm() ? "ALERT " : "      ") + AlertText.summary(alert.finding(), urls));
        if (alert.finding() instanceof Violated violated) {
            List<Anomaly> anomalies = violated.anomalies();
            anomalies.stream().limit(MAX_LINES).forEach(anomaly -> lines.add(INDENT + line.apply(anomaly)));
            if (anomalies.size() > MAX_LINES) {
                lines.add(INDENT + "and " + (anomalies.size() - MAX_LINES) + " more");
            }
        }
        Guidance.next(alert.finding()).ifPresent(next -> addWrapped(next, lines));
        if (commands != null) {
            Runbook.lines(alert.finding()).forEach(text -> addWrapped(text, lines));
        }
        if (commands != null && alert.isAlarm()) {
            commands.lines(alert).forEach(command -> lines.add(INDENT + command));
            if (alert.finding() instanceof Verdict verdict) {
                String basis = AlertText.basis(verdict.interval());
                if (!basis.isEmpty()) {
                    lines.add(INDENT + "basis   " + basis);
                }
            }
        }
        return lines;
    }

    /** The line on an alert that was accepted. */
    public List<String> lines(Acceptance acceptance) {
        return List.of("      accepted by " + acceptance.by() + ": " + acceptance.alertId() + ", revision "
                + acceptance.revision() + ": " + acceptance.reason());
    }

    /** Adds a text as lines that a terminal holds, the later ones indented further. */
    private static void addWrapped(String text, List<String> lines) {
        StringBuilder line = new StringBuilder(INDENT + "> ");
        for (String word : text.split(" ", -1)) {
            if (line.length() + word.length() > COLUMNS) {
                lines.add(line.toString().stripTrailing());
                line = new StringBuilder(INDENT + "  ");
            }
            line.append(word).append(' ');
        }
        lines.add(line.toString().stripTrailing());
    }
}
