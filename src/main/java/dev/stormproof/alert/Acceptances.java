package dev.stormproof.alert;

import dev.stormproof.verify.judge.LatestRevisions;
import java.util.List;
import java.util.Optional;

/**
 * The acceptances of alerts, of each alert that of the latest revision. Bounded: those of longest ago are forgotten first. Not safe
 * for threads.
 */
public final class Acceptances {
    /** How many alerts are remembered as accepted; an alert that is forgotten counts as open. */
    public static final int MOST_REMEMBERED = 100_000;

    /** About how much memory they may take: whoever accepts gives any reason. */
    public static final long MOST_BYTES = 64L << 20;

    private final LatestRevisions<Acceptance> accepted =
            new LatestRevisions<>(MOST_REMEMBERED, MOST_BYTES, Acceptance::sizeBytes);

    /** Takes an acceptance; false if the same content, or a later revision, was accepted before. */
    public boolean add(Acceptance acceptance) {
        accepted.get(acceptance.subject())
                .filter(before -> before.revision() == acceptance.revision()
                        && !before.content().equals(acceptance.content()))
                .ifPresent(before -> accepted.remove(acceptance.subject()));
        return accepted.put(acceptance.subject(), acceptance.revision(), acceptance);
    }

    /** Those that are remembered. */
    public List<Acceptance> all() {
        return accepted.values();
    }

    /** The acceptance of an alert; empty if nobody accepted it as it is. */
    public Optional<Acceptance> of(Alert alert) {
        return accepted.get(alert.subject())
                .filter(acceptance -> acceptance.covers(alert.finding().revision(), alert.content()));
    }
}
