package dev.stormproof.alert;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.EnumNames;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The operations manual's text on each kind of alert: what happened, with likely causes, and what to do.
 *
 * <p>It is in {@code runbook.json} and in the tables of docs/operations/alerts.md; a test compares the two.
 */
public final class Runbook {
    private static final JsonNode WORDS = load();

    /**
     * A row of the manual.
     *
     * @param about the table: {@code anomalies}, {@code reasons}, {@code strays}, {@code types}
     * @param word the row: {@code lost}
     */
    public record Entry(String about, String word, String what, String todo) {}

    private Runbook() {}

    /** The whole resource, as JSON: {@code {"anomalies": {"lost": {"what": …, "todo": …}, …}, …}}. */
    public static String json() {
        return WORDS.toString();
    }

    /** The entries for a finding: for a violation, one for each kind of its anomalies. */
    public static List<Entry> on(Finding finding) {
        if (finding instanceof Violated violated && !violated.anomalies().isEmpty()) {
            return violated.anomalies().stream()
                    .map(Anomaly::kind)
                    .distinct()
                    .map(kind -> entry("anomalies", EnumNames.of(kind)))
                    .toList();
        }
        if (finding instanceof Inconclusive inconclusive) {
            return List.of(entry("reasons", EnumNames.of(inconclusive.reason())));
        }
        if (finding instanceof StrayRecord unattributed) {
            return List.of(entry("strays", EnumNames.of(unattributed.kind())));
        }
        return finding.type() == Finding.Type.VERIFIED
                ? List.of()
                : List.of(entry("types", AlertJson.eventType(finding.type())));
    }

    /** The entries as lines, for a terminal. */
    public static Stream<String> lines(Finding finding) {
        return on(finding).stream()
                .flatMap(entry ->
                        Stream.of(entry.word() + ": " + ended(entry.what()), "what to do: " + ended(entry.todo())));
    }

    private static String ended(String text) {
        return text.endsWith(".") ? text : text + ".";
    }

    private static Entry entry(String about, String word) {
        JsonNode words = WORDS.required(about).required(word);
        return new Entry(
                about,
                word,
                words.required("what").asText(),
                words.required("todo").asText());
    }

    private static JsonNode load() {
        try (InputStream words = Runbook.class.getResourceAsStream("runbook.json")) {
            return new ObjectMapper().readTree(Objects.requireNonNull(words));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
