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
 * <p>Bounded by number and by bytes: the alert of longest ago is forgotten first, and counts as new if it comes again. Of each is kept
 * what tells it again or ends it, not its record. Not safe for threads.
 */
final class OpenAlerts {
    static final int MOST_REMEMBERED = 100_000;

    /** About how much memory they may take: enough for as many whose texts come to 400 characters. */
    static final long MOST_BYTES = 128L << 20;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final LatestRevisions<Standing> latest = new LatestRevisions<>(
            MOST_REMEMBERED, MOST_BYTES, standing -> standing.alert().sizeBytes());
    private final Acceptances acceptances = new Acceptances();

    /** Takes a record; what it changed, or nothing. Throws if it is no record of an alerts topic. */
    Optional<Change> take(byte[] record) throws IOException {
        AlertsRecord told = AlertJson.readRecord(record);
        JsonNode written = JSON.readTree(record);
        if (told instanceof Alert alert) {
            return alert.canary() ? Optional.empty() : take(alert, written);
        }
        return take((Acceptance) told, written);
    }

    private Optional<Change> take(Alert alert, JsonNode written) {
        Optional<Told> before = latest.get(alert.subject()).map(Standing::alert);
        Change change = new Change(Told.of(alert, written), acceptances.of(alert), written, before);
        boolean news = latest.put(alert.subject(), alert.finding().revision(), change.standing());
        return news ? Optional.of(change) : Optional.empty();
    }

    private Optional<Change> take(Acceptance acceptance, JsonNode written) {
        if (!acceptances.add(acceptance)) {
            return Optional.empty();
        }
        Optional<Told> known =
                latest.get(acceptance.subject()).map(Standing::alert).filter(alert -> alert.isCoveredBy(acceptance));
        return known.map(alert -> {
            Change accepted = new Change(alert, Optional.of(acceptance), written, Optional.of(alert));
            latest.remove(alert.subject());
            latest.put(alert.subject(), alert.revision(), accepted.standing());
            return accepted;
        });
    }

    /** Every alert that is remembered. */
    List<Standing> all() {
        return latest.values();
    }
}
