package dev.stormproof.alert;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stormproof.verify.judge.EnumNames;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.MissedRecords;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Undelivered;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What the runbook says of each kind of alert: what happened, and how to close it.
 *
 * <p>It is in {@code runbook.json} and in docs/runbook.md; a test compares the two.
 */
public final class Runbook {
    private static final JsonNode WORDS = load();

    /**
     * A heading of the runbook.
     *
     * @param word the heading: {@code lost}
     */
    public record Entry(String word, String what, String todo) {}

    private Runbook() {}

    /** The whole resource, as JSON: {@code {"alerts": {"lost": {"what": …, "todo": …}, …}, "hops": {"log": …, …}}}. */
    public static String json() {
        return WORDS.toString();
    }

    /** The entries for a finding: for a violation, one for each kind of its anomalies; none if nothing is to be done. */
    public static List<Entry> on(Finding finding) {
        return words(finding).distinct().flatMap(Runbook::entry).toList();
    }

    private static Stream<String> words(Finding finding) {
        if (finding instanceof Violated violated) {
            return violated.anomalies().stream().map(anomaly -> EnumNames.of(anomaly.kind()));
        }
        if (finding instanceof Inconclusive inconclusive) {
            return Stream.of(EnumNames.of(inconclusive.reason()));
        }
        if (finding instanceof StrayRecord unattributed) {
            return Stream.of(EnumNames.of(unattributed.kind()));
        }
        if (finding instanceof Undelivered undelivered) {
            return Stream.of(EnumNames.of(undelivered.kind()));
        }
        return finding instanceof MissedRecords ? Stream.of("missed-records") : Stream.empty();
    }

    /** The entries as lines, for a terminal. */
    public static Stream<String> lines(Finding finding) {
        return on(finding).stream()
                .flatMap(entry -> Stream.of(entry.word() + ": " + entry.what(), "what to do: " + entry.todo()));
    }

    /** None for an output that goes on. */
    private static Stream<Entry> entry(String word) {
        JsonNode words = WORDS.required("alerts").path(word);
        return words.isMissingNode()
                ? Stream.empty()
                : Stream.of(new Entry(
                        word,
                        words.required("what").asText(),
                        words.required("todo").asText()));
    }

    private static JsonNode load() {
        try (InputStream words = Runbook.class.getResourceAsStream("runbook.json")) {
            return new ObjectMapper().readTree(Objects.requireNonNull(words));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
