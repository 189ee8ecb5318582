package dev.stormproof.alert;

import java.util.List;
import java.util.Optional;

/** The acceptances of alerts, for each alert the latest. Bounded: the oldest are forgotten first. Not thread-safe. */
public final class Acceptances {
    /** The most remembered acceptances; an alert whose acceptance was forgotten counts as open. */
    public static final int MOST_REMEMBERED = 100_000;

    /** The memory bound, approximately: reasons may be long. */
    public static final long MOST_BYTES = 64L << 20;

    private final LatestRevisions<Acceptance> accepted =
            new LatestRevisions<>(MOST_REMEMBERED, MOST_BYTES, Acceptance::sizeBytes);

    /** Takes an acceptance; false if the same content, or the verdict after it, was accepted before. */
    public boolean add(Acceptance acceptance) {
        accepted.get(acceptance.subject())
                .filter(before -> before.revision() == acceptance.revision()
                        && !before.content().equals(acceptance.content()))
                .ifPresent(before -> accepted.remove(acceptance.subject()));
        return accepted.put(acceptance.subject(), acceptance.revision(), acceptance);
    }

    public List<Acceptance> all() {
        return accepted.values();
    }

    /** The acceptance of an alert; empty if it was not accepted as it is. */
    public Optional<Acceptance> of(Alert alert) {
        return accepted.get(alert.subject())
                .filter(acceptance -> acceptance.covers(alert.finding().revision(), alert.content()));
    }
}
