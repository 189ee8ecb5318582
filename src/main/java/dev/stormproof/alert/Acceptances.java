package dev.stormproof.alert;

import dev.stormproof.judge.LatestRevisions;
import java.util.List;
import java.util.Optional;

/** The acceptances of alerts, of each alert that of the latest revision; those of longest ago are forgotten first. Not safe for threads. */
public final class Acceptances {
    /** How many alerts are remembered as accepted; an alert that is forgotten counts as open. */
    public static final int MOST_REMEMBERED = 100_000;

    private final LatestRevisions<Acceptance> accepted = new LatestRevisions<>(MOST_REMEMBERED);

    /** Takes an acceptance; false if the same revision, or a later one, was accepted before. */
    public boolean add(Acceptance acceptance) {
        return accepted.put(acceptance.subject(), acceptance.revision(), acceptance);
    }

    /** Those that are remembered. */
    public List<Acceptance> all() {
        return accepted.values();
    }

    /** The acceptance of an alert; empty if nobody accepted it as it is. */
    public Optional<Acceptance> of(Alert alert) {
        return accepted.get(alert.subject())
                // guard: later-revision-is-open-again
                .filter(acceptance -> acceptance.revision() >= alert.finding().revision());
    }
}
