package dev.stormproof.forward;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stormproof.alert.Acceptance;
import dev.stormproof.alert.Acceptances;
import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertJson;
import dev.stormproof.alert.AlertsRecord;
import dev.stormproof.judge.LatestRevisions;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The alerts of one partition of an alerts topic, as they stand.
 *
 * <pre>
 *   record ──► alert       of a later revision than is known ──► its standing      else nothing: it was told
 *         └──► acceptance  of a known alert ─────────────────► its standing
 * </pre>
 *
 * <p>Bounded: the alert of longest ago is forgotten first, and counts as new if it comes again. Not safe for threads.
 */
final class OpenAlerts {
    static final int MOST_REMEMBERED = 100_000;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final LatestRevisions<Standing> latest = new LatestRevisions<>(MOST_REMEMBERED);
    private final Acceptances acceptances = new Acceptances();

    /** Takes a record; the alert that it changed, or nothing. Throws if it is no record of an alerts topic. */
    Optional<Standing> take(byte[] record) throws IOException {
        AlertsRecord told = AlertJson.readRecord(record);
        JsonNode written = JSON.readTree(record);
        if (told instanceof Alert alert) {
            // guard: planted-fault-is-not-forwarded: take(alert, written)
            return alert.canary() ? Optional.empty() : take(alert, written);
        }
        return take((Acceptance) told, written);
    }

    private Optional<Standing> take(Alert alert, JsonNode written) {
        Optional<Standing> before = latest.get(alert.subject());
        Standing standing = new Standing(alert, written, acceptances.of(alert), before.map(Standing::alert));
        // guard: told-revision-is-not-forwarded-again: true
        boolean news = latest.put(alert.subject(), alert.finding().revision(), standing);
        return news ? Optional.of(standing) : Optional.empty();
    }

    private Optional<Standing> take(Acceptance acceptance, JsonNode written) {
        if (!acceptances.add(acceptance)) {
            return Optional.empty();
        }
        Optional<Standing> known = latest.get(acceptance.subject())
                .filter(standing -> acceptances.of(standing.alert()).isPresent());
        return known.map(standing -> {
            Standing accepted =
                    new Standing(standing.alert(), written, Optional.of(acceptance), Optional.of(standing.alert()));
            latest.remove(acceptance.subject());
            latest.put(acceptance.subject(), standing.alert().finding().revision(), accepted);
            return accepted;
        });
    }

    /** Every alert that is remembered. */
    List<Standing> all() {
        return latest.values();
    }
}
